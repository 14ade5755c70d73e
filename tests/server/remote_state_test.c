/*
 * What changes while a source is open gets to the screen side: which events
 * are left out, and why. What the screen side records gets to the source.
 */
#include "model/metric.h"
#include "server/liar.h"

/* A server whose source leaves out events as no simulation does. */
struct liar {
	struct source *s;
	struct eventset set;
	struct sample *sample;
	struct wire_out out;
};

static void
leave_out(struct liar *l, unsigned slot)
{
	unsigned n = l->set.ndropped++;

	l->set.dropped[n].event = l->set.slot[slot].event->name;
	strcpy(l->set.dropped[n].why, slot == 0 ? "refused" : "held");
}

static void
answer(void *self, int fd, const struct wire_head *h, struct wire_in *in)
{
	struct liar *l = self;
	struct source_info i = l->s->info;

	if (h->op == WIRE_PROGRAM && wire_get_set(in, &l->set, i.catalog))
		leave_out(l, 0);
	if (h->op == WIRE_READ && in->at[0] == 1) {
		l->set.ndropped = 0;
		leave_out(l, 0);
		leave_out(l, 1);
	}
	i.set = &l->set;
	liar_begin(&l->out, h, &i);
	liar_state(&l->out, &i);
	if (h->op == WIRE_READ)
		wire_put_sample(&l->out, l->sample, l->set.len);
	liar_send(fd, &l->out, h);
}

static void
lie(int fd)
{
	static struct liar l;

	l.s = liar_open(&l.sample);
	liar_serve(fd, answer, &l);
}

UNIT(what_is_left_out_travels)
{
	struct source_options o = { .sim = "m1" };
	struct eventset set;
	struct sample *sample;
	struct err e;
	pid_t pid = far_fork(&o.server);

	if (pid == 0)
		lie(o.server);
	struct source *s = remote_open(&o, NULL, &e);

	assert_non_null(s);
	sample = sample_new(s->info.topology->ncpus, &e);
	assert_true(preset_derive(&preset_table[0], s->info.catalog,
				  DOMAIN_NONE, &set, &e));
	set.ndropped = 1; /* of this side: before it was asked for */
	set.dropped[0].event = "MINE";
	strcpy(set.dropped[0].why, "no room");
	assert_true(s->ops->program(s, &set, &e));
	assert_int_equal(s->info.set->ndropped, 2);
	assert_string_equal(s->info.set->dropped[0].event, "MINE");
	assert_string_equal(s->info.set->dropped[1].event,
			    set.slot[0].event->name);
	assert_string_equal(s->info.set->dropped[1].why, "refused");
	assert_int_equal(s->ops->read(s, sample, &e), SOURCE_OK);
	assert_int_equal(s->info.set->ndropped, 2);
	/* The server hears of it, and its list of now replaces the one before.
	 */
	s->recording = true;
	assert_int_equal(s->ops->read(s, sample, &e), SOURCE_OK);
	assert_int_equal(s->info.set->ndropped, 3);
	assert_string_equal(s->info.set->dropped[2].event,
			    set.slot[1].event->name);
	assert_string_equal(s->info.set->dropped[2].why, "held");
	assert_ptr_equal(sample->set, s->info.set);
	s->ops->close(s);
	sample_free(sample);
	(void)close(o.server);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static const struct event one = { .name = "ONE" };
static const struct catalog catalog = { .event = &one, .len = 1 };

/* A state whose list of n left-out events is as a server would write it. */
static bool
taken(uint32_t n, uint32_t event, const char *why, struct eventset *set)
{
	static const struct eventset none;
	struct source_info info = { .set = &none, .catalog = &catalog };
	struct wire_clock clock = { 0, { 0, 0, 0 } };
	struct wire_out w = { .at = NULL };
	char text[sizeof(set->dropped[0].why)];

	wire_put_state(&w, &info, &clock);
	w.len -= sizeof n; /* its count of 0 */
	wire_put(&w, &n, sizeof n);
	memset(text, 'x', sizeof text);
	memcpy(text, why, strlen(why) < sizeof text ? strlen(why) + 1 : 0);
	for (uint32_t i = 0; i < n; i++) {
		wire_put(&w, &event, sizeof event);
		wire_put(&w, text, sizeof text);
	}
	struct wire_in in = { .at = w.at, .left = w.len };

	wire_get_state(&in, &info, set, &clock);
	free(w.at);
	return wire_done(&in);
}

UNIT(nonsense_is_not_taken)
{
	struct eventset set;
	char lengthy[200] = "";

	memset(lengthy, 'x', sizeof(set.dropped[0].why));
	assert_true(taken(EVENTSET_MAX, 0, "why", &set));
	assert_int_equal(set.ndropped, EVENTSET_MAX);
	assert_string_equal(set.dropped[EVENTSET_MAX - 1].event, one.name);
	assert_string_equal(set.dropped[0].why, "why");
	assert_false(taken(EVENTSET_MAX + 1, 0, "why", &set));
	assert_false(taken(1, 1, "why", &set));
	assert_int_equal(set.ndropped, 0);
	assert_false(taken(1, 0, lengthy, &set));
}
