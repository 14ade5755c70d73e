/* Processes on the wire: all that there is of one, and answers that lie. */
#include "server/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROOM = 1 << 21, KINDS = 2 };

static unsigned char room[ROOM];
static struct process_reading sent, got;

static int
set_up(void **state)
{
	(void)state;
	return process_reading_init(&sent, 4) && process_reading_init(&got, 1)
		       ? 0
		       : -1;
}

static int
tear_down(void **state)
{
	(void)state;
	process_reading_free(&sent);
	process_reading_free(&got);
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
		.command = { 100, UINT64_MAX, "/bin/sh -c \x7f" },
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
			(int32_t)i + 5, 0, 30 + i, 40 + i, { 50 + i }
		};
	sent.traced.row[1].slot[9] = 60;
	sent.traced.thread[0] = (struct process_counts){ 6, 7, 8, 9, { 10 } };
	for (unsigned i = 0; i < n; i++)
		fill(&sent.row[i], i);
	for (unsigned i = 0; i < nthreads; i++)
		fill(&sent.thread[i], i);
}

static struct wire_out
put(void)
{
	struct wire_out w = { room, 0, sizeof(room) };

	wire_put_processes(&w, &sent);
	assert_true(w.len <= w.size);
	return w;
}

static bool
get(size_t len)
{
	struct wire_in in = { .at = room, .left = len };
	struct err e;
	bool ok = wire_get_processes(&in, &got, KINDS, &e);

	assert_int_equal(ok, !in.bad);
	return ok;
}

static void
all_of_a_process_travels(void **state)
{
	(void)state;
	make(3, 2);
	got.recorded = got.has_rest = true;
	assert_true(get(put().len));
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
	sent.traced.slots = 1;
	struct wire_out w = { room, 0, sizeof(room) };
	sent.traced.n = 0;
	wire_put_processes(&w, &sent);
	assert_true(get(w.len));
	assert_int_equal(got.traced.n, 0);
}

/* What a monitor says of a row is not a source's to say. */
static void
flags_of_a_monitor_do_not_travel(void **state)
{
	(void)state;
	make(1, 0);
	sent.row[0].flags = PROCESS_BORN | PROCESS_SCALED;
	assert_true(get(put().len));
	assert_int_equal(got.row[0].flags, PROCESS_SCALED);
}

static void
as_many_as_there_is_room_for(void **state)
{
	(void)state;
	make(PROCESS_ROWS_MAX, PROCESS_THREADS_MAX);
	size_t len = put().len;

	assert_true(len <= wire_processes_size(PROCESS_ROWS_MAX +
					       PROCESS_THREADS_MAX));
	assert_true(len <= WIRE_REPLY_MAX);
	assert_true(get(len));
	assert_int_equal(got.n, PROCESS_ROWS_MAX);
	assert_int_equal(got.row[4095].pid, 100 + 4095);
}

static void
lie_of_count(void)
{
	/* The number of rows stands before that of threads and the rows. */
	struct wire_out whole = put(), head = { room, 0, sizeof(room) };
	unsigned n = sent.n;

	sent.n = 0;
	wire_put_processes(&head, &sent);
	sent.n = n;
	struct wire_out at = { room, head.len - 8, sizeof(room) };

	wire_put_u32(&at, PROCESS_ROWS_MAX + 1);
	assert_false(get(whole.len));
	at.len = head.len - 4;
	wire_put_u32(&at, PROCESS_THREADS_MAX + 1);
	assert_false(get(whole.len));
}

