#include "source/examine.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "base/report.h"
#include "kperf/load.h"
#include "kperf/symbols.h"
#include "kperf/trace.h"
#include "source/kperf/host.h"
#include "source/kperf/kperf.h"
#include "source/kperf/state.h"

enum {
	TEXT_SIZE = 256,
	LINE_SIZE = 2048,
	NODES_MAX = 256,
	LEVELS_MAX = 8,
	TRACE_NS = 200 * 1000 * 1000
};

/* NULL: ktop runs outside macOS and has no source. */
static const struct host_api *
host_of(const struct examine *x)
{
	return x->s != NULL ? kperf_of(x->s)->host : host_system();
}

/* Hides folders outside /System, since the user's folders are private. */
static const char *
without_folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	return strncmp(path, "/System/", 8) == 0 || slash == NULL ? path
								  : slash + 1;
}

static const char *
without_path(const char *why, const char *path)
{
	const char *at = why != NULL ? strstr(why, path) : NULL;

	if (why == NULL)
		return "it is not a regular file";
	if (at == NULL || strcmp(without_folder(path), path) == 0)
		return why;
	at += strlen(path);
	return at + strspn(at, ": ,");
}

static void
library_line(FILE *out, const char *key, const char *given,
	     const char *variable, const char *fallback,
	     const struct kperf_symbol *symbol, unsigned n)
{
	char path[KPERF_PATH_SIZE], missing[1024];
	void *handle = kperf_open(given, variable, fallback, path, NULL);
	struct buf b = buf_over(missing, sizeof missing);
	unsigned found = 0;

	if (path[0] == '\0') {
		report_line(
			out, key,
			"%s not tried: ktop has privileges, and the file is missing or others than root may change it",
			without_folder(given != NULL ? given : variable));
		return;
	}
	if (handle == NULL) {
		report_line(out, key, "%s cannot be loaded: %s",
			    without_folder(path),
			    without_path(dlerror(), path));
		return;
	}
	for (unsigned i = 0; i < n; i++)
		if (dlsym(handle, symbol[i].name) != NULL)
			found++;
		else
			buf_printf(&b, "%s%s", b.len > 0 ? " " : ", without ",
				   symbol[i].name);
	report_line(out, key, "%s has %u of %u functions%s",
		    without_folder(path), found, n, buf_cstr(&b));
	dlclose(handle);
}

static void
library_lines(const struct examine *x)
{
	if (x->o->sim != NULL) {
		report_line(x->out, "frameworks", "built in (simulated)");
		return;
	}
	library_line(x->out, "kperf", x->o->kperf_path, KPERF_VARIABLE,
		     KPERF_PATH, kperf_symbols, KPERF_NSYMBOLS);
	library_line(x->out, "kperfdata", x->o->kperfdata_path,
		     KPERFDATA_VARIABLE, KPERFDATA_PATH, kperfdata_symbols,
		     KPERFDATA_NSYMBOLS);
}

static void
put_sysctl(const struct host_api *host, struct buf *b, const char *shown_as,
	   const char *name, bool hex)
{
	uint64_t v;

	buf_printf(b, "%s%s ", b->len > 0 ? ", " : "", shown_as);
	if (!host_number(host, name, &v))
		buf_str(b, "-");
	else
		buf_printf(b, hex ? "0x%" PRIx64 : "%" PRIu64, v);
}

static const char *
text_or(const struct host_api *host, const char *name, char text[TEXT_SIZE])
{
	return host_text(host, name, text, TEXT_SIZE) ? text : "-";
}

