/*
 * What a terminal monitor costs: runs it on a terminal of its own for a
 * while and prints one line of name=value figures, "-" where not measured.
 * Reads Linux's /proc; elsewhere only bytes and times are known.
 *
 * usage: tickcost [-s WxH] [-n SECONDS] [-i INTERVAL] [-w WARMUP] [-Q] [-S]
 *                 program [arg ...]
 *   -Q  a terminal that answers nothing; else it says what it is (DA1) and its
 *       ground (OSC 11) when it is asked, at once, as terminals do
 *   -S  counts system calls with strace instead, and nothing else: a traced
 *       program is slowed down, so its other figures would mislead
 *
 *   ticks     intervals in the window, which runs from pause to pause
 *   cpu_us    user and system time per tick, by the scheduler's own clock
 *   bytes     written to the terminal per tick
 *   wakeups   voluntary context switches per second
 *   rss_kb    the most memory resident, summed over the processes
 *   first_ms  from the start to the end of the first picture
 *   calls     system calls per tick
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"

#define TREE_MAX 256
#define PAUSE_MS 40 /* output this long apart belongs to two pictures */

struct bench {
	struct child child;
	int cols, rows;
	double window_s, interval_s, warmup_s;
	bool trace;
	bool silent;
	bool ended;
	uint64_t bytes;
	uint64_t printed; /* characters outside of escape sequences */
	int escape;       /* 0 none, 1 after ESC, 2 in CSI, 3 in a string */
	char seq[8];      /* the beginning of the escape sequence, no ESC */
	unsigned nseq;
	int64_t start_ns, last_ns, first_ns;
};

struct cost {
	bool known;
	uint64_t cpu_ns, switches, peak_kb;
};

static int64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void
answer(struct bench *b, const char *text)
{
	/* Into an empty line: a few bytes are taken whole. */
	if (!b->silent && write(b->child.master, text, strlen(text)) < 0)
		perror("tickcost: answer");
}

/* A sequence has ended: does it ask something that terminals answer? */
static void
answer_asked(struct bench *b)
{
	const char *seq = b->seq;

	if (b->nseq < sizeof(b->seq))
		b->seq[b->nseq] = '\0';
	if (b->nseq == 5 && strcmp(seq, "]11;?") == 0)
		answer(b, "\033]11;rgb:0000/0000/0000\033\\");
	else if ((b->nseq == 2 && strcmp(seq, "[c") == 0) ||
		 (b->nseq == 3 && strcmp(seq, "[0c") == 0))
		answer(b, "\033[?64;1;2;6;9;15;16;17;18;21;22;28c");
	b->nseq = 0;
}

static void
sequence_add(struct bench *b, char c)
{
	if (b->nseq < sizeof(b->seq))
		b->seq[b->nseq++] = c;
}

static void
feed_sequence(struct bench *b, char c)
{
	if (b->escape == 3 && (c == '\a' || c == '\033')) {
		answer_asked(b);
		b->escape = c == '\a' ? 0 : 1;
		return;
	}
	sequence_add(b, c);
	if (b->escape == 1)
		b->escape = c == '[' ? 2 : c == ']' ? 3 : 0;
	else if (b->escape == 2 && (unsigned char)c >= 0x40) {
		answer_asked(b);
		b->escape = 0;
	}
}

static void
take_output(struct bench *b, const char *p, ssize_t n)
{
	for (ssize_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)p[i];

		if (b->escape != 0) {
			feed_sequence(b, p[i]);
		} else if (c == 033) {
			b->escape = 1;
			b->nseq = 0;
		} else if (c >= ' ' && (c & 0xc0) != 0x80) {
			b->printed++;
		}
	}
}

static void
read_output(struct bench *b)
{
	char buf[65536];
	ssize_t n = read(b->child.master, buf, sizeof(buf));

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		b->ended = true;
		return;
	}
	b->bytes += (uint64_t)n;
	b->last_ns = now_ns();
	take_output(b, buf, n);
}

