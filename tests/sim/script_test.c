/*
 * The vectors of the kernel's behaviour, from our notes on the xnu sources:
 * tests/data/kernel/ has them as scripts, whose language its README describes.
 */
#include "sim/tracing.h"

#include <stdio.h>

enum {
	WORDS = 40,
	NAMES = 12,
	RECORDS = 210000,
	ROW = SIM_MAX_CPUS * SIM_ROW_MAX
};

struct script {
	const char *path;
	unsigned line, checks;
	struct world *w;
	struct sim_caller bg, child;
	uint64_t last[ROW], now[ROW];
	struct sim_record record[RECORDS];
	size_t records; /* of the last reading */
	unsigned columns;
	char *word[WORDS]; /* of the line */
	unsigned n;
	char name[NAMES][16], body[NAMES][256]; /* let NAME = ... */
	unsigned names;
	char got[256]; /* what the statement answers */
};

static const struct {
	const char *name;
	int code;
} errnos[] = { { "ok", 0 },
	       { "EPERM", EPERM },
	       { "ENOENT", ENOENT },
	       { "EINVAL", EINVAL },
	       { "EBUSY", EBUSY },
	       { "EACCES", EACCES },
	       { "ENOMEM", ENOMEM },
	       { "ERANGE", ERANGE },
	       { "EFAULT", EFAULT },
	       { "ENOTSUP", ENOTSUP },
	       { "ETXTBSY", ETXTBSY },
	       { "ECONNREFUSED", ECONNREFUSED },
	       { "ECANCELED", ECANCELED } };

#define BAD(s, ...)                                           \
	do {                                                  \
		print_error("%s:%u: ", (s)->path, (s)->line); \
		fail_msg(__VA_ARGS__);                        \
	} while (0)

static bool
is(const struct script *s, unsigned i, const char *text)
{
	return i < s->n && strcmp(s->word[i], text) == 0;
}

static uint64_t
number(const struct script *s, unsigned i)
{
	char *end;

	if (i >= s->n)
		BAD(s, "a number is missing");
	uint64_t v = s->word[i][0] == '-'
			     ? (uint64_t)strtoll(s->word[i], &end, 0)
			     : strtoull(s->word[i], &end, 0);
	if (*end != '\0')
		BAD(s, "'%s' is no number", s->word[i]);
	return v;
}

/* From the i-th word on: numbers, and N*NUMBER for N of them. */
static size_t
list(const struct script *s, unsigned i, uint64_t *out, size_t max)
{
	size_t n = 0;

	for (; i < s->n; i++) {
		char *end, *star = strchr(s->word[i], '*');
		unsigned long times =
			star != NULL ? strtoul(s->word[i], NULL, 10) : 1;
		uint64_t v =
			strtoull(star != NULL ? star + 1 : s->word[i], &end, 0);

		if (*end != '\0' || n + times > max)
			BAD(s, "'%s' is no list of numbers", s->word[i]);
		for (; times > 0; times--)
			out[n++] = v;
	}
	return n;
}

static void
answer_code(struct script *s, int code)
{
	for (size_t i = 0; i < sizeof errnos / sizeof *errnos; i++)
		if (errnos[i].code == code) {
			snprintf(s->got, sizeof s->got, "%s", errnos[i].name);
			return;
		}
	BAD(s, "errno %d has no name here", code);
}

static void
answer_list(struct script *s, int code, const uint64_t *v, size_t n)
{
	size_t at = 0;

	if (code != 0) {
		answer_code(s, code);
		return;
	}
	for (size_t i = 0; i < n && at < sizeof s->got; i++)
		at += (size_t)snprintf(s->got + at, sizeof s->got - at,
				       " %#llx", (unsigned long long)v[i]);
}

static struct sim_caller *
who_of(struct script *s)
{
	return is(s, 0, "a")       ? &s->w->a
	       : is(s, 0, "b")     ? &s->w->b
	       : is(s, 0, "user")  ? &s->w->user
	       : is(s, 0, "bg")    ? &s->bg
	       : is(s, 0, "child") ? &s->child
				   : NULL;
}

static int
call(struct script *s, const char *node, void *old, size_t *size,
     const void *fresh, size_t fresh_size)
{
	return sim_kernel_sysctl(&s->w->k, who_of(s), node, old, size, fresh,
				 fresh_size);
}

