#include "run.h"

#include <ctype.h>
#include <errno.h>
#include <regex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Undoes \n \t \e \\ and \xHH in place; returns the length. */
static size_t
unescape(char *s)
{
	static const char from[] = "nrteb\\", into[] = "\n\r\t\033\b\\";
	char *to = s, *start = s, *end;

	while (*s != '\0') {
		const char *at;
		char hex[3] = { 0 };

		if (*s != '\\' || s[1] == '\0') {
			*to++ = *s++;
		} else if (s[1] == 'x' && isxdigit((unsigned char)s[2])) {
			memcpy(hex, s + 2,
			       isxdigit((unsigned char)s[3]) ? 2 : 1);
			*to++ = (char)strtol(hex, &end, 16);
			s += 2 + (end - hex);
		} else if ((at = strchr(from, s[1])) != NULL) {
			*to++ = into[at - from];
			s += 2;
		} else {
			*to++ = *s++;
		}
	}
	return (size_t)(to - start);
}

static bool
shows(struct run *r, const regex_t *re)
{
	char *text = screen_text(r->screen);
	bool yes = text != NULL && regexec(re, text, 0, NULL, 0) == 0;

	free(text);
	return yes;
}

static bool
wait_match(struct run *r, const char *pattern, bool want)
{
	int64_t end = run_now_ms() + r->timeout_ms;
	regex_t re;
	int rc = regcomp(&re, pattern, REG_EXTENDED | REG_NEWLINE | REG_NOSUB);

	if (rc != 0) {
		char text[128];

		regerror(rc, &re, text, sizeof(text));
		return run_fail(r, "bad pattern: %s", text);
	}
	bool ok = true;
	while (screen_in_update(r->screen) || shows(r, &re) != want) {
		if (r->child.gone && !r->ended) {
			run_drain_last(r);
			continue;
		}
		if (r->ended || r->child.master < 0 || r->child.gone)
			ok = run_fail(r, "the program ended before");
		else if (run_now_ms() >= end)
			ok = run_fail(r, "not within %lld ms",
				      (long long)r->timeout_ms);
		if (!ok)
			break;
		run_pump(r, end);
	}
	regfree(&re);
	if (ok)
		run_drain(r);
	return ok;
}

static bool
do_wait(struct run *r, char *arg)
{
	return wait_match(r, arg, true);
}

static bool
do_gone(struct run *r, char *arg)
{
	return wait_match(r, arg, false);
}

static bool
number(struct run *r, const char *arg, long min, long max, long *out)
{
	char *end;

	errno = 0;
	*out = strtol(arg, &end, 10);
	if (end == arg || *end != '\0' || errno != 0 || *out < min ||
	    *out > max)
		return run_fail(r, "\"%s\" is no number from %ld to %ld", arg,
				min, max);
	return true;
}

enum { LOOK_MS = 10, ESCAPE_MS = 60, ESCAPE_LIMIT_MS = 5000 };

static bool
do_stable(struct run *r, char *arg)
{
	int64_t end = run_now_ms() + r->timeout_ms, since = run_now_ms();
	long ms;

	if (!number(r, arg, 1, 600000, &ms))
		return false;
	while (run_now_ms() - since < ms) {
		if (r->ended || r->child.gone)
			return true;
		if (run_now_ms() >= end)
			return run_fail(r, "never quiet for %ld ms", ms);
		run_pump(r, run_now_ms() + LOOK_MS);
		if (r->last_ms > since)
			since = r->last_ms;
		if (child_is_busy(&r->child))
			since = run_now_ms();
	}
	return true;
}

static bool
do_sleep(struct run *r, char *arg)
{
	long ms;

	if (!number(r, arg, 0, 3600000, &ms))
		return false;
	int64_t end = run_now_ms() + ms;
	while (run_now_ms() < end)
		run_pump(r, end);
	return true;
}

/*
 * Escape begins the sequences of other keys: it is one of its own only once
 * the program has read it, and waited in vain for more.
 */
static void
let_it_stand(struct run *r)
{
	int64_t end = run_now_ms() + ESCAPE_LIMIT_MS, since = run_now_ms();

	while (run_now_ms() - since < ESCAPE_MS && run_now_ms() < end &&
	       !r->ended && !r->child.gone) {
		run_pump(r, run_now_ms() + LOOK_MS);
		if (child_is_busy(&r->child))
			since = run_now_ms();
	}
}

static bool
do_key(struct run *r, char *arg)
{
	if (!screen_key(r->screen, arg))
		return run_fail(r, "no such key");
	if (strcmp(arg, "esc") == 0)
		let_it_stand(r);
	return true;
}

static bool
do_text(struct run *r, char *arg)
{
	size_t len = unescape(arg);

	run_send(arg, len, r);
	return true;
}

