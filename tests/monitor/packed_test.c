/* What was packed comes back bit by bit, and what was dropped is used again. */
#include "monitor/blobs.h"
#include "monitor/packed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed = 1;

static uint64_t
draw(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return seed >> 11 ^ seed << 40;
}

/* Words as there are: the same, near, with zeros at either end, any. */
static uint64_t
draw_word(uint64_t like)
{
	switch (draw() % 6) {
	case 0:
		return like;
	case 1:
		return like ^ (draw() & 0xff);
	case 2:
		return like ^ (draw() << 56);
	case 3:
		return like ^ (uint64_t)1 << draw() % 64;
	case 4:
		return 0;
	default:
		return draw();
	}
}

static void
test_words(void **state)
{
	uint64_t word[PACKED_WORDS], like[PACKED_WORDS], back[PACKED_WORDS];
	uint8_t bytes[PACKED_ROOM];

	(void)state;
	for (unsigned turn = 0; turn < 20000; turn++) {
		unsigned n = (unsigned)(draw() % (PACKED_WORDS / 4 + 1)) * 4;

		for (unsigned i = 0; i < n; i++) {
			like[i] = draw_word(0);
			word[i] = draw_word(like[i]);
		}
		const uint8_t *end = packed_put(bytes, word, like, n);

		assert_true(end + 8 <= bytes + sizeof bytes);
		assert_ptr_equal(packed_get(bytes, back, like, n), end);
		assert_memory_equal(back, word, n * sizeof *word);
	}
	/* What is the same takes its mask alone. */
	assert_ptr_equal(packed_put(bytes, like, like, PACKED_WORDS),
			 bytes + 4);
	/* As much as there can be of it. */
	for (unsigned i = 0; i < PACKED_WORDS; i++)
		word[i] = ~like[i];
	assert_ptr_equal(packed_put(bytes, word, like, PACKED_WORDS),
			 bytes + sizeof bytes - 8);
}

enum { BLOBS = 40, LONGEST = 3000 };

struct kept {
	uint32_t blob;
	size_t len;
	uint8_t byte[LONGEST];
};

static void
renew(struct blobs *b, struct kept *k)
{
	blobs_drop(b, k->blob);
	k->len = 1 + draw() % LONGEST;
	for (size_t i = 0; i < k->len; i++)
		k->byte[i] = (uint8_t)draw();
	k->blob = blobs_put(b, k->byte, k->len);
	assert_true(k->blob != 0);
}

static void
check(const struct blobs *b, const struct kept *k)
{
	uint8_t part[LONGEST], all[LONGEST];
	size_t at = draw() % k->len, len = draw() % (k->len - at + 1);

	blobs_get(b, k->blob, at, len, part);
	assert_memory_equal(part, k->byte + at, len);
	blobs_get_all(b, k->blob, all, sizeof all);
	assert_memory_equal(all, k->byte, k->len);
}

static void
test_blobs(void **state)
{
	struct kept *kept = calloc(BLOBS, sizeof *kept);
	struct blobs b;

	(void)state;
	assert_true(blobs_init(&b, BLOBS * LONGEST, BLOBS));
	for (unsigned i = 0; i < BLOBS; i++)
		renew(&b, &kept[i]);
	for (unsigned turn = 0; turn < 5000; turn++) {
		renew(&b, &kept[draw() % BLOBS]);
		check(&b, &kept[draw() % BLOBS]);
	}
	for (unsigned i = 0; i < BLOBS; i++)
		check(&b, &kept[i]);
	/* Short ones afterwards lie where the long ones lay. */
	uint32_t used = b.used;

	for (unsigned i = 0; i < BLOBS; i++) {
		blobs_drop(&b, kept[i].blob);
		kept[i].blob = blobs_put(&b, "x", 1);
	}
	assert_int_equal(b.used, used);
	blobs_done(&b);
	free(kept);
}

static void
test_no_room(void **state)
{
	uint8_t byte[BLOB_ROOM * 3] = { 0 };
	struct blobs b;
	uint32_t blob;

	(void)state;
	assert_true(blobs_init(&b, BLOB_ROOM * 2, 0));
	assert_int_equal(blobs_put(&b, byte, 0), 0);
	assert_true((blob = blobs_put(&b, byte, sizeof byte)) != 0);
	assert_int_equal(blobs_put(&b, byte, 1), 0);
	blobs_drop(&b, blob);
	assert_true(blobs_put(&b, byte, sizeof byte) != 0);
	blobs_clear(&b);
	assert_true(blobs_put(&b, byte, sizeof byte) != 0);
	blobs_done(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_blobs),
		cmocka_unit_test(test_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