/* ---- statements: WHO NAME ARGUMENTS ---- */

/* set NODE VALUE [BYTES]: a number of 4 bytes, if not said otherwise. */
static void
do_set(struct script *s)
{
	uint64_t v = number(s, 3);
	uint32_t narrow = (uint32_t)v;
	size_t size = s->n > 4 ? number(s, 4) : sizeof narrow;

	answer_code(s, call(s, s->word[2], NULL, NULL,
			    size == 8 ? (void *)&v : &narrow, size));
}

/* get NODE: as text where it is some. */
static void
do_get(struct script *s)
{
	char raw[128] = "";
	size_t size = sizeof raw - 1;
	int code = call(s, s->word[2], raw, &size, NULL, 0);
	uint64_t v = 0;

	bool by = strstr(s->word[2], "configured_by") != NULL;

	if (code == 0 && (by || (size != 4 && size != 8))) {
		assert_int_equal(size, strlen(raw) + 1);
		snprintf(s->got, sizeof s->got, "%s",
			 raw[0] != '\0' ? raw : "(empty)");
		return;
	}
	memcpy(&v, raw, size <= 8 ? size : 0);
	answer_list(s, code, &v, 1);
}

/* getset NODE VALUE: sets, with something to read back. */
static void
do_getset(struct script *s)
{
	uint32_t old, v = (uint32_t)number(s, 3);
	size_t size = sizeof old;

	answer_code(s, call(s, s->word[2], &old, &size, &v, sizeof v));
}

/* pair NODE ID VALUE */
static void
do_pair(struct script *s)
{
	uint64_t pair[2] = { number(s, 3), number(s, 4) };

	answer_code(s, call(s, s->word[2], NULL, NULL, pair, sizeof pair));
}

/* pairof NODE ID: the length that comes back is 0, though both words do. */
static void
do_pairof(struct script *s)
{
	uint64_t pair[2] = { number(s, 3), 0xdead };
	size_t size = sizeof pair;
	int code = call(s, s->word[2], pair, &size, pair, sizeof pair);

	assert_int_equal(size, code == 0 ? 0 : sizeof pair);
	answer_list(s, code, &pair[1], 1);
}

/* count NODE CLASSES */
static void
do_count(struct script *s)
{
	uint32_t n = 0, classes = (uint32_t)number(s, 3);
	size_t size = sizeof n;
	int code = call(s, s->word[2], &n, &size, &classes, sizeof classes);

	answer_list(s, code, &(uint64_t){ n }, 1);
}

/* write NODE CLASSES VALUES: words, periods. */
static void
do_write(struct script *s)
{
	uint64_t in[WORDS] = { number(s, 3) };
	size_t n = 1 + list(s, 4, in + 1, WORDS - 1);

	answer_code(s, call(s, s->word[2], NULL, NULL, in, n * sizeof *in));
}

/* read NODE CLASSES N [VALUES]: at most N words, with so many going in. */
static void
do_read(struct script *s)
{
	uint64_t in[WORDS] = { number(s, 3) }, out[WORDS] = { 0 };
	size_t n = number(s, 4), size = n * sizeof *out;
	size_t more = list(s, 5, in + 1, WORDS - 1);

	assert_true(n <= WORDS);
	int code = call(s, s->word[2], out, &size, in, (1 + more) * sizeof *in);
	answer_list(s, code, out, size / sizeof *out);
}

/* counters CLASSES ROOM [BYTES]: the size that comes back; ROOM null: none. */
static void
do_counters(struct script *s)
{
	uint64_t buf[SIM_BUFFER_LEN];
	uint32_t classes = (uint32_t)number(s, 2);
	bool null = is(s, 3, "null");
	size_t size = null ? 0 : number(s, 3);
	size_t in = s->n > 4 ? number(s, 4) : sizeof classes;

	assert_true(size <= sizeof buf);
	buf[0] = 77;
	int code = call(s, "kpc.counters", null ? NULL : buf, &size,
			in > 0 ? &classes : NULL, in);
	if (code == ENOMEM)
		assert_int_equal(size, 0);
	else if (code != 0)
		assert_int_equal(size, null ? 0 : number(s, 3));
	if (code != 0 || null)
		assert_int_equal(buf[0], 77);
	else if (sim_online(&s->w->k, who_of(s)->cpu, s->w->state.time.now_ns))
		assert_int_equal(buf[0], who_of(s)->cpu);
	answer_list(s, code, &(uint64_t){ size }, 1);
}