/* Reads the terminal until the time, or until the program ends. */
static void
pump(struct bench *b, int64_t until_ns)
{
	while (!b->ended && !b->child.gone) {
		struct pollfd p[2] = {
			{ .fd = b->child.master, .events = POLLIN },
			{ .fd = b->child.ctl, .events = POLLIN },
		};
		int64_t left = until_ns - now_ns();

		if (left <= 0)
			return;
		if (poll(p, 2, (int)(left / 1000000) + 1) <= 0)
			continue;
		if (p[0].revents != 0)
			read_output(b);
		if (p[1].revents != 0)
			child_news(&b->child);
	}
}

/* Reads up to the pause after the next picture, one interval at most. */
static void
pump_to_pause(struct bench *b)
{
	const int64_t pause = (int64_t)PAUSE_MS * 1000000;
	int64_t end = now_ns() + (int64_t)(b->interval_s * 1.2e9);
	uint64_t before = b->bytes;

	while (now_ns() < end && !b->ended && !b->child.gone) {
		if (b->bytes != before && now_ns() - b->last_ns >= pause)
			return;
		pump(b, now_ns() + pause / 4);
	}
}

/*
 * The first picture is whole when the output pauses and a twentieth of the
 * screen was printed: what only clears the screen is no picture.
 */
static void
await_first(struct bench *b)
{
	const int64_t pause = (int64_t)PAUSE_MS * 1000000;
	uint64_t want = (uint64_t)b->cols * (uint64_t)b->rows / 20;
	int64_t end = b->start_ns + (int64_t)10 * 1000000000;

	while (b->first_ns == 0 && now_ns() < end && !b->ended) {
		pump(b, now_ns() + pause / 8);
		if (b->printed >= want && now_ns() - b->last_ns >= pause)
			b->first_ns = b->last_ns;
	}
}

/* ---- the processes, from /proc ---- */

static bool
read_text(const char *path, char *to, size_t size)
{
	FILE *fp = fopen(path, "r");
	size_t n = 0;

	if (fp != NULL) {
		n = fread(to, 1, size - 1, fp);
		fclose(fp);
	}
	to[n] = '\0';
	return n > 0;
}

static uint64_t
status_value(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	return at != NULL ? strtoull(at + strlen(name), NULL, 10) : 0;
}

static void
add_task(const char *pid, const char *task, struct cost *c)
{
	char path[600], text[4096];

	snprintf(path, sizeof(path), "/proc/%s/task/%s/schedstat", pid, task);
	if (read_text(path, text, sizeof(text))) {
		c->cpu_ns += strtoull(text, NULL, 10);
		c->known = true;
	}
	snprintf(path, sizeof(path), "/proc/%s/task/%s/status", pid, task);
	if (read_text(path, text, sizeof(text)))
		c->switches += status_value(text, "\nvoluntary_ctxt_switches:");
}

/* Time of children that were waited for: the 16th and 17th field. */
static uint64_t
dead_children_ns(const char *stat_after_name)
{
	const char *p = stat_after_name;
	unsigned long long user, sys;

	for (int field = 0; field < 14 && p != NULL; field++)
		p = strchr(p + 1, ' ');
	if (p == NULL || sscanf(p, "%llu %llu", &user, &sys) != 2)
		return 0;
	return (user + sys) * (1000000000 / (uint64_t)sysconf(_SC_CLK_TCK));
}

static void
add_process(int pid_number, struct cost *c)
{
	char path[64], pid[16], text[4096];
	struct dirent *d;

	snprintf(pid, sizeof(pid), "%d", pid_number);
	snprintf(path, sizeof(path), "/proc/%s/status", pid);
	if (read_text(path, text, sizeof(text)))
		c->peak_kb += status_value(text, "\nVmHWM:");
	snprintf(path, sizeof(path), "/proc/%s/stat", pid);
	if (read_text(path, text, sizeof(text)) && strrchr(text, ')') != NULL)
		c->cpu_ns += dead_children_ns(strrchr(text, ')'));
	snprintf(path, sizeof(path), "/proc/%s/task", pid);
	DIR *dir = opendir(path);
	while (dir != NULL && (d = readdir(dir)) != NULL)
		if (isdigit((unsigned char)d->d_name[0]))
			add_task(pid, d->d_name, c);
	if (dir != NULL)
		closedir(dir);
}

