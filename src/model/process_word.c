#include "model/process_word.h"

#include <string.h>

#include "base/buf.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define FLAG(bit, word, text) { bit, word },
static const struct {
	uint32_t bit;
	const char *word;
} flag[] = { PROCESS_FLAGS(FLAG) };
#undef FLAG

#define ACCESS(constant, word, text) word,
static const char *const access_word[] = { PROCESS_ACCESSES(ACCESS) };
#undef ACCESS

#define STATE(constant, word) word,
static const char *const state_word[] = { PROCESS_STATES(STATE) };
#undef STATE

const char *
process_words(const struct process_row *r, char *buf, unsigned size)
{
	struct buf b = buf_over(buf, size);

	if (r->access < PROCESS_ACCESS_COUNT)
		buf_str(&b, access_word[r->access]);
	for (unsigned i = 0; i < COUNT(flag); i++) {
		if ((r->flags & flag[i].bit) == 0)
			continue;
		buf_str(&b, b.len > 0 ? ";" : "");
		buf_str(&b, flag[i].word);
	}
	return buf_cstr(&b);
}

static bool
is_word(const char *word, const char *s, size_t n)
{
	return n > 0 && strlen(word) == n && memcmp(word, s, n) == 0;
}

bool
process_word_parse(const char *s, size_t n, uint32_t *flags, uint8_t *access)
{
	for (unsigned i = 0; i < COUNT(flag); i++)
		if (is_word(flag[i].word, s, n)) {
			*flags |= flag[i].bit;
			return true;
		}
	for (unsigned i = 0; i < COUNT(access_word); i++)
		if (is_word(access_word[i], s, n)) {
			*access = (uint8_t)i;
			return true;
		}
	return false;
}

const char *
process_state_name(uint8_t state)
{
	return state < PROCESS_STATE_COUNT ? state_word[state] : "";
}

bool
process_state_parse(const char *s, size_t n, uint8_t *state)
{
	for (unsigned i = 0; i < COUNT(state_word); i++)
		if (is_word(state_word[i], s, n)) {
			*state = (uint8_t)i;
			return true;
		}
	return false;
}
