#include "model/verdict_bits.h"

#include <math.h>
#include <stddef.h>

#include "model/metric.h"

/* From the lowest bit: how many each part has. */
enum {
	WORD_BITS = 5,
	ALARM_BITS = 1,
	BASIS_BITS = 2,
	SHARE_BITS = 10,
	AGE_BITS = 6,
	TELLS_BITS = 8 /* a metric or a preset, from 1; 0: none */
};

enum {
	NO_WORD = (1 << WORD_BITS) - 1,
	NO_SHARE = (1 << SHARE_BITS) - 1,
	AGE_MOST = (1 << AGE_BITS) - 1,
	THOUSAND = 1000
};

_Static_assert((int)VERDICT_COUNT < (int)NO_WORD,
	       "a word more than its bits hold");
_Static_assert((int)METRIC_MAX < 1 << TELLS_BITS,
	       "a metric more than bits hold");

static uint32_t
share_bits(float share)
{
	if (!(share >= 0))
		return NO_SHARE;
	return (uint32_t)lroundf(fminf(share, 1) * (float)THOUSAND);
}

static uint32_t
age_bits(float age_s)
{
	return age_s > 0 ? (uint32_t)fminf(roundf(age_s), AGE_MOST) : 0;
}

uint32_t
verdict_bits(const struct verdict *v)
{
	if (v == NULL)
		return NO_WORD;
	int tells = v->word == VERDICT_UNKNOWN ? v->see : v->evidence;
	uint32_t bits = (uint32_t)(tells + 1);

	bits = bits << AGE_BITS | age_bits(v->age_s);
	bits = bits << SHARE_BITS | share_bits(v->share);
	bits = bits << BASIS_BITS | v->basis;
	bits = bits << ALARM_BITS | v->alarm;
	return bits << WORD_BITS | v->word;
}

/* The lowest n bits, which go. */
static uint32_t
take_bits(uint32_t *bits, unsigned n)
{
	uint32_t low = *bits & ((1u << n) - 1);

	*bits >>= n;
	return low;
}

bool
verdict_of_bits(uint32_t bits, struct verdict *out)
{
	*out = (struct verdict){ .word = VERDICT_UNKNOWN,
				 .see = -1,
				 .evidence = -1,
				 .share = NAN,
				 .evidence_value = NAN,
				 .impact = NAN,
				 .shared = NAN };
	uint32_t word = take_bits(&bits, WORD_BITS);

	if (word >= VERDICT_COUNT)
		return false;
	out->word = (uint8_t)word;
	out->alarm = take_bits(&bits, ALARM_BITS) != 0;
	out->basis = (uint8_t)take_bits(&bits, BASIS_BITS);
	uint32_t share = take_bits(&bits, SHARE_BITS);

	if (share != NO_SHARE)
		out->share = (float)share / (float)THOUSAND;
	out->age_s = (float)take_bits(&bits, AGE_BITS);
	int tells = (int)take_bits(&bits, TELLS_BITS) - 1;

	if (word == VERDICT_UNKNOWN) {
		out->see = (int8_t)tells;
		return true;
	}
	out->evidence = (int16_t)tells;
	out->see = (int8_t)(verdict_words[word].see[0] != 0
				    ? preset_find(verdict_words[word].see)
				    : -1);
	return true;
}
