/* Texts of metrics in little room. */
#include "ui/screen.h"

#include "ui/panels/hints.h"

static void
test_texts_in_little_room(void **state)
{
	static const char stall[] =
		"Share of cycles in which mapping is stalled; above 40% the "
		"core waits for data, or worse";
	static const struct {
		const char *text;
		int w;
		const char *want;
	} row[] = {
		{ stall, 88, stall },
		{ stall, 87, "above 40% the core waits for data, or worse" },
		{ stall, 43, "above 40% the core waits for data, or worse" },
		{ stall, 42, "above 40% the core waits for data" },
		{ stall, 33, "above 40% the core waits for data" },
		{ stall, 32, "above 40% the core waits for ..." },
		{ stall, 31, "above 40% the core waits ..." },
		/* very narrow: without the mark */
		{ stall, 29, "the core waits for data" },
		{ stall, 22, "the core waits for ..." },
		{ stall, 16, "the core ..." },
		{ stall, 2, "" },
		/* what follows says too little alone */
		{ "Work thrown away after guesses; 10% is noteworthy", 48,
		  "Work thrown away after guesses" },
		{ "Fills of the cache per 1000; near the misses: used", 24,
		  "near the misses: used" },
		{ "Fills of the cache per 1000; near the misses: used", 20,
		  "near the misses" },
		{ "Low; low means that all of them wait", 24,
		  "that all of them wait" },
		{ "Low; high: far too many of all", 22, "far too many of all" },
		/* a person's own words */
		{ "no clause in this text", 22, "no clause in this text" },
		{ "no clause in this text", 21, "no clause in this ..." },
		{ "no clause in this text", 20, "no clause in ..." },
		{ "Größe über alles", 16, "Größe über alles" },
		{ "Größe über alles", 15, "Größe über ..." },
		{ "unbreakable", 8, "" },
		{ "", 8, "" },
	};
	char out[128];

	(void)state;
	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		hints_text(row[i].text, row[i].w, out, sizeof out);
		assert_string_equal(out, row[i].want);
	}
}

/* No text of the table is cut within a word, or runs over. */
static void
test_texts_of_all_metrics(void **state)
{
	(void)state;
	for (unsigned m = 0; m < metric_count; m++)
		for (int w = 1; w < 140; w++) {
			const char *text = metric_table[m].text, *at = text;
			char out[256];

			hints_text(text, w, out, sizeof out);
			size_t n = strlen(out);

			assert_true(canvas_width(out) <= w);
			if (n > 4 && strcmp(out + n - 4, " ...") == 0)
				out[n -= 4] = 0;
			while ((at = strstr(at, out)) != NULL && n > 0 &&
			       strchr(" ,:;", at[n]) == NULL)
				at++;
			if (at == NULL)
				fail_msg("%s, %d: \"%s\"", text, w, out);
		}
}

int
main(void)
{
	const struct CMUnitTest test[] = {
		cmocka_unit_test(test_texts_in_little_room),
		cmocka_unit_test(test_texts_of_all_metrics),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