/* look CLASSES: reads all CPUs; what was read before is `last`. */
static void
do_look(struct script *s)
{
	uint32_t classes = (uint32_t)number(s, 2);

	s->columns = count32(s->w, who_of(s), "kpc.counter_count", classes);
	memcpy(s->last, s->now, sizeof s->last);
	memset(s->now, 0xaa, sizeof s->now);
	rows(s->w, who_of(s), classes, s->now);
	answer_code(s, 0);
}

static void
do_open(struct script *s)
{
	answer_code(s, sim_kernel_open(&s->w->k, who_of(s), s->word[2]));
}

static void
do_close(struct script *s)
{
	answer_code(s, sim_kernel_close(&s->w->k, who_of(s), s->word[2]));
}

/* name NAME: of its program */
static void
do_name(struct script *s)
{
	snprintf(who_of(s)->name, sizeof who_of(s)->name, "%s", s->word[2]);
	answer_code(s, 0);
}

/* ---- kdebug ---- */

static int
op_of(const struct script *s, unsigned i)
{
	static const struct {
		const char *name;
		int op;
	} ops[] = { { "eflags", EFLAGS },   { "dflags", DFLAGS },
		    { "enable", ENABLE },   { "setbuf", SETBUF },
		    { "getbuf", GETBUF },   { "setup", SETUP },
		    { "remove", REMOVE },   { "setreg", SETREG },
		    { "getreg", GETREG },   { "readtr", READTR },
		    { "bufwait", BUFWAIT }, { "typefilter", SET_TYPEFILTER } };

	for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
		if (is(s, i, ops[k].name))
			return ops[k].op;
	return (int)number(s, i);
}

/* kd OP [VALUE] */
static void
do_kd(struct script *s)
{
	int op = op_of(s, 2);

	answer_code(s,
		    s->n > 3 ? kd_value(s->w, who_of(s), op, (int)number(s, 3))
			     : kd_op(s->w, who_of(s), op));
}

/* kdraw N OP [fresh]: so many numbers; fresh: with something to write */
static void
do_kdraw(struct script *s)
{
	int mib[3] = { 1, 24, op_of(s, 3) };

	answer_code(s, sim_kernel_kdebug(&s->w->k, who_of(s), mib,
					 (unsigned)number(s, 2), NULL, NULL,
					 s->n > 4 ? mib : NULL));
}

/*
 * kdin OP BYTES|null [32-bit values]: with a structure in; what comes back as
 * its size
 */
static void
do_kdin(struct script *s)
{
	static uint32_t in[2048];
	uint64_t v[WORDS];
	bool null = is(s, 3, "null");
	size_t size = null ? 6400 : number(s, 3), n = list(s, 4, v, WORDS);

	memset(in, 0, sizeof in);
	for (size_t i = 0; i < n; i++)
		in[i] = (uint32_t)v[i];
	int code = kd(s->w, who_of(s), op_of(s, 2), null ? NULL : in, &size);
	answer_list(s, code, &(uint64_t){ size }, 1);
}

/* types BYTES CLASS SUBCLASS: a filter by types */
static void
do_types(struct script *s)
{
	uint8_t types[8192] = { 0 };
	uint64_t type = number(s, 3) << 8 | number(s, 4);
	size_t size = number(s, 2);

	types[type / 8] = (uint8_t)(1 << type % 8);
	answer_code(s, kd(s->w, who_of(s), SET_TYPEFILTER, types, &size));
}

/* info FIELD [MASK] */
static void
do_info(struct script *s)
{
	struct info i = kd_info(s->w, who_of(s));
	uint64_t v = is(s, 2, "nkdbufs") ? (uint64_t)i.nkdbufs
		     : is(s, 2, "nolog") ? (uint64_t)i.nolog
		     : is(s, 2, "flags") ? i.flags
					 : (uint32_t)i.bufid;

	answer_list(s, 0, &(uint64_t){ s->n > 3 ? v & number(s, 3) : v }, 1);
}

