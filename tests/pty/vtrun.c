/*
 * Runs a program on a terminal in memory, drives it by a script, and keeps
 * what its screen shows. `vtrun` alone lists its words; see README.md.
 */
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run.h"

#define EXIT_OWN_FAILURE 99

static bool
act_file(struct run *r, const char *path)
{
	char line[4096];
	FILE *fp = fopen(path, "r");
	bool ok = true;

	snprintf(r->action, sizeof(r->action), "%s", path);
	if (fp == NULL)
		return run_fail(r, "%s", strerror(errno));
	while (ok && !r->killed && fgets(line, sizeof(line), fp) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		char *p = line + strspn(line, " \t");
		if (*p != '\0' && *p != '#')
			ok = run_act(r, p);
	}
	fclose(fp);
	return ok;
}

static int
usage(FILE *fp)
{
	fputs("usage: vtrun [option ...] [action ...] -- program [arg ...]\n"
	      "  -s WxH     size of the terminal (80x24)\n"
	      "  -T TERM    (xterm-256color)\n"
	      "  -e N=V     sets, -e N unsets in the environment\n"
	      "  -t SEC     limit of each wait (60, or $VTRUN_TIMEOUT)\n"
	      "  -f FILE    actions, one a line, before those given here\n"
	      "  -o BASE    dump after the end\n"
	      "  -r FILE    keeps all bytes the program wrote\n"
	      "  -g RRGGBB  the ground answered to OSC 11; else none is\n"
	      "  -A         holds the terminal's answers back, see answer\n"
	      "  -B         starts blocked: nobody reads the terminal\n"
	      "  -N         SIGHUP ignored, as under nohup\n"
	      "Ends with the program's status (128 + n by a signal), or 99 "
	      "when an action failed.\nactions:\n",
	      fp);
	run_list_actions(fp);
	return EXIT_OWN_FAILURE;
}

/* "." in a pattern is a character. Before macOS 15 there is no C.UTF-8. */
static const char *
set_utf8(void)
{
	static const char *const names[] = { "C.UTF-8", "en_US.UTF-8" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (setlocale(LC_CTYPE, names[i]) != NULL)
			return names[i];
	return names[0];
}

static void
environment(const char *locale)
{
	static const char *const drop[] = {
		"LINES",        "COLUMNS",      "LC_ALL",
		"LC_CTYPE",     "TMUX",         "COLORTERM",
		"NO_COLOR",     "STY",          "TERMCAP",
		"COLORFGBG",    "TERM_PROGRAM", "TERM_PROGRAM_VERSION",
		"XTERM_VERSION"
	};

	for (size_t i = 0; i < sizeof(drop) / sizeof(drop[0]); i++)
		unsetenv(drop[i]);
	setenv("TERM", "xterm-256color", 1);
	setenv("LANG", locale, 1);
}

static void
set_variable(char *arg)
{
	char *value = strchr(arg, '=');

	if (value == NULL) {
		unsetenv(arg);
		return;
	}
	*value++ = '\0';
	setenv(arg, value, 1);
}

static bool
seconds(const char *arg, int64_t *ms)
{
	char *end;
	double s = strtod(arg, &end);

	if (end == arg || *end != '\0' || !(s > 0 && s < 100000))
		return false;
	*ms = (int64_t)(s * 1000);
	return true;
}

struct script {
	const char *file, *base, *raw, *ground;
	char **actions;
	int nactions;
	char **program;
};

static bool
options(struct run *r, struct script *s, int argc, char **argv)
{
	int o;

	while ((o = getopt(argc, argv, "+s:T:e:t:f:o:r:g:ABN")) != -1) {
		if (o == 's' && run_parse_size(optarg, &r->cols, &r->rows))
			continue;
		if (o == 't' && seconds(optarg, &r->timeout_ms))
			continue;
		if (strchr("st?", o) != NULL)
			return false;
		if (o == 'T')
			setenv("TERM", optarg, 1);
		else if (o == 'e')
			set_variable(optarg);
		else if (o == 'f')
			s->file = optarg;
		else if (o == 'o')
			s->base = optarg;
		else if (o == 'r')
			s->raw = optarg;
		else if (o == 'g')
			s->ground = optarg;
		else if (o == 'A')
			r->holds = true;
		else if (o == 'B')
			r->blocked = true;
		else if (o == 'N')
			r->nohup = true;
	}
	s->actions = argv + optind;
	if (optind > 1 && strcmp(argv[optind - 1], "--") == 0) {
		s->program = argv + optind;
	} else {
		while (optind + s->nactions < argc &&
		       strcmp(s->actions[s->nactions], "--") != 0)
			s->nactions++;
		s->program = s->actions + s->nactions;
		if (*s->program != NULL)
			s->program++;
	}
	return *s->program != NULL;
}

static bool
play(struct run *r, const struct script *s)
{
	char end[] = "exit";
	bool ok = true;

	if (s->file != NULL)
		ok = act_file(r, s->file);
	for (int i = 0; ok && !r->killed && i < s->nactions; i++)
		ok = run_act(r, s->actions[i]);
	if (ok && !r->killed)
		ok = run_act(r, end);
	if (ok && s->base != NULL) {
		snprintf(r->action, sizeof(r->action), "the last dump");
		ok = run_keep(r, s->base, "txt") &&
		     run_keep(r, s->base, "cells");
	}
	return ok;
}

static void
complain(struct run *r)
{
	fprintf(stderr, "vtrun: %s: %s\n", r->action, r->why);
	char *text = r->screen != NULL ? screen_text(r->screen) : NULL;
	if (text != NULL && r->child.pid > 0) {
		char tty[128];

		child_tty(&r->child, tty, sizeof(tty));
		fprintf(stderr, "---- the screen:\n%s---- and its cells:\n",
			text);
		screen_cells(r->screen, tty, stderr);
	}
	free(text);
}

int
main(int argc, char **argv)
{
	struct run r = {
		.timeout_ms = 60000, .cols = 80, .rows = 24, .action = "start"
	};
	struct script s = { 0 };
	const char *limit = getenv("VTRUN_TIMEOUT");

	signal(SIGPIPE, SIG_IGN);
	if (limit != NULL && !seconds(limit, &r.timeout_ms))
		return usage(stderr);
	environment(set_utf8());
	if (!options(&r, &s, argc, argv))
		return usage(stderr);
	if (s.raw != NULL && (r.raw = fopen(s.raw, "w")) == NULL) {
		fprintf(stderr, "vtrun: %s: %s\n", s.raw, strerror(errno));
		return EXIT_OWN_FAILURE;
	}
	r.mark_ms = r.last_ms = run_now_ms();
	r.screen = screen_new(r.cols, r.rows, run_reply, &r);
	if (r.screen != NULL && s.ground != NULL &&
	    !screen_ground(r.screen, s.ground))
		return usage(stderr);
	bool ok = r.screen != NULL &&
		  child_start(&r.child, s.program, r.cols, r.rows, r.nohup,
			      r.why, sizeof(r.why));
	ok = ok && play(&r, &s);
	if (!ok)
		complain(&r);
	child_end(&r.child);
	screen_free(r.screen);
	if (r.raw != NULL && fclose(r.raw) != 0)
		ok = false;
	if (fflush(stdout) != 0)
		ok = false;
	return ok ? r.child.status : EXIT_OWN_FAILURE;
}
