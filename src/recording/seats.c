/*
 * Columns from package to note say where a CPU sits and what is special about
 * its row: the same text in frame after frame. It is compared as a whole, and
 * taken apart only when it is another.
 */
#include "recording/row.h"

#include <stdlib.h>
#include <string.h>

enum { SEATS = 1024, SEAT_TEXT = 112 };

struct seat {
	uint8_t len, cluster_len, kind_len, preset_len;
	bool has_cpu;
	uint8_t access;
	uint32_t flags, quality;
	enum domain domain;
	int package, die, level, core, cpu;
	char cluster[TOPOLOGY_LABEL_SIZE], kind[TOPOLOGY_NAME_SIZE];
	char preset[sizeof((struct row *)0)->preset];
	char text[SEAT_TEXT]; /* [len], to the comma behind the note */
};

struct seats {
	unsigned first, until; /* the columns */
	unsigned n, next;      /* next: what the next row most likely is */
	struct seat seat[SEATS];
};

static bool
of_seat(unsigned id)
{
	return (id > COLUMN_CHIP && id < COLUMN_BUSY_PCT) ||
	       id == COLUMN_METRICS;
}

bool
seats_init(struct row_reader *r)
{
	if (r->seats == NULL)
		r->seats = malloc(sizeof *r->seats);
	return r->seats != NULL;
}

void
seats_columns(struct row_reader *r)
{
	struct seats *x = r->seats;
	bool note = false;

	x->n = x->next = 0;
	x->first = x->until = r->alike.most;
	while (x->until < r->ncolumns && of_seat(r->field[x->until]) && !note)
		note = r->field[x->until++] == COLUMN_NOTE;
	if (!note) /* of other programs: read as it comes */
		x->until = x->first;
}

static void
put(char *to, const char *from, size_t len)
{
	memcpy(to, from, len + 1);
}

/* As the fields would have left the row. */
static void
take_seat(struct row_reader *r, const struct seat *s)
{
	struct row *row = &r->row;
	struct recording_cpu *at = &row->at;

	at->package = s->package;
	at->die = s->die;
	at->level = s->level;
	at->core = s->core;
	at->cpu = s->cpu;
	put(at->cluster, s->cluster, s->cluster_len);
	put(at->kind, s->kind, s->kind_len);
	put(row->preset, s->preset, s->preset_len);
	row->has_cpu = s->has_cpu;
	row->domain = s->domain;
	row->flags = s->flags;
	row->access = s->access;
	at->counts.quality = s->quality;
	r->quality.good = false; /* it is of another row */
	row->note[0] = '\0';
}

static bool
is_seat(const struct seat *s, const char *at, const char *end)
{
	return end - at >= s->len && memcmp(s->text, at, s->len) == 0;
}

const char *
seats_skip(struct row_reader *r, const char *at, const char *end)
{
	struct seats *x = r->seats;
	unsigned i = x->next < x->n ? x->next : 0;

	if (r->column != x->first || x->until == x->first ||
	    r->row.type != ROW_IS_CORE || r->bad != NULL || x->n == 0)
		return at;
	if (!is_seat(&x->seat[i], at, end))
		i = 0; /* perhaps a frame begins */
	if (!is_seat(&x->seat[i], at, end))
		return at;
	x->next = i + 1;
	take_seat(r, &x->seat[i]);
	r->column = x->until;
	return at + x->seat[i].len;
}

unsigned
seats_until(const struct row_reader *r)
{
	return r->seats->until;
}

void
seats_keep(struct row_reader *r, const char *from, const char *to)
{
	struct seats *x = r->seats;
	const struct row *row = &r->row;
	const struct recording_cpu *at = &row->at;

	if (row->type != ROW_IS_CORE || r->bad != NULL ||
	    to - from > SEAT_TEXT || row->note[0] != '\0' ||
	    x->until == x->first)
		return;
	unsigned i = x->next < SEATS ? x->next : 0;
	struct seat *s = &x->seat[i];

	*s = (struct seat){ .len = (uint8_t)(to - from),
			    .cluster_len = (uint8_t)strlen(at->cluster),
			    .kind_len = (uint8_t)strlen(at->kind),
			    .preset_len = (uint8_t)strlen(row->preset),
			    .has_cpu = row->has_cpu,
			    .access = row->access,
			    .flags = row->flags,
			    .quality = at->counts.quality,
			    .domain = row->domain,
			    .package = at->package,
			    .die = at->die,
			    .level = at->level,
			    .core = at->core,
			    .cpu = at->cpu };
	put(s->cluster, at->cluster, s->cluster_len);
	put(s->kind, at->kind, s->kind_len);
	put(s->preset, row->preset, s->preset_len);
	memcpy(s->text, from, s->len);
	x->n = x->n > i ? x->n : i + 1;
	x->next = i + 1;
}
