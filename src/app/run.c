/* ktop run: measures while a command runs, and says what was counted. */
#include "app/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "app/state.h"

int
app_run_command(const struct options *o)
{
	struct err e;

	if (o->exec != NULL && o->exec[0] != NULL && o->exec[0][0] != '\0')
		return app_run(o);
	(void)err_set(&e, ERR_USAGE,
		      o->exec != NULL && o->exec[0] != NULL
			      ? "the command of run is an empty word; write "
				"ktop run -- CMD ARGS"
			      : "run needs a command: ktop run -- CMD ARGS");
	return err_fail(&e);
}

bool
run_start(struct app *a, struct err *e)
{
	if (a->o->exec == NULL)
		return true;
	struct run *r = calloc(1, sizeof *r);

	a->run = r;
	if (r == NULL || !totals_init(&r->totals, a->source->info.topology))
		return err_set(e, ERR_FAIL, "out of memory");
	if (child_start(&r->child, a->o->exec, &a->wait, e))
		return true;
	a->code = r->child.code;
	return false;
}

bool
run_machine(struct app *a, const struct topology *was, struct err *e)
{
	if (a->run != NULL)
		a->run->moved = true;
	return a->run == NULL ||
	       totals_move(&a->run->totals, a->source->info.topology, was) ||
	       err_set(e, ERR_FAIL, "out of memory");
}

void
run_frame(struct app *a)
{
	if (a->run != NULL)
		totals_add(&a->run->totals, a->frame);
}

void
run_child(struct app *a)
{
	if (a->run != NULL && child_ended(&a->run->child))
		a->stop = true;
}

bool
run_signal(struct app *a, int number)
{
	if (a->run == NULL || a->run->child.ended)
		return false;
	/* The terminal sends INT and QUIT to the command itself. */
	if (number == SIGTERM || number == SIGHUP)
		(void)kill(a->run->child.pid, number);
	return true;
}

void
run_finish(struct app *a)
{
	struct run *r = a->run;

	if (r == NULL || r->child.pid <= 0)
		return;
	if (r->child.ended && !a->clock->stepped && a->source != NULL) {
		a->stop = false;
		app_sample(a); /* what was counted since the last tick */
	}
	while (!child_ended(&r->child)) {
		a->stop = false;
		app_wait(a, APP_FOR_EVER);
	}
	a->stop = true;
}

void
run_free(struct app *a)
{
	if (a->run == NULL)
		return;
	totals_free(&a->run->totals);
	free(a->run);
	a->run = NULL;
}