/* records MOST: how many came, in order of time; the first may be of losses */
static void
do_records(struct script *s)
{
	assert_true(number(s, 2) <= RECORDS);
	s->records = kd_read(s->w, who_of(s), s->record, number(s, 2));
	for (size_t i = 1; i < s->records; i++)
		assert_true(s->record[i].timestamp >=
			    s->record[i - 1].timestamp);
	answer_list(s, 0, &(uint64_t){ s->records }, 1);
}

/* record I|last FIELD; ticks: since now */
static void
do_record(struct script *s)
{
	size_t i = is(s, 1, "last") ? s->records - 1 : number(s, 1);
	const struct sim_record *r = &s->record[i];
	uint64_t now = (uint64_t)s->w->state.time.awake_ns * 3 / 125;

	assert_true(i < s->records);
	answer_list(s, 0,
		    &(uint64_t){ is(s, 2, "arg")       ? r->arg[0]
				 : is(s, 2, "cpu")     ? r->cpu
				 : is(s, 2, "debugid") ? r->debugid
						       : now - r->timestamp },
		    1);
}

/* points DEBUGID CPU FROM TO: tracepoints, a ms passes every 4096 of them */
static void
do_points(struct script *s)
{
	for (uint64_t i = number(s, 3); i < number(s, 4); i++) {
		struct sim_record r = { .debugid = (uint32_t)number(s, 1),
					.cpu = (uint32_t)number(s, 2),
					.thread = 9,
					.arg = { i } };

		if (i > 0 && i % 4096 == 0)
			wait_ms(s->w, 1);
		sim_kd_emit(&s->w->k, s->w->state.time.awake_ns, &r);
	}
	answer_code(s, 0);
}

static void
do_traced(struct script *s)
{
	answer_list(
		s, 0,
		&(uint64_t){ sim_kd_traced(&s->w->k, (uint32_t)number(s, 1)) },
		1);
}

/* ---- statements that answer nothing ---- */

/* clang-format off */
#define ACT(name, act) \
static void \
name(struct script *s) \
{ \
	act; \
	answer_code(s, 0); \
}

ACT(do_exit, sim_kernel_exit(&s->w->k, who_of(s)))
ACT(do_exec, sim_kernel_exec(&s->w->k, who_of(s)))
ACT(do_euid, who_of(s)->euid = (uint32_t)number(s, 2))
ACT(do_wait, wait_ms(s->w, (int64_t)number(s, 1)))
ACT(do_idle, sim_kernel_idle(&s->w->k))
/* Another kernel client has the counters; a version of CPUID. */
ACT(do_cpmu, s->w->state.kpc.cpmu_owned = true)
ACT(do_cpuid, s->w->k.pmu_version = (unsigned)number(s, 1))
/* The buffer that the kernel never clears. */
ACT(do_no_heap, memset(s->w->state.kpc.buffer, 0, sizeof s->w->state.kpc.buffer))
/* clang-format on */

/* ---- statements of nobody ---- */

static void
do_boot(struct script *s)
{
	s->w = world_new(s->word[1]);
	s->bg = (struct sim_caller){ .pid = 50, .born = 3, .task = 9 };
	s->child = s->w->a;
	s->child.pid = 101;
	s->child.task = 11;
	memset(s->now, 0, sizeof s->now);
	answer_code(s, 0);
}

/* owner: pid, state and mask of ktrace */
static void
do_owner(struct script *s)
{
	static const char *const node[] = { "ktrace.owning_pid", "ktrace.state",
					    "ktrace.active_mask" };
	uint64_t v[3];

	for (unsigned i = 0; i < 3; i++)
		v[i] = value32(s->w, &s->w->user, node[i]);
	answer_list(s, 0, v, 3);
}

/* clock: ms since the start, awake, elapsed and by the wall clock */
static void
do_clock(struct script *s)
{
	struct stamp t;

	sim_kernel_now(&s->w->k, &t);
	answer_list(
		s, 0,
		(uint64_t[]){ (uint64_t)(t.awake_ns - SIM_START_NS) / 1000000,
			      (uint64_t)(t.elapsed_ns - SIM_START_NS) / 1000000,
			      (uint64_t)(t.wall_ns - SIM_WALL_NS) / 1000000 },
		3);
}

