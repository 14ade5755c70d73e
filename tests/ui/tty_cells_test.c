/* Changed cells as bytes. */
#include "ui/tty_cells.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { W = 4, H = 3 };

static const struct tty_look look[2] = { { .len = 3, .on = "<a>" },
					 { .len = 3, .on = "<b>" } };
static const struct tty_ends ends = { "[", "]" };

static void
is(const struct tty_change *change, int n, const char *wanted)
{
	struct cell shown[W * H];
	struct tty_change copy[W * H];
	struct tty_bytes out = { .at = NULL };

	for (int i = 0; i < W * H; i++) {
		shown[i] = (struct cell){ .glyph = " " };
		shown[i].glyph[0] = (char)('A' + i);
	}
	memcpy(shown[11].glyph, "█", 3);
	if (n > 0)
		memcpy(copy, change, (size_t)n * sizeof *copy);
	assert_true(tty_cells_add(&out, shown, W, look, copy, n, &ends));
	assert_int_equal(out.len, strlen(wanted));
	if (out.len > 0)
		assert_memory_equal(out.at, wanted, out.len);
	free(out.at);
}

static void
test_bytes(void **state)
{
	(void)state;
	is(NULL, 0, "");
	/* side by side: one move; a gap: the cursor steps over it */
	is((const struct tty_change[]){ { 4, 0 }, { 5, 0 }, { 7, 0 } }, 3,
	   "[<a>\033[2;1HEF\033[1CH]");
	/* a row's end is no way into the next one */
	is((const struct tty_change[]){ { 3, 0 }, { 4, 0 } }, 2,
	   "[<a>\033[1;4HD\033[2;1HE]");
	/* look by look, each once, in the order they come */
	is(
		(const struct tty_change[]){
			{ 0, 1 }, { 1, 0 }, { 2, 1 }, { 11, 0 } },
		4, "[<b>\033[1;1HA\033[1CC<a>\033[1;2HB\033[3;4H█]");
}

int
main(void)
{
	const struct CMUnitTest test[] = { cmocka_unit_test(test_bytes) };

	return cmocka_run_group_tests(test, NULL, NULL);
}