static int
parent_of(const char *pid)
{
	char path[300], text[1024];
	int parent = 0;

	snprintf(path, sizeof(path), "/proc/%s/stat", pid);
	if (read_text(path, text, sizeof(text)) && strrchr(text, ')') != NULL &&
	    sscanf(strrchr(text, ')') + 1, " %*c %d", &parent) != 1)
		return 0;
	return parent;
}

/* The program and its descendants. A pass for each generation is enough. */
static unsigned
find_tree(pid_t root, int *pids)
{
	unsigned n = 1, before = 0;
	struct dirent *d;

	pids[0] = (int)root;
	while (n != before) {
		DIR *dir = opendir("/proc");

		before = n;
		while (dir != NULL && (d = readdir(dir)) != NULL) {
			int pid = (int)strtol(d->d_name, NULL, 10);
			int parent = pid > 0 ? parent_of(d->d_name) : 0;
			bool in = false, child = false;

			for (unsigned i = 0; i < n; i++) {
				in = in || pids[i] == pid;
				child = child || pids[i] == parent;
			}
			if (child && !in && n < TREE_MAX)
				pids[n++] = pid;
		}
		if (dir != NULL)
			closedir(dir);
	}
	return n;
}

static struct cost
cost_now(const struct bench *b)
{
	struct cost c = { 0 };
	int pids[TREE_MAX];
	unsigned n = find_tree(b->child.pid, pids);

	for (unsigned i = 0; i < n; i++)
		add_process(pids[i], &c);
	return c;
}

/* ---- the two measurements ---- */

/* Ticks of a window: it runs from pause to pause, so it holds whole ones. */
static double
ticks_in(const struct bench *b, int64_t from, int64_t to)
{
	double n = round((double)(to - from) / 1e9 / b->interval_s);

	return n < 1 ? 1 : n;
}

static int
measure(struct bench *b)
{
	await_first(b);
	pump(b, b->start_ns + (int64_t)(b->warmup_s * 1e9));
	pump_to_pause(b);
	struct cost c0 = cost_now(b);
	uint64_t bytes0 = b->bytes;
	int64_t t0 = now_ns();
	pump(b, t0 + (int64_t)((b->window_s - b->interval_s / 2) * 1e9));
	pump_to_pause(b);
	struct cost c1 = cost_now(b);
	int64_t t1 = now_ns();
	if (b->ended || b->child.gone) {
		fprintf(stderr, "tickcost: the program ended early\n");
		return 1;
	}
	double ticks = ticks_in(b, t0, t1);
	printf("ticks=%.0f bytes=%.0f", ticks,
	       (double)(b->bytes - bytes0) / ticks);
	if (c0.known && c1.known)
		printf(" cpu_us=%.1f wakeups=%.2f rss_kb=%llu",
		       (double)(c1.cpu_ns - c0.cpu_ns) / 1e3 / ticks,
		       (double)(c1.switches - c0.switches) * 1e9 /
			       (double)(t1 - t0),
		       (unsigned long long)c1.peak_kb);
	else
		printf(" cpu_us=- wakeups=- rss_kb=-");
	if (b->first_ns != 0)
		printf(" first_ms=%.1f\n",
		       (double)(b->first_ns - b->start_ns) / 1e6);
	else
		printf(" first_ms=-\n");
	return 0;
}

