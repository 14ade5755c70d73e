/* Parses the command line, performs the command, returns its exit code. */
#include <stdlib.h>

#include "commands/command.h"
#include "kperf/load.h"
#include "process/locale.h"
#include "server/open.h"
#include "server/privilege.h"
#include "base/fd.h"

static int
run(struct options *o, int argc, char **argv)
{
	struct err e = { ERR_NONE, "" };
	struct privilege p;
	char missing[256];

	fd_keep_standard();
	if (!privilege_begin(&p, argc, argv, &e))
		return err_fail(&e);
	bool found = locale_init(missing, sizeof missing);

	if (!options_parse(o, argc, argv, &e) || !server_knows_source(o, &e))
		return err_fail(&e);
	if (!kperf_untrusted_path_allowed())
		options_clear_libraries(o);
	if (!privilege_apply_options(&p, o, &e))
		return err_fail(&e);
	o->no_locale = found ? NULL : missing;
	return command_perform(o);
}

int
main(int argc, char **argv)
{
	/* Allocated, as the stack may be small (ulimit -s). */
	struct options *o = malloc(sizeof *o);
	int code = o != NULL ? run(o, argc, argv) : ERR_FAIL;

	free(o);
	return code;
}
