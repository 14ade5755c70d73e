/*
 * A Linux machine over a long time with trouble drawn from a seed: CPUs that go
 * and come, files that run out, rights that come and go, events that are
 * refused, other profilers, sleep, reads that fail, swaps. Every count of every
 * frame is held against what the kernel counted: never more, and exactly that
 * where nothing was amiss.
 *
 * KTOP_SOAK_TICKS: readings of each machine (3000); KTOP_SOAK_SEED.
 */
#include "source/perf_trouble.h"

enum {
	BACK_S = 45,  /* after a trouble: the longest wait for a new open */
	GROWN_S = 700 /* ... and of a slot that was left out */
};

/* A slot's count in a millisecond; 0: this CPU cannot count it. */
static uint64_t
slot_rate(unsigned i, unsigned slot)
{
	const struct perf_source *p = perf();
	const struct topology_cpu *c = &p->topology->cpu[i];
	const struct perf_event_code *k = perf_catalog_code(
		&p->catalog, p->set.slot[slot].event, c->kind);
	const struct perf_code *cycles = &p->catalog.kind[c->kind].cycles;
	uint64_t n;

	if (!k->known)
		return 0;
	if (k->how == LINUX_CYCLES_TIMES || k->how == LINUX_NOTHING)
		return k->factor * rate(c->id, cycles->type, cycles->config);
	n = rate(c->id, k->code.type, k->code.config);
	if (k->summed)
		n += rate(c->id, k->more.type, k->more.config);
	return k->factor != 0 ? n * k->factor : n;
}

static void
wrong(unsigned i, const char *what, double is, double truth)
{
	const struct span *t = &soak.r.frame->span[i];

	for (unsigned n = 0; n < TROUBLES; n++)
		if (soak.trouble[n].on)
			print_message("trouble %d on CPU %d, share %u\n",
				      (int)soak.trouble[n].kind,
				      soak.trouble[n].cpu,
				      soak.trouble[n].share);
	fail_msg("frame %" PRIu64 " at %.3f s, row %u (CPU %d): %s is %.17g, "
		 "the kernel counted %.17g; interval %.3f, event %.3f, "
		 "coverage %g, quality %#x, untouched since %.3f s",
		 soak.r.frame->seq, (double)soak.r.f->now_ns * 1e-9, i,
		 perf()->topology->cpu[i].id, what, is, truth,
		 span_interval_s(t), span_event_s(t), span_coverage(t),
		 t->quality, (double)soak.touched_ns[i] * 1e-9);
}

static void
check_count(unsigned i, const char *what, uint64_t is, uint64_t a_ms,
	    double seconds, bool exact)
{
	double truth = (double)a_ms * seconds * 1e3;

	if ((exact && fabs((double)is - truth) > 0.5) ||
	    (double)is > truth * (1 + 1e-9) + 0.5)
		wrong(i, what, (double)is, truth);
}

static void
check_row(unsigned i)
{
	const struct perf_source *p = perf();
	const struct span *t = &soak.r.frame->span[i];
	const struct topology_cpu *c = &p->topology->cpu[i];
	const struct perf_kind *k = &p->catalog.kind[c->kind];
	int64_t now = soak.r.f->now_ns;
	int64_t since = soak.touched_ns[c->id] > soak.all_touched_ns
				? soak.touched_ns[c->id]
				: soak.all_touched_ns;
	bool calm = now - since > BACK_S * SECOND;
	bool whole = calm && (t->quality & QUALITY_MUX) == 0;

	soak.rows++;
	if (!span_has_fixed(t)) {
		if (calm && trouble_of(OFF, c->id) == NULL && p->counts &&
		    !p->lazy)
			wrong(i, "a row without a reason", 0, 1);
		return;
	}
	soak.known_rows++;
	soak.exact_rows += whole;
	if (calm && !whole)
		wrong(i, "shared counters", span_coverage(t), 1);
	check_count(i, "cycles", t->cycles,
		    rate(c->id, k->cycles.type, k->cycles.config),
		    span_interval_s(t), whole);
	check_count(i, "instructions", t->instructions,
		    rate(c->id, k->instructions.type, k->instructions.config),
		    span_interval_s(t), whole);
	for (unsigned n = 0; n < p->set.len; n++) {
		if (!span_has_slot(t, n)) {
			/* What a PMU does not have is not asked for again. */
			if (slot_rate(i, n) != 0 && !soak.released &&
			    p->cpu[i].group.refused[GROUP_SLOT + n] == 0 &&
			    now - since > GROWN_S * SECOND &&
			    now - soak.shared_ns > GROWN_S * SECOND)
				wrong(i, p->set.slot[n].event->name, 0, 1);
			continue;
		}
		soak.exact_slots += whole;
		check_count(i, p->set.slot[n].event->name, t->slot[n],
			    slot_rate(i, n), span_event_s(t), whole);
	}
}

