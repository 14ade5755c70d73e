/* ktop: parse, run, exit code. */
#include <locale.h>

#include "app/app.h"
#include "app/command.h"
#include "app/privilege.h"
#include "base/fd.h"

int
main(int argc, char **argv)
{
	struct err e = { ERR_NONE, "" };
	struct privilege p;
	struct options o;

	fd_keep_standard();
	if (!privilege_begin(&p, argc, argv, &e))
		return command_fail(&e);
	(void)setlocale(LC_ALL, "");
	(void)setlocale(LC_NUMERIC, "C");
	if (!options_parse(&o, argc, argv, &e) || !privilege_settle(&p, &o, &e))
		return command_fail(&e);
	return command_end(o.run != NULL ? o.run(&o) : app_run(&o));
}
