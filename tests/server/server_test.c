/* The counter server against a screen side that means ill. */
#include "sim/sim.h"
#include "sim/state_print.h"
#include "source/kperf/host.h"
#include "server/server.h"
#include "server/wire.h"
#include "source/all/sources.h"

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct rig {
	int fd; /* the screen side's end */
	int far;
	struct server *server;
	unsigned guarded, powers, refuse;
	struct source_guard guard;
	unsigned char answer[1 << 20];
	struct wire_head head;
	struct wire_out out;
};

static bool
before(void *self, bool powers, struct err *e)
{
	struct rig *r = self;

	r->guarded++;
	r->powers += powers;
	return r->refuse == 0 || err_set(e, ERR_PERM, "not today");
}

static void
opened(void *self, const struct source_info *info)
{
	assert_non_null(info);
}

static int
start(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));
	int pair[2];

	if (r == NULL || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
		return -1;
	r->fd = pair[0];
	r->far = pair[1];
	r->guard = (struct source_guard){ r, before, opened };
	r->server = server_new(pair[1], &r->guard);
	*state = r;
	return r->server != NULL ? 0 : -1;
}

static int
stop(void **state)
{
	struct rig *r = *state;

	(void)server_free(r->server, NULL);
	(void)close(r->fd);
	(void)close(r->far);
	free(r->out.at);
	free(r);
	return 0;
}

static enum server_turn
raw(struct rig *r, const void *bytes, size_t n)
{
	assert_int_equal(send(r->fd, bytes, n, 0), n);
	return server_turn(r->server);
}

/* A request whose payload w holds behind its head, which it begins anew. */
static enum server_turn
request(struct rig *r, enum wire_op op, struct wire_out *w)
{
	wire_end(w, op, 7);
	enum server_turn turn = raw(r, w->at, w->len);

	if (turn != SERVER_ON)
		return turn;
	assert_int_equal(recv(r->fd, &r->head, WIRE_HEAD, MSG_WAITALL),
			 WIRE_HEAD);
	assert_int_equal(r->head.op, op);
	assert_int_equal(r->head.tag, 7);
	assert_true(r->head.size <= sizeof(r->answer));
	assert_int_equal(recv(r->fd, r->answer, r->head.size, MSG_WAITALL),
			 r->head.size);
	return turn;
}

/* With any bytes as its payload. */
static enum server_turn
ask(struct rig *r, enum wire_op op, const void *payload, size_t n)
{
	wire_begin(&r->out);
	wire_put(&r->out, payload, n);
	return request(r, op, &r->out);
}

static enum server_turn
read_now(struct rig *r)
{
	return ask(r, WIRE_READ, &(uint32_t){ 0 }, sizeof(uint32_t));
}

static enum server_turn
open_source(struct rig *r, const struct source_options *o, const char *name)
{
	wire_begin(&r->out);
	assert_true(wire_put_open(&r->out, o, name, NULL));
	return request(r, WIRE_OPEN, &r->out);
}

static enum server_turn
open_sim(struct rig *r, const char *spec, const char *name)
{
	return open_source(r, &(struct source_options){ .sim = spec }, name);
}

/* As wire_put_set, but of any numbers. */
struct raw_set {
	char name[32];
	uint32_t there, len, slot[EVENTSET_MAX][2];
};

static enum server_turn
program(struct rig *r, const unsigned (*slot)[2], unsigned n)
{
	struct raw_set set = { .name = "set", .there = 1, .len = n };

	for (unsigned i = 0; i < n && i < EVENTSET_MAX; i++)
		memcpy(set.slot[i], slot[i], sizeof(set.slot[i]));
	return ask(r, WIRE_PROGRAM, &set, sizeof(set));
}

