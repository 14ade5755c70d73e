#include "sim/spec.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/parse.h"
#include "pmu/pmu.h"

#define MS 1000000LL
#define SECOND 1000000000LL

enum arg { NO_ARG, EVENT, CPUS, NUMBER, TIME, STEP };

/* clang-format off */
static const struct fault_kind {
	const char *name;
	enum arg arg;
	int64_t least, most;
	int64_t usual;       /* default of a TIME */
	const char *is;
} fault_kinds[] = {
	[SIM_FAULT_STEAL] = { "steal", NO_ARG, 0, 0, 0, NULL },
	[SIM_FAULT_BUSY] = { "busy", NO_ARG, 0, 0, 0, NULL },
	[SIM_FAULT_TAKEN] = { "taken", NO_ARG, 0, 0, 0, NULL },
	[SIM_FAULT_EPERM] = { "eperm", NO_ARG, 0, 0, 0, NULL },
	[SIM_FAULT_REFUSE] = { "refuse", EVENT, 0, 0, 0, NULL },
	[SIM_FAULT_OFF] = { "off", CPUS, 0, 0, 0, NULL },
	[SIM_FAULT_SLEEP] = { "sleep", NO_ARG, 0, 0, 0, NULL },
	[SIM_FAULT_SLOW] = { "slow", TIME, 0, 60 * SECOND, 50 * MS, "give a time up to 60s" },
	[SIM_FAULT_WALL] = { "wall", STEP, 0, 0, 0, "give a time with a sign, up to 1440m, as +60m or -2s" },
	[SIM_FAULT_DEAD] = { "dead", EVENT, 0, 0, 0, NULL },
	[SIM_FAULT_LAG] = { "lag", TIME, 1, 60 * SECOND, 10 * MS, "give a time up to 60s" },
	[SIM_FAULT_REUSE] = { "reuse", NO_ARG, 0, 0, 0, NULL },
	[SIM_FAULT_NOZOMBIE] = { "nozombie", NO_ARG, 0, 0, 0, NULL },
	[SIM_FAULT_DENIED] = { "denied", NUMBER, 0, INT32_MAX, 0, "give a process id" },
	[SIM_FAULT_VANISH] = { "vanish", NO_ARG, 0, 0, 0, NULL },
	[SIM_FAULT_STORM] = { "storm", NUMBER, 1, 200, 0, "give the number of processes that begin and end in a second, 1 to 200" },
	[SIM_FAULT_OLDOS] = { "oldos", NO_ARG, 0, 0, 0, NULL },
	[SIM_FAULT_KTRACE] = { "ktrace", NUMBER, 1, INT32_MAX, 0, "give the number of the process that owns tracing" },
	[SIM_FAULT_EVICT] = { "evict", NO_ARG, 0, 0, 0, NULL },
	[SIM_FAULT_TAILSPIN] = { "tailspin", NO_ARG, 0, 0, 0, NULL },
	[SIM_FAULT_RING] = { "ring", NO_ARG, 0, 0, 0, NULL },
	[SIM_FAULT_DROP] = { "drop", NUMBER, 1, INT32_MAX, 0, "give N, 1 or more: one of N samples lacks a record" },
};
/* clang-format on */

/* At most 1000 hours, so that sums do not overflow. */
static bool
time_parse(const char *text, int64_t *out)
{
	return parse_duration(text, out) && *out <= 3600000 * SECOND;
}

static bool
os_parse(struct sim_spec *s, const char *value, struct err *e)
{
	char *end;
	unsigned long major = strtoul(value, &end, 10), minor = 0;

	if (end != value && *end == '.' && end[1] >= '0' && end[1] <= '9')
		minor = strtoul(end + 1, &end, 10);
	if (end == value || *end != '\0' || minor > 9 ||
	    !((major >= 11 && major <= 15) || major == 26 || major == 27))
		return err_set(
			e, ERR_USAGE,
			"--sim: os=%s: give a macOS version, 11.0 to 15.5, 26 or 27",
			value);
	s->os = SIM_OS((uint32_t)major, (uint32_t)minor);
	return true;
}

