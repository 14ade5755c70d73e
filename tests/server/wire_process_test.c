/* Processes on the wire: all that there is of one, and answers that lie. */
#include "server/wire.h"

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { KINDS = 2 };

static struct wire_out out;
static struct process_reading sent, got;

static int
set_up(void **state)
{
	return process_reading_init(&sent, 4) && process_reading_init(&got, 1)
		       ? 0
		       : -1;
}

static int
tear_down(void **state)
{
	process_reading_free(&sent);
	process_reading_free(&got);
	free(out.at);
	memset(&out, 0, sizeof out);
	return 0;
}

/* Every field with a value of its own. */
static void
fill(struct process_read *p, unsigned i)
{
	memset(p, 0, sizeof(*p));
	p->pid = 100 + (int32_t)i;
	p->parent = (int32_t)i - 1;
	p->start = UINT64_MAX - i;
	p->started_ns = 7 + i;
	p->started_awake_ns = 8 + i;
	p->uid = UINT32_MAX - i;
	p->threads = 9 + i;
	p->thread = (uint64_t)1 << 63 | i;
	p->state = PROCESS_STATE_COUNT - 1;
	p->access = PROCESS_ACCESS_COUNT - 1;
	p->flags = PROCESS_PARTIAL | PROCESS_KEPT;
	p->known = (PROCESS_HAS_PART_ENERGY << 1) - 1;
	p->counting = 10 + i;
	memset(p->name, 'n', sizeof(p->name) - 1);
	p->name[0] = '\x1b';
	p->name[1] = (char)0xff;
	strcpy(p->user, "ann");
	p->total = (struct process_totals){ 11, 12, 13, 14, 15, { { 0 } } };
	for (unsigned k = 0; k < 2; k++)
		p->total.part[k] =
			(struct process_part){ 20 + k, 30 + k, 40 + k, 50 + k };
}

static void
make(unsigned n, unsigned nthreads)
{
	struct process_read *row;

	assert_true(process_reading_grow(&sent, n));
	row = sent.row;
	sent = (struct process_reading){
		.stamp = { 1, 2, 3 },
		.cost_ns = 4,
		.n = n,
		.room = sent.room,
		.row = row,
		.nthreads = nthreads,
		.parts = { 2, { "P", "not P" }, { 0, -1 } },
		.domain = DOMAIN_ALL,
		.everything = true,
		.started = UINT64_MAX,
		.left_out = 6,
		.notice = "said",
		.command = { 100, 0, UINT64_MAX, "/bin/sh -c \x7f" },
		.traced = { .state = PROCESS_TRACING_ON,
			    .own = true,
			    .files = 270,
			    .owner = 77,
			    .slots = 1 | 1 << 9,
			    .cycles = 21,
			    .gaps = 22,
			    .dropped = 23,
			    .period_ns = 24,
			    .cost_ns = 25,
			    .left_out = 26,
			    .n = 2,
			    .nthreads = 1,
			    .why = "why" },
	};
	for (unsigned i = 0; i < 2; i++)
		sent.traced.row[i] = (struct process_counts){
			(int32_t)i + 5, 0, 0, 30 + i, 40 + i, { 50 + i }
		};
	sent.traced.row[1].slot[9] = 60;
	sent.traced.thread[0] =
		(struct process_counts){ 6, 0, 7, 8, 9, { 10 } };
	for (unsigned i = 0; i < n; i++)
		fill(&sent.row[i], i);
	for (unsigned i = 0; i < nthreads; i++)
		fill(&sent.thread[i], i);
}

/* Its length. */
static size_t
put(void)
{
	out.len = 0;
	wire_put_processes(&out, &sent);
	assert_false(out.bad);
	return out.len;
}

static bool
get(size_t len)
{
	struct wire_in in = { .at = out.at, .left = len };
	struct err e;
	bool ok = wire_get_processes(&in, &got, KINDS, &e);

	assert_int_equal(ok, !in.bad);
	return ok;
}

