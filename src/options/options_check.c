/* What options mean together. */
#include "options/options.h"

#include <string.h>

static bool
is_standard(const char *target)
{
	return target != NULL && strcmp(target, "-") == 0;
}

static bool
check_outputs(const struct options *o, struct err *e)
{
	bool csv = is_standard(o->csv), json = is_standard(o->json);

	if (o->batch && (csv || json))
		return err_set(e, ERR_USAGE,
			       "-b and --%s - both want standard output; give "
			       "--%s a file",
			       csv ? "csv" : "json", csv ? "csv" : "json");
	if (o->csv != NULL && o->json != NULL && strcmp(o->csv, o->json) == 0)
		return err_set(e, ERR_USAGE,
			       "--csv and --json both want %s; give one of "
			       "them another file",
			       csv ? "standard output" : o->csv);
	if (o->exec != NULL && (csv || json))
		return err_set(e, ERR_USAGE,
			       "standard output is the command's; give --%s a "
			       "file",
			       csv ? "csv" : "json");
	if (o->exec != NULL && o->nreplay > 0)
		return err_set(e, ERR_USAGE,
			       "--replay measures nothing around a command; "
			       "drop one of them");
	if (csv && (o->csv_rotate_bytes > 0 || o->csv_rotate_ns > 0))
		return err_set(e, ERR_USAGE,
			       "--csv-rotate numbers files; give --csv a name "
			       "instead of -");
	if (o->append && o->force)
		return err_set(e, ERR_USAGE,
			       "--append keeps the file that --force replaces; "
			       "drop one of them");
	return true;
}

/* Two that name different machines. */
static bool
check_machine(const struct options *o, struct err *e)
{
	const struct source_options *s = &o->source;

	if (s->root != NULL && s->sim != NULL)
		return err_set(e, ERR_USAGE,
			       "--root reads the files of a Linux machine, "
			       "--sim makes up a Mac; drop one of them");
	if (s->root != NULL && o->source_name != NULL &&
	    strcmp(o->source_name, "perf") != 0)
		return err_set(e, ERR_USAGE,
			       "--source %s does not read the files of --root; "
			       "drop one of them",
			       o->source_name);
	if (o->nreplay > 0 && s->root != NULL)
		return err_set(e, ERR_USAGE,
			       "--replay reads a recording, not a machine; "
			       "drop --root");
	return true;
}

/* Two that choose what is counted, so that one of them would be lost. */
static bool
check_events(const struct options *o, struct err *e)
{
	if (o->source.events == NULL || o->nreplay > 0)
		return true;
	if (o->ipc)
		return err_set(e, ERR_USAGE,
			       "--events needs the counters that --ipc leaves "
			       "alone; drop one of them");
	if (o->nrotate > 0)
		return err_set(e, ERR_USAGE,
			       "--events counts one set all the time, --rotate "
			       "presets in turn; drop one of them");
	return true;
}

bool
options_check(const struct options *o, struct err *e)
{
	if (!check_outputs(o, e) || !check_machine(o, e) || !check_events(o, e))
		return false;
	if (o->source_name != NULL && o->source.sim != NULL &&
	    strcmp(o->source_name, "sim") != 0)
		return err_set(
			e, ERR_USAGE,
			"--source %s does not read the machine of --sim; "
			"drop one of them",
			o->source_name);
	if (o->nreplay > 0 && (o->source.sim != NULL || o->source_name != NULL))
		return err_set(e, ERR_USAGE,
			       "--replay reads a recording, not a machine; "
			       "drop --sim and --source");
	if (o->repair && o->command != COMMAND_DOCTOR)
		return err_set(e, ERR_USAGE,
			       "--repair is something that doctor does: ktop "
			       "doctor --repair");
	if (o->repair && o->tape != NULL)
		return err_set(e, ERR_USAGE,
			       "--repair changes what --tape would record; "
			       "record first, repair then");
	if (o->ipc && o->nrotate > 0)
		return err_set(e, ERR_USAGE,
			       "--rotate needs the counters that "
			       "--ipc leaves alone; drop one of them");
	return true;
}