static bool
selector_parse(const struct sim_machine *m, const char *arg, int64_t *out)
{
	const struct pmu *pmu = pmu_by_db(m->db);
	const struct pmu_event *event =
		pmu != NULL ? pmu_event_find(pmu, arg) : NULL;
	uint64_t n = 0;

	if (strcmp(arg, "*") == 0)
		*out = SIM_SELECTOR_ALL;
	else if (event != NULL && event->fixed < 0)
		*out = pmu_selector(event);
	else if (parse_u64(arg, 0xffff, &n))
		*out = (int64_t)n;
	else
		return false;
	return true;
}

static bool
step_parse(const char *arg, int64_t *out)
{
	int64_t ns;

	if ((arg[0] != '-' && arg[0] != '+') || !time_parse(arg + 1, &ns) ||
	    ns > SIM_WALL_MOST_NS)
		return false;
	*out = arg[0] == '-' ? -ns : ns;
	return true;
}

/* name: a cluster, the letter of clusters, or a CPU. 0 and *e: unknown. */
static uint64_t
cpus_parse(const struct sim_machine *m, const char *name, const char *key,
	   const char *value, struct err *e)
{
	uint64_t cpus = sim_machine_cpus_named(m, name);

	if (cpus == 0)
		err_set(e, ERR_USAGE,
			"--sim: %s%s: %s has no such CPUs; give the label of a cluster (%c, %c0) or cpu0 to cpu%u",
			key, value, m->name, m->kind[0].name[0],
			m->kind[0].name[0], sim_machine_ncpus(m) - 1);
	return cpus;
}

static bool
fault_arg(const struct sim_machine *m, const char *arg, struct sim_fault *f,
	  struct err *e)
{
	const struct fault_kind *k = &fault_kinds[f->kind];
	uint64_t n = 0;
	bool ok = false;

	switch (k->arg) {
	case NO_ARG:
		return err_set(e, ERR_USAGE,
			       "--sim: fault: this kind takes no ':%s'", arg);
	case EVENT:
		return selector_parse(m, arg, &f->arg) ||
		       err_set(e, ERR_USAGE,
			       "--sim: fault=%s:%s: give an event of %s's database, a number, or * for all",
			       k->name, arg, m->name);
	case CPUS:
		f->cpus = cpus_parse(m, arg, "fault=off:", arg, e);
		return f->cpus != 0;
	case STEP:
		ok = step_parse(arg, &f->arg);
		break;
	case NUMBER:
		ok = parse_u64(arg, (uint64_t)k->most, &n);
		f->arg = (int64_t)n;
		break;
	case TIME:
		ok = time_parse(arg, &f->arg);
		break;
	}
	if (ok && (k->arg == STEP || (f->arg >= k->least && f->arg <= k->most)))
		return true;
	return err_set(e, ERR_USAGE, "--sim: fault=%s:%s: %s", k->name, arg,
		       k->is);
}

static bool
fault_times(const char *value, const char *at, struct sim_fault *f,
	    struct err *e)
{
	const char *dash = strchr(at, '-');
	char from[64];

	snprintf(from, sizeof from, "%.*s", (int)strcspn(at, "-"), at);
	f->to_ns = SIM_NEVER;
	if (time_parse(from, &f->from_ns) &&
	    (dash == NULL ||
	     (time_parse(dash + 1, &f->to_ns) && f->to_ns > f->from_ns))) {
		if (f->kind != SIM_FAULT_SLEEP || dash != NULL)
			return true;
		return err_set(
			e, ERR_USAGE,
			"--sim: fault=%s: a sleep needs an end; give FROM-TO after @",
			value);
	}
	return err_set(
		e, ERR_USAGE,
		"--sim: fault=%s: give FROM or FROM-TO after @, such as 3s-6s or 250ms",
		value);
}