static void
check_frame(void)
{
	const struct frame *f = soak.r.frame;
	const struct span *all = &f->span[frame_scope_all(f)];
	uint64_t cycles = 0;
	unsigned n = 0;

	soak.frames++;
	for (unsigned i = 0; i < f->topology->ncpus; i++) {
		check_row(i);
		cycles += span_has_fixed(&f->span[i]) ? f->span[i].cycles : 0;
		n += span_has_fixed(&f->span[i]);
	}
	assert_int_equal(all->n_ok, n);
	if (n > 0)
		assert_int_equal(all->cycles, cycles);
	for (unsigned s = 0; s < f->nscopes; s++)
		for (unsigned m = 0; m < f->nmetrics; m++) {
			double v = frame_value(f, s, m);
			enum value_state state = frame_state(f, s, m);
			bool shown = state == VALUE_OK || state == VALUE_FEW;

			if ((state == VALUE_OK && !isfinite(v)) ||
			    (!shown && !isnan(v)) || (isfinite(v) && v < 0))
				fail_msg("frame %" PRIu64
					 " row %u %s: %g in state %d",
					 f->seq, s, metric_table[m].name, v,
					 (int)state);
		}
}

static void
read_frame(void)
{
	if (rig_read(&soak.r) != NULL)
		check_frame();
}

/* As the app does it: the frame so far is finished first. */
static void
swap(void)
{
	const struct source_info *info = &soak.r.s->info;
	const struct preset *p = &preset_table[roll(preset_count)];
	struct eventset set;
	bool counted = info->set->len > 0, ok;
	struct err e;

	pass(2);
	read_frame();
	pass(1); /* no two readings are of one moment */
	if (roll(6) == 0) {
		soak.released = true;
		ok = soak.r.s->ops->program(soak.r.s, NULL, &e);
	} else {
		if (!preset_derive(p, info->catalog, info->domain, &set, &e))
			return;
		ok = soak.r.s->ops->program(soak.r.s, &set, &e);
		soak.released = soak.released && !ok;
	}
	if (ok || counted)
		assert_null(rig_read(&soak.r));
	soak.all_touched_ns = soak.r.f->now_ns;
}

/* The machine is read again: another source in this one's place. */
static void
renew(void)
{
	struct monitor_options mo = { .period_ns = SECOND };
	struct source *s;
	struct err e;

	s = soak.r.s->ops->renew(soak.r.s, &soak.r.o, &e);
	if (s == NULL)
		return;
	soak.r.s = s;
	monitor_free(soak.r.m);
	sample_free(soak.r.sample);
	soak.r.sample = sample_new(s->info.topology->ncpus, &e);
	mo.catalog = s->info.catalog;
	soak.r.m = monitor_new(s->info.topology, &mo, &e);
	soak.released = true;
	soak.all_touched_ns = soak.r.f->now_ns;
	(void)rig_read(&soak.r);
}

static void
one_tick(void)
{
	int64_t ms = roll(50) == 0 ? (int64_t)roll(5000) + 1 : 1000;

	trouble_goes_on();
	if (roll(200) == 0)
		soak.r.f->slept_ns += (int64_t)roll(100000) * SECOND;
	pass(ms);
	for (unsigned i = 0; i < TROUBLES; i++)
		if (soak.trouble[i].on)
			touch(&soak.trouble[i]);
	read_frame();
	if (roll(300) == 0)
		swap();
	if (soak.r.s->info.outdated)
		renew();
}

static void
run(const char *machine, bool lazy)
{
	const char *ticks = getenv("KTOP_SOAK_TICKS");
	const char *seed = getenv("KTOP_SOAK_SEED");
	long n = ticks != NULL ? strtol(ticks, NULL, 10) : 3000;

	memset(&soak, 0, sizeof(soak));
	soak.dice = seed != NULL ? strtoull(seed, NULL, 10) : 1;
	rig_prepare(&soak.r, machine);
	soak.r.f->refuse = refuse;
	soak.r.f->on_read = on_read;
	soak.r.o.lazy = lazy;
	rig_open(&soak.r);
	assert_true(rig_program(&soak.r, "basic"));
	soak.next_ns = soak.r.f->now_ns + 60 * SECOND;
	while (n-- > 0)
		one_tick();
	print_message("%s: %" PRIu64 " frames, %" PRIu64 " troubles, %" PRIu64
		      " of %" PRIu64 " rows known, %" PRIu64 " exact, %" PRIu64
		      " slots exact\n",
		      machine, soak.frames, soak.drawn, soak.known_rows,
		      soak.rows, soak.exact_rows, soak.exact_slots);
	assert_true(soak.exact_rows > soak.rows / 10);
	rig_close(&soak.r);
}

UNIT(big_and_little)
{
	run("rk3588", false);
}

UNIT(hybrid)
{
	run("alderlake-12900k", false);
}

UNIT(apple)
{
	run("asahi-m1", true);
}