UNIT_IN(all_of_a_process_travels, set_up, tear_down)
{
	make(3, 2);
	got.recorded = got.has_rest = true;
	assert_true(get(put()));
	assert_int_equal(got.n, 3);
	assert_int_equal(got.nthreads, 2);
	assert_memory_equal(got.row, sent.row, 3 * sizeof(*got.row));
	assert_memory_equal(got.thread, sent.thread, 2 * sizeof(*got.thread));
	assert_memory_equal(&got.stamp, &sent.stamp, sizeof(got.stamp));
	assert_memory_equal(&got.parts, &sent.parts, sizeof(got.parts));
	assert_int_equal(got.cost_ns, 4);
	assert_int_equal(got.domain, DOMAIN_ALL);
	assert_true(got.everything);
	assert_true(got.started == UINT64_MAX);
	assert_int_equal(got.left_out, 6);
	assert_string_equal(got.notice, "said");
	assert_int_equal(got.command.pid, 100);
	assert_true(got.command.start == UINT64_MAX);
	assert_string_equal(got.command.text, "/bin/sh -c \x7f");
	assert_false(got.recorded || got.has_rest);
	/* What a trace says of them, where it is counted. */
	assert_memory_equal(&got.traced, &sent.traced,
			    offsetof(struct process_traced, row));
	assert_memory_equal(got.traced.row, sent.traced.row,
			    2 * sizeof(got.traced.row[0]));
	assert_memory_equal(got.traced.thread, sent.traced.thread,
			    sizeof(got.traced.thread[0]));
	assert_string_equal(got.traced.why, "why");
	sent.traced.n = 0;
	assert_true(get(put()));
	assert_int_equal(got.traced.n, 0);
}

/* What a monitor says of a row is not a source's to say. */
UNIT_IN(flags_of_a_monitor_do_not_travel, set_up, tear_down)
{
	make(1, 0);
	sent.row[0].flags = PROCESS_BORN | PROCESS_SCALED;
	assert_true(get(put()));
	assert_int_equal(got.row[0].flags, PROCESS_SCALED);
}

UNIT_IN(as_many_as_there_is_room_for, set_up, tear_down)
{
	make(PROCESS_ROWS_MAX, PROCESS_THREADS_MAX);
	size_t len = put();

	assert_true(len <= WIRE_REPLY_MAX);
	assert_true(get(len));
	assert_int_equal(got.n, PROCESS_ROWS_MAX);
	assert_int_equal(got.row[4095].pid, 100 + 4095);
}

/* Numbers of rows, parts and traced rows that there is no room for. */
static void
lies_of_count(void)
{
	static const struct {
		size_t at;
		unsigned least;
	} lie[] = {
		{ offsetof(struct process_reading, n), PROCESS_ROWS_MAX + 1 },
		{ offsetof(struct process_reading, nthreads),
		  PROCESS_THREADS_MAX + 1 },
		{ offsetof(struct process_reading, parts.n),
		  PROCESS_PARTS + 1 },
		{ offsetof(struct process_reading, room) +
			  offsetof(struct process_traced, n),
		  PROCESS_TRACED_MAX + 1 },
		{ offsetof(struct process_reading, room) +
			  offsetof(struct process_traced, nthreads),
		  PROCESS_TRACED_THREADS + 1 },
	};

	for (unsigned i = 0; i < sizeof lie / sizeof *lie; i++) {
		size_t len = put();

		memcpy(out.at + lie[i].at, &lie[i].least, sizeof(unsigned));
		assert_false(get(len));
		assert_int_equal(got.n + got.nthreads + got.parts.n +
					 got.traced.n + got.traced.nthreads,
				 0);
	}
}

UNIT_IN(lies_are_refused, set_up, tear_down)
{
	make(1, 0);
	lies_of_count();
	for (unsigned i = 0; i < 7; i++) {
		struct process_read *p = &sent.row[0];

		fill(p, 0);
		p->pid = i == 0 ? -1 : p->pid;
		p->parent = i == 1 ? -2 : p->parent;
		p->state = i == 2 ? PROCESS_STATE_COUNT : p->state;
		p->access = i == 3 ? PROCESS_ACCESS_COUNT : p->access;
		p->known = i == 4 ? PROCESS_HAS_PART_ENERGY << 1 : p->known;
		p->started_ns = i == 5 ? -1 : p->started_ns;
		p->started_awake_ns = i == 6 ? INT64_MAX : p->started_awake_ns;
		assert_false(get(put()));
	}
	fill(sent.row, 0);
	sent.domain = DOMAIN_MIXED + 1;
	assert_false(get(put()));
	make(1, 0);
	sent.parts.kind[1] = KINDS;
	assert_false(get(put()));
	sent.parts.kind[1] = -2;
	assert_false(get(put()));
	make(1, 0);
	sent.command.pid = -2;
	assert_false(get(put()));
	make(1, 0);
	assert_true(get(put()));
}