static bool
do_resize(struct run *r, char *arg)
{
	if (!run_parse_size(arg, &r->cols, &r->rows))
		return run_fail(r, "a size is WxH");
	screen_resize(r->screen, r->cols, r->rows);
	if (!child_resize(&r->child, r->cols, r->rows))
		return run_fail(r, "the terminal is closed");
	return true;
}

static bool
do_sig(struct run *r, char *arg)
{
	static const struct {
		const char *name;
		int sig;
	} sigs[] = {
		{ "TERM", SIGTERM }, { "INT", SIGINT },     { "HUP", SIGHUP },
		{ "QUIT", SIGQUIT }, { "USR1", SIGUSR1 },   { "USR2", SIGUSR2 },
		{ "STOP", SIGSTOP }, { "TSTP", SIGTSTP },   { "CONT", SIGCONT },
		{ "SEGV", SIGSEGV }, { "ABRT", SIGABRT },   { "BUS", SIGBUS },
		{ "FPE", SIGFPE },   { "PIPE", SIGPIPE },   { "ALRM", SIGALRM },
		{ "KILL", SIGKILL }, { "WINCH", SIGWINCH },
	};

	for (size_t i = 0; i < sizeof(sigs) / sizeof(sigs[0]); i++)
		if (strcasecmp(arg, sigs[i].name) == 0) {
			if (r->child.gone || kill(r->child.pid, sigs[i].sig))
				return run_fail(r, "the program is gone");
			return true;
		}
	return run_fail(r, "no such signal");
}

static bool
do_mouse(struct run *r, char *arg)
{
	int col, row, button = 1;

	if (sscanf(arg, "%d,%d,%d", &col, &row, &button) < 2)
		return run_fail(r, "a click is COLUMN,ROW[,BUTTON]");
	screen_mouse(r->screen, col, row, button);
	return true;
}

static bool
do_close(struct run *r, char *arg)
{
	(void)arg;
	child_hang_up(&r->child);
	r->ended = true;
	return true;
}

static bool
do_dump(struct run *r, char *arg)
{
	run_drain(r);
	return run_keep(r, arg, "txt") && run_keep(r, arg, "cells");
}

static bool
do_print(struct run *r, char *arg)
{
	(void)arg;
	run_drain(r);
	char *text = screen_text(r->screen);
	fputs(text != NULL ? text : "", stdout);
	free(text);
	return true;
}

static bool
do_mark(struct run *r, char *arg)
{
	(void)arg;
	run_drain(r);
	r->mark_bytes = r->bytes;
	r->mark_ms = run_now_ms();
	return true;
}

static bool
do_bytes(struct run *r, char *arg)
{
	run_drain(r);
	unsigned long long n = r->bytes - r->mark_bytes;
	long most;

	if (*arg == '\0')
		printf("%llu bytes in %lld ms\n", n,
		       (long long)(run_now_ms() - r->mark_ms));
	else if (!number(r, arg, 0, 1000000000, &most))
		return false;
	else if (n > (unsigned long long)most)
		return run_fail(r, "%llu bytes since the mark", n);
	return true;
}

static bool
do_block(struct run *r, char *arg)
{
	(void)arg;
	r->blocked = true;
	return true;
}

static bool
do_unblock(struct run *r, char *arg)
{
	(void)arg;
	r->blocked = false;
	return true;
}

/* The next so many bytes of what is held back; 0: all of them. */
static bool
do_answer(struct run *r, char *arg)
{
	long n = 0;

	if (*arg != '\0' && !number(r, arg, 1, 1000, &n))
		return false;
	run_drain(r);
	if (n == 0)
		n = (long)r->nheld;
	if (r->nheld == 0 || (size_t)n > r->nheld)
		return run_fail(r, "%zu bytes are held back", r->nheld);
	run_send(r->held, (size_t)n, r);
	r->nheld -= (size_t)n;
	memmove(r->held, r->held + n, r->nheld);
	return true;
}

static bool
do_stopped(struct run *r, char *arg)
{
	int64_t end = run_now_ms() + r->timeout_ms;

	(void)arg;
	while (!r->child.stopped) {
		if (r->child.gone)
			return run_fail(r, "the program ended");
		if (run_now_ms() >= end)
			return run_fail(r, "still runs");
		run_pump(r, end);
	}
	run_drain(r);
	return true;
}

static bool
do_fg(struct run *r, char *arg)
{
	(void)arg;
	if (!r->child.stopped)
		return run_fail(r, "not stopped");
	child_fg(&r->child);
	return true;
}

