#include "app/run.h"

#include <signal.h>
#include <stdlib.h>

#include "app/state.h"

bool
run_start(struct app *a, struct err *e)
{
	if (a->o->exec == NULL)
		return true;
	struct run *r = calloc(1, sizeof *r);

	a->run = r;
	if (r == NULL || !account_init(&r->account, a->source->info.topology))
		return err_set(e, ERR_FAIL, "out of memory");
	return child_start(&r->child, a->o->exec, &a->loop.wait, e);
}

bool
run_machine(struct app *a, const struct topology *was, struct err *e)
{
	if (a->run != NULL)
		a->run->moved = true;
	return a->run == NULL ||
	       account_move(&a->run->account, a->source->info.topology, was) ||
	       err_set(e, ERR_FAIL, "out of memory");
}

void
run_frame(struct app *a)
{
	if (a->run != NULL)
		account_add(&a->run->account, a->frame);
}

bool
run_ended(struct app *a)
{
	return a->run != NULL && child_ended(&a->run->child);
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

int
run_code(const struct app *a)
{
	return a->run != NULL ? a->run->child.code : 0;
}

void
run_free(struct app *a)
{
	if (a->run == NULL)
		return;
	account_free(&a->run->account);
	free(a->run);
	a->run = NULL;
}
