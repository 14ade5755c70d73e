/* Compressed recordings: what is in them, cut anywhere, gone on with. */
#include "out/sink.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <signal.h>

#include <cmocka.h>

#include "out/recording.h"
#include "pack/pack.h"
#include "skip.h"

#define NEEDS_ZSTD()                                        \
	do {                                                \
		if (!pack_available)                        \
			skip_because("built without zstd"); \
	} while (0)

enum { WHOLE = 9, ROOM = 1 << 22 };

/* The text of a file, which may end anywhere; *n bytes. */
static char *
unpacked(const char *name, size_t *n)
{
	char *raw = malloc(ROOM), *text = calloc(1, ROOM);
	struct unpacker *u = unpacker_new(NULL);
	FILE *fp = fopen(path(name), "r");
	const char *why;
	size_t at = 0, to;

	assert_true(raw != NULL && text != NULL && u != NULL && fp != NULL);
	size_t size = fread(raw, 1, ROOM, fp);

	(void)fclose(fp);
	*n = 0;
	do {
		size_t from = size - at;

		to = ROOM - 1 - *n;
		assert_true(unpack(u, raw + at, &from, text + *n, &to, &why));
		at += from;
		*n += to;
	} while (at < size || to > 0);
	unpacker_free(u);
	free(raw);
	return text;
}

static void
record(struct frames *f, const char *name, unsigned frames)
{
	struct sink *s = open_in(f, name);
	struct err e = { ERR_NONE, "" };

	for (unsigned i = 0; i < frames; i++) {
		f->frame.seq = i;
		f->frame.elapsed_s = i;
		assert_true(s->ops->frame(s, &f->frame, &e));
	}
	s->ops->close(s);
}

static void
same_text(const char *plain, const char *packed)
{
	size_t n;
	char *a = slurp(plain), *b = unpacked(packed, &n);

	assert_int_equal(strlen(a), n);
	assert_string_equal(a, b);
	free(a);
	free(b);
}

static void
the_text_is_that_of_a_plain_file(void **state)
{
	struct frames *f = frames_new();

	(void)state;
	NEEDS_ZSTD();
	record(f, "a.csv", 150);
	record(f, "a.csv.zst", 150); /* more than one frame of zstd */
	same_text("a.csv", "a.csv.zst");
	assert_true(size_of("a.csv.zst") < size_of("a.csv") / 4);
	f->about.append = true;
	record(f, "a.csv", 3);
	record(f, "a.csv.zst", 3);
	same_text("a.csv", "a.csv.zst");
	frames_free(f);
}

/* Ends of the frames in a text: [0] is that of the header. */
static unsigned
ends_of(const char *text, size_t *end)
{
	unsigned n = 0, line = 0;

	for (const char *s = text; (s = strchr(s, '\n')) != NULL;)
		if (++s, line++ % FRAMES_CPUS == 0)
			end[n++] = (size_t)(s - text);
	return n;
}

static void
copy_start(const char *from, const char *to, size_t n)
{
	char *raw = malloc(ROOM);
	FILE *in = fopen(path(from), "r"), *out;

	assert_true(raw != NULL && in != NULL);
	assert_true(fread(raw, 1, n, in) == n);
	(void)fclose(in);
	(void)unlink(path(to));
	out = fopen(path(to), "w");
	assert_non_null(out);
	assert_true(fwrite(raw, 1, n, out) == n);
	assert_int_equal(fclose(out), 0);
	free(raw);
}

/*
 * Whatever is left of a file: nothing of a whole frame is lost, nothing of a
 * part stays, and what follows is all there.
 */
static void
cut_anywhere_it_goes_on(void **state)
{
	struct frames *f = frames_new();
	size_t n, end[WHOLE + 1], size, had = 0;

	(void)state;
	NEEDS_ZSTD();
	record(f, "b.csv.zst", WHOLE);
	record(f, "one.csv.zst", 1);
	char *all = unpacked("b.csv.zst", &n);
	char *first = unpacked("one.csv.zst", &n);

	assert_int_equal(ends_of(all, end), WHOLE + 1);
	const char *one = strchr(first, '\n') + 1;
	size = (size_t)size_of("b.csv.zst");
	f->about.append = true;
	for (size_t cut = 0; cut <= size; cut += cut + 300 < size ? 13 : 1) {
		copy_start("b.csv.zst", "c.csv.zst", cut);
		record(f, "c.csv.zst", 1);
		char *text = unpacked("c.csv.zst", &n);
		size_t kept = n - strlen(one);
		unsigned k = 0;

		while (k < WHOLE && end[k] != kept)
			k++;
		assert_int_equal(end[k], kept);
		assert_memory_equal(text, all, kept);
		assert_string_equal(text + kept, one);
		assert_true(kept >= had);
		had = kept;
		free(text);
	}
	assert_int_equal(had, end[WHOLE]);
	free(all);
	free(first);
	frames_free(f);
}