static void
mac_system_lines(struct examine *x)
{
	const struct host_api *host = host_of(x);
	char one[TEXT_SIZE], two[TEXT_SIZE], text[LINE_SIZE];
	struct buf b = buf_over(text, sizeof text);

	library_lines(x);
	if (host == NULL)
		return;
	if (host->simulated)
		report_line(x->out, "machine", "%s", host->text);
	buf_printf(&b, "macOS %s build ",
		   text_or(host, "kern.osproductversion", one));
	buf_str(&b, text_or(host, "kern.osversion", one));
	const char *xnu = strstr(text_or(host, "kern.version", one), "xnu");
	report_line(x->out, "system", "%s, Darwin %s%s%s", buf_cstr(&b),
		    text_or(host, "kern.osrelease", two),
		    xnu != NULL ? " " : "", xnu != NULL ? xnu : "");
	b = buf_over(text, sizeof text);
	buf_printf(&b, "%s, %s", text_or(host, "hw.model", one),
		   text_or(host, "machdep.cpu.brand_string", two));
	put_sysctl(host, &b, "translated", "sysctl.proc_translated", false);
	put_sysctl(host, &b, "virtual", "kern.hv_vmm_present", false);
	put_sysctl(host, &b, "kern.cpc.secure", "kern.cpc.secure", false);
	report_line(x->out, "model", "%s", buf_cstr(&b));
	b = buf_over(text, sizeof text);
	if (x->s != NULL && kperf_of(x->s)->cpu[0] != '\0')
		buf_str(&b, kperf_of(x->s)->cpu);
	put_sysctl(host, &b, "type", "hw.cputype", true);
	put_sysctl(host, &b, "subtype", "hw.cpusubtype", false);
	put_sysctl(host, &b, "family", "hw.cpufamily", true);
	report_line(x->out, "cpu", "%s", buf_cstr(&b));
}

static void
put_sysctls(const struct host_api *host, struct buf *b, const char *before,
	    const char *const *field)
{
	char name[64];
	uint64_t v;

	for (; *field != NULL; field++) {
		snprintf(name, sizeof name, "%s.%s", before, *field);
		if (host_number(host, name, &v))
			buf_printf(b, "%s%s=%" PRIu64, b->len > 0 ? " " : "",
				   *field, v);
	}
}

static bool
is_next_in_cluster(const struct host_cpu_node *a, const struct host_cpu_node *b)
{
	return b->logical_cpu_id == a->logical_cpu_id + 1 &&
	       b->cluster_core_id == a->cluster_core_id + 1 &&
	       b->logical_cluster_id == a->logical_cluster_id &&
	       b->die_id == a->die_id &&
	       strcmp(a->cluster_type, b->cluster_type) == 0;
}

/* The tree numbers clusters across kinds, while ktop numbers them per kind. */
static void
nodes_line(const struct examine *x, const struct host_api *host)
{
	struct host_cpu_node node[NODES_MAX];
	int n = host->cpu_nodes(node, NODES_MAX), last;
	char text[LINE_SIZE];
	struct buf b = buf_over(text, sizeof text);

	for (int i = 0; i < n && i < NODES_MAX; i = last + 1) {
		for (last = i;
		     last + 1 < n && last + 1 < NODES_MAX &&
		     is_next_in_cluster(&node[last], &node[last + 1]);)
			last++;
		buf_printf(
			&b,
			"; cpu %d-%d are core %d-%d of cluster %d, type %.8s, die %d",
			node[i].logical_cpu_id, node[last].logical_cpu_id,
			node[i].cluster_core_id, node[last].cluster_core_id,
			node[i].logical_cluster_id, node[i].cluster_type,
			node[i].die_id);
	}
	report_line(x->out, "device tree", "%d CPUs%s", n, buf_cstr(&b));
}

struct access_counts {
	int read, denied, other;
	unsigned flavor;
	int32_t pid;
};

static void
check_process(const struct host_api *host, int32_t pid, struct access_counts *l)
{
	struct host_usage u;

	errno = 0;
	if (host->proc_usage(pid, &u) == 0) {
		l->read++;
		l->flavor = u.flavor;
		if (pid > 0 && u.exit_abstime == 0)
			l->pid = pid;
	} else if (errno == EPERM) {
		l->denied++;
	} else {
		l->other++;
	}
}

