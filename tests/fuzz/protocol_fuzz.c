/*
 * Both sides of the counter server's protocol. The first byte chooses: 0 the
 * server gets the rest as a stream of requests; 1 the screen side gets it as
 * answers; 2 the screen side gets a true answer with bytes changed, three
 * bytes of input each (place, place, value); 3 the same with true processes.
 */
#include "server/remote.h"
#include "server/server.h"
#include "server/wire.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ANSWER_MAX = 1 << 17, CHUNK = 4096 };

/* True answers to WIRE_OPEN, WIRE_READ and WIRE_PROCESSES. */
static unsigned char truth[3][ANSWER_MAX];
static size_t truth_len[3];

static void
make_pair(int pair[2])
{
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
		abort();
}

static void
drain(int fd)
{
	unsigned char room[CHUNK];

	while (recv(fd, room, sizeof(room), MSG_DONTWAIT) > 0)
		;
}

static void
fuzz_server(const uint8_t *data, size_t size)
{
	struct server *s;
	int pair[2];

	make_pair(pair);
	/* A source of the simulation only: the machine is left alone. */
	s = server_new(pair[1], NULL);
	while (s != NULL && size > 0) {
		struct wire_head h = { .size = 0 };
		size_t n = size;

		if (size >= WIRE_HEAD)
			memcpy(&h, data, sizeof h);
		if (h.size < size - (size >= WIRE_HEAD ? WIRE_HEAD : 0))
			n = WIRE_HEAD + h.size;
		if (n > size || n > CHUNK)
			n = size < CHUNK ? size : CHUNK;
		if (send(pair[0], data, n, MSG_DONTWAIT) != (ssize_t)n ||
		    server_turn(s) != SERVER_ON)
			break;
		drain(pair[0]);
		data += n;
		size -= n;
	}
	(void)server_free(s, NULL);
	(void)close(pair[0]);
	(void)close(pair[1]);
}

static bool
give(int fd, enum wire_op op, unsigned tag, const void *payload, size_t n)
{
	const struct wire_head h = { (uint32_t)n, (uint16_t)op, (uint16_t)tag };

	return send(fd, &h, sizeof h, MSG_DONTWAIT) == (ssize_t)sizeof h &&
	       (n == 0 || send(fd, payload, n, MSG_DONTWAIT) == (ssize_t)n);
}

struct answer {
	const uint8_t *at;
	size_t len;
};

static void
look(struct source *s)
{
	struct sample *sample = sample_new(s->info.topology->ncpus, NULL);
	struct process_reading reading;
	struct err e;

	if (sample != NULL)
		(void)s->ops->read(s, sample, &e);
	if (process_reading_init(&reading, 1))
		(void)s->ops->processes(s, NULL, &reading, &e);
	process_reading_free(&reading);
	if (s->info.catalog != NULL)
		(void)catalog_find(s->info.catalog, "INST_ALL");
	(void)topology_cluster_find(s->info.topology, "P");
	sample_free(sample);
}

/* Answers lie ready before they are asked for. */
static void
fuzz_remote(const struct answer a[3])
{
	static const enum wire_op op[] = { WIRE_OPEN, WIRE_READ,
					   WIRE_PROCESSES };
	struct source_options o = { .sim = "m1" };
	struct err e = { ERR_NONE, "" };
	struct source *s;
	int pair[2];

	make_pair(pair);
	for (unsigned i = 0; i < 3; i++)
		if (!give(pair[1], op[i], i + 1, a[i].at, a[i].len))
			goto out;
	if (shutdown(pair[1], SHUT_WR) != 0)
		goto out;
	o.server = pair[0];
	s = remote_open(&o, NULL, &e);
	if (s != NULL) {
		look(s);
		s->ops->close(s);
	}
out:
	(void)close(pair[0]);
	(void)close(pair[1]);
}

static void
fuzz_changed(unsigned which, const uint8_t *data, size_t size)
{
	static unsigned char copy[ANSWER_MAX];
	struct answer a[3];

	for (unsigned i = 0; i < 3; i++)
		a[i] = (struct answer){ truth[i], truth_len[i] };
	memcpy(copy, truth[which], truth_len[which]);
	for (; size >= 3; data += 3, size -= 3)
		copy[(data[0] << 8 | data[1]) % truth_len[which]] = data[2];
	a[which].at = copy;
	fuzz_remote(a);
}

/* Asks with what w holds behind its head. */
static void
fetch(int fd, struct server *s, enum wire_op op, struct wire_out *w,
      unsigned at)
{
	struct wire_head h;

	wire_end(w, op, 0);
	if (send(fd, w->at, w->len, 0) < 0 || server_turn(s) != SERVER_ON ||
	    recv(fd, &h, sizeof h, MSG_WAITALL) != (ssize_t)sizeof h)
		abort();
	truth_len[at] = h.size;
	if (h.size > sizeof(truth[at]) ||
	    recv(fd, truth[at], h.size, MSG_WAITALL) != (ssize_t)h.size)
		abort();
	wire_begin(w);
}

static void
fetch_truth(void)
{
	struct source_options o = { .sim = "m1,clock=step" };
	struct wire_out w = { .at = NULL };
	int pair[2];

	make_pair(pair);
	struct server *s = server_new(pair[1], NULL);

	if (s == NULL)
		abort();
	wire_begin(&w);
	(void)wire_put_open(&w, &o, NULL, NULL);
	fetch(pair[0], s, WIRE_OPEN, &w, 0);
	wire_put(&w, &(uint32_t){ 0 }, sizeof(uint32_t));
	fetch(pair[0], s, WIRE_READ, &w, 1);
	wire_put_process_request(&w, &(struct process_request){ .opened = 0 });
	fetch(pair[0], s, WIRE_PROCESSES, &w, 2);
	free(w.at);
	(void)server_free(s, NULL);
	(void)close(pair[0]);
	(void)close(pair[1]);
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	(void)signal(SIGPIPE, SIG_IGN);
	fetch_truth();
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1)
		return 0;
	switch (data[0] % 4) {
	case 0:
		fuzz_server(data + 1, size - 1);
		break;
	case 1: {
		const struct answer a = { data + 1, size - 1 };

		fuzz_remote((const struct answer[]){ a, a, a });
		break;
	}
	case 2:
		fuzz_changed(data[0] / 4 % 2, data + 1, size - 1);
		break;
	default:
		fuzz_changed(2, data + 1, size - 1);
	}
	return 0;
}