UNIT(ignores_nothing_that_is_malformed)
{
	static const struct {
		uint32_t size;
		uint16_t op;
	} wrong[] = {
		{ 0, 0 },
		{ 0, WIRE_OPS },
		{ 0, 65535 },
		{ 8193, WIRE_READ },
		{ 0xffffffff, WIRE_OPEN },
		{ 0, WIRE_READ } /* nothing is open */,
		{ 0, WIRE_STEP },
		{ 0, WIRE_CLOSE },
		{ 0, WIRE_PROCESSES },
		{ 0, WIRE_POWER },
		{ 0, WIRE_ENERGY },
		{ 0, WIRE_PROGRAM },
		{ 0, WIRE_OPEN }, /* without a payload */
		{ 0, WIRE_PROBE },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		const struct wire_head h = { .size = wrong[i].size,
					     .op = wrong[i].op };
		void *rig;

		assert_int_equal(start(&rig), 0);
		if (raw(rig, &h, sizeof(h)) != SERVER_MALFORMED)
			fail_msg("head %zu passes", i);
		(void)stop(&rig);
	}
}

UNIT_IN(waits_for_the_rest_of_a_request, start, stop)
{
	struct rig *r = *state;
	struct source_options o = { .sim = "m1,clock=step" };

	wire_begin(&r->out);
	assert_true(wire_put_open(&r->out, &o, NULL, NULL));
	wire_end(&r->out, WIRE_OPEN, 7);
	for (size_t i = 0; i < r->out.len; i++) {
		assert_int_equal(r->guarded, 0);
		assert_int_equal(raw(r, r->out.at + i, 1), SERVER_ON);
	}
	assert_int_equal(r->guarded, 1);
	assert_int_equal(r->powers, 0);
}

UNIT_IN(a_second_request_at_once_is_one_too_many, start, stop)
{
	struct rig *r = *state;
	const struct wire_head two[2] = { { .op = WIRE_READ },
					  { .op = WIRE_READ } };

	assert_int_equal(open_sim(r, "m1,clock=step", NULL), SERVER_ON);
	assert_int_equal(raw(r, two, sizeof(two)), SERVER_MALFORMED);
}

UNIT_IN(opens_one_source_at_a_time, start, stop)
{
	struct rig *r = *state;

	assert_int_equal(open_sim(r, "m1,clock=step", NULL), SERVER_ON);
	assert_int_equal(open_sim(r, "m1,clock=step", NULL), SERVER_MALFORMED);
}

UNIT_IN(refuses_what_its_guard_refuses, start, stop)
{
	struct rig *r = *state;
	struct wire_in in = { .at = r->answer };
	enum source_status status;
	struct err e;

	r->refuse = 1;
	assert_int_equal(open_sim(r, "m1,clock=step", NULL), SERVER_ON);
	in.left = r->head.size;
	assert_false(wire_get_status(&in, &status, &e));
	assert_int_equal(status, SOURCE_ERROR);
	assert_true(wire_done(&in));
	assert_int_equal(e.code, ERR_PERM);
	assert_string_equal(e.text, "not today");
}

/* The kinds of source that count on the machine itself keep their rights. */
UNIT_IN(says_what_needs_rights, start, stop)
{
	struct rig *r = *state;

	r->refuse = 1;
	assert_int_equal(open_sim(r, NULL, NULL), SERVER_ON);
	assert_int_equal(r->powers, 1);
	assert_int_equal(open_sim(r, NULL, "sim"), SERVER_ON);
	assert_int_equal(r->powers, 1);
	assert_int_equal(open_sim(r, "m1", NULL), SERVER_ON);
	assert_int_equal(r->powers, 1);
	assert_int_equal(r->guarded, 3);
	struct source_options o = { .kperf_path = "x", .kperfdata_path = "x" };

	assert_int_equal(open_source(r, &o, NULL), SERVER_ON);
	/* Off a Mac it is a simulation of the person's. */
	assert_int_equal(r->powers, host_system() != NULL ? 2 : 1);
}

