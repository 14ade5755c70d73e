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

enum { TRIES = 1000 };

/* Several of one moment have numbers: none replaces another. -1 and errno. */
static int
open_new(struct app *a, char name[NAMED_SIZE])
{
	enum { HOW = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC };
	struct screen *of = &a->screen;
	char moment[NAMED_SIZE];
	int fd = -1;

	errno = EOVERFLOW;
	if (!named_by_time(a, "", 1, moment))
		return -1;
	if (strcmp(moment, of->shot) != 0)
		of->shots = 0;
	memcpy(of->shot, moment, sizeof moment);
	errno = EEXIST;
	for (unsigned n = 0; n < TRIES && fd < 0 && errno == EEXIST; n++) {
		(void)named_by_time(a, ".txt", ++of->shots, name);
		fd = open_as_caller(name, HOW);
	}
	return fd;
}

/* 0, or why not; then there is no file. */
static int
save(struct app *a, char name[NAMED_SIZE])
{
	int fd = open_new(a, name), why;
	FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;

	if (out == NULL) {
		why = errno;
		if (fd < 0)
			return why;
		close(fd);
	} else {
		ui_write_text(a->screen.ui, out);
		why = ferror(out) != 0 ? EIO : 0;
		if (fclose(out) != 0)
			why = errno;
	}
	if (why != 0)
		(void)unlink_as_caller(name);
	return why;
}

void
shot_save(struct app *a)
{
	char folder[PATH_MAX], name[NAMED_SIZE];
	int why = save(a, name);

	if (getcwd(folder, sizeof folder) == NULL)
		snprintf(folder, sizeof folder, ".");
	if (why == 0)
		news_add(&a->news, "screen saved in %s/%s",
			 strcmp(folder, "/") == 0 ? "" : folder, name);
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
