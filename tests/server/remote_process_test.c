/* Processes through a counter server: as they are there, and lies about them.
 */
#include "server/liar.h"

static struct process_reading near_by, far_away;

static int
set_up(void **state)
{
	return process_reading_init(&near_by, 8) &&
			       process_reading_init(&far_away, 8)
		       ? 0
		       : -1;
}

static int
tear_down(void **state)
{
	process_reading_free(&near_by);
	process_reading_free(&far_away);
	return 0;
}

static void
step(struct source *s, int64_t ns)
{
	struct stamp now;

	clock_now(s->info.clock, &now);
	s->info.clock->step(s->info.clock->self, now.awake_ns + ns);
}

static bool
look(struct source *s, struct sample *sample, const struct process_request *w,
     struct process_reading *out, struct err *e)
{
	return s->ops->read(s, sample, e) == SOURCE_OK &&
	       s->ops->processes(s, w, out, e);
}

static void
assert_same(void)
{
	const struct process_reading *a = &near_by, *b = &far_away;

	assert_int_equal(a->n, b->n);
	assert_memory_equal(a->row, b->row, a->n * sizeof(*a->row));
	assert_int_equal(a->nthreads, b->nthreads);
	assert_memory_equal(a->thread, b->thread,
			    a->nthreads * sizeof(*a->thread));
	assert_memory_equal(&a->stamp, &b->stamp, sizeof(a->stamp));
	assert_memory_equal(&a->parts, &b->parts, sizeof(a->parts));
	assert_string_equal(a->notice, b->notice);
	assert_int_equal(a->everything, b->everything);
	assert_int_equal(a->domain, b->domain);
	assert_true(a->started == b->started);
	assert_int_equal(a->left_out, b->left_out);
}

static void
same_processes(const char *spec)
{
	struct far f = far_open(spec);
	struct source_options o = { .sim = spec };
	struct err e = { ERR_NONE, "" };
	struct source *s = source_open(&o, &e);
	const int32_t pin = 100;
	struct process_request w = { .opened = -1, .pin = &pin, .npins = 1 };

	assert_non_null(s);
	struct sample *sample = sample_new(s->info.topology->ncpus, &e);

	assert_true(f.source->info.processes);
	for (unsigned i = 0; i < 5; i++) {
		step(s, 1500000000);
		step(f.source, 1500000000);
		assert_true(look(s, sample, &w, &near_by, &e));
		if (!look(f.source, f.sample, &w, &far_away, &e))
			fail_msg("%s: %s", spec, e.text);
		assert_same();
		w.opened = near_by.row[i].pid;
		w.opened_at = near_by.row[i].start;
	}
	sample_free(sample);
	s->ops->close(s);
	far_close(&f);
	far_stop(&f);
}

UNIT_IN(a_server_tells_what_the_source_does, set_up, tear_down)
{
	same_processes("m1,clock=step");
	same_processes("m5max,clock=step,procs=2000");
	same_processes("intel,clock=step,euid=501");
	same_processes("m1,clock=step,fault=vanish@2s-4s");
}

/* Nobody asks for what a source does not have; who does is malformed. */
UNIT_IN(nothing_is_asked_where_there_is_nothing, set_up, tear_down)
{
	struct far f = far_open("m1,clock=step");
	struct err e = { ERR_NONE, "" };

	f.source->info.processes = false;
	assert_false(f.source->ops->processes(f.source, NULL, &far_away, &e));
	assert_false(f.source->info.lost);
	assert_int_equal(far_read(&f, &e), SOURCE_OK);
	far_close(&f);
	far_stop(&f);
}

static void
read_at_last(struct far *f)
{
	struct err e = { ERR_NONE, "" };

	far_signal(f, SIGCONT);
	for (int tries = 0; far_read(f, &e) != SOURCE_OK; tries++) {
		assert_false(f->source->info.lost);
		assert_true(tries < 6000);
		usleep(10000);
	}
	assert_true(f->source->ops->processes(f->source, NULL, &far_away, &e));
}

/* Its answer is taken when it comes, and no reading is lost by that. */
UNIT_IN(a_stopped_server_is_waited_for_in_turns, set_up, tear_down)
{
	struct far f = far_open("m1,clock=step");
	struct err e = { ERR_NONE, "" };

	assert_true(look(f.source, f.sample, NULL, &far_away, &e));
	far_signal(&f, SIGSTOP);
	assert_false(f.source->ops->processes(f.source, NULL, &far_away, &e));
	assert_non_null(strstr(e.text, "has not answered"));
	assert_int_equal(far_read(&f, &e), SOURCE_ERROR);
	read_at_last(&f);
	if (far_long()) { /* a reading that is late is read()'s to take */
		far_signal(&f, SIGSTOP);
		assert_int_equal(far_read(&f, &e), SOURCE_ERROR);
		assert_false(f.source->ops->processes(f.source, NULL, &far_away,
						      &e));
		assert_non_null(strstr(e.text, "has not answered"));
		read_at_last(&f);
	}
	far_close(&f);
	far_stop(&f);
}

