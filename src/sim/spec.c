#include "sim/spec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "pmu/pmu.h"

#define MS 1000000LL
#define SECOND 1000000000LL

static const struct {
	const char *name;
	enum sim_fault_kind kind;
	bool arg;
} fault_kinds[] = {
	{ "steal", SIM_FAULT_STEAL, false },
	{ "busy", SIM_FAULT_BUSY, false },
	{ "taken", SIM_FAULT_TAKEN, false },
	{ "eperm", SIM_FAULT_EPERM, false },
	{ "refuse", SIM_FAULT_REFUSE, true },
	{ "off", SIM_FAULT_OFF, true },
	{ "sleep", SIM_FAULT_SLEEP, false },
	{ "slow", SIM_FAULT_SLOW, false },
	{ "wall", SIM_FAULT_WALL, true },
	{ "dead", SIM_FAULT_DEAD, true },
	{ "lag", SIM_FAULT_LAG, false },
	{ "reuse", SIM_FAULT_REUSE, false },
	{ "nozombie", SIM_FAULT_NOZOMBIE, false },
	{ "denied", SIM_FAULT_DENIED, true },
	{ "vanish", SIM_FAULT_VANISH, false },
	{ "storm", SIM_FAULT_STORM, true },
	{ "oldos", SIM_FAULT_OLDOS, false },
	{ "ktrace", SIM_FAULT_KTRACE, true },
	{ "evict", SIM_FAULT_EVICT, false },
	{ "tailspin", SIM_FAULT_TAILSPIN, false },
	{ "ring", SIM_FAULT_RING, false },
	{ "drop", SIM_FAULT_DROP, true },
};

static bool
number(const char *text, uint64_t most, uint64_t *out)
{
	char *end;

	if (text[0] < '0' || text[0] > '9')
		return false;
	errno = 0;
	unsigned long long n = strtoull(text, &end, 0);
	if (errno != 0 || *end != '\0' || n > most)
		return false;
	*out = n;
	return true;
}

/* "1.5s", "250ms", "40us", "2m"; at most a thousand hours. */
static bool
duration(const char *text, size_t len, int64_t *out)
{
	static const struct {
		const char *unit;
		int64_t ns;
	} units[] = { { "us", 1000 },
		      { "ms", MS },
		      { "s", SECOND },
		      { "m", 60 * SECOND } };
	int64_t whole = 0, part = 0, scale = 1;
	size_t i = 0;

	for (; i < len && text[i] >= '0' && text[i] <= '9'; i++)
		if ((whole = whole * 10 + (text[i] - '0')) > 3600000000LL)
			return false;
	if (i == 0)
		return false;
	if (i < len && text[i] == '.')
		for (i++; i < len && text[i] >= '0' && text[i] <= '9'; i++)
			if (scale < MS) {
				part = part * 10 + (text[i] - '0');
				scale *= 10;
			}
	for (size_t u = 0; u < sizeof units / sizeof *units; u++)
		if (len - i == strlen(units[u].unit) &&
		    strncmp(text + i, units[u].unit, len - i) == 0) {
			if (whole > 3600000 * SECOND / units[u].ns)
				return false;
			*out = whole * units[u].ns + part * units[u].ns / scale;
			return true;
		}
	return false;
}

/* One of two words. */
static bool
choice(const char *key, const char *value, const char *no, const char *yes,
       bool *out, struct err *e)
{
	*out = strcmp(value, yes) == 0;
	if (*out || strcmp(value, no) == 0)
		return true;
	return err_set(e, ERR_USAGE, "--sim: %s=%s: it is %s or %s", key, value,
		       no, yes);
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
			"--sim: os=%s: it is a macOS version, 11.0 to 15.5, 26 or 27",
			value);
	s->os = SIM_OS((uint32_t)major, (uint32_t)minor);
	return true;
}

/* The selector of an event's name or of a number. */
static bool
selector_parse(const struct sim_machine *m, const char *arg,
	       struct sim_fault *f, struct err *e)
{
	const struct pmu *pmu = pmu_by_db(m->db);
	const struct pmu_event *event =
		pmu != NULL ? pmu_event_find(pmu, arg) : NULL;
	uint64_t n;

