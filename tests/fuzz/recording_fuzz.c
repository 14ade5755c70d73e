/*
 * libFuzzer over the reader of recordings and the source on it: whatever the
 * bytes, it reads on or says what is wrong, and going back gives the same.
 */
#include "monitor/monitor.h"
#include "recording/replay.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FRAMES_MAX = 2000 };

static void
check(int ok)
{
	if (!ok)
		abort();
}

static uint64_t
mixed(uint64_t h, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof bits);
	return (h ^ bits) * 0x100000001b3u;
}

/* Of all values of all frames from here on. */
static uint64_t
play(struct source *s, struct err *e)
{
	struct monitor_options mo = { .catalog = s->info.catalog };
	struct monitor *m = monitor_new(s->info.topology, &mo, e);
	struct sample *sample = sample_new(s->info.topology->ncpus, e);
	const struct process_request wish = { .opened = -1 };
	struct process_reading r = { .n = 0 };
	uint64_t h = 1;

	check(m != NULL && sample != NULL);
	for (int i = 0; i < FRAMES_MAX; i++) {
		if (s->ops->read(s, sample, e) != SOURCE_OK)
			break;
		const struct frame *f = monitor_feed(m, sample);

		check(f != NULL);
		for (unsigned v = 0; v < f->nscopes * f->nmetrics; v++)
			h = mixed(h, f->value[v]);
		if (!s->ops->processes(s, &wish, &r, e) ||
		    !monitor_feed_processes(m, &r, e))
			continue;
		for (unsigned k = 0; k < f->processes->n; k++)
			h = mixed(h, f->processes->row[k].value[PROCESS_IPC]);
	}
	process_reading_free(&r);
	monitor_free(m);
	sample_free(sample);
	return h;
}

static void
try_one(const char *path, bool index)
{
	const char *list[] = { path };
	struct source_options o = { .replay = list,
				    .nreplay = 1,
				    .replay_index = index };
	struct err e = { ERR_NONE, "" };
	struct source *s = replay_open(&o, NULL, &e);

	if (s == NULL) {
		check(e.code != ERR_NONE && e.text[0] != '\0');
		return;
	}
	for (const char *t = s->info.model; *t != '\0'; t++)
		check((unsigned char)*t >= ' ' && *t != 0x7f);
	uint64_t h = play(s, &e);

	if (index && replay_index(s)->frames <= FRAMES_MAX) {
		check(replay_seek(s, 0, &e));
		check(play(s, &e) == h);
	}
	s->ops->close(s);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[] = "/tmp/ktop-fuzz-XXXXXX";
	int fd = mkstemp(path);

	check(fd >= 0);
	check(write(fd, data, size) == (ssize_t)size);
	check(close(fd) == 0);
	try_one(path, false);
	try_one(path, true);
	check(unlink(path) == 0);
	return 0;
}