/* Attaches strace to the program; *out becomes what strace says. */
static pid_t
strace_start(pid_t target, const char *file, int *out)
{
	char pid[16];
	int fds[2];

	if (pipe(fds) < 0)
		return -1;
	pid_t tracer = fork();
	if (tracer == 0) {
		snprintf(pid, sizeof(pid), "%d", (int)target);
		dup2(fds[1], 2);
		close(fds[0]);
		close(fds[1]);
		execlp("strace", "strace", "-c", "-f", "-o", file, "-p", pid,
		       (char *)NULL);
		_exit(127);
	}
	close(fds[1]);
	*out = fds[0];
	return tracer;
}

/* The sum of the "calls" column: the line that ends in "total". */
static bool
strace_total(const char *file, double *total)
{
	char line[256];
	FILE *fp = fopen(file, "r");
	bool found = false;

	while (fp != NULL && fgets(line, sizeof(line), fp) != NULL) {
		double v[5];
		int n = sscanf(line, "%lf %lf %lf %lf %lf", &v[0], &v[1], &v[2],
			       &v[3], &v[4]);

		if (n >= 4 && strstr(line, " total") != NULL) {
			*total = v[3];
			found = true;
		}
	}
	if (fp != NULL)
		fclose(fp);
	return found;
}

static int
measure_calls(struct bench *b)
{
	char file[] = "/tmp/tickcost.XXXXXX", text[256];
	int fd = mkstemp(file), said = -1;
	double total = 0;

	if (fd < 0)
		return 1;
	close(fd);
	await_first(b);
	pump(b, b->start_ns + (int64_t)(b->warmup_s * 1e9));
	pump_to_pause(b);
	pid_t tracer = strace_start(b->child.pid, file, &said);
	bool ok = tracer > 0 && read(said, text, sizeof(text)) > 0;
	int64_t t0 = now_ns();
	pump(b, t0 + (int64_t)((b->window_s - b->interval_s / 2) * 1e9));
	pump_to_pause(b);
	int64_t t1 = now_ns();
	if (tracer > 0) {
		kill(tracer, SIGINT);
		waitpid(tracer, NULL, 0);
	}
	if (said >= 0)
		close(said);
	ok = ok && !b->ended && strace_total(file, &total);
	unlink(file);
	if (ok)
		printf("calls=%.1f\n", total / ticks_in(b, t0, t1));
	else
		printf("calls=-\n");
	return 0;
}

static bool
options(struct bench *b, int argc, char **argv)
{
	int o;

	while ((o = getopt(argc, argv, "+s:n:i:w:QS")) != -1) {
		if (o == 's' &&
		    sscanf(optarg, "%4dx%4d", &b->cols, &b->rows) != 2)
			return false;
		if (o == 'n')
			b->window_s = strtod(optarg, NULL);
		else if (o == 'i')
			b->interval_s = strtod(optarg, NULL);
		else if (o == 'w')
			b->warmup_s = strtod(optarg, NULL);
		else if (o == 'Q')
			b->silent = true;
		else if (o == 'S')
			b->trace = true;
		else if (o == '?')
			return false;
	}
	return optind < argc && b->window_s > 0 && b->interval_s > 0 &&
	       b->cols > 0 && b->rows > 0;
}

int
main(int argc, char **argv)
{
	struct bench b = { .cols = 120,
			   .rows = 40,
			   .window_s = 10,
			   .interval_s = 1,
			   .warmup_s = 2.5 };
	char why[256];

	if (!options(&b, argc, argv)) {
		fprintf(stderr, "usage: tickcost [-s WxH] [-n SECONDS] "
				"[-i INTERVAL] [-w WARMUP] [-Q] [-S] "
				"program [arg ...]\n");
		return 2;
	}
	signal(SIGPIPE, SIG_IGN);
	b.start_ns = now_ns();
	if (!child_start(&b.child, argv + optind, b.cols, b.rows, false, why,
			 sizeof(why))) {
		fprintf(stderr, "tickcost: %s\n", why);
		child_end(&b.child);
		return 1;
	}
	int status = b.trace ? measure_calls(&b) : measure(&b);
	child_end(&b.child);
	return status;
}
