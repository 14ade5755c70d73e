/* ktop: parse, run, exit code. */
#include "app/app.h"
#include "app/command.h"
#include "app/locale.h"
#include "app/privilege.h"
#include "base/fd.h"

int
main(int argc, char **argv)
{
	struct err e = { ERR_NONE, "" };
	struct privilege p;
	struct options o;
	char missing[256];

	fd_keep_standard();
	if (!privilege_begin(&p, argc, argv, &e))
		return command_fail(&e);
	bool found = locale_begin(missing, sizeof(missing));

	if (!options_parse(&o, argc, argv, &e) || !privilege_settle(&p, &o, &e))
		return command_fail(&e);
	o.no_locale = found ? NULL : missing;
	return command_end(o.run != NULL ? o.run(&o) : app_run(&o));
}