bool
sim_fault_parse(const struct sim_machine *m, const char *value,
		struct sim_fault *out, struct err *e)
{
	struct sim_fault f = { .kind = -1 };
	const char *at = strchr(value, '@');
	size_t name = strcspn(value, ":@");
	char arg[64] = "";

	for (int32_t i = 0; i <= SIM_FAULT_DROP; i++)
		if (strlen(fault_kinds[i].name) == name &&
		    strncmp(value, fault_kinds[i].name, name) == 0)
			f.kind = i;
	if (f.kind < 0)
		return err_set(
			e, ERR_USAGE,
			"--sim: fault=%s: the kinds are steal, busy, taken, eperm, refuse:EVENT, off:CLUSTER, sleep, slow[:TIME], wall:+TIME, wall:-TIME, dead:EVENT, lag[:TIME], reuse, nozombie, denied:PID, vanish, storm:N, oldos, ktrace:PID, evict, tailspin, ring, drop:N",
			value);
	if (at == NULL)
		return err_set(
			e, ERR_USAGE,
			"--sim: fault=%s has no time: give KIND[:ARG]@FROM[-TO], such as %.*s@3s-6s",
			value, (int)name, value);
	if (value[name] == ':')
		snprintf(arg, sizeof arg, "%.*s",
			 (int)(at - value - (int)name - 1), value + name + 1);
	f.arg = fault_kinds[f.kind].usual;
	if (value[name] == ':' || (fault_kinds[f.kind].arg != NO_ARG &&
				   fault_kinds[f.kind].arg != TIME))
		if (!fault_arg(m, arg, &f, e))
			return false;
	if (!fault_times(value, at + 1, &f, e))
		return false;
	*out = f;
	return true;
}

static bool
fault_key(struct sim_spec *s, const char *value, struct err *e)
{
	struct sim_fault f;

	if (!sim_fault_parse(s->machine, value, &f, e))
		return false;
	if (s->nfaults == SIM_FAULTS_MAX)
		return err_set(e, ERR_USAGE, "--sim takes at most %d faults",
			       SIM_FAULTS_MAX);
	s->fault[s->nfaults++] = f;
	return true;
}

static bool
power_parse(struct sim_spec *s, const char *value, struct err *e)
{
	static const char *const word[] = {
		"sample",   "2s",     "30min",     "never",   "denied",
		"nothing",  "pmp0",   "nototal",   "falls",   "time0",
		"frozen",   "future", "saturated", "unknown", "nosample",
		"throttle", "os",     "hot",       "noheat"
	};
	enum { WORDS = sizeof word / sizeof word[0] };

	for (const char *at = value; *at != '\0';) {
		size_t n = strcspn(at, "+");
		unsigned i = 0;

		while (i < WORDS &&
		       (strlen(word[i]) != n || strncmp(word[i], at, n) != 0))
			i++;
		if (i == WORDS)
			return err_set(
				e, ERR_USAGE,
				"--sim: power=%s: give words joined by +: os, sample, 2s, 30min, never; denied, nothing, pmp0, nototal, falls, time0, frozen, future, saturated, unknown, nosample, throttle, hot, noheat",
				value);
		s->power |= 1u << i;
		at += n + (at[n] == '+');
	}
	return true;
}

static bool
program_parse(const char *value, const char *name, enum sim_program *out,
	      struct err *e)
{
	char all[200];
	struct buf b = buf_over(all, sizeof all);

	if (sim_program_find(name, out))
		return true;
	for (unsigned i = 0; sim_program_name(i) != NULL; i++)
		buf_printf(&b, "%s%s", i > 0 ? ", " : "", sim_program_name(i));
	return err_set(
		e, ERR_USAGE,
		"--sim: work=%s: give PROGRAM or WHERE:PROGRAM, such as memory or cpu0:memory; the programs are %s",
		value, buf_cstr(&b));
}