	if (strcmp(arg, "*") == 0) {
		f->arg = SIM_SELECTOR_ALL;
		return true;
	}
	if (event != NULL && event->fixed < 0) {
		f->arg = pmu_selector(event);
		return true;
	}
	if (number(arg, 0xffff, &n)) {
		f->arg = (int64_t)n;
		return true;
	}
	return err_set(
		e, ERR_USAGE,
		"--sim: fault=%s:%s: it is an event of %s's database, or a number, or * for all",
		f->kind == SIM_FAULT_DEAD ? "dead" : "refuse", arg, m->name);
}

/* "+1s" or "-60m": how far the clock is set. */
static bool
wall_parse(const char *arg, struct sim_fault *f, struct err *e)
{
	bool back = arg[0] == '-';

	if ((back || arg[0] == '+') &&
	    duration(arg + 1, strlen(arg + 1), &f->arg) &&
	    f->arg <= SIM_WALL_MOST_NS) {
		f->arg = back ? -f->arg : f->arg;
		return true;
	}
	return err_set(
		e, ERR_USAGE,
		"--sim: fault=wall:%s: it is a time with a sign, up to 1440m, as +60m or -2s",
		arg);
}

/* A cluster, a letter or one CPU, as `value` of `key` names it; 0: none. */
static uint64_t
cpus_parse(const struct sim_machine *m, const char *name, const char *key,
	   const char *value, struct err *e)
{
	uint64_t cpus = sim_machine_cpus_named(m, name);

	if (cpus == 0)
		err_set(e, ERR_USAGE,
			"--sim: %s%s: %s has no such CPUs; say a cluster as it is labelled (%c, %c0) or cpu0 to cpu%u",
			key, value, m->name, m->kind[0].name[0],
			m->kind[0].name[0], sim_machine_ncpus(m) - 1);
	return cpus;
}

static bool
count_parse(const char *arg, struct sim_fault *f, struct err *e)
{
	bool denied = f->kind == SIM_FAULT_DENIED;
	bool pid = denied || f->kind == SIM_FAULT_KTRACE;
	bool storm = f->kind == SIM_FAULT_STORM;
	uint64_t n;

	if (number(arg, storm ? 200 : INT32_MAX, &n) && (denied || n > 0)) {
		f->arg = (int64_t)n;
		return true;
	}
	if (f->kind == SIM_FAULT_DROP)
		return err_set(
			e, ERR_USAGE,
			"--sim: fault=drop:%s: it is of how many samples one lacks a record, 1 or more",
			arg);
	if (f->kind == SIM_FAULT_KTRACE)
		return err_set(
			e, ERR_USAGE,
			"--sim: fault=ktrace:%s: it is the number of the process that owns tracing",
			arg);
	return err_set(
		e, ERR_USAGE,
		pid ? "--sim: fault=denied:%s: it is a process's number"
		    : "--sim: fault=storm:%s: it is how many processes begin and end in a second, 1 to 200",
		arg);
}

static bool
fault_arg(const struct sim_machine *m, const char *arg, struct sim_fault *f,
	  struct err *e)
{
	bool time = f->kind == SIM_FAULT_SLOW || f->kind == SIM_FAULT_LAG;

	if (f->kind == SIM_FAULT_REFUSE || f->kind == SIM_FAULT_DEAD)
		return selector_parse(m, arg, f, e);
	if (f->kind == SIM_FAULT_OFF) {
		f->cpus = cpus_parse(m, arg, "fault=off:", arg, e);
		return f->cpus != 0;
	}
	if (f->kind == SIM_FAULT_WALL)
		return wall_parse(arg, f, e);
	if (f->kind == SIM_FAULT_DENIED || f->kind == SIM_FAULT_STORM ||
	    f->kind == SIM_FAULT_KTRACE || f->kind == SIM_FAULT_DROP)
		return count_parse(arg, f, e);
	if (time && duration(arg, strlen(arg), &f->arg) &&
	    f->arg <= 60 * SECOND && (f->arg > 0 || f->kind == SIM_FAULT_SLOW))
		return true;
	if (time)
		return err_set(e, ERR_USAGE,
			       "--sim: fault=%s:%s: it is a time up to 60s",
			       f->kind == SIM_FAULT_LAG ? "lag" : "slow", arg);
	return err_set(e, ERR_USAGE, "--sim: fault: this kind takes no ':%s'",
		       arg);
}