static bool
do_alive(struct run *r, char *arg)
{
	(void)arg;
	run_pump(r, run_now_ms());
	if (r->child.gone)
		return run_fail(r, "the program ended with %d",
				r->child.status);
	return true;
}

static bool
do_exit(struct run *r, char *arg)
{
	int64_t end = run_now_ms() + r->timeout_ms;
	long want;

	while (!r->child.gone) {
		if (run_now_ms() >= end)
			return run_fail(r, "still runs after %lld ms",
					(long long)r->timeout_ms);
		run_pump(r, end);
	}
	run_drain_last(r);
	if (*arg == '\0')
		return true;
	if (!number(r, arg, 0, 255, &want))
		return false;
	if (want != r->child.status)
		return run_fail(r, "ended with %d", r->child.status);
	return true;
}

static bool
do_given_back(struct run *r, char *arg)
{
	char why[512], tty[128];

	(void)arg;
	run_drain(r);
	bool ok = screen_given_back(r->screen, why, sizeof(why));
	child_tty(&r->child, tty, sizeof(tty));
	if (ok && strcmp(tty, "same") == 0)
		return true;
	return run_fail(r, "left:%s tty=%s", why, tty);
}

static bool
do_kill(struct run *r, char *arg)
{
	(void)arg;
	child_end(&r->child);
	r->killed = r->ended = r->child.gone = true;
	r->child.status = 0;
	return true;
}

static const struct {
	const char *name, *arg, *text;
	bool (*run)(struct run *, char *arg);
	bool needs_arg;
} actions[] = {
	/* clang-format off */
	{ "wait", "REGEX", "until the screen's text matches", do_wait, true },
	{ "gone", "REGEX", "until it does not match", do_gone, true },
	{ "stable", "MS", "until it has been idle and silent for so long", do_stable, true },
	{ "sleep", "MS", "just reads on", do_sleep, true },
	{ "key", "NAME", "up pgdn enter esc f1 ^C M-x S-tab q ...", do_key, true },
	{ "text", "ABC", "types; \\n \\t \\e \\\\ \\xHH", do_text, true },
	{ "mouse", "X,Y[,B]", "clicks button B (4, 5: wheel); from 0", do_mouse, true },
	{ "resize", "WxH", "", do_resize, true },
	{ "sig", "NAME", "TERM INT HUP USR1 STOP CONT SEGV ...", do_sig, true },
	{ "close", "", "hangs up: the terminal is gone", do_close, false },
	{ "block", "", "stops reading what the program writes", do_block, false },
	{ "unblock", "", "reads again", do_unblock, false },
	{ "answer", "[BYTES]", "sends what -A holds back, or so much", do_answer, false },
	{ "stopped", "", "until the program is stopped (^Z)", do_stopped, false },
	{ "fg", "", "puts it in front and lets it run", do_fg, false },
	{ "alive", "", "fails when it has ended", do_alive, false },
	{ "exit", "[STATUS]", "until it has ended (so)", do_exit, false },
	{ "given-back", "", "fails when the terminal is not as found", do_given_back, false },
	{ "dump", "FILE", "FILE.txt and FILE.cells", do_dump, true },
	{ "print", "", "the screen's text to stdout", do_print, false },
	{ "mark", "", "counts bytes from here", do_mark, false },
	{ "bytes", "[MAX]", "prints them, or fails beyond MAX", do_bytes, false },
	{ "kill", "", "ends the program and the run, status 0", do_kill, false },
	/* clang-format on */
};

#define NACTIONS (sizeof(actions) / sizeof(actions[0]))

bool
run_act(struct run *r, const char *action)
{
	char word[32], *copy = strdup(action), *arg;
	bool ok = false, known = false;

	if (copy == NULL)
		return run_fail(r, "out of memory");
	snprintf(r->action, sizeof(r->action), "%s", action);
	arg = strchr(copy, ':');
	if (arg != NULL)
		*arg++ = '\0';
	else
		arg = copy + strlen(copy);
	snprintf(word, sizeof(word), "%s", copy);
	for (size_t i = 0; i < NACTIONS && !known; i++) {
		if (strcmp(word, actions[i].name) != 0)
			continue;
		known = true;
		if (actions[i].needs_arg && *arg == '\0')
			ok = run_fail(r, "wants %s", actions[i].arg);
		else
			ok = actions[i].run(r, arg);
	}
	free(copy);
	if (!known)
		return run_fail(r, "no such action");
	return ok;
}

void
run_list_actions(FILE *fp)
{
	for (size_t i = 0; i < NACTIONS; i++)
		fprintf(fp, "  %s%s%-*s %s\n", actions[i].name,
			actions[i].arg[0] != '\0' ? ":" : " ",
			(int)(20 - strlen(actions[i].name)), actions[i].arg,
			actions[i].text);
}
