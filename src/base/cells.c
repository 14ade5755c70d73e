#include "base/cells.h"

#include <string.h>

#include "base/utf8.h"

/* Widths from Unicode's East Asian Width, only of characters on whose width
 * terminals agree. Newer emoji and parts of Hangul syllables are missing. */
static const struct range {
	uint32_t first, last;
	int cells;
} range[] = {
	/* clang-format off */
	{ 0x00020, 0x0007e, 1 }, { 0x000a0, 0x000ac, 1 },
	{ 0x000ae, 0x002ff, 1 }, { 0x00370, 0x00482, 1 },
	{ 0x0048a, 0x0052f, 1 }, { 0x01e00, 0x01eff, 1 },
	{ 0x02010, 0x02027, 1 }, { 0x02030, 0x0205e, 1 },
	{ 0x020a0, 0x020bf, 1 }, { 0x02100, 0x0214f, 1 },
	{ 0x02190, 0x022ff, 1 }, { 0x02500, 0x025fc, 1 },
	{ 0x025ff, 0x025ff, 1 }, { 0x02800, 0x028ff, 1 },
	{ 0x02e80, 0x02e99, 2 }, { 0x02e9b, 0x02ef3, 2 },
	{ 0x02f00, 0x02fd5, 2 }, { 0x03000, 0x03029, 2 },
	{ 0x03030, 0x0303e, 2 }, { 0x03041, 0x03096, 2 },
	{ 0x0309b, 0x030ff, 2 }, { 0x03105, 0x0312d, 2 },
	{ 0x03131, 0x03163, 2 }, { 0x03165, 0x0318e, 2 },
	{ 0x03190, 0x031ba, 2 }, { 0x031c0, 0x031e3, 2 },
	{ 0x031f0, 0x0321e, 2 }, { 0x03220, 0x03247, 2 },
	{ 0x03250, 0x032fe, 2 }, { 0x03300, 0x04dbf, 2 },
	{ 0x04e00, 0x09fff, 2 }, { 0x0a000, 0x0a48c, 2 },
	{ 0x0a490, 0x0a4c6, 2 }, { 0x0ac00, 0x0d7a3, 2 },
	{ 0x0f900, 0x0faff, 2 }, { 0x0fe10, 0x0fe19, 2 },
	{ 0x0fe30, 0x0fe52, 2 }, { 0x0fe54, 0x0fe66, 2 },
	{ 0x0fe68, 0x0fe6b, 2 }, { 0x0ff01, 0x0ff60, 2 },
	{ 0x0ff61, 0x0ff9d, 1 }, { 0x0ffe0, 0x0ffe6, 2 },
	{ 0x1f300, 0x1f320, 2 }, { 0x1f32d, 0x1f335, 2 },
	{ 0x1f337, 0x1f37c, 2 }, { 0x1f37e, 0x1f393, 2 },
	{ 0x1f3a0, 0x1f3ca, 2 }, { 0x1f3cf, 0x1f3d3, 2 },
	{ 0x1f3e0, 0x1f3f0, 2 }, { 0x1f3f8, 0x1f3fa, 2 },
	{ 0x1f400, 0x1f43e, 2 }, { 0x1f440, 0x1f440, 2 },
	{ 0x1f442, 0x1f4fc, 2 }, { 0x1f4ff, 0x1f53d, 2 },
	{ 0x1f54b, 0x1f54e, 2 }, { 0x1f550, 0x1f567, 2 },
	{ 0x1f5fb, 0x1f64f, 2 }, { 0x1f680, 0x1f6c5, 2 },
	{ 0x1f910, 0x1f91e, 2 }, { 0x1f920, 0x1f927, 2 },
	{ 0x1f980, 0x1f991, 2 }, { 0x20000, 0x2fffd, 2 },
	{ 0x30000, 0x3fffd, 2 },
	/* clang-format on */
};

int
cells_of(uint32_t code)
{
	unsigned low = 0, high = sizeof range / sizeof *range;

	while (low < high) {
		unsigned middle = (low + high) / 2;

		if (code > range[middle].last)
			low = middle + 1;
		else if (code < range[middle].first)
			high = middle;
		else
			return range[middle].cells;
	}
	return 0;
}

bool
cells_is_modifier(uint32_t code)
{
	return code == 0x200d || (code >= 0xfe00 && code <= 0xfe0f) ||
	       (code >= 0x1f3fb && code <= 0x1f3ff);
}

size_t
cells_fit(const char *s, unsigned room, unsigned *cells)
{
	size_t at = 0, left = strlen(s);

	*cells = 0;
	while (left > 0) {
		if (s[at] >= ' ' && s[at] <= '~' && *cells < room) {
			++*cells;
			at++;
			left--;
			continue;
		}
		size_t n = utf8_length(s + at, left);
		uint32_t code = utf8_code(s + at, n);
		bool sign = (code >= 0x300 && code <= 0x36f) ||
			    cells_is_modifier(code);
		unsigned takes = sign ? 0 : cells_of(code) == 2 ? 2 : 1;

		if (takes > room - *cells)
			break;
		*cells += takes;
		n += n == 0;
		at += n;
		left -= n;
	}
	return at;
}
