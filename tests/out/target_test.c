#include "out/sink.h"

#include <fcntl.h>
#include <signal.h>

#include <cmocka.h>

#include "out/target.h"
#include "out/recording.h"
#include "skip.h"

UNIT(an_existing_file_is_kept_without_force)
{
	struct frames *f = frames_new();
	struct err e = { ERR_NONE, "" };
	struct sink *s = open_in(f, "kept.csv");

	assert_true(s->ops->frame(s, &f->frame, &e));
	s->ops->close(s);
	assert_null(sink_csv.open(path("kept.csv"), &f->about, &e));
	assert_int_equal(e.code, ERR_FAIL);
	assert_non_null(strstr(e.text, "--force"));
	char *text = slurp("kept.csv");

	assert_int_equal(lines_in(text), 9);
	free(text);
	f->about.force = true;
	s = open_in(f, "kept.csv");
	s->ops->close(s);
	text = slurp("kept.csv");
	assert_int_equal(lines_in(text), 1);
	free(text);
	frames_free(f);
}

UNIT(a_full_disk_refuses_the_header)
{
	struct frames *f = frames_new();
	struct err e = { ERR_NONE, "" };

	if (access("/dev/full", W_OK) != 0)
		skip_because("there is no /dev/full here");
	assert_null(sink_csv.open("/dev/full", &f->about, &e));
	assert_int_equal(e.code, ERR_FAIL);
	assert_non_null(strstr(e.text, "/dev/full"));
	frames_free(f);
}

/*
 * A limit in the middle of frame 1: its rest waits, frame 2 is lost, and when
 * there is room again frame 1 is finished, and a lost row comes before 3.
 */
UNIT(a_short_write_is_finished_first)
{
	struct frames *f = frames_new();
	struct sink *s = open_in(f, "short.csv");
	struct err e = { ERR_NONE, "" };
	uint64_t lost;
	bool dead;

	(void)signal(SIGXFSZ, SIG_IGN);
	assert_true(s->ops->frame(s, &f->frame, &e));
	limit_file((rlim_t)size_of("short.csv") + 777);
	f->frame.seq = 1;
	assert_true(s->ops->frame(s, &f->frame, &e));
	assert_true(sink_waiting_fd(s) >= 0);
	f->frame.seq = 2;
	assert_false(s->ops->frame(s, &f->frame, &e));
	assert_non_null(strstr(e.text, "short.csv"));
	f->frame.seq = 3;
	assert_false(s->ops->frame(s, &f->frame, &e));
	assert_string_equal(e.text, ""); /* said before */
	sink_get_losses(s, &lost, &dead);
	assert_int_equal(lost, 2);
	assert_false(dead);
	limit_file(RLIM_INFINITY);
	f->frame.seq = 4;
	assert_true(s->ops->frame(s, &f->frame, &e));
	assert_int_equal(sink_waiting_fd(s), -1);
	s->ops->close(s);
	char *text = slurp("short.csv");

	assert_int_equal(lines_in(text), 1 + 3 * FRAMES_CPUS + 1);
	for (unsigned i = 1; i < lines_in(text); i++)
		assert_string_equal(at(text, i, "schema"), "ktop/2");
	assert_string_equal(at(text, 16, "sample"), "1");
	assert_string_equal(at(text, 17, "row"), "lost");
	assert_string_equal(at(text, 17, "note"), "2 samples lost");
	assert_string_equal(at(text, 18, "sample"), "4");
	free(text);
	frames_free(f);
}

UNIT(a_torn_frame_is_cut_at_the_end)
{
	struct frames *f = frames_new();
	struct sink *s = open_in(f, "torn.csv");
	struct err e;

	(void)signal(SIGXFSZ, SIG_IGN);
	assert_true(s->ops->frame(s, &f->frame, &e));
	limit_file((rlim_t)size_of("torn.csv") + 777);
	f->frame.seq++;
	assert_true(s->ops->frame(s, &f->frame, &e));
	s->ops->close(s);
	limit_file(RLIM_INFINITY);
	char *text = slurp("torn.csv");

	assert_int_equal(lines_in(text), 1 + FRAMES_CPUS);
	assert_int_equal(text[strlen(text) - 1], '\n');
	free(text);
	frames_free(f);
}

