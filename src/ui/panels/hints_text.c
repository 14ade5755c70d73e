/* The texts of metrics, "what it is; what follows", in little room. */
#include "ui/panels/hints.h"

#include <string.h>

enum {
	TEXT_SHORT = 30, /* with less, not even from where on it follows */
	TEXT_WHOLE = 60, /* with less, only what follows from it */
	SO_MIN = 20      /* "10% is noteworthy" does not stand alone */
};

/* "the core waits for data" of "above 40% the core waits for data". */
static const char *
without_mark(const char *so)
{
	static const struct {
		const char *head;
		unsigned words; /* behind it, that belong to it */
	} mark[] = { { "low means ", 0 },
		     { "low for its kind ", 0 },
		     { "high: ", 0 },
		     { "above ", 1 },
		     { "under ", 1 } };

	for (unsigned i = 0; i < sizeof mark / sizeof *mark; i++) {
		size_t n = strlen(mark[i].head);

		if (strncmp(so, mark[i].head, n) != 0)
			continue;
		const char *word = strchr(so + n, ' ');

		return mark[i].words == 0 ? so + n
		       : word != NULL     ? word + 1
					  : so;
	}
	return so;
}

/* The part of it to begin with. */
static const char *
begin(const char *text, int w)
{
	const char *so = strstr(text, "; ");

	if (canvas_width(text) <= w || so == NULL)
		return text;
	so += 2;
	int need = canvas_width(so);

	if (need < SO_MIN || (need > w && w >= TEXT_WHOLE))
		return text;
	return need > w && w < TEXT_SHORT ? without_mark(so) : so;
}

/* Bytes of s that fit w cells and end with a word, or with a clause; 0: none.
 */
static size_t
fit(char *s, int w, bool clause)
{
	for (size_t n = strlen(s); n > 0; n--) {
		char behind = s[n];

		if ((behind != ' ' && behind != 0) ||
		    (clause && strchr(",:;", s[n - 1]) == NULL))
			continue;
		s[n] = 0;
		int used = canvas_width(s);

		s[n] = behind;
		if (used <= w)
			return n;
	}
	return 0;
}

void
hints_text(const char *text, int w, char *out, size_t size)
{
	static const char dots[] = " ...";
	struct buf b = buf_over(out, size);

	buf_str(&b, begin(text, w));
	if (canvas_width(buf_cstr(&b)) <= w)
		return;
	/* The sign at the clause's end goes. */
	size_t n = fit(out, w + 1, true);

	if ((int)n > w / 2) {
		out[n - 1] = 0;
		return;
	}
	n = fit(out, w - (int)sizeof dots + 1, false);
	out[n] = 0;
	if (n > 0 && n + sizeof dots <= size)
		memcpy(out + n, dots, sizeof dots);
}