static void
lies_are_refused(void **state)
{
	(void)state;
	make(1, 0);
	lie_of_count();
	sent.row[0].pid = -1;
	assert_false(get(put().len));
	fill(sent.row, 0);
	sent.row[0].parent = -2;
	assert_false(get(put().len));
	fill(sent.row, 0);
	sent.row[0].state = PROCESS_STATE_COUNT;
	assert_false(get(put().len));
	fill(sent.row, 0);
	sent.row[0].access = PROCESS_ACCESS_COUNT;
	assert_false(get(put().len));
	fill(sent.row, 0);
	sent.row[0].known = PROCESS_HAS_PART_ENERGY << 1;
	assert_false(get(put().len));
	fill(sent.row, 0);
	sent.row[0].started_ns = -1;
	assert_false(get(put().len));
	fill(sent.row, 0);
	sent.row[0].started_awake_ns = INT64_MAX;
	assert_false(get(put().len));
	fill(sent.row, 0);
	sent.domain = DOMAIN_MIXED + 1;
	assert_false(get(put().len));
	make(1, 0);
	sent.parts.kind[1] = KINDS;
	assert_false(get(put().len));
	sent.parts.kind[1] = -2;
	assert_false(get(put().len));
	make(1, 0);
	sent.command.pid = -2;
	assert_false(get(put().len));
	make(1, 0);
	assert_true(get(put().len));
}

/* A name that fills its room, and a number of parts that there is no room for.
 */
static void
what_does_not_fit_is_refused(void **state)
{
	(void)state;
	make(1, 0);
	struct wire_out w = put();
	unsigned char *name = memchr(room, '\x1b', w.len);

	assert_non_null(name);
	/* Its length and one stand before it. */
	name[-2] = PROCESS_NAME_SIZE + 1;
	assert_false(get(w.len));
	w = put();
	name[4] = '\0';
	assert_false(get(w.len));

	struct process_parts five = { .n = PROCESS_PARTS + 1 };

	sent.n = 0;
	sent.parts = (struct process_parts){ .n = 0 };
	w = put();
	/* It is the last of the head, before the two numbers of rows. */
	memcpy(room + w.len - 12, &five.n, sizeof(five.n));
	assert_false(get(w.len));
	assert_int_equal(got.parts.n, 0);
}

static void
a_part_of_it_is_nothing(void **state)
{
	(void)state;
	make(2, 1);
	size_t len = put().len;

	for (size_t i = 0; i < len; i++)
		assert_false(get(i));
	room[len] = 0;
	assert_false(get(len + 1));
	assert_true(get(len));
}

static bool
wish(const struct process_wish *w, struct wire_wish *out)
{
	struct wire_out to = { room, 0, sizeof(room) };

	wire_put_wish(&to, w);
	assert_true(to.len <= WIRE_WISH_MAX);
	struct wire_in in = { .at = room, .left = to.len };

	wire_get_wish(&in, out);
	return wire_done(&in);
}

static void
wishes_travel(void **state)
{
	static struct wire_wish out;
	int32_t pins[WIRE_PINS_MAX + 1] = { 5, 0, INT32_MAX };
	struct process_wish w = { .top = 30,
				  .opened = 77,
				  .opened_at = UINT64_MAX,
				  .first = true,
				  .pin = pins,
				  .npins = 3 };

	(void)state;
	assert_true(wish(&w, &out));
	assert_int_equal(out.wish.top, 30);
	assert_int_equal(out.wish.opened, 77);
	assert_true(out.wish.first);
	assert_false(out.wish.trace);
	assert_true(out.wish.opened_at == UINT64_MAX);
	assert_int_equal(out.wish.npins, 3);
	assert_int_equal(out.wish.pin[2], INT32_MAX);
	assert_true(wish(NULL, &out));
	assert_int_equal(out.wish.opened, -1);
	assert_int_equal(out.wish.npins, 0);
	/* More than there is room for do not travel. */
	w.npins = WIRE_PINS_MAX + 1;
	w.top = UINT32_MAX;
	assert_true(wish(&w, &out));
	assert_int_equal(out.wish.npins, WIRE_PINS_MAX);
	assert_int_equal(out.wish.top, PROCESS_ROWS_MAX);
	w.npins = 2;
	pins[1] = -1;
	assert_false(wish(&w, &out));
	assert_int_equal(out.wish.npins, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(all_of_a_process_travels),
		TEST(flags_of_a_monitor_do_not_travel),
		TEST(as_many_as_there_is_room_for),
		TEST(lies_are_refused),
		TEST(what_does_not_fit_is_refused),
		TEST(a_part_of_it_is_nothing),
		TEST(wishes_travel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
