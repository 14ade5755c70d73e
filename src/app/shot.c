#include "app/shot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/named.h"
#include "app/state.h"
#include "process/open_as.h"

enum { FILES = 2, TRIES = 1000 };

/* Two files of one name; the second's ending goes without saying where. */
struct shot {
	char name[FILES][NAMED_SIZE];
	int fd[FILES];
};

static const char *const ending[FILES] = { ".svg", ".txt" };

static void
drop(struct shot *s)
{
	for (int i = 0; i < FILES; i++) {
		if (s->fd[i] < 0)
			continue;
		close(s->fd[i]);
		(void)unlink_as_caller(s->name[i]);
		s->fd[i] = -1;
	}
}

/* 0, or why not: EEXIST where one of them is there. */
static int
open_both(struct shot *s)
{
	enum { HOW = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC };

	s->fd[0] = s->fd[1] = -1;
	for (int i = 0; i < FILES; i++) {
		s->fd[i] = open_as_caller(s->name[i], HOW);
		if (s->fd[i] >= 0)
			continue;
		int why = errno;

		drop(s);
		return why;
	}
	return 0;
}

/* Several of one moment have numbers: none replaces another. */
static int
open_new(struct app *a, struct shot *s)
{
	struct screen *of = &a->screen;
	char moment[NAMED_SIZE];
	int why = EEXIST;

	if (!named_by_time(a, "", 1, moment))
		return EOVERFLOW;
	if (strcmp(moment, of->shot) != 0)
		of->shots = 0;
	memcpy(of->shot, moment, sizeof moment);
	for (unsigned n = 0; n < TRIES && why == EEXIST; n++) {
		of->shots++;
		for (int i = 0; i < FILES; i++)
			(void)named_by_time(a, ending[i], of->shots,
					    s->name[i]);
		why = open_both(s);
	}
	return why;
}

static int
write_one(const struct app *a, int fd, bool svg)
{
	FILE *out = fdopen(fd, "w");

	if (out == NULL) {
		int why = errno;

		close(fd);
		return why;
	}
	errno = 0;
	if (svg)
		ui_write_svg(a->screen.ui, out);
	else
		ui_write_text(a->screen.ui, out);
	bool bad = ferror(out) != 0;
	int why = errno;

	if (fclose(out) != 0 && !bad) {
		bad = true;
		why = errno;
	}
	return !bad ? 0 : why != 0 ? why : EIO;
}

static int
write_both(const struct app *a, struct shot *s)
{
	int why = 0;

	for (int i = 0; i < FILES; i++) {
		int fd = s->fd[i];

		s->fd[i] = -1; /* it is closed in any case */
		if (why == 0)
			why = write_one(a, fd, i == 0);
		else
			close(fd);
	}
	for (int i = 0; i < FILES && why != 0; i++)
		(void)unlink_as_caller(s->name[i]);
	return why;
}

void
shot_save(struct app *a)
{
	char folder[PATH_MAX];
	struct shot s;
	int why = open_new(a, &s);

	if (getcwd(folder, sizeof folder) == NULL)
		snprintf(folder, sizeof folder, ".");
	if (why == 0)
		why = write_both(a, &s);
	if (why == 0)
		news_add(&a->news, "screen saved in %s/%s, as text in .txt",
			 strcmp(folder, "/") == 0 ? "" : folder, s.name[0]);
	else if (why == EOVERFLOW)
		news_add(
			&a->news,
			"screen not saved: the clock tells no time to name it by");
	else
		news_add(
			&a->news,
			"screen not saved in %s: %s; start ktop in a folder that you can write to",
			folder, strerror(why));
}
