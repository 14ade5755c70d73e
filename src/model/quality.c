#include "model/quality.h"

#include "base/buf.h"

#include <string.h>

#define ROW(name, word, letter, text) { word, letter, text },
const struct quality_text quality_table[QUALITY_BITS] = { QUALITIES(ROW) };

const char *
quality_words(uint32_t q, char *buf, unsigned size)
{
	struct buf b = buf_over(buf, size);

	for (unsigned i = 0; i < QUALITY_BITS; i++) {
		if ((q & 1u << i) == 0)
			continue;
		if (b.len > 0)
			buf_char(&b, ';');
		buf_str(&b, quality_table[i].word);
	}
	return buf_cstr(&b);
}

/* Words of recordings before 1.0. */
static const struct {
	const char *word;
	uint32_t bit;
} quality_before[] = { { "stolen", QUALITY_TAKEN_OVER },
		       { "swap", QUALITY_SWAP } };

static uint32_t
word_bit(const char *word, size_t n)
{
	for (unsigned i = 0; i < 2; i++)
		if (strlen(quality_before[i].word) == n &&
		    memcmp(quality_before[i].word, word, n) == 0)
			return quality_before[i].bit;
	for (unsigned i = 0; i < QUALITY_BITS; i++)
		if (strlen(quality_table[i].word) == n &&
		    memcmp(quality_table[i].word, word, n) == 0)
			return 1u << i;
	return 0;
}

uint32_t
quality_parse(const char *text, int *unknown)
{
	uint32_t q = 0;

	*unknown = 0;
	while (*text != '\0') {
		size_t n = strcspn(text, ";");
		uint32_t bit = word_bit(text, n);

		if (bit == 0)
			*unknown = 1;
		q |= bit;
		text += n;
		if (*text == ';')
			text++;
	}
	return q;
}
