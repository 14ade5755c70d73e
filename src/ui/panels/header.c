#include "ui/panels/inner.h"

#include <string.h>
#include <time.h>

/* Adds the kinds, such as "4E+8P", in the order of their first CPUs. */
static void
add_kinds(struct line *l, const struct topology *t)
{
	uint64_t seen = 0;
	bool first = true;

	for (unsigned i = 0; i < t->ncpus; i++) {
		unsigned kind = t->cpu[i].kind;

		if (kind >= 64 || (seen >> kind & 1) != 0)
			continue;
		seen |= 1ull << kind;
		if (!first)
			line_add(l, false, 6, 0, ROLE_BAR_DIM, "+");
		line_add(l, false, 6, first ? 2 : 0, view_kind_role(kind),
			 PRINTED("%u%s", t->kind[kind].ncpus,
				 t->kind[kind].letter[0] != 0
					 ? t->kind[kind].letter
				 : t->ncpus == 1 ? " CPU"
						 : " CPUs"));
		first = false;
	}
}

static void
add_interval(struct line *l, const struct ui_status *s, int gap)
{
	bool short_one = s->period_ns < 1000000000 && s->period_ns > 0;

	line_add(l, true, 4, gap, ROLE_BAR,
		 short_one ? PRINTED("%d ms", (int)(s->period_ns / 1000000))
			   : PRINTED("%s s",
				     FIXED((double)s->period_ns / 1e9, 1)));
}

static void
add_clock(struct line *l, const struct frame *f, int gap)
{
	char text[24];
	time_t when = (time_t)(f->stamp.wall_ns / 1000000000);
	struct tm tm;

	if (localtime_r(&when, &tm) != NULL &&
	    strftime(text, sizeof text, "%H:%M:%S", &tm) > 0)
		line_add(l, true, 7, gap, ROLE_BAR, text);
}

/* Returns the most important abnormal state of the counters; NULL: none. */
static const char *
counters_state_word(const struct view *v, enum role *role)
{
	static const struct {
		uint32_t bit;
		const char *word;
	} row[] = { { QUALITY_TAKEN_OVER, "TAKEN OVER" },
		    { QUALITY_LOST, "LOST" },
		    { QUALITY_STALE, "STALE" },
		    { QUALITY_GAP, "GAP" },
		    { QUALITY_SWAP, "SWAP" },
		    { QUALITY_MUX, "MUX" },
		    { QUALITY_DENIED, "DENIED" },
		    { QUALITY_APPROX, "DOUBT" },
		    { QUALITY_LATE, "LATE" } };
	const struct frame *f = v->f;
	uint32_t all = f->span[frame_scope_all(f)].quality;
	uint32_t q = f->quality | all;

	/* A rotation has its own badge. In a recording, only SWAP of the
	 * machine's row counts. */
	if (v->s->rotating ||
	    (v->s->replay != NULL && (all & QUALITY_SWAP) == 0))
		q &= ~(uint32_t)QUALITY_SWAP;
	/* One CPU with such a quality is enough for a badge. */
	for (unsigned i = 0; i < f->topology->ncpus; i++)
		q |= f->span[i].quality &
		     (QUALITY_STALE | QUALITY_DENIED | QUALITY_APPROX);
	*role = ROLE_BADGE_WARN;
	for (unsigned i = 0; i < sizeof row / sizeof *row; i++)
		if ((q & row[i].bit) != 0) {
			*role = i < 2 ? ROLE_BADGE_BAD : ROLE_BADGE_WARN;
			return row[i].word;
		}
	const struct eventset *set = f->set;
	bool lacks_events =
		set != NULL && set->ndropped > 0 &&
		(preset_find(set->name) < 0 || eventset_uncounted(set) > 0);

	return lacks_events ? "PARTIAL" : NULL;
}

static const char *
no_counters_word(enum err_code why)
{
	return why == ERR_TAKEN    ? "IN USE"
	       : why == ERR_PERM   ? "DENIED"
	       : why == ERR_NO_PMU ? "NO PMU"
				   : "NO DATA";
}

static void
add_badge(struct line *l, int rank, int w, enum role role, const char *text)
{
	line_add(l, true, rank, w >= 40 ? 2 : 0, role, PRINTED(" %s ", text));
}