/* "3" or "3-7" */
static void
range(const struct script *s, unsigned i, unsigned range[2])
{
	char *end;

	range[0] = range[1] = (unsigned)strtoul(s->word[i], &end, 10);
	if (*end == '-')
		range[1] = (unsigned)strtoul(end + 1, &end, 10);
	if (*end != '\0' || range[1] < range[0])
		BAD(s, "no range: %s", s->word[i]);
}

/* Of a column of one CPU or several, which is one of a row of columns. */
static uint64_t
total(const struct script *s, const uint64_t *of, const unsigned cpu[2],
      unsigned column)
{
	uint64_t sum = 0;

	if (column >= s->columns)
		BAD(s, "there are %u columns", s->columns);
	for (unsigned c = cpu[0]; c <= cpu[1]; c++)
		sum += of[c * s->columns + column];
	return sum;
}

/* now OP what: `last`, a number, or cN+M, the sum of two columns now. */
static void
compare(const struct script *s, const unsigned cpu[2], unsigned column)
{
	uint64_t now = total(s, s->now, cpu, column);
	uint64_t last = total(s, s->last, cpu, column), than;
	const char *op = s->word[3], *what = s->word[4];
	bool growth = *op == '+';

	op += growth;
	now -= growth ? last : 0;
	if (what[0] == 'c') {
		char *end;
		unsigned other = (unsigned)strtoul(what + 1, &end, 10);

		than = total(s, s->now, cpu, other) -
		       (growth ? total(s, s->last, cpu, other) : 0);
		if (*end == '+')
			than += total(s, s->now, cpu,
				      (unsigned)strtoul(end + 1, NULL, 10));
	} else {
		than = is(s, 4, "last") ? last : number(s, 4);
	}
	bool ok = strcmp(op, ">") == 0    ? now > than
		  : strcmp(op, ">=") == 0 ? now >= than
		  : strcmp(op, "<") == 0  ? now < than
		  : strcmp(op, "<=") == 0 ? now <= than
					  : strcmp(op, "=") == 0 && now == than;
	if (!ok)
		BAD(s, "CPU %u, column %u: %llu is not %s %llu", cpu[0], column,
		    (unsigned long long)now, op, (unsigned long long)than);
}

/* each CPUS COLUMNS OP WHAT: of every CPU and column */
static void
do_each(struct script *s)
{
	unsigned cpu[2], column[2];

	range(s, 1, cpu);
	range(s, 2, column);
	for (unsigned c = cpu[0]; c <= cpu[1]; c++)
		for (unsigned i = column[0]; i <= column[1]; i++)
			compare(s, (unsigned[]){ c, c }, i);
	answer_code(s, 0);
}

/* sum CPUS COLUMN OP WHAT */
static void
do_sum(struct script *s)
{
	unsigned cpu[2], column[2];

	range(s, 1, cpu);
	range(s, 2, column);
	compare(s, cpu, column[0]);
	answer_code(s, 0);
}

/* clang-format off */
static const struct {
	const char *name;
	bool someone; /* WHO stands before it */
	unsigned least;
	void (*run)(struct script *s);
} statements[] = {
	{ "set", true, 4, do_set }, { "get", true, 3, do_get }, { "getset", true, 4, do_getset },
	{ "pair", true, 5, do_pair }, { "pairof", true, 4, do_pairof }, { "count", true, 4, do_count },
	{ "write", true, 4, do_write }, { "read", true, 5, do_read }, { "counters", true, 4, do_counters },
	{ "look", true, 3, do_look }, { "exit", true, 2, do_exit }, { "exec", true, 2, do_exec },
	{ "open", true, 3, do_open }, { "close", true, 3, do_close }, { "euid", true, 3, do_euid },
	{ "name", true, 3, do_name }, { "kd", true, 3, do_kd }, { "kdraw", true, 4, do_kdraw },
	{ "kdin", true, 4, do_kdin }, { "types", true, 5, do_types }, { "info", true, 3, do_info },
	{ "records", true, 3, do_records }, { "record", false, 3, do_record }, { "points", false, 5, do_points },
	{ "traced", false, 2, do_traced }, { "boot", false, 2, do_boot }, { "wait", false, 2, do_wait },
	{ "idle", false, 1, do_idle }, { "clock", false, 1, do_clock }, { "owner", false, 1, do_owner },
	{ "cpmu", false, 1, do_cpmu }, { "cpuid", false, 2, do_cpuid }, { "no-heap", false, 1, do_no_heap },
	{ "each", false, 5, do_each }, { "sum", false, 5, do_sum },
};
/* clang-format on */

