#include "run.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define QUIET_MS 20 /* output this long apart belongs to two updates */

bool
run_fail(struct run *r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(r->why, sizeof(r->why), fmt, ap);
	va_end(ap);
	return false;
}

int64_t
run_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static bool
read_output(struct run *r)
{
	char buf[16384];
	ssize_t n = read(r->child.master, buf, sizeof(buf));

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return true;
	if (n <= 0)
		return false; /* EIO: no program holds the terminal */
	r->bytes += (uint64_t)n;
	r->last_ms = run_now_ms();
	r->feeding = true;
	screen_feed(r->screen, buf, (size_t)n);
	r->feeding = false;
	if (r->raw != NULL)
		fwrite(buf, 1, (size_t)n, r->raw);
	return true;
}

void
run_pump(struct run *r, int64_t until)
{
	struct pollfd p[2] = { { .fd = -1 }, { .fd = -1 } };
	int64_t left = until - run_now_ms();

	if (!r->child.gone)
		p[0].fd = r->child.ctl;
	if (!r->blocked && !r->ended)
		p[1].fd = r->child.master;
	p[0].events = p[1].events = POLLIN;
	if (poll(p, 2, left > 0 ? (int)left : 0) <= 0)
		return;
	if (p[1].revents != 0 && !read_output(r))
		r->ended = true;
	if (p[0].revents != 0)
		child_news(&r->child);
}

void
run_drain(struct run *r)
{
	int64_t now = run_now_ms(), start = now, quiet = now;

	while (now - quiet < QUIET_MS || screen_in_update(r->screen)) {
		uint64_t before = r->bytes;

		if (now - start > 500 || r->blocked || r->ended ||
		    r->child.master < 0)
			break;
		run_pump(r, now + QUIET_MS);
		now = run_now_ms();
		if (r->bytes != before)
			quiet = now;
	}
}

void
run_drain_last(struct run *r)
{
	/* What is there is read however late it is; the rest may never end. */
	int64_t now = run_now_ms(), end = now + 300, limit = now + 10000;
	bool more = true;

	r->blocked = false;
	while (more && !r->ended && r->child.master >= 0) {
		uint64_t before = r->bytes;

		run_pump(r, end);
		now = run_now_ms();
		more = now < end || (r->bytes != before && now < limit);
	}
	r->ended = true; /* a grandchild may hold the terminal for ever */
}

void
run_send(const char *bytes, size_t len, void *user)
{
	struct run *r = user;

	while (len > 0 && r->child.master >= 0) {
		ssize_t n = write(r->child.master, bytes, len);

		if (n < 0 && errno != EINTR)
			return; /* nobody reads: as with a real keyboard */
		if (n > 0) {
			bytes += n;
			len -= (size_t)n;
		}
	}
}

void
run_reply(const char *bytes, size_t len, void *user)
{
	struct run *r = user;

	if (!r->feeding || !r->holds) {
		run_send(bytes, len, r);
		return;
	}
	if (len > sizeof(r->held) - r->nheld)
		len = sizeof(r->held) - r->nheld;
	memcpy(r->held + r->nheld, bytes, len);
	r->nheld += len;
}

bool
run_keep(struct run *r, const char *base, const char *ext)
{
	char path[4096], aside[4100], tty[128];
	FILE *fp;

	/* Who waits for the file finds it whole. */
	snprintf(path, sizeof(path), "%s.%s", base, ext);
	snprintf(aside, sizeof(aside), "%s.new", path);
	fp = fopen(aside, "w");
	if (fp == NULL)
		return run_fail(r, "%s: %s", aside, strerror(errno));
	if (strcmp(ext, "cells") == 0) {
		child_tty(&r->child, tty, sizeof(tty));
		screen_cells(r->screen, tty, fp);
	} else {
		char *text = screen_text(r->screen);

		fputs(text != NULL ? text : "", fp);
		free(text);
	}
	if (fclose(fp) != 0 || rename(aside, path) != 0)
		return run_fail(r, "%s: %s", path, strerror(errno));
	return true;
}

bool
run_parse_size(const char *arg, int *cols, int *rows)
{
	char end;

	return sscanf(arg, "%4dx%4d%c", cols, rows, &end) == 2 && *cols > 0 &&
	       *rows > 0;
}
