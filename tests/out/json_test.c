/* A row as an object: what is not a number in a CSV, and the note. */
#include "out/format.h"

#include <cmocka.h>

#include <math.h>

#include "model/quality.h"
#include "out/recording.h"

/* The rows of one frame, an object a line. */
static char *
lines_of(struct frames *f, const char *name)
{
	struct err e = { ERR_NONE, "" };
	struct sink *s = sink_json.open(path(name), &f->about, &e);

	assert_non_null(s);
	assert_true(s->ops->frame(s, &f->frame, &e));
	s->ops->close(s);
	return slurp(name);
}

/* Line `row` up to its end, which is cut off. */
static char *
line(char *text, unsigned row)
{
	for (; row > 0; row--)
		text = strchr(text, '\n') + 1;
	*strchr(text, '\n') = '\0';
	return text;
}

static void
set_state(struct frames *f, unsigned scope, unsigned metric, unsigned state)
{
	f->state[scope * metric_count + metric] = (uint8_t)state;
	f->value[scope * metric_count + metric] = 2.5;
}

/* A total of some kinds only says of which, in the words of the CSV's note. */
UNIT(parts_have_a_note)
{
	struct frames *f = frames_new();
	unsigned l1d = (unsigned)metric_find("l1d_ld_mpki");
	unsigned l1i = (unsigned)metric_find("l1i_mpki");
	unsigned all = frame_scope_all(&f->frame);

	f->about.rows = 1u << SCOPE_CORE | 1u << SCOPE_ALL;
	set_state(f, all, l1d, VALUE_OK | VALUE_PART);
	set_state(f, frame_scope_kind(&f->frame, 0), l1d, VALUE_OK);
	set_state(f, frame_scope_kind(&f->frame, 1), l1d, VALUE_UNSUPPORTED);
	set_state(f, all, l1i, VALUE_FEW | VALUE_PART);
	set_state(f, frame_scope_kind(&f->frame, 0), l1i, VALUE_UNSUPPORTED);
	set_state(f, frame_scope_kind(&f->frame, 1), l1i, VALUE_OK);
	char *text = lines_of(f, "parts");
	unsigned last = lines_in(text) - 1;
	char *machine = line(text, last), *core = line(text, 0);

	assert_non_null(strstr(machine, "\"row\":\"machine\","));
	assert_non_null(strstr(machine, "\"note\":\"Performance only: "
					"l1d_ld_mpki; Efficiency only: "
					"l1i_mpki\","));
	assert_non_null(strstr(machine, "\"l1d_ld_mpki\":2.5,"));
	assert_non_null(strstr(core, "\"note\":null,"));
	free(text);
	frames_free(f);
}

/* What all can count needs none. */
UNIT(wholes_have_none)
{
	struct frames *f = frames_new();

	f->about.rows = 1u << SCOPE_ALL;
	char *text = lines_of(f, "whole");

	assert_non_null(strstr(text, "\"row\":\"machine\","));
	assert_null(strstr(text, "only"));
	assert_non_null(strstr(text, "\"note\":null,"));
	free(text);
	frames_free(f);
}

UNIT(json_escapes_text)
{
	char out[256];
	struct buf b = buf_over(out, sizeof out);

	json_string(&b, "a\"b\\c\x01\xff\xc3\xa9\xe2\x82", 11);
	assert_string_equal(buf_cstr(&b),
			    "\"a\\\"b\\\\c\\u0001\xef\xbf\xbd\xc3\xa9"
			    "\xef\xbf\xbd\xef\xbf\xbd\"");
}

UNIT(nothing_is_null)
{
	struct frames *f = frames_new();
	unsigned ghz = (unsigned)metric_find("ghz");

	f->about.rows = 1u << SCOPE_CORE;
	f->about.model = "a,\"b\"";
	f->frame.seq = UINT64_MAX;
	f->span[0].n_ok = 0;
	f->span[1].quality = QUALITY_IDLE | QUALITY_LATE;
	set_state(f, 1, ghz, VALUE_OK);
	f->value[metric_count + ghz] = INFINITY;
	char *text = lines_of(f, "nothing"), *first = line(text, 0);
	char *second = line(first + strlen(first) + 1, 0);

	assert_int_equal(
		strncmp(first, JSON_LINE_BEGINS, strlen(JSON_LINE_BEGINS)), 0);
	assert_int_equal(first[strlen(first) - 1], '}');
	assert_non_null(strstr(first, "\"sample\":18446744073709551615,"));
	assert_non_null(strstr(first, "\"model\":\"a,\\\"b\\\"\","));
	assert_non_null(strstr(first, "\"n_ok\":null,"));
	assert_non_null(strstr(first, "\"quality\":[],"));
	assert_non_null(strstr(first, "\"cycles\":null,"));
	assert_non_null(strstr(second, "\"quality\":[\"idle\",\"late\"],"));
	assert_non_null(strstr(second, "\"cycles\":2000000000,"));
	assert_non_null(strstr(second, "\"ghz\":null,"));
	free(text);
	frames_free(f);
}

UNITS_IN(make_folder, remove_folder)