static void
process_access_line(const struct examine *x, const struct host_api *host)
{
	enum { THREADS = 256 };
	int32_t pid[PROCESS_ROWS_MAX];
	struct access_counts l = { .read = 0 };
	struct host_thread t = { .levels = 0 };
	uint64_t id[THREADS];
	int listed = host->proc_list(pid, PROCESS_ROWS_MAX), n = 0, counted = 0;
	char number[24];

	if (listed <= 0) {
		report_line(x->out, "processes", "not listed: %s",
			    report_errno(errno, number));
		return;
	}
	for (int i = 0; i < listed; i++)
		check_process(host, pid[i], &l);
	if (l.pid > 0 && host->thread_list != NULL &&
	    host->thread_counts != NULL)
		n = host->thread_list(l.pid, id, THREADS);
	for (int i = 0; i < n && i < THREADS; i++)
		counted += host->thread_counts(l.pid, id[i], &t) == 0;
	report_line(
		x->out, "processes",
		"%d listed: %d read, %s; %d denied, %d gone; of one %d of %d %s counted, on %u %s",
		listed, l.read,
		l.flavor >= 6 ? "cycles by kind of core" : "cycles in all",
		l.denied, l.other, counted, n,
		plural((unsigned)n, "thread", "threads"), t.levels,
		plural(t.levels, "level", "levels"));
}

static void
topology_lines(struct examine *x)
{
	static const char *const machine[] = {
		"ncpu",      "logicalcpu_max", "physicalcpu_max",
		"activecpu", "nperflevels",    NULL
	};
	static const char *const level[] = {
		"logicalcpu_max", "logicalcpu",   "physicalcpu", "cpusperl2",
		"l1icachesize",   "l1dcachesize", "l2cachesize", NULL,
	};
	const struct host_api *host = host_of(x);
	char text[LINE_SIZE], key[32], name[64], label[64];
	struct buf b = buf_over(text, sizeof text);

	if (host == NULL)
		return;
	put_sysctls(host, &b, "hw", machine);
	report_line(x->out, "hw", "%s", buf_cstr(&b));
	uint64_t n = host_number_or(host, "hw.nperflevels", 0);
	for (unsigned i = 0; i < n && i < LEVELS_MAX; i++) {
		snprintf(key, sizeof key, "hw.perflevel%u", i);
		snprintf(name, sizeof name, "%s.name", key);
		host_text(host, name, label, sizeof label);
		b = buf_over(text, sizeof text);
		buf_printf(&b, "name=%s", label);
		put_sysctls(host, &b, key, level);
		report_line(x->out, key, "%s", buf_cstr(&b));
	}
	nodes_line(x, host);
	if (host->proc_list != NULL && host->proc_usage != NULL)
		process_access_line(x, host);
}

enum difference { UNKNOWN, DIFFERENT, MISSING };

static void
difference_line(const struct examine *x, const char *key, enum difference d)
{
	const struct catalog *c = &kperf_of(x->s)->events.catalog;
	const struct pmu *p = kperf_of(x->s)->pmu;
	size_t all = d == MISSING ? p->nevents : c->len;
	unsigned n = 0, shown = 0;
	char text[300], more[32] = "";
	struct buf b = buf_over(text, sizeof text);

	for (size_t i = 0; i < all; i++) {
		const char *name =
			d == MISSING ? p->events[i].name : c->event[i].name;
		const struct pmu_event *ours = pmu_event_find(p, name);
		const struct event *v = catalog_find(c, name);
		bool so = d == UNKNOWN ? ours == NULL
			  : d == MISSING
				  ? v == NULL
				  : ours != NULL && v != NULL &&
					    (ours->number != v->number ||
					     ours->counters != v->counters);

		n += so;
		if (so && b.len + strlen(name) + 2 <= sizeof text) {
			buf_printf(&b, "%s%s", shown > 0 ? " " : ": ", name);
			shown++;
		}
	}
	if (n > shown)
		snprintf(more, sizeof more, " and %u more", n - shown);
	report_line(x->out, key, "%u%s%s", n, buf_cstr(&b), more);
}