/* All that is in the pipe, behind what was read before. */
static void
drain(int fd, char *all, size_t *len)
{
	ssize_t n;

	while ((n = read(fd, all + *len, TEXT_SIZE - 1 - *len)) > 0)
		*len += (size_t)n;
	all[*len] = '\0';
}

/* Nobody reads for a while: the pipe fills, frames wait, nothing blocks. */
UNIT(a_slow_fifo_loses_nothing)
{
	struct frames *f = frames_new();
	struct err e = { ERR_NONE, "" };
	char *all = calloc(1, TEXT_SIZE);
	size_t len = 0;
	uint64_t lost = 1;
	bool dead;

	assert_int_equal(mkfifo(path("fifo"), 0600), 0);
	assert_null(sink_csv.open(path("fifo"), &f->about, &e));
	assert_non_null(strstr(e.text, "reader"));
	int fd = open(path("fifo"), O_RDONLY | O_NONBLOCK);
	struct sink *s = open_in(f, "fifo");

	for (unsigned i = 0; i < 200; i++) {
		f->frame.seq = i;
		assert_true(s->ops->frame(s, &f->frame, &e));
	}
	assert_int_not_equal(sink_waiting_fd(s), -1);
	while (sink_waiting_fd(s) != -1) {
		drain(fd, all, &len);
		assert_true(sink_flush(s, &e));
	}
	drain(fd, all, &len);
	sink_get_losses(s, &lost, &dead);
	assert_true(lost == 0 && !dead);
	assert_int_equal(lines_in(all), 1 + 200 * FRAMES_CPUS);
	for (unsigned i = 1; i < lines_in(all); i++)
		assert_string_equal(at(all, i, "schema"), "ktop/2");
	(void)close(fd);
	(void)signal(SIGPIPE, SIG_IGN);
	assert_false(s->ops->frame(s, &f->frame, &e));
	sink_get_losses(s, &lost, &dead);
	assert_true(dead);
	assert_int_equal(s->ops->close(s), 0);
	free(all);
	frames_free(f);
}

/* Nobody reads at all: what waits is bounded, and each frame is counted. */
UNIT(a_fifo_that_is_never_read_counts_its_losses)
{
	enum { ALL = 5000 };
	struct frames *f = frames_new();
	struct err e = { ERR_NONE, "" };
	char *all = calloc(1, TEXT_SIZE);
	size_t len = 0;
	uint64_t lost;
	bool dead;

	assert_int_equal(mkfifo(path("unread"), 0600), 0);
	int fd = open(path("unread"), O_RDONLY | O_NONBLOCK);
	struct sink *s = open_in(f, "unread");

	for (unsigned i = 0; i < ALL; i++) {
		f->frame.seq = i;
		(void)s->ops->frame(s, &f->frame, &e);
	}
	sink_get_losses(s, &lost, &dead);
	assert_true(lost > 0 && !dead);
	uint64_t given_up = s->ops->close(s);

	drain(fd, all, &len);
	assert_true(given_up > 0);
	assert_int_equal((lines_in(all) - 1) / FRAMES_CPUS + lost + given_up,
			 ALL);
	(void)close(fd);
	free(all);
	frames_free(f);
}

/* As root under sudo: the file is the caller's, and only where they may. */
UNIT(files_are_opened_as_the_caller)
{
	struct frames *f = frames_new();
	struct err e = { ERR_NONE, "" };
	struct stat st;

	if (geteuid() != 0)
		skip_because("only root can give files to others");
	assert_int_equal(setenv("SUDO_UID", "12345", 1), 0);
	assert_int_equal(setenv("SUDO_GID", "54321", 1), 0);
	assert_null(sink_csv.open(path("root.csv"), &f->about, &e));
	assert_int_equal(e.code, ERR_PERM);
	assert_int_equal(geteuid(), 0);
	assert_int_equal(mkdir(path("open"), 0777), 0);
	assert_int_equal(chmod(path("open"), 0777), 0);
	assert_int_equal(chmod(folder, 0755), 0);
	struct sink *s = open_in(f, "open/user.csv");

	assert_int_equal(stat(path("open/user.csv"), &st), 0);
	assert_int_equal(st.st_uid, 12345);
	assert_int_equal(st.st_gid, 54321);
	assert_int_equal(geteuid(), 0);
	assert_int_equal(getegid(), 0);
	s->ops->close(s);
	assert_int_equal(unsetenv("SUDO_UID"), 0);
	assert_int_equal(unlink(path("open/user.csv")), 0);
	assert_int_equal(rmdir(path("open")), 0);
	frames_free(f);
}

