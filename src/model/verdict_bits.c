#include "model/verdict_bits.h"

#include <math.h>
#include <stddef.h>

#include "model/metric.h"

/*
 * From the lowest bit: how many each part has. What is not known has no share:
 * an IPC before stands there, in hundredths, and how long before in its age.
 * Nor has what is stale: a share beyond all stands there.
 */
enum {
	WORD_BITS = 4,
	ALARM_BITS = 1,
	NAMED_BITS = 1,
	BASIS_BITS = 2,
	SHARE_BITS = 10,
	AGE_BITS = 6,
	TELLS_BITS = 8 /* a metric or a preset, from 1; 0: none */
};

enum {
	NO_WORD = (1 << WORD_BITS) - 1,
	NO_SHARE = (1 << SHARE_BITS) - 1,
	STALE_SHARE = NO_SHARE - 1,
	AGE_MOST = (1 << AGE_BITS) - 1,
	THOUSAND = 1000,
	HUNDRED = 100
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

static uint32_t
before_bits(const struct verdict *v)
{
	float most = (float)(NO_SHARE - 1);

	return v->before_s > 0 ? (uint32_t)lroundf(fminf(
					 v->ipc_before * (float)HUNDRED, most))
			       : NO_SHARE;
}

uint32_t
verdict_bits(const struct verdict *v)
{
	if (v == NULL)
		return NO_WORD;
	bool unknown = v->word == VERDICT_UNKNOWN;
	int tells = unknown ? v->see : v->evidence;
	uint32_t bits = (uint32_t)(tells + 1);

	bits = bits << AGE_BITS | age_bits(unknown ? v->before_s : v->age_s);
	bits = bits << SHARE_BITS | (unknown    ? before_bits(v)
				     : v->stale ? STALE_SHARE
						: share_bits(v->share));
	bits = bits << BASIS_BITS | v->basis;
	bits = bits << NAMED_BITS | v->named;
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

uint8_t
verdict_bits_word(uint32_t bits)
{
	uint32_t word = take_bits(&bits, WORD_BITS);

	return (uint8_t)(word < VERDICT_COUNT ? word : VERDICT_COUNT);
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
	out->named = take_bits(&bits, NAMED_BITS) != 0;
	out->basis = (uint8_t)take_bits(&bits, BASIS_BITS);
	uint32_t share = take_bits(&bits, SHARE_BITS);
	float age_s = (float)take_bits(&bits, AGE_BITS);
	int tells = (int)take_bits(&bits, TELLS_BITS) - 1;

	if (word == VERDICT_UNKNOWN) {
		out->see = (int8_t)tells;
		out->before_s = share != NO_SHARE ? age_s : 0;
		out->ipc_before = (float)share / (float)HUNDRED;
		return true;
	}
	out->stale = share == STALE_SHARE;
	if (share != NO_SHARE && !out->stale)
		out->share = (float)share / (float)THOUSAND;
	out->age_s = age_s;
	out->evidence = (int16_t)tells;
	out->see = (int8_t)(verdict_words[word].see[0] != 0
				    ? preset_find(verdict_words[word].see)
				    : -1);
	return true;
}