UNIT(sets_that_do_not_fit_are_not_programmed)
{
	static const unsigned sets[][2][2] = {
		{ { 65535, 2 }, { 0, 3 } }, /* no such event */
		{ { 60, 32 }, { 0, 3 } },   /* no such counter */
		{ { 60, 0 }, { 0, 3 } },    /* a fixed one */
		{ { 60, 5 }, { 61, 5 } },   /* the same counter twice */
		{ { 60, 5 }, { 60, 6 } },   /* the same event twice */
		{ { 60, 37 }, { 0, 3 } },   /* 5 and a bit too many */
		{ { 60, UINT32_MAX }, { 0, 3 } },
	};

	static const unsigned many[11][2] = { { 60, 5 } };

	for (size_t i = 0; i < sizeof(sets) / sizeof(*sets); i++) {
		void *rig;

		assert_int_equal(start(&rig), 0);
		assert_int_equal(open_sim(rig, "m1,clock=step", NULL),
				 SERVER_ON);
		if (program(rig, sets[i], i == 3 || i == 4 ? 2 : 1) !=
		    SERVER_MALFORMED)
			fail_msg("set %zu passes", i);
		(void)stop(&rig);
	}
	void *rig;

	assert_int_equal(start(&rig), 0);
	assert_int_equal(open_sim(rig, "m1,clock=step", NULL), SERVER_ON);
	assert_int_equal(program(rig, many, 11), SERVER_MALFORMED);
	(void)stop(&rig);
}

static bool
state_has(const char *file, const char *line)
{
	char text[2048] = "", *at;
	FILE *f = tmpfile();
	size_t n;

	assert_non_null(f);
	assert_true(state_print(file, f));
	rewind(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	(void)fclose(f);
	at = strstr(text, line);
	return at != NULL && at[strlen(line)] == '\n';
}

/* An event of that machine that fits on that counter. */
static unsigned
index_of(const char *name)
{
	struct source_options o = { .sim = "m1,clock=step" };
	struct source *s = source_open(&o, NULL);

	assert_non_null(s);
	const struct event *ev = catalog_find(s->info.catalog, name);
	unsigned at = (unsigned)(ev - s->info.catalog->event);

	s->ops->close(s);
	return at;
}

UNIT_IN(holds_nothing_while_paused, start, stop)
{
	struct rig *r = *state;
	const unsigned set[1][2] = { { index_of("INST_ALL"), 7 } };
	char file[] = "/tmp/ktop-server-XXXXXX", spec[64];
	int fd = mkstemp(file);

	assert_true(fd >= 0);
	(void)snprintf(spec, sizeof(spec), "m1,clock=step,state=%s", file);
	assert_int_equal(open_sim(r, spec, NULL), SERVER_ON);
	assert_int_equal(program(r, set, 1), SERVER_ON);
	assert_true(state_has(file, "force 1"));
	server_pause(r->server);
	assert_true(state_has(file, "force 0"));
	assert_true(state_has(file, "counting 0"));
	server_resume(r->server);
	assert_true(state_has(file, "force 1"));
	/* The screen side is told that its counts begin again. */
	assert_int_equal(read_now(r), SERVER_ON);
	(void)server_free(r->server, NULL);
	r->server = NULL;
	assert_true(state_has(file, "force 0"));
	assert_true(state_has(file, "counting 0"));
	(void)close(fd);
	(void)unlink(file);
}

/* More pins than there is room for, one that is none, and bytes too many. */
UNIT(wishes_that_are_none_are_refused)
{
	struct raw_wish {
		uint64_t opened_at;
		int32_t opened;
		uint32_t top, npins;
		uint8_t first, trace, unused[2];
		int32_t pin[2];
	};
	static const struct {
		struct raw_wish wish;
		unsigned pins; /* that come */
		bool right;
	} wish[] = {
		{ { .top = PROCESS_ROWS_MAX + 1 }, 0, false },
		{ { .npins = WIRE_PINS_MAX + 1 }, 0, false },
		{ { .npins = UINT32_MAX }, 0, false },
		{ { .npins = 1, .pin = { -1 } }, 1, false },
		{ { .npins = 2, .pin = { 7 } }, 1, false },
		{ { .npins = 1, .pin = { 7 } }, 2, false },
		{ { .opened = -2 }, 0, false },
		{ { .first = 2 }, 0, false },
		{ { .trace = 255 }, 0, false },
		{ { .opened = -1, .npins = 1, .pin = { 7 } }, 1, true },
	};

	for (size_t i = 0; i < sizeof(wish) / sizeof(*wish); i++) {
		void *rig;

		assert_int_equal(start(&rig), 0);
		assert_int_equal(open_sim(rig, "m1,clock=step", NULL),
				 SERVER_ON);
		if (ask(rig, WIRE_PROCESSES, &wish[i].wish,
			offsetof(struct raw_wish, pin) +
				wish[i].pins * sizeof(int32_t)) !=
		    (wish[i].right ? SERVER_ON : SERVER_MALFORMED))
			fail_msg("wish %zu", i);
		(void)stop(&rig);
	}
}

/* What takes no rights is not the server's to do. */
UNIT_IN(energy_is_of_sources_that_take_rights_for_it, start, stop)
{
	struct rig *r = *state;

	assert_int_equal(open_sim(r, "m1,clock=step", NULL), SERVER_ON);
	assert_int_equal(ask(r, WIRE_POWER, NULL, 0), SERVER_MALFORMED);
}

static uint32_t
draw(uint32_t *seed)
{
	return (*seed = *seed * 1664525u + 1013904223u) >> 8;
}

/* Right heads, wrong payloads: nothing reads past the end (ASan says). */
UNIT(random_payloads_do_no_harm)
{
	uint32_t seed = 1;

	int rounds = getenv("KTOP_LONG") != NULL ? 2000 : 400;

	for (int round = 0; round < rounds; round++) {
		unsigned char room[128];
		size_t size = draw(&seed) % sizeof(room);
		void *rig;

		assert_int_equal(start(&rig), 0);
		if (round % 2 == 0)
			assert_int_equal(open_sim(rig, "m1,clock=step", NULL),
					 SERVER_ON);
		for (size_t i = 0; i < size; i++)
			room[i] = (unsigned char)(draw(&seed) %
						  (draw(&seed) % 2 ? 3 : 256));
		(void)ask(rig, 1 + draw(&seed) % (WIRE_OPS - 1), room, size);
		(void)stop(&rig);
	}
}

UNIT_IN(sees_the_end_of_the_socket, start, stop)
{
	struct rig *r = *state;

	assert_int_equal(shutdown(r->fd, SHUT_WR), 0);
	assert_int_equal(server_turn(r->server), SERVER_OVER);
}

/* Sums of such times would not fit (a find of the protocol's fuzzer). */
UNIT(time_has_an_end)
{
	static const int64_t wrong[] = { INT64_MAX, INT64_MIN, -1,
					 (int64_t)1 << 62 };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		void *rig;

		assert_int_equal(start(&rig), 0);
		assert_int_equal(open_sim(rig, "m1,clock=step", NULL),
				 SERVER_ON);
		assert_int_equal(
			ask(rig, WIRE_STEP, &wrong[i], sizeof(wrong[i])),
			SERVER_MALFORMED);
		(void)stop(&rig);
	}
}

