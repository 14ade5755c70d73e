#include "options/options.h"

#include <string.h>

#include "base/buf.h"

enum { WORD_MAX = 32, FEW_BYTES = 120, ALL_BYTES = 400 };

static unsigned
edit_distance(const char *a, const char *b)
{
	unsigned row[WORD_MAX + 1], left, up;
	size_t n = strlen(a), m = strlen(b);

	if (n > WORD_MAX || m > WORD_MAX)
		return WORD_MAX;
	for (unsigned j = 0; j <= m; j++)
		row[j] = j;
	for (unsigned i = 1; i <= n; i++) {
		left = row[0];
		row[0] = i;
		for (unsigned j = 1; j <= m; j++) {
			up = row[j];
			row[j] = left + (a[i - 1] != b[j - 1]);
			if (up + 1 < row[j])
				row[j] = up + 1;
			if (row[j - 1] + 1 < row[j])
				row[j] = row[j - 1] + 1;
			left = up;
		}
	}
	return row[m];
}

const char *
options_nearest(const char *word, const char *const *candidate, unsigned n)
{
	const char *best = NULL;
	size_t len = strlen(word);
	unsigned least = len < 4 ? 2 : 3;

	for (unsigned i = 0; i < n; i++) {
		unsigned d = edit_distance(word, candidate[i]);

		if (len >= 3 && strncmp(candidate[i], word, len) == 0)
			d = d > 0;
		if (d < least) {
			least = d;
			best = candidate[i];
		}
	}
	return best;
}

bool
options_unknown(struct err *e, const char *what, const char *word,
		const char *const *candidate, unsigned n, const char *list)
{
	const char *near = options_nearest(word, candidate, n);
	char all[ALL_BYTES];
	struct buf b = buf_over(all, sizeof all);

	if (near != NULL)
		return err_set(e, ERR_USAGE,
			       "unknown %s '%s'; did you mean '%s'?", what,
			       word, near);
	for (unsigned i = 0; i < n; i++)
		buf_printf(&b, "%s%s",
			   i == 0      ? ""
			   : i + 1 < n ? ", "
				       : " or ",
			   candidate[i]);
	if (list == NULL || (n > 0 && b.len <= FEW_BYTES))
		return err_set(e, ERR_USAGE, "unknown %s '%s'; use %s", what,
			       word, buf_cstr(&b));
	return err_set(e, ERR_USAGE, "unknown %s '%s'; see %s", what, word,
		       list);
}

const char *
options_article(const char *arg)
{
	if (strpbrk(arg, ",.") != NULL || arg[strlen(arg) - 1] == 'S')
		return "";
	return strchr("AEIOU", arg[0]) != NULL ? "an " : "a ";
}

const char *
option_withdrawn(const char *kind, const char *name, size_t len)
{
	/* Words of earlier versions, and of htop, perf and hyperfine. */
	/* clang-format off */
	static const struct {
		const char *kind, *name, *instead;
	} withdrawn[] = {
		{ "ktop ", "diff", "use ktop compare A B" },
		{ "-", "e", "use --events A,B" },
		{ "ktop ", "export", "use the CREATE TABLE in ktop-csv(5)" },
		{ "--", "export-markdown", "use --markdown FILE" },
		{ "--", "frames", "use --samples COUNT" },
		{ "ktop ", "help", "use ktop --help or ktop COMMAND --help" },
		{ "--", "inject", "use ktop stat -p PID -e EVENTS" },
		{ "ktop ", "events", "use ktop --list-events" },
		{ "-", "j", "use ktop stat --json FILE" },
		{ "ktop ", "list", "use ktop --list-events" },
		{ "section ", "metric", "use [preset NAME] with events = A, B; their rates are shown" },
		{ "ktop ", "metrics", "use ktop --list-metrics" },
		{ "-", "P", "use --view processes" },
		{ "preset ", "overview", "use preset basic" },
		{ "--", "parameter-list", "use --parameter NAME=A,B" },
		{ "ktop ", "presets", "use ktop --list-presets" },
		{ "ktop ", "record", "use ktop --csv FILE" },
		{ "ktop ", "repair", "use ktop doctor --repair" },
		{ "--", "repeat", "use --runs N" },
		{ "ktop ", "report", "use ktop summary FILE" },
		{ "ktop ", "run", "use ktop stat -- CMD, or ktop --csv FILE -- CMD for a recording" },
		{ "-", "s", "use --sort COLUMN" },
		{ "--", "sql", "use the CREATE TABLE in ktop-csv(5)" },
		{ "--", "tape", "send the report of ktop doctor instead" },
		{ "ktop ", "top", "use ktop alone" },
		{ "-", "u", "use --view processes --filter NAME" },
		{ "ktop ", "version", "use ktop --version" },
		{ "-", "x", "use ktop stat --csv FILE" },
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof withdrawn / sizeof *withdrawn; i++)
		if (strcmp(withdrawn[i].kind, kind) == 0 &&
		    strlen(withdrawn[i].name) == len &&
		    memcmp(withdrawn[i].name, name, len) == 0)
			return withdrawn[i].instead;
	return NULL;
}
