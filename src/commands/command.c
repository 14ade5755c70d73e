#include "commands/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "app/app.h"

/* Flushes standard output. Returns `code`; if output was lost, prints a
 * message, and returns ERR_FAIL instead of 0. */
static int
flush_output(int code)
{
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return code;
	err_print("cannot write standard output: %s; the output is incomplete",
		  errno == EBADF ? "it is closed"
		  : errno != 0   ? strerror(errno)
				 : "only a part was written");
	return code != 0 ? code : ERR_FAIL;
}

int
command_version(const struct options *o)
{
	(void)o;
	puts("ktop " KTOP_VERSION);
	return 0;
}

/* True: "ktop -- CMD" takes samples. False: it means "ktop stat -- CMD". */
static bool
wants_frames(const struct options *o)
{
	bool any = o->out.batch || o->frames > 0;

	for (unsigned i = 0; i < OUTPUTS; i++)
		any = any || o->out.file[i] != NULL;
	return any;
}

/* clang-format off */
#define COMMAND_CASE(constant, function, ...) case constant: return function(o);
static int
do_command(const struct options *o)
{
	if (o->cmd.id == COMMAND_STAT && o->cmd.named == NULL && wants_frames(o))
		return app_run(o);
	switch (o->cmd.id) {
	COMMAND_TABLE(COMMAND_CASE)
	RUN_TABLE(COMMAND_CASE)
	case COMMAND_MEASURE: return app_run(o);
	}
	return ERR_FAIL;
}
/* clang-format on */

int
command_perform(const struct options *o)
{
	const char *sim = o->source.sim;
	bool help = sim != NULL && strcmp(sim, "help") == 0;

	return flush_output(help ? command_list_machines(o) : do_command(o));
}