static void
database_lines(struct examine *x)
{
	const struct kperf_catalog *c =
		x->s != NULL ? &kperf_of(x->s)->events : NULL;
	const struct pmu *p = x->s != NULL ? kperf_of(x->s)->pmu : NULL;

	if (c == NULL || c->db == NULL) {
		report_line(
			x->out, "events", "none%s%s", x->s != NULL ? ": " : "",
			x->s == NULL             ? ""
			: kperf_of(x->s)->no_pmu ? x->s->info.why.text
						 : kperf_of(x->s)->why.text);
		return;
	}
	const char *marketing = kps_database_marketing_name(c->database);
	report_line(x->out, "name", "%s (%s)", c->name,
		    marketing != NULL ? marketing : "-");
	report_line(
		x->out, "events",
		"%u; counters: %u fixed, %u configurable, %u power; its memory is as ktop %s",
		c->catalog.len,
		kps_database_counters(c->database, KPC_CLASS_FIXED),
		kps_database_counters(c->database, KPC_CLASS_CONFIGURABLE),
		kps_database_counters(c->database, KPC_CLASS_POWER),
		kps_database_event_layout(c->database) != 0
			? "knows it"
			: "does not know it: ktop's own table is used");
	if (p == NULL) {
		report_line(x->out, "our table",
			    "none: this chip is new to ktop");
		return;
	}
	report_line(x->out, "our table", "%s (%s), %u events", p->db,
		    p->generation, p->nevents);
	difference_line(x, "unknown to us", UNKNOWN);
	difference_line(x, "missing", MISSING);
	difference_line(x, "different", DIFFERENT);
}

static void
state_line(const struct examine *x, const char *key,
	   const struct kperf_leftovers *l, const struct err *why)
{
	char text[KPC_MAX_COUNTERS * 20];
	struct buf b = buf_over(text, sizeof text);

	for (unsigned i = 0; i < l->words.len; i++)
		buf_printf(&b, " %#" PRIx64, l->words.word[i]);
	if (why->text[0] != '\0')
		report_line(x->out, key, "%s", why->text);
	else
		report_line(x->out, key,
			    "force %d%s, classes %" PRIu32
			    ", of threads %" PRIu32 ", words%s",
			    l->force,
			    l->force != 0 ? " (another program has them)" : "",
			    l->counting, l->threads, buf_cstr(&b));
}

static void
owner_line(const struct examine *x, const char *key)
{
	const struct host_api *host = kperf_of(x->s)->host;
	char by[64];

	if (!host_text(host, "ktrace.configured_by", by, sizeof by))
		by[0] = '\0';
	report_line(x->out, key,
		    "state %" PRIu64 ", process %" PRIu64
		    ", in the background %" PRIu64 "%s%s",
		    host_number_or(host, "ktrace.state", 0),
		    host_number_or(host, "ktrace.owning_pid", 0),
		    host_number_or(host, "ktrace.background_pid", 0),
		    by[0] != '\0' ? ", set up by " : "", by);
}

static void
traced_line(const struct examine *x, const struct process_traced *t)
{
	const struct eventset *set = &kperf_of(x->s)->set;
	struct process_counts all = { .pid = 0 };
	unsigned came = 0;

	for (unsigned i = 0; i < t->n; i++)
		process_counts_add(&all, &t->row[i]);
	for (unsigned i = 0; i < set->len; i++)
		came += (t->slots >> i & 1) != 0 && all.slot[i] != 0;
	report_line(x->out, "tracing",
		    "%u %s in %d ms: %" PRIu64
		    " cycles, IPC %.2f, %u of %u events; %" PRIu64
		    " rejected, records lost %" PRIu64 " times",
		    t->n, plural(t->n, "process", "processes"),
		    TRACE_NS / 1000000, all.cycles,
		    all.cycles != 0
			    ? (double)all.instructions / (double)all.cycles
			    : 0.0,
		    came, set->len, t->dropped, t->gaps);
}

