/* Every kpc call that changes nothing: before, with and after force. */
#include "commands/doctor/doctor.h"

#include <errno.h>
#include <string.h>

typedef int64_t call_run(const struct doctor *d, uint32_t arg,
			 struct doctor_answer *a);

static int64_t
pmu_version(const struct doctor *d, uint32_t arg, struct doctor_answer *a)
{
	(void)arg;
	(void)a;
	return d->kpc->kpc_pmu_version();
}

static int64_t
get_counting(const struct doctor *d, uint32_t arg, struct doctor_answer *a)
{
	(void)arg;
	(void)a;
	return d->kpc->kpc_get_counting();
}

static int64_t
get_thread_counting(const struct doctor *d, uint32_t arg,
		    struct doctor_answer *a)
{
	(void)arg;
	(void)a;
	return d->kpc->kpc_get_thread_counting();
}

static int64_t
force_get(const struct doctor *d, uint32_t arg, struct doctor_answer *a)
{
	int value = 0, rc = d->kpc->kpc_force_all_ctrs_get(&value);

	(void)arg;
	a->told = value;
	return rc;
}

static int64_t
counter_count(const struct doctor *d, uint32_t arg, struct doctor_answer *a)
{
	(void)a;
	return d->kpc->kpc_get_counter_count(arg);
}

static int64_t
config_count(const struct doctor *d, uint32_t arg, struct doctor_answer *a)
{
	(void)a;
	return d->kpc->kpc_get_config_count(arg);
}

/* It writes as many words as the live count says: never call it for none. */
static int64_t
get_config(const struct doctor *d, uint32_t arg, struct doctor_answer *a)
{
	uint32_t n = d->kpc->kpc_get_config_count(arg);

	if (n == 0 || n > KPC_MAX_COUNTERS)
		return -1;
	a->nwords = n;
	errno = 0;
	return d->kpc->kpc_get_config(arg, a->word);
}

/* clang-format off */
static const struct call {
	const char *name;
	call_run *run;
	uint32_t arg; /* classes */
	const char *args;
} calls[] = {
	{ "kpc_pmu_version", pmu_version, 0, "" },
	{ "kpc_get_counting", get_counting, 0, "" },
	{ "kpc_get_thread_counting", get_thread_counting, 0, "" },
	{ "kpc_force_all_ctrs_get", force_get, 0, "" },
	{ "kpc_get_counter_count", counter_count, 1, "1" },
	{ "kpc_get_counter_count", counter_count, 2, "2" },
	{ "kpc_get_counter_count", counter_count, 3, "3" },
	{ "kpc_get_counter_count", counter_count, 4, "4" },
	{ "kpc_get_counter_count", counter_count, 8, "8" },
	{ "kpc_get_config_count", config_count, 1, "1" },
	{ "kpc_get_config_count", config_count, 2, "2" },
	{ "kpc_get_config_count", config_count, 3, "3" },
	{ "kpc_get_config_count", config_count, 4, "4" },
	{ "kpc_get_config_count", config_count, 8, "8" },
	{ "kpc_get_config", get_config, 1, "1" },
	{ "kpc_get_config", get_config, 2, "2" },
	{ "kpc_get_config", get_config, 8, "8" },
};
/* clang-format on */

enum { COUNTING = 1, CALLS = sizeof(calls) / sizeof(calls[0]) };
_Static_assert((int)CALLS <= (int)DOCTOR_CALLS_MAX, "room for every call");

void
doctor_calls_ask(struct doctor *d, enum doctor_phase phase)
{
	for (unsigned i = 0; i < CALLS; i++) {
		struct doctor_answer *a = &d->call[i][phase];
		int64_t from = doctor_now_ns();

		memset(a, 0, sizeof(*a));
		errno = 0;
		a->value = calls[i].run(d, calls[i].arg, a);
		a->error = errno;
		a->ns = doctor_now_ns() - from;
		a->asked = true;
	}
}

/* The errno matters only where the function failed, or says 0 for failure. */
static bool
failed(const struct doctor_answer *a)
{
	return a->error != 0 && a->value <= 0;
}

static void
name_of(const struct call *c, char *text, size_t size)
{
	(void)snprintf(text, size, "%s(%s)", c->name, c->args);
}

static void
print_answer(char *text, size_t size, const struct doctor_answer *a)
{
	char number[24];

	if (!a->asked) {
		(void)snprintf(text, size, "-");
		return;
	}
	(void)snprintf(text, size, "%lld", (long long)a->value);
	if (a->told != 0)
		(void)snprintf(text + strlen(text), size - strlen(text),
			       " gives %lld", (long long)a->told);
	if (failed(a))
		(void)snprintf(text + strlen(text), size - strlen(text), " %s",
			       report_errno(a->error, number));
	(void)snprintf(text + strlen(text), size - strlen(text), " %lldus",
		       (long long)(a->ns + 500) / 1000);
}

