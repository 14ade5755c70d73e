#include "commands/stat.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { PROBE_NS = 20 * 1000 * 1000 };

/* If a command's share of the machine is below nearly_all, the report names
 * other programs; below half, as most of the work. */
static const double nearly_all = 0.9, half = 0.5;

int64_t
stat_machine_tell(struct stat_job *j, enum stat_moment moment)
{
	switch (moment) {
	case STAT_BEGINS:
		return machine_counter_begin(j->machine,
					     (unsigned)(j->now - j->command));
	case STAT_LOOK:
		return machine_counter_look(j->machine);
	case STAT_ENDS:
		machine_counter_end(j->machine);
		break;
	case STAT_PAUSE:
		machine_counter_pause(j->machine);
		break;
	case STAT_GO_ON:
		machine_counter_resume(j->machine);
		break;
	}
	return 0;
}

void
stat_machine_note(struct stat_job *j, struct stat_command *c,
		  struct stat_run *run)
{
	bool counts =
		run->counted && (run->end.known & PROCESS_HAS_COUNTS) != 0;

	if (j->machine == NULL)
		return;
	j->power = machine_counter_power(j->machine, run->elapsed_s);
	run->machine_joules = j->power.joules;
	run->machine_bytes = j->power.bytes;
	c->beside_cycles +=
		counts ? (double)run->end.total.cycles : (double)NAN;
	/* A simulated command has simulated CPU time only. */
	c->beside_cpu_s += run->has_use && !j->counter->simulated
				   ? run->user_s + run->system_s
				   : run->end.cpu_s;
}

void
stat_machine_open(struct stat_job *j)
{
	if (!j->o->stat.null)
		j->machine = machine_counter_open(j->o, j->n, &j->no_machine);
}

bool
stat_machine_close(struct stat_job *j)
{
	struct err e = { ERR_NONE, "" };
	bool ok = machine_counter_close(j->machine, &e);

	if (!ok)
		(void)err_fail(&e);
	j->machine = NULL;
	return ok;
}

/* Counts ktop itself for PROBE_NS, to test whether the command's counters fit
 * beside the machine's without multiplexing. */
static bool
counter_fits_machine(struct counter *c)
{
	char why[sizeof c->why];
	struct counter_reading got;
	struct stamp from, now;
	bool ok = true;

	memcpy(why, c->why, sizeof why);
	if (!c->ops->attach(c, getpid(), false, NULL))
		return true;
	clock_now(clock_system(), &from);
	do
		clock_now(clock_system(), &now);
	while (now.awake_ns - from.awake_ns < PROBE_NS);
	if (c->ops->read(c, &got))
		ok = (got.flags & PROCESS_SCALED) == 0 &&
		     (got.known & PROCESS_HAS_COUNTS) != 0;
	counter_detach(c);
	memcpy(c->why, why, sizeof why);
	return ok;
}

/* True: argv has events that only the machine's counters have (macOS). */
static bool
wants_machine(const struct stat_job *j)
{
	const struct options *o = j->o;
	bool events = o->source.events != NULL && option_line(o, "events") == 0;

	return j->counter->nevents == 0 && !o->stat.null &&
	       (events || counter_has_preset(o));
}

static void
machine_trace(struct stat_job *j, int32_t pid)
{
	machine_counter_trace(j->machine, pid);
	if (!j->o->stat.quiet)
		err_print(
			"kernel tracing is on for the events of process %d: other tools (Instruments, fs_usage, ktrace) cannot trace the kernel meanwhile",
			(int)pid);
}

bool
stat_machine_check(struct stat_job *j, int32_t pid, struct err *e)
{
	struct counter *c = j->counter;

	if (j->machine == NULL && wants_machine(j))
		return err_set(
			e, j->no_machine.code,
			"macOS can count these events only for the whole machine, and that failed: %s",
			j->no_machine.text);
	if (j->machine != NULL && wants_machine(j) && pid > 0)
		machine_trace(j, pid);
	if (j->machine == NULL && c->domain == DOMAIN_NONE)
		j->no_machine.text[0] = '\0';
	if (j->machine == NULL || !c->tree || c->domain == DOMAIN_NONE ||
	    counter_fits_machine(c))
		return true;
	stat_machine_close(j);
	err_set(&j->no_machine, ERR_TAKEN,
		"the events of the machine and of the command together need too many counters; try --ipc");
	return true;
}

/* Returns the command's share of the machine's cycles (*cycles is true), else
 * of its busy time; not finite: unknown. */
static double
command_share(const struct stat_job *j, unsigned command, bool *cycles)
{
	const struct stat_command *c = &j->command[command];
	struct totals t = machine_counter_totals(j->machine, command);
	struct account_row all =
		totals_sum(machine_counter_app(j->machine), &t);

	*cycles = machine_counter_domain(j->machine) == j->counter->domain &&
		  all.span.cycles > 0 && !isnan(c->beside_cycles);
	double share = *cycles ? c->beside_cycles / (double)all.span.cycles
			       : c->beside_cpu_s / all.busy.busy;

	return share > 1 ? 1 : share;
}