/* WHERE:PROGRAM or PROGRAM. A later program for a CPU replaces an earlier
 * one. */
static bool
work_parse(struct sim_spec *s, const char *value, struct err *e)
{
	const char *colon = strchr(value, ':');
	uint64_t cpus = UINT64_MAX;
	enum sim_program program;
	char where[384];

	if (colon != NULL) {
		snprintf(where, sizeof where, "%.*s", (int)(colon - value),
			 value);
		cpus = cpus_parse(s->machine, where, "work=", value, e);
		if (cpus == 0)
			return false;
	}
	if (!program_parse(value, colon != NULL ? colon + 1 : value, &program,
			   e))
		return false;
	for (unsigned cpu = 0; cpu < sim_machine_ncpus(s->machine); cpu++)
		if ((cpus >> cpu & 1) != 0)
			s->program[cpu] = (uint8_t)program;
	return true;
}

static bool
pm_parse(struct sim_spec *s, const char *value, struct err *e)
{
	uint64_t mask;

	/* Bits are absolute: 0xe0 is counters 5, 6 and 7. */
	if (!parse_u64(value, 0x3fc, &mask) || (mask & 3) != 0)
		return err_set(
			e, ERR_USAGE,
			"--sim: pm=%s: give a mask of the counters 2 to 9 that the power manager keeps, such as 0xe0, or 0 for no power manager",
			value);
	s->pm = (uint32_t)mask;
	s->no_pm = mask == 0;
	return true;
}

/* 2: arm64e; 12: arm64e.x1 of macOS 27. */
static bool
subtype_parse(struct sim_spec *s, const char *value, struct err *e)
{
	uint64_t n;

	if (s->machine->cputype == 7 || !parse_u64(value, 12, &n) ||
	    (n != 2 && n != 12))
		return err_set(
			e, ERR_USAGE,
			"--sim: subtype=%s: give 2 or 12, the subtypes of Apple silicon",
			value);
	s->cpusubtype = (uint32_t)n;
	return true;
}

static bool
procs_parse(struct sim_spec *s, const char *value, struct err *e)
{
	uint64_t n = 0;
	bool ok = parse_u64(value, SIM_PROCS_MOST, &n) && n > 0;

	s->procs = (unsigned)n;
	return ok ||
	       err_set(e, ERR_USAGE,
		       "--sim: procs=%s: give the number of processes, 1 to %d",
		       value, SIM_PROCS_MOST);
}

static bool
seed_parse(struct sim_spec *s, const char *value, struct err *e)
{
	return parse_u64(value, UINT64_MAX, &s->seed) ||
	       err_set(e, ERR_USAGE, "--sim: seed=%s: give a number", value);
}

static bool
euid_parse(struct sim_spec *s, const char *value, struct err *e)
{
	uint64_t n = 0;
	bool ok = parse_u64(value, UINT32_MAX, &n);

	s->euid = (uint32_t)n;
	return ok ||
	       err_set(e, ERR_USAGE,
		       "--sim: euid=%s: give a user id, such as 0 for root",
		       value);
}

static bool
state_parse(struct sim_spec *s, const char *value, struct err *e)
{
	int n = snprintf(s->state, sizeof s->state, "%s", value);

	return (n > 0 && (size_t)n < sizeof s->state) ||
	       err_set(e, ERR_USAGE, "--sim: state=%s: give a file name",
		       value);
}

