/*
 * Both sides of the counter server's protocol. The first byte chooses: 0 the
 * server gets the rest as a stream of requests; 1 the screen side gets it as
 * answers; 2 the screen side gets a true answer with bytes changed, three
 * bytes of input each (place, place, value).
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

static unsigned char truth[ANSWER_MAX];
static size_t truth_len;

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
			wire_get_head(data, &h);
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
	unsigned char room[WIRE_HEAD];
	struct wire_out w = { room, 0, sizeof(room) };
	struct wire_head h = { (uint32_t)n, (uint16_t)op, (uint16_t)tag };

	wire_put_head(&w, &h);
	return send(fd, room, sizeof(room), MSG_DONTWAIT) == WIRE_HEAD &&
	       (n == 0 || send(fd, payload, n, MSG_DONTWAIT) == (ssize_t)n);
}

/* Answers lie ready before they are asked for. */
static void
fuzz_remote(const uint8_t *opened, size_t n, const uint8_t *reading, size_t m)
{
	struct source_options o = { .sim = "m1" };
	struct err e = { ERR_NONE, "" };
	struct sample *sample;
	struct source *s;
	int pair[2];

	make_pair(pair);
	if (!give(pair[1], WIRE_OPEN, 1, opened, n) ||
	    !give(pair[1], WIRE_READ, 2, reading, m) ||
	    shutdown(pair[1], SHUT_WR) != 0)
		goto out;
	o.server = pair[0];
	s = remote_open(&o, NULL, &e);
	if (s == NULL)
		goto out;
	sample = sample_new(s->info.topology->ncpus, &e);
	if (sample != NULL)
		(void)s->ops->read(s, sample, &e);
	if (s->info.catalog != NULL)
		(void)catalog_find(s->info.catalog, "INST_ALL");
	(void)topology_cluster_find(s->info.topology, "P");
	s->ops->close(s);
	sample_free(sample);
out:
	(void)close(pair[0]);
	(void)close(pair[1]);
}

static void
fuzz_changed(const uint8_t *data, size_t size)
{
	static unsigned char copy[ANSWER_MAX];

	memcpy(copy, truth, truth_len);
	for (; size >= 3; data += 3, size -= 3)
		copy[(data[0] << 8 | data[1]) % truth_len] = data[2];
	fuzz_remote(copy, truth_len, copy, truth_len);
}

static void
fetch_truth(void)
{
	unsigned char room[WIRE_HEAD + 512];
	struct wire_out w = { room, WIRE_HEAD, sizeof(room) };
	struct wire_out first = { room, 0, sizeof(room) };
	struct source_options o = { .sim = "m1,clock=step" };
	struct wire_head h = { .op = WIRE_OPEN };
	int pair[2];

	make_pair(pair);
	struct server *s = server_new(pair[1], NULL);

	wire_put_open(&w, &o, NULL);
	h.size = (uint32_t)(w.len - WIRE_HEAD);
	wire_put_head(&first, &h);
	if (s == NULL || send(pair[0], room, w.len, 0) < 0 ||
	    server_turn(s) != SERVER_ON ||
	    recv(pair[0], room, WIRE_HEAD, MSG_WAITALL) != WIRE_HEAD)
		abort();
	wire_get_head(room, &h);
	truth_len = h.size;
	if (truth_len > sizeof(truth) ||
	    recv(pair[0], truth, truth_len, MSG_WAITALL) != (ssize_t)truth_len)
		abort();
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
	switch (data[0] % 3) {
	case 0:
		fuzz_server(data + 1, size - 1);
		break;
	case 1:
		fuzz_remote(data + 1, size - 1, data + 1, size - 1);
		break;
	default:
		fuzz_changed(data + 1, size - 1);
	}
	return 0;
}