/* It does not read: the server must be there for signals all the same. */
UNIT_IN(a_stopped_reader_does_not_hold_it, start, stop)
{
	struct rig *r = *state;
	int least = 1;
	unsigned char room[4096];
	size_t got = 0;

	assert_int_equal(setsockopt(r->far, SOL_SOCKET, SO_SNDBUF, &least,
				    sizeof(least)),
			 0);
	struct source_options o = { .sim = "m1max" };

	wire_begin(&r->out);
	assert_true(wire_put_open(&r->out, &o, NULL, NULL));
	wire_end(&r->out, WIRE_OPEN, 7);
	assert_int_equal(raw(r, r->out.at, r->out.len), SERVER_ON);
	assert_true(server_is_sending(r->server));
	for (int i = 0; i < 3; i++)
		assert_int_equal(server_turn(r->server), SERVER_ON);
	assert_true(server_is_sending(r->server));
	server_pause(r->server);
	server_resume(r->server);
	/* What it reads at last is whole. */
	for (;;) {
		ssize_t n = recv(r->fd, room, sizeof(room), MSG_DONTWAIT);

		if (n <= 0 && !server_is_sending(r->server))
			break;
		if (got == 0)
			memcpy(&r->head, room, WIRE_HEAD);
		got += n > 0 ? (size_t)n : 0;
		if (server_is_sending(r->server))
			assert_int_equal(server_turn(r->server), SERVER_ON);
	}
	assert_int_equal(got, WIRE_HEAD + r->head.size);
	assert_int_equal(read_now(r), SERVER_ON);
}