static bool
fault_times(const char *value, const char *at, struct sim_fault *f,
	    struct err *e)
{
	const char *dash = strchr(at, '-');
	size_t len = dash != NULL ? (size_t)(dash - at) : strlen(at);

	f->to_ns = SIM_NEVER;
	if (duration(at, len, &f->from_ns) &&
	    (dash == NULL || (duration(dash + 1, strlen(dash + 1), &f->to_ns) &&
			      f->to_ns > f->from_ns))) {
		if (f->kind != SIM_FAULT_SLEEP || dash != NULL)
			return true;
		return err_set(e, ERR_USAGE,
			       "--sim: fault=%s: a sleep ends: FROM-TO", value);
	}
	return err_set(
		e, ERR_USAGE,
		"--sim: fault=%s: after @ comes FROM or FROM-TO, as 3s-6s or 250ms",
		value);
}

/* KIND[:ARG]@FROM[-TO] */
bool
sim_fault_parse(const struct sim_machine *m, const char *value,
		struct sim_fault *out, struct err *e)
{
	struct sim_fault f = { .kind = -1 };
	const char *at = strchr(value, '@');
	size_t name = strcspn(value, ":@");
	bool wants = false;
	char arg[64] = "";

	for (size_t i = 0; i < sizeof fault_kinds / sizeof *fault_kinds; i++)
		if (strlen(fault_kinds[i].name) == name &&
		    strncmp(value, fault_kinds[i].name, name) == 0) {
			f.kind = (int32_t)fault_kinds[i].kind;
			wants = fault_kinds[i].arg;
		}
	if (f.kind < 0)
		return err_set(
			e, ERR_USAGE,
			"--sim: fault=%s: the kinds are steal, busy, taken, eperm, refuse:EVENT, off:CLUSTER, sleep, slow[:TIME], wall:+TIME, wall:-TIME, dead:EVENT, lag[:TIME], reuse, nozombie, denied:PID, vanish, storm:N, oldos, ktrace:PID, evict, tailspin, ring, drop:N",
			value);
	if (at == NULL)
		return err_set(
			e, ERR_USAGE,
			"--sim: fault=%s: when? KIND[:ARG]@FROM[-TO], as %.*s@3s-6s",
			value, (int)name, value);
	if (value[name] == ':')
		snprintf(arg, sizeof arg, "%.*s",
			 (int)(at - value - (int)name - 1), value + name + 1);
	if (f.kind == SIM_FAULT_SLOW)
		f.arg = 50 * MS;
	if (f.kind == SIM_FAULT_LAG)
		f.arg = 10 * MS;
	if (wants || value[name] == ':')
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
		return err_set(e, ERR_USAGE, "--sim: at most %d faults",
			       SIM_FAULTS_MAX);
	s->fault[s->nfaults++] = f;
	return true;
}

static bool
nature_parse(const char *value, const char *name, enum sim_nature *out,
	     struct err *e)
{
	char all[200];
	struct buf b = buf_over(all, sizeof all);

	if (sim_nature_find(name, out))
		return true;
	for (unsigned i = 0; sim_nature_name(i) != NULL; i++)
		buf_printf(&b, "%s%s", i > 0 ? ", " : "", sim_nature_name(i));
	return err_set(
		e, ERR_USAGE,
		"--sim: work=%s: it is NATURE or WHERE:NATURE, as memory or cpu0:memory; the natures are %s",
		value, buf_cstr(&b));
}

/* NATURE or WHERE:NATURE; the last that is said of a CPU holds. */
static bool
work_parse(struct sim_spec *s, const char *value, struct err *e)
{
	const char *colon = strchr(value, ':');
	uint64_t cpus = UINT64_MAX;
	enum sim_nature nature;
	char where[384];

	if (colon != NULL) {
		snprintf(where, sizeof where, "%.*s", (int)(colon - value),
			 value);
		cpus = cpus_parse(s->machine, where, "work=", value, e);
		if (cpus == 0)
			return false;
	}
	if (!nature_parse(value, colon != NULL ? colon + 1 : value, &nature, e))
		return false;
	for (unsigned cpu = 0; cpu < sim_machine_ncpus(s->machine); cpu++)
		if ((cpus >> cpu & 1) != 0)
			s->nature[cpu] = (uint8_t)nature;
	return true;
}