static void
split(struct script *s, char *line)
{
	s->n = 0;
	for (char *at = strtok(line, " "); at != NULL && s->n < WORDS;
	     at = strtok(NULL, " "))
		s->word[s->n++] = at;
}

/* "STATEMENT -> ANSWER"; without one it is to be ok. */
static void
run_statement(struct script *s, char *line)
{
	char *want = strstr(line, " -> "), expected[256] = "ok", got[256];
	uint64_t v[WORDS];

	if (want != NULL) {
		*want = '\0';
		snprintf(expected, sizeof expected, "%s",
			 want + strlen(" -> "));
	}
	split(s, line);
	bool someone = s->w != NULL && who_of(s) != NULL;
	s->got[0] = '\0';
	for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
		if (statements[i].someone == someone &&
		    is(s, someone ? 1 : 0, statements[i].name) &&
		    s->n >= statements[i].least)
			statements[i].run(s);
	memcpy(got, s->got, sizeof got);
	if (got[0] == ' ') { /* numbers are compared as such */
		char *list_of = strdup(expected);

		split(s, list_of);
		if (expected[0] >= '0' && expected[0] <= '9')
			answer_list(s, 0, v, list(s, 0, v, WORDS));
		snprintf(expected, sizeof expected, "%s", s->got);
		free(list_of);
	}
	if (strcmp(got, expected) != 0)
		BAD(s, "%s, not %s", got, want != NULL ? want + 4 : "ok");
	s->checks++;
}

/* let NAME = STATEMENT; STATEMENT... with a $ for what stands behind NAME */
static bool
run_named(struct script *s, const char *line)
{
	size_t len = strcspn(line, " ");
	const char *more = line[len] == ' ' ? line + len + 1 : "";

	for (unsigned i = 0; i < s->names; i++) {
		const char *at = s->body[i];

		if (strlen(s->name[i]) != len ||
		    strncmp(s->name[i], line, len) != 0)
			continue;
		while (*at != '\0') {
			char one[256];
			int n = (int)strcspn(at, ";$");
			bool dollar = at[n] == '$';
			int rest = dollar ? (int)strcspn(at + n + 1, ";") : 0;

			snprintf(one, sizeof one, "%.*s%s%.*s", n, at,
				 dollar ? more : "", rest, at + n + 1);
			run_statement(s, one + strspn(one, " "));
			at += n + dollar + rest;
			at += *at == ';';
		}
		return true;
	}
	return false;
}

static void
run_line(struct script *s, char *line)
{
	if (strncmp(line, "let ", 4) == 0) {
		assert_true(s->names < NAMES);
		if (sscanf(line, "let %15s = %255[^\n]", s->name[s->names],
			   s->body[s->names]) != 2)
			BAD(s, "let NAME = STATEMENT; ...");
		s->names++;
	} else if (!run_named(s, line)) {
		run_statement(s, line);
	}
}

static void
run_file(const char *path, unsigned checks)
{
	static struct script s;
	FILE *f = fopen(path, "r");
	char line[256];

	assert_non_null(f);
	memset(&s, 0, sizeof s);
	s.path = path;
	while (fgets(line, sizeof line, f) != NULL) {
		s.line++;
		line[strcspn(line, "#\n")] = '\0';
		for (size_t n = strlen(line); n > 0 && line[n - 1] == ' ';)
			line[--n] = '\0';
		if (line[0] != '\0')
			run_line(&s, line);
	}
	fclose(f);
	assert_int_equal(s.checks, checks);
}

/* Their numbers of statements, so that none is lost where a file is cut. */
UNIT(kpc)
{
	run_file("tests/data/kernel/kpc", 383);
}

UNIT(cpc)
{
	run_file("tests/data/kernel/cpc", 430);
}

UNIT(kperf_and_ktrace)
{
	run_file("tests/data/kernel/kperf", 138);
}

UNIT(hw)
{
	run_file("tests/data/kernel/hw", 40);
}

UNIT(kdebug)
{
	run_file("tests/data/kernel/kdebug", 262);
}