static void
print_call(const struct doctor *d, unsigned i)
{
	char key[64], text[DOCTOR_PHASES][64];

	for (unsigned p = 0; p < DOCTOR_PHASES; p++)
		print_answer(text[p], sizeof(text[p]), &d->call[i][p]);
	name_of(&calls[i], key, sizeof(key));
	(void)fprintf(d->x.out, "%s: %s | %s | %s\n", key, text[0], text[1],
		      text[2]);
}

static void
print_words(const struct doctor *d, unsigned i)
{
	static const char *const when[] = { "before", "forced", "after" };

	for (unsigned p = 0; p < DOCTOR_PHASES; p++) {
		const struct doctor_answer *a = &d->call[i][p];
		char key[64], text[KPC_MAX_COUNTERS * 20] = "";
		size_t at = 0;

		if (!a->asked || a->nwords == 0 || a->value != 0)
			continue;
		for (unsigned w = 0; w < a->nwords; w++)
			at += (size_t)snprintf(text + at, sizeof(text) - at,
					       "%s0x%llx", w > 0 ? " " : "",
					       (unsigned long long)a->word[w]);
		(void)snprintf(key, sizeof(key), "config(%s) %s", calls[i].args,
			       when[p]);
		report_line(d->x.out, key, "%s", text);
	}
}

static bool
alike(const struct doctor_answer *a, const struct doctor_answer *b)
{
	return a->value == b->value && a->told == b->told &&
	       failed(a) == failed(b) && a->nwords == b->nwords &&
	       (!failed(a) || a->error == b->error) &&
	       memcmp(a->word, b->word, sizeof(a->word)) == 0;
}

/*
 * Config words that nothing counts are no state from macOS 26.5 on: what is
 * read of them is what the hardware was left with (kperf/hold.h, latent).
 */
static bool
words_matter(const struct doctor *d)
{
	const struct doctor_answer *a = d->call[COUNTING];

	return !d->x.found.kernel.latent ||
	       ((a[DOCTOR_BEFORE].value & a[DOCTOR_AFTER].value) &
		KPC_CLASS_CONFIGURABLE_MASK) != 0;
}

static void
differences(struct doctor *d)
{
	for (unsigned i = 0; i < CALLS; i++) {
		char key[64];

		if (alike(&d->call[i][DOCTOR_BEFORE],
			  &d->call[i][DOCTOR_AFTER]) ||
		    (calls[i].run == get_config && !words_matter(d)))
			continue;
		name_of(&calls[i], key, sizeof(key));
		report_line(d->x.out, "changed", "%s", key);
		d->found.differences++;
	}
	d->found.restored =
		d->found.differences == 0 && d->found.restore.text[0] == '\0';
	report_line(
		d->x.out, "counter layer", "%s",
		!d->found.forced ? "not tried"
		: d->x.found.kernel.latent
			? "CPC (macOS 26.5 and later): words can be told only while they count"
			: "kpc (to macOS 26.4): words act at once");
	report_line(d->x.out, "restored", "%s%s%s",
		    !d->found.restored ? "no"
		    : d->found.forced  ? "yes"
				       : "yes (nothing was taken)",
		    d->found.restore.text[0] != '\0' ? ": " : "",
		    d->found.restore.text);
}

static const struct doctor_answer *
answers(const struct doctor *d, call_run *run, uint32_t arg)
{
	unsigned i = 0;

	while (calls[i].run != run || calls[i].arg != arg)
		i++;
	return d->call[i];
}

void
doctor_questions_calls(const struct doctor *d)
{
	const struct doctor_answer *force = answers(d, force_get, 0);
	const struct doctor_answer *raw = answers(d, config_count, 8);

	report_line(
		d->x.out, "force before ktop", "%s",
		force[DOCTOR_BEFORE].value != 0 ? "unknown"
		: force[DOCTOR_BEFORE].told == 0
			? "0"
			: "1: somebody holds the counters, or no power manager is there");
	if (d->found.forced)
		report_line(d->x.out, "raw words", "%lld%s",
			    (long long)raw[DOCTOR_FORCED].value,
			    raw[DOCTOR_FORCED].value == 17
				    ? " (with event filtering)"
				    : "");
}

void
doctor_calls(struct doctor *d)
{
	(void)fprintf(
		d->x.out,
		"# returned, errno, time: before force | with force | after restoring\n");
	for (unsigned i = 0; i < CALLS; i++)
		print_call(d, i);
	for (unsigned i = 0; i < CALLS; i++)
		print_words(d, i);
	if (d->call[0][DOCTOR_AFTER].asked)
		differences(d);
}