static bool
pm_parse(struct sim_spec *s, const char *value, struct err *e)
{
	uint64_t mask;

	/* Bits as the database counts them: 0xe0 is counters 5, 6 and 7. */
	if (!number(value, 0x3fc, &mask) || (mask & 3) != 0)
		return err_set(
			e, ERR_USAGE,
			"--sim: pm=%s: it is a mask of the counters 2 to 9 that the power manager keeps, as 0xe0; 0: no power manager",
			value);
	s->pm = (uint32_t)mask;
	s->no_pm = mask == 0;
	return true;
}

/* arm64e, or arm64e.x1 of macOS 27; the M6 may say either. */
static bool
subtype_parse(struct sim_spec *s, const char *value, struct err *e)
{
	uint64_t n;

	if (s->machine->cputype == 7 || !number(value, 12, &n) ||
	    (n != 2 && n != 12))
		return err_set(
			e, ERR_USAGE,
			"--sim: subtype=%s: it is 2 or 12, of Apple silicon",
			value);
	s->cpusubtype = (uint32_t)n;
	return true;
}

static bool
procs_parse(struct sim_spec *s, const char *value, struct err *e)
{
	uint64_t n;

	if (!number(value, SIM_PROCS_MOST, &n) || n == 0)
		return err_set(
			e, ERR_USAGE,
			"--sim: procs=%s: it is how many processes there are, 1 to %d",
			value, SIM_PROCS_MOST);
	s->procs = (unsigned)n;
	return true;
}

static bool
key_parse(struct sim_spec *s, const char *key, const char *value, struct err *e)
{
	uint64_t n;

	if (strcmp(key, "seed") == 0) {
		if (number(value, UINT64_MAX, &s->seed))
			return true;
		return err_set(e, ERR_USAGE, "--sim: seed=%s: it is a number",
			       value);
	}
	if (strcmp(key, "euid") == 0) {
		if (!number(value, UINT32_MAX, &n))
			return err_set(
				e, ERR_USAGE,
				"--sim: euid=%s: it is a user id, 0 is root",
				value);
		s->euid = (uint32_t)n;
		return true;
	}
	if (strcmp(key, "state") == 0) {
		if (value[0] == '\0' || strlen(value) >= sizeof s->state)
			return err_set(
				e, ERR_USAGE,
				"--sim: state=%s: it is the name of a file",
				value);
		snprintf(s->state, sizeof s->state, "%s", value);
		return true;
	}
	if (strcmp(key, "clock") == 0)
		return choice(key, value, "real", "step", &s->step, e);
	if (strcmp(key, "lib") == 0)
		return choice(key, value, "minus1", "errno", &s->lib_errno, e);
	if (strcmp(key, "rows") == 0)
		return choice(key, value, "untouched", "copied",
			      &s->rows_copied, e);
	if (strcmp(key, "layout") == 0)
		return choice(key, value, "56", "48", &s->layout_48, e);
	if (strcmp(key, "raw") == 0)
		return choice(key, value, "7", "17", &s->raw17, e);
	if (strcmp(key, "os") == 0)
		return os_parse(s, value, e);
	if (strcmp(key, "subtype") == 0)
		return subtype_parse(s, value, e);
	if (strcmp(key, "chip") == 0)
		return choice(key, value, "known", "new", &s->new_chip, e);
	if (strcmp(key, "pm") == 0)
		return pm_parse(s, value, e);
	if (strcmp(key, "work") == 0)
		return work_parse(s, value, e);
	if (strcmp(key, "procs") == 0)
		return procs_parse(s, value, e);
	if (strcmp(key, "rest") == 0)
		return choice(key, value, "0", "1", &s->rest, e);
	if (strcmp(key, "skew") == 0)
		return choice(key, value, "0", "1", &s->skew, e);
	if (strcmp(key, "fault") == 0)
		return fault_key(s, value, e);
	return err_set(
		e, ERR_USAGE,
		"--sim: no key '%s'; the keys are seed, clock, os, subtype, chip, pm, euid, lib, rows, layout, raw, state, work, procs, rest, skew, fault",
		key);
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
				"--sim: '%s': after the machine come key=value pairs, with commas between",
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