/* Room for `more` bytes: frame 1 waits for the rest, 2 and 3 are lost. */
static void
full_disk(unsigned more)
{
	struct frames *f = frames_new();
	struct sink *s = open_in(f, "full.csv.zst");
	struct err e = { ERR_NONE, "" };
	uint64_t lost;
	size_t n;
	bool dead;

	(void)signal(SIGXFSZ, SIG_IGN);
	assert_true(s->ops->frame(s, &f->frame, &e));
	limit_file((rlim_t)size_of("full.csv.zst") + more);
	for (unsigned i = 1; i <= 3; i++) {
		f->frame.seq = i;
		assert_int_equal(s->ops->frame(s, &f->frame, &e),
				 i == 1 && more > 0);
	}
	assert_string_equal(e.text, ""); /* said before */
	s->ops->state(s, &lost, &dead);
	assert_true(lost == 3 && !dead);
	limit_file(RLIM_INFINITY);
	f->frame.seq = 4;
	assert_true(s->ops->frame(s, &f->frame, &e));
	s->ops->state(s, &lost, &dead);
	assert_int_equal(lost, 2);
	s->ops->close(s);
	char *text = unpacked("full.csv.zst", &n);

	assert_int_equal(lines_in(text), 1 + 3 * FRAMES_CPUS + 1);
	assert_string_equal(at(text, 16, "frame"), "1");
	assert_string_equal(at(text, 17, "note"), "2 frames lost");
	assert_string_equal(at(text, 18, "frame"), "4");
	free(text);
	(void)unlink(path("full.csv.zst"));
	frames_free(f);
}

static void
a_full_disk_tears_nothing(void **state)
{
	(void)state;
	NEEDS_ZSTD();
	full_disk(0);
	full_disk(20);
}

static void
segments_are_whole_files(void **state)
{
	struct frames *f = frames_new();
	size_t n;

	(void)state;
	NEEDS_ZSTD();
	record(f, "size.csv.zst", 1);
	f->about.rotate_bytes = (uint64_t)size_of("size.csv.zst") + 100;
	record(f, "s.csv.zst", 12);
	assert_true((uint64_t)size_of("s.csv.zst") <= f->about.rotate_bytes);
	char *text = unpacked("s.0001.csv.zst", &n);

	assert_memory_equal(text, "schema,", 7);
	free(text);
	frames_free(f);
}

static void
refused(struct frames *f, const char *name, const char *why)
{
	struct err e = { ERR_NONE, "" };

	assert_null(sink_csv.open(path(name), &f->about, &e));
	assert_non_null(strstr(e.text, why));
	assert_true(strlen(e.text) < sizeof e.text - 1);
}

static void
names_and_bytes_have_to_agree(void **state)
{
	struct frames *f = frames_new();

	(void)state;
	refused(f, "x.csv.gz", "x.csv.zst");
	if (!pack_available)
		refused(f, "x.csv.zst", "without zstd");
	NEEDS_ZSTD();
	record(f, "plain.csv", 1);
	record(f, "packed.csv.zst", 1);
	copy_start("plain.csv", "plain.csv.zst", (size_t)size_of("plain.csv"));
	copy_start("packed.csv.zst", "packed.csv",
		   (size_t)size_of("packed.csv.zst"));
	f->about.append = true;
	refused(f, "plain.csv.zst", "is not compressed");
	refused(f, "packed.csv", "is compressed");
	frames_free(f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_text_is_that_of_a_plain_file),
		cmocka_unit_test(cut_anywhere_it_goes_on),
		cmocka_unit_test(a_full_disk_tears_nothing),
		cmocka_unit_test(segments_are_whole_files),
		cmocka_unit_test(names_and_bytes_have_to_agree),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