/* ---- a server that lies ---- */

enum lie { TRUTH, BACK, DEAR, MANY, PID, RANDOM };

struct liar {
	enum lie lie;
	unsigned seed;
	struct source *s;
	struct sample *sample;
	struct process_reading reading;
	struct wire_out out;
};

static void
bend(struct liar *l)
{
	struct process_reading *p = &l->reading;
	struct process_read *row;

	switch (l->lie) {
	case BACK:
		p->stamp.awake_ns--;
		break;
	case DEAR:
		p->cost_ns = -1;
		break;
	case MANY:
		row = realloc(p->row, (PROCESS_ROWS_MAX + 1) * sizeof(*row));
		if (row == NULL)
			_exit(1);
		memset(row + p->n, 0,
		       (PROCESS_ROWS_MAX + 1 - p->n) * sizeof(*row));
		p->row = row;
		p->n = PROCESS_ROWS_MAX + 1;
		break;
	case PID:
		p->row[p->n - 1].pid = -1;
		break;
	case TRUTH:
	case RANDOM:
		break;
	}
}

static void
answer(void *self, int fd, const struct wire_head *h, struct wire_in *in)
{
	struct liar *l = self;
	struct wire_out *w = &l->out;
	const struct source_info *i = &l->s->info;
	struct err e;

	liar_begin(w, h, i);
	liar_state(w, i);
	if (h->op == WIRE_READ) {
		(void)l->s->ops->read(l->s, l->sample, &e);
		wire_put_sample(w, l->sample, i->set->len);
	}
	if (h->op == WIRE_PROCESSES) {
		(void)l->s->ops->processes(l->s, NULL, &l->reading, &e);
		bend(l);
		wire_put_processes(w, &l->reading);
	}
	for (unsigned k = 0;
	     h->op == WIRE_PROCESSES && l->lie == RANDOM && k < 1 + l->seed % 3;
	     k++) {
		l->seed = l->seed * 1103515245u + 12345u;
		size_t at = WIRE_HEAD + (l->seed >> 8) % (w->len - WIRE_HEAD);

		w->at[at] = (unsigned char)(l->seed >> 20);
	}
	liar_send(fd, w, h);
}

static void
serve_lies(int fd, enum lie lie, unsigned seed)
{
	static struct liar l;

	l.lie = lie;
	l.seed = seed;
	l.s = liar_open(&l.sample);
	if (!process_reading_init(&l.reading, 64))
		_exit(1);
	liar_serve(fd, answer, &l);
}

/* Was it taken? What is not ends the connection. */
static bool
is_believed(enum lie lie, unsigned seed)
{
	struct source_options o = { .sim = "m1" };
	struct err e = { ERR_NONE, "" };
	pid_t pid = far_fork(&o.server);

	if (pid == 0)
		serve_lies(o.server, lie, seed);
	struct source *s = remote_open(&o, NULL, &e);

	assert_non_null(s);
	struct sample *sample = sample_new(s->info.topology->ncpus, &e);
	bool believed = look(s, sample, NULL, &far_away, &e);

	if (lie != RANDOM)
		assert_int_equal(s->info.lost, !believed);
	if (!believed)
		assert_true(e.text[0] != '\0');
	for (unsigned i = 0; believed && i < far_away.n; i++)
		assert_true(far_away.row[i].state < PROCESS_STATE_COUNT &&
			    far_away.row[i].pid >= 0);
	s->ops->close(s);
	sample_free(sample);
	(void)close(o.server);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	return believed;
}

UNIT_IN(lies_end_the_service, set_up, tear_down)
{
	assert_true(is_believed(TRUTH, 0));
	assert_false(is_believed(BACK, 0));
	assert_false(is_believed(DEAR, 0));
	assert_false(is_believed(MANY, 0));
	assert_false(is_believed(PID, 0));
}

UNIT_IN(random_lies_do_no_harm, set_up, tear_down)
{
	for (unsigned seed = 1; seed < (far_long() ? 300 : 40); seed++)
		(void)is_believed(RANDOM, seed);
}

UNITS_IN(far_ignore_pipes, NULL)