static void
tracing_lines(struct examine *x)
{
	struct kperf_source *s = kperf_of(x->s);
	struct process_traced *t = calloc(1, sizeof *t);
	struct process_request request = { .opened = -1, .trace = true };

	if (t == NULL || s->host->system == NULL) {
		report_line(x->out, "tracing", "not offered");
		free(t);
		return;
	}
	owner_line(x, "tracing's owner");
	kperf_traced_read(s, &request, t);
	if (t->state == PROCESS_TRACING_ON) {
		clock_pause(&s->clock, TRACE_NS);
		kperf_traced_read(s, &request, t);
	}
	if (t->why[0] != '\0')
		report_line(x->out, "tracing", "%s", t->why);
	else
		traced_line(x, t);
	request.trace = false;
	kperf_traced_read(s, &request, t);
	free(t);
}

/* Since macOS 26.5 the words can be compared only if the counters were counting
 * at both readings: otherwise a read returns the words that the hardware used
 * last. */
static void
restored_line(const struct examine *x, const struct kperf_leftovers *a,
	      const struct kperf_leftovers *b, bool given_back)
{
	const struct kperf_changes *changes = &kperf_of(x->s)->changes;
	bool words =
		!changes->latent || (a->counting & b->counting & KPERF_SLOTS);
	char text[64];
	struct buf changed = buf_over(text, sizeof text);

	if (a->force != b->force)
		buf_str(&changed, " force");
	if (a->counting != b->counting)
		buf_str(&changed, " classes");
	if (a->threads != b->threads)
		buf_str(&changed, " threads");
	if (a->traced != b->traced)
		buf_str(&changed, " tracing");
	if (words && (a->words.len != b->words.len ||
		      memcmp(a->words.word, b->words.word,
			     a->words.len * sizeof a->words.word[0]) != 0))
		buf_str(&changed, " words");
	if (changed.len == 0 && given_back)
		report_line(x->out, "restored", "yes");
	else
		report_line(x->out, "restored",
			    "no:%s%s; restarting the Mac resets it",
			    buf_cstr(&changed),
			    given_back
				    ? ""
				    : " the kernel refused to take them back");
}

static void
counters_lines(struct examine *x)
{
	struct kperf_source *s = x->s != NULL ? kperf_of(x->s) : NULL;
	struct kperf_leftovers before, after;
	struct err e = { ERR_NONE, "" }, why = { ERR_NONE, "" };

	if (s == NULL) {
		x->count(x);
		return;
	}
	(void)kperf_leftovers_read(s->kpc, s->host->system, &before, &e);
	state_line(x, "before", &before, &e);
	x->count(x);
	if (s->mode == SOURCE_FULL)
		report_line(
			x->out, "kernel layer", "%s; %u raw words",
			s->changes.latent
				? "CPC (macOS 26.5 and later): words act when counting starts"
				: "kpc (to macOS 26.4): words act at once",
			s->kpc->kpc_get_config_count(KPC_CLASS_RAWPMU_MASK));
	if (s->source.info.mode != SOURCE_BUSY_ONLY && !x->leave_off(x)) {
		tracing_lines(x);
		kperf_loops(x);
	}
	if (!x->leave_off(x))
		kperf_calibrate(x);
	bool given_back = kperf_program(x->s, NULL, NULL);
	(void)kperf_leftovers_read(s->kpc, s->host->system, &after, &why);
	state_line(x, "after", &after, &why);
	restored_line(x, &before, &after, given_back);
}

/* clang-format off */
const struct examine_question kperf_examine[] = {
	{ "system", mac_system_lines },
	{ "topology", topology_lines },
	{ "database", database_lines },
	{ "counters", counters_lines },
	{ NULL, NULL },
};
/* clang-format on */