/* Only what open made itself: neither the older file nor a later one. */
UNIT(a_start_that_failed_takes_back_its_own)
{
	struct frames *f = frames_new();
	struct sink *s = open_in(f, "back.csv");

	s->ops->discard(s);
	assert_int_equal(access(path("back.csv"), F_OK), -1);
	s = open_in(f, "back.csv");
	s->ops->close(s);
	f->about.append = true;
	s = open_in(f, "back.csv");
	s->ops->discard(s);
	assert_int_equal(access(path("back.csv"), F_OK), 0);
	assert_int_equal(unlink(path("back.csv")), 0);
	s = open_in(f, "back.csv");
	assert_int_equal(unlink(path("back.csv")), 0);
	assert_int_equal(
		close(open(path("back.csv"), O_CREAT | O_WRONLY, 0600)), 0);
	s->ops->discard(s);
	assert_int_equal(unlink(path("back.csv")), 0);
	frames_free(f);
}

static void
make(const char *name, size_t bytes)
{
	FILE *out = fopen(path(name), "w");

	assert_non_null(out);
	for (size_t i = 0; i < bytes; i++)
		assert_int_equal(fputc('x', out), 'x');
	assert_int_equal(fclose(out), 0);
}

static bool
same(const char *a, const char *b)
{
	char one[512];

	(void)snprintf(one, sizeof one, "%s", path(a));
	return paths_same_file(one, path(b));
}

UNIT(two_names_of_one_file_are_found)
{
	char to[512];

	make("one", 3);
	make("two", 3);
	(void)snprintf(to, sizeof to, "%s", path("hard"));
	assert_int_equal(link(path("one"), to), 0);
	assert_int_equal(symlink("one", path("soft")), 0);
	assert_int_equal(symlink(".", path("here")), 0);
	assert_true(same("one", "one"));
	assert_true(same("one", "hard"));
	assert_true(same("soft", "hard"));
	assert_true(same("one", "here/one"));
	assert_false(same("one", "two"));
	/* still to be made */
	assert_true(same("new", "./new"));
	assert_true(same("new", "here/new"));
	assert_false(same("new", "newer"));
	assert_false(same("new", "one"));
	assert_false(same("nowhere/new", "new"));
	assert_true(paths_same_file("-", "-"));
	assert_false(paths_same_file("-", path("new")));
	assert_false(paths_same_file("/dev/null", "/dev/../dev/null"));
	for (const char *const *n =
		     (const char *const[]){ "one", "two", "hard", "soft",
					    "here", NULL };
	     *n != NULL; n++)
		assert_int_equal(unlink(path(*n)), 0);
}

UNIT(what_target_open_would_refuse_is_seen)
{
	struct err e = { ERR_NONE, "" };

	make("there", 1);
	assert_false(path_check_writable(path("there"), TARGET_NEW, &e));
	assert_non_null(strstr(e.text, "there exists"));
	assert_true(path_check_writable(path("there"), TARGET_REPLACE, &e));
	assert_true(path_check_writable(path("there"), TARGET_APPEND, &e));
	assert_int_equal(size_of("there"), 1);
	assert_true(path_check_writable(path("new"), TARGET_NEW, &e));
	assert_int_equal(access(path("new"), F_OK), -1);
	assert_false(path_check_writable(path("no/new"), TARGET_NEW, &e));
	assert_non_null(strstr(e.text, "cannot create"));
	assert_false(path_check_writable(path("there/new"), TARGET_NEW, &e));
	assert_false(path_check_writable(path(""), TARGET_REPLACE, &e));
	assert_true(path_check_writable("/dev/null", TARGET_NEW, &e));
	assert_true(path_check_writable("-", TARGET_NEW, &e));
	assert_int_equal(unlink(path("there")), 0);
}

UNIT(bytes_are_those_of_all_segments)
{
	make("s.csv", 5);
	make("s.0001.csv", 7);
	make("s.0003.csv", 100);
	assert_int_equal(path_recorded_bytes(path("s.csv")), 12);
	assert_int_equal(path_recorded_bytes(path("none")), 0);
	assert_int_equal(unlink(path("s.csv")), 0);
	assert_int_equal(unlink(path("s.0001.csv")), 0);
	assert_int_equal(unlink(path("s.0003.csv")), 0);
}

UNITS_IN(make_folder, remove_folder)