static void
add_counters_state(struct line *l, const struct view *v, int w)
{
	enum role role = ROLE_BADGE_WARN;
	unsigned ncpus, nok;

	if (v->f == NULL || v->s->mode == UI_MODE_BUSY) {
		add_badge(l, 0, w, role,
			  v->f == NULL ? "WAIT"
				       : no_counters_word(v->s->why_code));
		return;
	}
	const char *word = counters_state_word(v, &role);

	if (word == NULL)
		return;
	ncpus = v->f->topology->ncpus;
	nok = v->f->span[frame_scope_all(v->f)].n_ok;
	add_badge(l, 0, w, role,
		  nok < ncpus && w >= 30 ? PRINTED("%s %u/%u", word, nok, ncpus)
					 : word);
}

static const char *
ago_text(const struct view *v, char to[PRINTED_SIZE])
{
	unsigned t = (unsigned)(v->when.ago_s * 10 + 0.5);
	unsigned s = (unsigned)(v->when.ago_s + 0.5);

	if (v->when.period_s < 1 && v->when.ago_s < 60)
		return buf_printed(to, "-%u:%02u.%u", t / 600, t / 10 % 60,
				   t % 10);
	return s >= 3600 ? buf_printed(to, "-%u:%02u:%02u", s / 3600,
				       s / 60 % 60, s % 60)
			 : buf_printed(to, "-%u:%02u", s / 60, s % 60);
}

static void
add_screen_state(struct line *l, const struct view *v)
{
	const struct ui_status *s = v->s;
	bool plain = !v->when.paused && !s->ended && s->replay == NULL;
	char ago[PRINTED_SIZE];

	if (v->f == NULL)
		return;
	line_add(l, true, 3, 2, plain ? ROLE_BAR : ROLE_WARN,
		 v->when.paused      ? "PAUSED"
		 : s->ended          ? "ENDED"
		 : s->replay != NULL ? "REPLAY"
				     : "live");
	if (v->when.paused && v->when.scrub > 0)
		line_add(l, true, 3, 1, ROLE_WARN, ago_text(v, ago));
	if (v->when.paused && v->when.oldest)
		line_add(l, true, 6, 1, ROLE_WARN, "oldest");
}

static void
add_badges(struct line *l, const struct view *v, int w)
{
	const struct ui_status *s = v->s;
	const char *path = s->record_path != NULL ? s->record_path : "";
	const char *slash = strrchr(path, '/');
	char since[PROCESS_CLOCK_SIZE];

	if (s->simulated)
		line_add(l, true, 0, w >= 40 ? 2 : 1, ROLE_BADGE_SIM,
			 w >= 30 ? " SIM " : "SIM");
	if (s->mode == UI_MODE_IPC)
		add_badge(l, 2, w, ROLE_BADGE_WARN,
			  w >= 100 ? "FIXED COUNTERS ONLY" : "FIXED");
	if (s->rotating)
		add_badge(l, 4, w, ROLE_BADGE_WARN, "ROTATE");
	if (s->recording)
		add_badge(l, 1, w, ROLE_BADGE_WARN,
			  w < 100 || path[0] == 0
				  ? "REC"
				  : PRINTED("REC %s",
					    slash != NULL ? slash + 1 : path));
	add_counters_state(l, v, w);
	if (v->reference.then != NULL)
		add_badge(l, 0, w, ROLE_BADGE_OK,
			  PRINTED(w >= 60 ? "CHANGE SINCE %s" : "SINCE %s",
				  process_clock(
					  since,
					  v->reference.then->stamp.wall_ns)));
}

void
panel_header_draw(struct canvas *c, const struct view *v)
{
	struct line l = { .len = 0 };
	int w = c->window.w, gap = w >= 60 ? 3 : 2;

	c->under = ROLE_BAR;
	canvas_fill(c, (struct rect){ 0, 0, w, 1 }, ROLE_BAR, " ");
	line_add(&l, false, 0, w >= 40 ? 1 : 0, ROLE_STRONG, "ktop");
	line_add(&l, false, 5, 2, ROLE_BAR, v->s->model);
	if (v->f != NULL)
		add_kinds(&l, v->f->topology);
	line_add(&l, false, 9, 2, ROLE_BAR_DIM, v->s->os);
	add_screen_state(&l, v);
	add_interval(&l, v->s, gap);
	if (v->f != NULL)
		add_clock(&l, v->f, gap);
	add_badges(&l, v, w);
	line_fit(&l, w);
	line_draw(&l, c, v, 0, 0);
}