/* Texts that fill their room have no end. */
UNIT_IN(texts_without_an_end_are_refused, set_up, tear_down)
{
	static const size_t text[] = {
		offsetof(struct process_reading, notice),
		offsetof(struct process_reading, command.text),
		offsetof(struct process_reading, parts.label),
		offsetof(struct process_reading, room) +
			offsetof(struct process_traced, why),
		offsetof(struct process_reading, room) +
			offsetof(struct process_traced, row) +
			offsetof(struct process_read, name),
		offsetof(struct process_reading, room) +
			offsetof(struct process_traced, row) +
			offsetof(struct process_read, user),
	};
	static const size_t size[] = {
		sizeof sent.notice,       sizeof sent.command.text,
		sizeof *sent.parts.label, PROCESS_TRACED_WHY,
		PROCESS_NAME_SIZE,        PROCESS_USER_SIZE,
	};

	make(1, 0);
	for (unsigned i = 0; i < sizeof text / sizeof *text; i++) {
		size_t len = put();

		memset(out.at + text[i], 'x', size[i] - 1);
		out.at[text[i] + size[i] - 1] = '\0';
		assert_true(get(len));
		out.at[text[i] + size[i] - 1] = 'x';
		assert_false(get(len));
	}
}

/* What lay in memory behind the end of a text stays in the server. */
UNIT_IN(nothing_travels_behind_the_end_of_a_text, set_up, tear_down)
{
	make(1, 1);
	memset(sent.notice, 's', sizeof sent.notice);
	memset(sent.command.text, 's', sizeof sent.command.text);
	memset(sent.traced.why, 's', sizeof sent.traced.why);
	memset(sent.row[0].name, 's', sizeof sent.row[0].name);
	memset(sent.thread[0].user, 's', sizeof sent.thread[0].user);
	sent.notice[1] = sent.command.text[1] = sent.traced.why[1] = '\0';
	sent.row[0].name[1] = sent.thread[0].user[1] = '\0';
	size_t len = put();

	for (size_t i = 0; i + 1 < len; i++)
		assert_false(out.at[i] == 's' && out.at[i + 1] == 's');
	assert_true(get(len));
	assert_string_equal(got.notice, "s");
}

UNIT_IN(a_part_of_it_is_nothing, set_up, tear_down)
{
	make(2, 1);
	size_t len = put();

	for (size_t i = 0; i < len; i++)
		assert_false(get(i));
	wire_put(&out, "", 1);
	assert_false(get(len + 1));
	assert_true(get(len));
}

static bool
wish(const struct process_request *w, struct wire_wish *to)
{
	out.len = 0;
	wire_put_process_request(&out, w);
	assert_true(out.len <= WIRE_REQUEST_MAX);
	struct wire_in in = { .at = out.at, .left = out.len };

	wire_get_process_request(&in, to);
	return wire_done(&in);
}

UNIT_IN(wishes_travel, set_up, tear_down)
{
	static struct wire_wish to;
	int32_t pins[WIRE_PINS_MAX + 1] = { 5, 0, INT32_MAX };
	struct process_request w = { .top = 30,
				     .opened = 77,
				     .opened_at = UINT64_MAX,
				     .first = true,
				     .pin = pins,
				     .npins = 3 };

	assert_true(wish(&w, &to));
	assert_int_equal(to.wish.top, 30);
	assert_int_equal(to.wish.opened, 77);
	assert_true(to.wish.first);
	assert_false(to.wish.trace);
	assert_true(to.wish.opened_at == UINT64_MAX);
	assert_int_equal(to.wish.npins, 3);
	assert_int_equal(to.wish.pin[2], INT32_MAX);
	assert_true(wish(NULL, &to));
	assert_int_equal(to.wish.opened, -1);
	assert_int_equal(to.wish.npins, 0);
	/* More than there is room for do not travel. */
	w.npins = WIRE_PINS_MAX + 1;
	w.top = UINT32_MAX;
	assert_true(wish(&w, &to));
	assert_int_equal(to.wish.npins, WIRE_PINS_MAX);
	assert_int_equal(to.wish.top, PROCESS_ROWS_MAX);
	w.npins = 2;
	pins[1] = -1;
	assert_false(wish(&w, &to));
	assert_int_equal(to.wish.npins, 0);
}
