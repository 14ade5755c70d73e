/* ktop: parse, run, exit code. */
#include <stdlib.h>

#include "commands/command.h"
#include "process/locale.h"
#include "server/privilege.h"
#include "base/fd.h"

int
main(int argc, char **argv)
{
	struct err e = { ERR_NONE, "" };
	struct privilege p;
	/* Not on the stack: there may be little of it (ulimit -s). */
	struct options *o = malloc(sizeof *o);
	char missing[256];

	if (o == NULL)
		return ERR_FAIL;
	fd_keep_standard();
	if (!privilege_begin(&p, argc, argv, &e))
		return err_fail(&e);
	bool found = locale_begin(missing, sizeof missing);

	if (!options_parse(o, argc, argv, &e) || !privilege_settle(&p, o, &e))
		return err_fail(&e);
	o->no_locale = found ? NULL : missing;
	int code = command_perform(o);

	free(o);
	return code;
}
