#include "kperf/words.h"

#include <errno.h>
#include <string.h>

bool
kperf_words_get(const struct kperf_api *k, struct kperf_words *out)
{
	memset(out, 0, sizeof *out);
	errno = 0;
	out->len = k->kpc_get_config_count(KPERF_SLOTS);
	if (out->len == 0 || out->len > KPC_MAX_COUNTERS) {
		out->len = 0;
		return false;
	}
	/* It fills what the live count says, never more than fits. */
	if (k->kpc_get_config(KPERF_SLOTS, out->word) == 0)
		return true;
	out->len = 0;
	return false;
}

bool
kperf_words_same_events(const struct kperf_words *a,
			const struct kperf_words *b)
{
	if (a->len != b->len)
		return false;
	for (unsigned i = 0; i < a->len; i++) {
		uint64_t differ = a->word[i] ^ b->word[i];

		if ((differ & KPC_CONFIG_EVENT_16) != 0)
			return false;
	}
	return true;
}

bool
kperf_words_equal(const struct kperf_words *a, const struct kperf_words *b)
{
	return a->len == b->len &&
	       memcmp(a->word, b->word, a->len * sizeof a->word[0]) == 0;
}

static bool
refused(struct kperf_refusal *why, const char *call, int code)
{
	why->call = call;
	why->code = code;
	why->why = errno;
	return false;
}

static bool
add_all(const struct kperfdata_api *kpep, struct kpep_config *config,
	struct kperf_plan *out, bool user_only, struct kperf_refusal *why)
{
	for (unsigned i = 0; i < out->n; i++) {
		int rc = kpep->kpep_config_add_event(config, &out->live[i],
						     user_only ? 1 : 0,
						     &why->holders);

		why->event = i;
		if (rc != 0)
			return refused(why, "kpep_config_add_event", rc);
	}
	return true;
}

static bool
take_words(const struct kperfdata_api *kpep, struct kpep_config *config,
	   struct kperf_plan *out, struct kperf_refusal *why)
{
	size_t n = 0;
	int rc = kpep->kpep_config_kpc_classes(config, &out->classes);

	if (rc != 0)
		return refused(why, "kpep_config_kpc_classes", rc);
	rc = kpep->kpep_config_kpc_count(config, &n);
	if (rc != 0 || n > KPC_MAX_COUNTERS)
		return refused(why, "kpep_config_kpc_count",
			       rc != 0 ? rc : KPEP_BUFFER_TOO_SMALL);
	rc = kpep->kpep_config_kpc_map(config, out->map, sizeof out->map);
	if (rc != 0)
		return refused(why, "kpep_config_kpc_map", rc);
	rc = kpep->kpep_config_kpc(config, out->words.word,
				   sizeof out->words.word);
	if (rc != 0)
		return refused(why, "kpep_config_kpc", rc);
	out->words.len = (unsigned)n;
	return true;
}

bool
kperf_plan_build(const struct kperfdata_api *kpep, struct kpep_db *db,
		 struct kpep_event *const *event, unsigned n, bool user_only,
		 struct kperf_plan *out, struct kperf_refusal *why)
{
	struct kpep_config *config = NULL;
	bool ok;
	int rc;

	memset(why, 0, sizeof *why);
	memset(out, 0, sizeof *out);
	out->n = n;
	for (unsigned i = 0; i < n; i++)
		out->live[i] = event[i];
	errno = 0;
	rc = kpep->kpep_config_create(db, &config);
	if (rc != 0 || config == NULL)
		return refused(why, "kpep_config_create", rc);
	rc = kpep->kpep_config_force_counters(config);
	ok = rc == 0 || refused(why, "kpep_config_force_counters", rc);
	ok = ok && add_all(kpep, config, out, user_only, why) &&
	     take_words(kpep, config, out, why);
	kpep->kpep_config_free(config);
	return ok;
}
