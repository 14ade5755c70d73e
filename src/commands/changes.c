#include "commands/report.h"

#include "base/buf.h"

void
changes_print(FILE *out, const struct digest *d)
{
	struct change c[CHANGES_MAX];
	int n = changes_find(d, c);
	struct digest_row is;

	if (n == 0)
		fprintf(out,
			"No cluster's IPC changed for long by more than the noise.\n");
	for (int i = 0; i < n; i++) {
		char text[128];
		struct buf b = buf_over(text, sizeof text);

		digest_row(d, c[i].row, &is);
		buf_str(&b, "At ");
		buf_decimal(&b, c[i].at_s, 6);
		buf_printf(&b, " s %s's IPC %s from %.2f to %.2f (%+.0f%%)",
			   is.name, c[i].after < c[i].before ? "fell" : "rose",
			   c[i].before, c[i].after,
			   100 * (c[i].after / c[i].before - 1));
		if (c[i].lasts) {
			buf_str(&b, ", to the end");
		} else {
			buf_str(&b, ", for ");
			buf_decimal(&b, c[i].until_s - c[i].at_s, 4);
			buf_str(&b, " s");
		}
		fprintf(out, "%s.\n", buf_cstr(&b));
	}
}
