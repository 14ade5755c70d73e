#include "stat/inject.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/self.h"
#include "kperf/load.h"
#include "sim/spec.h"
#include "source/kperf/host.h"
#include "stat/leftover.h"

enum { PATH_SIZE = 1024 };

/* ---- who may ---- */

/* What a simulated Mac needs: its kernel in a file that the command opens. */
static bool
simulation_allowed(const char *sim, struct err *e)
{
	struct sim_spec spec;

	if (!sim_spec_parse(&spec, sim, e))
		return false;
	return spec.state[0] != '\0' ||
	       err_set(e, ERR_USAGE,
		       "--inject: the command shares a simulated Mac through its file: --sim %s,state=FILE",
		       sim);
}

/* Counters of a thread are root's alone, and the command reads them itself. */
bool
inject_allowed(const struct source_options *o, struct err *e)
{
	if (o->sim != NULL)
		return simulation_allowed(o->sim, e);
	if (host_system() == NULL)
		return err_set(
			e, ERR_USAGE,
			"--inject is for macOS; here stat counts the events of a command without it");
	if (o->server == 0 && getuid() == 0 && geteuid() == 0)
		return true;
	return err_set(
		e, ERR_PERM,
		"--inject: the command has to be root's, and ktop runs nothing as root for a caller of sudo; say it as root itself: sudo env -u SUDO_UID -u SUDO_GID ktop stat --inject ...");
}

/* ---- which files ---- */

struct inject {
	char library[PATH_SIZE], kperf[PATH_SIZE], file[PATH_SIZE];
	const char *sim;
	unsigned columns;
	int fd;    /* of the run; -1: none */
	char *was; /* the variable before the run; NULL: there was none */
};

/* Where ktop is installed, or has been built. */
static bool
find_file(const char *name, char *path, struct err *e)
{
	static const char *const place[] = { "../lib/ktop/", "build/", "",
					     "../" };
	char self[PATH_SIZE], *slash;

	if (!self_path(self, sizeof self))
		return err_set(
			e, ERR_FAIL,
			"--inject: the system does not say where ktop is");
	slash = strrchr(self, '/');
	if (slash != NULL)
		slash[1] = '\0';
	for (unsigned i = 0; i < sizeof place / sizeof *place; i++)
		if (snprintf(path, PATH_SIZE, "%s%s%s", self, place[i], name) <
			    PATH_SIZE &&
		    access(path, R_OK) == 0)
			return true;
	return err_set(
		e, ERR_FAIL,
		"--inject needs %s, which is neither in ../lib/ktop nor next to ktop (%s); make install puts it there",
		name, self);
}

struct inject *
inject_open_with(const char *library, const char *kperf, const char *sim,
		 struct err *e)
{
	struct inject *i = calloc(1, sizeof *i);

	if (i == NULL)
		return err_null(e, ERR_FAIL, "out of memory");
	i->fd = -1;
	i->sim = sim;
	(void)leftover_remove();
	if (snprintf(i->library, PATH_SIZE, "%s", library) < PATH_SIZE &&
	    snprintf(i->kperf, PATH_SIZE, "%s", kperf) < PATH_SIZE)
		return i;
	free(i);
	return err_null(e, ERR_FAIL, "%.60s...: the path is too long", kperf);
}

struct inject *
inject_open(const struct source_options *o, struct err *e)
{
	char library[PATH_SIZE], simulation[PATH_SIZE];
	const char *kperf = o->kperf_path;

	if (!find_file(inject_library, library, e) ||
	    (kperf == NULL && o->sim != NULL &&
	     !find_file(inject_simulation, simulation, e)))
		return NULL;
	if (kperf == NULL)
		kperf = o->sim != NULL ? simulation : KPERF_PATH;
	return inject_open_with(library, kperf, o->sim, e);
}

/* ---- a run ---- */

static void
forget_file(struct inject *i)
{
	if (i->fd < 0)
		return;
	close(i->fd);
	(void)unlink(i->file);
	i->fd = -1;
}

static bool
make_file(struct inject *i, struct err *e)
{
	const struct inject_record empty = { .magic = INJECT_MAGIC,
					     .size = sizeof empty,
					     .columns = i->columns };

	if (snprintf(i->file, sizeof i->file, "%s/ktop-inject-XXXXXX",
		     leftover_folder()) >= (int)sizeof i->file)
		return err_set(e, ERR_FAIL, "TMPDIR is too long");
	i->fd = mkstemp(i->file);
	/* Where there are no locks nobody removes it, either. */
	if (i->fd >= 0)
		(void)leftover_hold(i->fd);
	if (i->fd >= 0 && fcntl(i->fd, F_SETFD, FD_CLOEXEC) == 0 &&
	    pwrite(i->fd, &empty, sizeof empty, 0) == (ssize_t)sizeof empty)
		return true;
	err_set(e, ERR_FAIL, "%s: %s", i->file, strerror(errno));
	forget_file(i);
	return false;
}

/* In front of what is loaded already. */
static bool
set_preload(struct inject *i)
{
	const char *was = getenv(inject_preload);
	char both[2 * PATH_SIZE];

	i->was = was != NULL ? strdup(was) : NULL;
	return (was == NULL || i->was != NULL) &&
	       snprintf(both, sizeof both, "%s%s%s", i->library,
			was != NULL && was[0] != '\0' ? ":" : "",
			was != NULL ? was : "") < (int)sizeof both &&
	       setenv(inject_preload, both, 1) == 0;
}

static void
put_environment_back(struct inject *i)
{
	if (i->was != NULL)
		(void)setenv(inject_preload, i->was, 1);
	else
		(void)unsetenv(inject_preload);
	free(i->was);
	i->was = NULL;
	(void)unsetenv(INJECT_RECORD);
	(void)unsetenv(INJECT_KPERF);
}

bool
inject_begin_run(struct inject *i, unsigned columns, struct err *e)
{
	i->columns = columns;
	if (!make_file(i, e))
		return false;
	if (set_preload(i) && setenv(INJECT_RECORD, i->file, 1) == 0 &&
	    setenv(INJECT_KPERF, i->kperf, 1) == 0 &&
	    (i->sim == NULL || setenv("KTOP_SIM", i->sim, 1) == 0))
		return true;
	put_environment_back(i);
	forget_file(i);
	return err_set(e, ERR_FAIL, "the command's environment has no room");
}

/* Read, not mapped: the command could have cut it. */
static bool
read_file(struct inject *i, struct inject_record *r)
{
	return pread(i->fd, r, sizeof *r, 0) == (ssize_t)sizeof *r &&
	       r->magic == INJECT_MAGIC && r->size == sizeof *r &&
	       r->columns == i->columns;
}

bool
inject_end_run(struct inject *i, struct inject_seen *out, struct err *e)
{
	struct inject_record r;
	bool ok;

	*out = (struct inject_seen){ .begun = 0 };
	put_environment_back(i);
	ok = i->fd >= 0 && read_file(i, &r);
	forget_file(i);
	if (!ok)
		return err_set(
			e, ERR_FAIL,
			"the command has damaged what its counts were written to");
	out->loaded = r.loaded;
	out->forked = r.forked;
	out->begun = r.begun;
	out->ended = r.ended;
	out->refused = r.refused;
	out->error = (int)(r.error & 0xffff);
	for (unsigned k = 0; k < i->columns; k++)
		out->sum[k] = r.sum[k];
	return true;
}

void
inject_close(struct inject *i)
{
	if (i == NULL)
		return;
	if (i->fd >= 0)
		put_environment_back(i);
	forget_file(i);
	free(i);
}