static void
machine_print_head(const struct stat_job *j, FILE *out)
{
	bool cycles, any = false;
	char name[200];
	double least = 1;

	machine_counter_name(j->machine, name, sizeof name);
	fprintf(out, "\nThe machine during the runs (%s)", name);
	for (unsigned i = 0; i < j->n; i++) {
		double share = command_share(j, i, &cycles);

		if (!isfinite(share))
			continue;
		fprintf(out, "%s %.0f %% %s%s's", any ? "," : ":", 100 * share,
			any      ? ""
			: cycles ? "of its cycles were "
				 : "of its CPU time was ",
			j->n == 1 ? "the command" : j->command[i].letter);
		any = true;
		least = fmin(least, share);
	}
	fprintf(out, "%s.\n",
		any && least < half ? "; most belongs to other programs"
		: any && least < nearly_all
			? "; the rest belongs to other programs"
			: "");
}

/* A power rail measures the machine, not a command. */
static void
machine_print_power(const struct stat_job *j, FILE *out)
{
	if (j->power.measured)
		fprintf(out,
			"   The machine's energy (of %s) and memory traffic include all programs, not only the %s.\n",
			j->power.packages ? "packages" : "all CPUs",
			j->n == 1 ? "command" : "commands");
}

static void
machine_print_tables(const struct stat_job *j, FILE *out)
{
	const struct app *a = machine_counter_app(j->machine);
	const char *name[STAT_COMMANDS];
	struct totals t[STAT_COMMANDS];
	bool events = j->o->source.events != NULL, any = false;

	for (unsigned i = 0; i < j->n; i++) {
		t[i] = machine_counter_totals(j->machine, i);
		name[i] = j->command[i].letter;
		any = any || totals_has_counts(&t[i]);
	}
	if (!any)
		fputs("   nothing was counted\n", out);
	else
		totals_print(out, a, t, j->n > 1 ? name : NULL, j->n, events);
}

static void
print_traced_events(FILE *out, const struct eventset *set,
		    const struct traced *t)
{
	/* Instructions of the same samples and modes as the events. */
	double inst = 0;

	for (unsigned i = 0; i < set->len; i++)
		if (strcmp(set->slot[i].event->name, "INST_ALL") == 0 &&
		    (t->slots >> i & 1) != 0)
			inst = (double)t->sum.slot[i];
	for (unsigned i = 0; i < set->len; i++) {
		unsigned long long n = t->sum.slot[i];

		fprintf(out, "   %-36s", set->slot[i].event->name);
		if ((t->slots >> i & 1) == 0)
			fputs(" not counted\n", out);
		else if (inst > 0)
			fprintf(out, " %17llu %11.3f per 1000 instructions\n",
				n, 1000 * (double)n / inst);
		else
			fprintf(out, " %17llu\n", n);
	}
}

static void
machine_print_traced(struct stat_job *j)
{
	const struct traced *t = machine_counter_traced(j->machine);
	const struct eventset *set;
	enum domain domain;
	double own = j->command[0].beside_cycles;

	if (t == NULL)
		return;
	set = machine_counter_set(j->machine, &domain);
	if (t->intervals == 0 || set == NULL) {
		fprintf(j->text.out, "\nIts events are not counted: %s.\n",
			t->why[0] != '\0' ? t->why : "it was too short");
		return;
	}
	fprintf(j->text.out, "\nIts events, by tracing the kernel (%s)",
		domain == DOMAIN_USER ? "user mode" : "all modes");
	if (own > 0)
		fprintf(j->text.out,
			": of samples that have %.0f %% of its cycles",
			100 * (double)t->sum.cycles / own);
	if (t->gaps > 0)
		fprintf(j->text.out, "; records were lost %llu times",
			(unsigned long long)t->gaps);
	if (t->state == PROCESS_TRACING_REFUSED)
		fprintf(j->text.out, "; not to the end: %s", t->why);
	fputs(". Nothing is scaled up.\n", j->text.out);
	print_traced_events(j->text.out, set, t);
}

void
stat_machine_text(struct stat_job *j)
{
	FILE *out = j->text.out;
	const char *message;

	if (j->machine == NULL && j->no_machine.text[0] != '\0')
		fprintf(out,
			"\nThe machine during the runs is not counted: %s.\n",
			j->no_machine.text);
	if (j->machine == NULL)
		return;
	machine_print_traced(j);
	machine_print_head(j, out);
	machine_print_power(j, out);
	machine_print_tables(j, out);
	while ((message = machine_counter_message(j->machine)) != NULL)
		fprintf(out, "   %s\n", message);
}