static const struct {
	const char *name, *no, *yes;
	size_t flag; /* offset of a bool that is true for `yes` */
	bool (*parse)(struct sim_spec *s, const char *value, struct err *e);
} keys[] = {
/* clang-format off */
#define CHOICE(name, no, yes, field) \
	{ name, no, yes, offsetof(struct sim_spec, field), NULL }
	{ "seed", NULL, NULL, 0, seed_parse },
	CHOICE("clock", "real", "step", step),
	{ "os", NULL, NULL, 0, os_parse },
	{ "subtype", NULL, NULL, 0, subtype_parse },
	CHOICE("chip", "known", "new", new_chip),
	{ "pm", NULL, NULL, 0, pm_parse },
	{ "euid", NULL, NULL, 0, euid_parse },
	CHOICE("lib", "minus1", "errno", lib_errno),
	CHOICE("rows", "untouched", "copied", rows_copied),
	CHOICE("layout", "56", "48", layout_48),
	CHOICE("raw", "7", "17", raw17),
	{ "state", NULL, NULL, 0, state_parse },
	{ "work", NULL, NULL, 0, work_parse },
	{ "procs", NULL, NULL, 0, procs_parse },
	CHOICE("rest", "0", "1", rest),
	CHOICE("physics", "drawn", "wide", wide),
	CHOICE("skew", "0", "1", skew),
	{ "power", NULL, NULL, 0, power_parse },
	{ "fault", NULL, NULL, 0, fault_key },
	/* clang-format on */
};
enum { KEYS = sizeof keys / sizeof *keys };

static bool
key_parse(struct sim_spec *s, const char *key, const char *value, struct err *e)
{
	char all[200];
	struct buf b = buf_over(all, sizeof all);
	unsigned i = 0;

	for (; i < KEYS && strcmp(keys[i].name, key) != 0; i++)
		buf_printf(&b, "%s%s", i > 0 ? ", " : "", keys[i].name);
	if (strcmp(key, "tape") == 0)
		return err_set(
			e, ERR_USAGE,
			"--sim: there is no key tape (tape=%s): send the report of ktop doctor instead",
			value);
	if (i == KEYS)
		return err_set(e, ERR_USAGE,
			       "--sim: no key '%s'; the keys are %s", key,
			       buf_cstr(&b));
	if (keys[i].parse != NULL)
		return keys[i].parse(s, value, e);

	bool yes = strcmp(value, keys[i].yes) == 0;

	*(bool *)((char *)s + keys[i].flag) = yes;
	return yes || strcmp(value, keys[i].no) == 0 ||
	       err_set(e, ERR_USAGE, "--sim: %s=%s: give %s or %s", key, value,
		       keys[i].no, keys[i].yes);
}

static bool
machine_parse(struct sim_spec *s, const char *name, struct err *e)
{
	char all[400];
	struct buf b = buf_over(all, sizeof all);

	s->machine = sim_machine_find(name);
	if (s->machine != NULL)
		return true;
	for (const struct sim_machine *m = sim_machines; m->name != NULL; m++)
		buf_printf(&b, "%s%s", b.len > 0 ? ", " : "", m->name);
	return err_set(e, ERR_USAGE,
		       "--sim: no machine '%s'; the machines are %s", name,
		       buf_cstr(&b));
}

bool
sim_spec_parse(struct sim_spec *s, const char *text, struct err *e)
{
	char word[384];
	bool first = true;

	memset(s, 0, sizeof *s);
	s->seed = 1;
	s->os = SIM_OS(26, 0);
	s->pm = 0xe0;
	for (;; text++, first = false) {
		size_t len = strcspn(text, ",");
		if (len >= sizeof word)
			return err_set(e, ERR_USAGE,
				       "--sim: '%.40s...' is too long", text);
		snprintf(word, sizeof word, "%.*s", (int)len, text);
		char *value = strchr(word, '=');
		if (first) {
			if (!machine_parse(s, word, e))
				return false;
			if (s->machine->os > s->os)
				s->os = s->machine->os;
			s->cpusubtype = s->machine->cpusubtype;
		} else if (value == NULL) {
			return err_set(
				e, ERR_USAGE,
				"--sim: '%s' is not key=value; give such pairs after the machine, separated by commas",
				word);
		} else {
			*value++ = '\0';
			if (!key_parse(s, word, value, e))
				return false;
		}
		text += len;
		if (*text == '\0')
			return true;
	}
}
