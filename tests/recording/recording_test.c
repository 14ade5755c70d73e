/* The reader of recordings: fields, lines, frames, the index. */
#include "recording/index.h"
#include "recording/inner.h"

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD                                                              \
	"schema,row,run,frame,time,elapsed_s,interval_s,event_s,cluster," \
	"kind,level,cpu,preset,domain,quality,note,busy_pct,cycles,"      \
	"instructions,e1,c1,ipc\n"

static bool
count(const char *s, uint64_t *out)
{
	return recording_parse_count(s, strlen(s), out);
}

static bool
seconds(const char *s, int64_t *ns)
{
	return recording_parse_seconds(s, strlen(s), ns);
}

UNIT(counts_are_whole_and_exact)
{
	uint64_t v;

	assert_true(count("0", &v) && v == 0);
	assert_true(count("18446744073709551615", &v) && v == UINT64_MAX);
	assert_true(count("000000000000000000000012", &v) && v == 12);
	assert_true(count("123.0", &v) && v == 123);
	assert_true(count("123.", &v) && v == 123);
	assert_false(count("18446744073709551616", &v));
	assert_false(count("99999999999999999999", &v));
	assert_false(count("", &v));
	assert_false(count("-1", &v));
	assert_false(count("+1", &v));
	assert_false(count("1.5", &v));
	assert_false(count("1e3", &v));
	assert_false(count("0x10", &v));
	assert_false(recording_parse_count("1\0", 2, &v));
}

/* Eight digits are read at once: every length, every byte at every place. */
UNIT(digits_of_every_length)
{
	char s[24];

	for (size_t n = 1; n <= 20; n++)
		for (uint64_t k = 0; k < 50; k++) {
			uint64_t v, want = k * UINT64_C(364439082711583619);
			int len = snprintf(s, sizeof s, "%0*llu", (int)n,
					   (unsigned long long)want);

			assert_true(len >= (int)n && count(s, &v) && v == want);
		}
	for (unsigned at = 0; at < 8; at++)
		for (unsigned c = 0; c < 256; c++) {
			uint64_t v = 0, want = 123456789;
			uint64_t ten = 100000000;

			memcpy(s, "123456789", 10);
			s[at] = (char)c;
			for (unsigned i = 0; i < at; i++)
				ten /= 10;
			want += ((uint64_t)c - '1' - at) * ten;
			bool digit = c >= '0' && c <= '9';

			if (c == '.') /* only zeros may follow */
				continue;
			assert_int_equal(recording_parse_count(s, 9, &v),
					 digit);
			assert_true(!digit || v == want);
		}
}

UNIT(seconds_are_nanoseconds)
{
	int64_t ns;

	assert_true(seconds("1", &ns) && ns == 1000000000);
	assert_true(seconds("0.000000001", &ns) && ns == 1);
	assert_true(seconds("12.034", &ns) && ns == 12034000000);
	assert_true(seconds("1.1234567899", &ns) && ns == 1123456789);
	assert_true(seconds("1e-09", &ns) && ns == 1);
	assert_false(seconds("-1", &ns));
	assert_false(seconds("nan", &ns));
	assert_false(seconds("inf", &ns));
	assert_false(seconds("1s", &ns));
	assert_false(seconds("99999999999", &ns));
}

UNIT(reals_are_rounded_once)
{
	static const char *const text[] = { "0.1",    "37.3737374", "99.5",
					    "1.25e1", "16",         "1e-5" };
	double v;

	for (unsigned i = 0; i < sizeof text / sizeof text[0]; i++) {
		assert_true(recording_parse_real(text[i], strlen(text[i]), &v));
		assert_true(fabs(v - strtod(text[i], NULL)) <= 0);
	}
	assert_false(recording_parse_real("0x1p3", 5, &v));
	assert_false(recording_parse_real("", 0, &v));
	assert_false(recording_parse_real("1e999", 5, &v));
}

UNIT(times_are_utc)
{
	int64_t ns;

	assert_true(recording_parse_time("1970-01-01T00:00:00Z", 20, &ns));
	assert_int_equal(ns, 0);
	/* date -u -d '2024-02-29 12:34:56' +%s */
	assert_true(recording_parse_time("2024-02-29T12:34:56.789Z", 24, &ns));
	assert_int_equal(ns, 1709210096789000000);
	assert_true(
		recording_parse_time("2024-02-29 12:34:56.789+00:00", 29, &ns));
	assert_int_equal(ns, 1709210096789000000);
	static const struct {
		const char *text;
		int minutes; /* behind 2024-02-29T12:34:56.789Z */
	} zones[] = {
		{ "2024-02-29 12:34:56.789+00", 0 },
		{ "2024-02-29 12:34:56.789", 0 },
		{ "2024-02-29 13:34:56.789+01", 0 },
		{ "2024-02-29 18:04:56.789+05:30", 0 },
		{ "2024-02-29T09:04:56.789-0330", 0 },
		{ "2024-02-29T12:34:56.789-08", 480 },
		{ "2024-02-29T12:34:56.789+14:00", -840 },
	};

	for (unsigned i = 0; i < sizeof zones / sizeof zones[0]; i++) {
		assert_true(recording_parse_time(zones[i].text,
						 strlen(zones[i].text), &ns));
		assert_true(ns ==
			    INT64_C(1709210096789000000) +
				    zones[i].minutes * INT64_C(60000000000));
	}
	static const char *const none[] = {
		"2024-02-29 12:34:56+",      "2024-02-29 12:34:56+1",
		"2024-02-29 12:34:56+1:30",  "2024-02-29 12:34:56+01:3",
		"2024-02-29 12:34:56+01:60", "2024-02-29 12:34:56+01-30",
		"2024-02-29 12:34:56+19",    "2024-02-29 12:34:56+00Z",
		"2024-02-29 12:34:56Z+00",   "1970-01-01 00:30:00+01",
	};

	for (unsigned i = 0; i < sizeof none / sizeof none[0]; i++)
		assert_false(
			recording_parse_time(none[i], strlen(none[i]), &ns));
	/* Later than there are nanoseconds: the latest, and not 1970. */
	assert_true(recording_parse_time("9999-12-31T23:59:59Z", 20, &ns));
	assert_true(ns == INT64_MAX);
	assert_true(clock_ns(253402300799, 5) == INT64_MAX);
	assert_true(clock_ns(9223372035, 5) == 9223372035000000005);
	assert_true(clock_ns(9223372036, 999999999) == INT64_MAX);
	assert_false(recording_parse_time("2024-13-01T00:00:00Z", 20, &ns));
	assert_false(recording_parse_time("2024-01-01T24:00:00Z", 20, &ns));
	assert_false(recording_parse_time("2024-01-01T00:00:00X", 20, &ns));
	assert_false(recording_parse_time("2024-01-01", 10, &ns));
}

/* ---- whole files ---- */

struct file {
	char path[64];
	const char *list[1];
};

static void
put(struct file *f, const char *text)
{
	(void)snprintf(f->path, sizeof f->path, "/tmp/ktop-rec-XXXXXX");
	int fd = mkstemp(f->path);
	FILE *out = fdopen(fd, "w");

	assert_non_null(out);
	assert_int_equal(fwrite(text, 1, strlen(text), out), strlen(text));
	assert_int_equal(fclose(out), 0);
	f->list[0] = f->path;
}

static void
row(char *text, size_t size, unsigned frame, unsigned cpu, const char *more)
{
	size_t at = strlen(text);

	(void)snprintf(text + at, size - at,
		       "ktop/1,core,r1,%u,2026-01-01T00:00:%02uZ,%u,1,1,P,"
		       "Performance,0,%u,mine,user,%s,,50,%u,%u,INST_ALL,%u,\n",
		       frame, frame % 60, frame + 1, cpu, more,
		       1000 * frame + cpu, frame + 7, frame);
}

UNIT(frames_are_gathered)
{
	char text[8192] = HEAD;
	const struct recording_frame *f;
	struct file file;
	struct err e = { ERR_NONE, "" };

	for (unsigned i = 0; i < 6; i++)
		row(text, sizeof text, i / 2, i % 2, i == 3 ? "late" : "");
	put(&file, text);
	struct recording *r = recording_open(file.list, 1, &e);

	if (r == NULL)
		fail_msg("%s", e.text);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(recording_next(r, &f, &e), RECORDING_FRAME);
		assert_int_equal(f->number, i);
		assert_int_equal(f->ncpus, 2);
		assert_int_equal(f->elapsed_ns, (i + 1) * 1000000000ll);
		assert_string_equal(f->preset, "mine");
		assert_int_equal(f->domain, DOMAIN_USER);
		assert_string_equal(recording_name(r, f->slot[0]), "INST_ALL");
		assert_int_equal(f->cpu[1].counts.cycles, 1000 * i + 1);
		assert_int_equal(f->cpu[1].counts.slot[0], i);
		assert_int_equal(f->cpu[1].counts.quality,
				 i == 1 ? QUALITY_LATE : 0);
		assert_int_equal(f->cpu[0].counts.quality, 0);
	}
	assert_int_equal(recording_next(r, &f, &e), RECORDING_END);
	assert_int_equal(recording_next(r, &f, &e), RECORDING_END);
	assert_string_equal(recording_notice(r), "");
	recording_close(r);
	assert_int_equal(unlink(file.path), 0);
}

/* A second copy is damage; other frames of the run, and other runs, are not. */
UNIT(frames_are_taken_once)
{
	char one[4096] = HEAD, two[4096] = HEAD;
	const struct recording_frame *f;
	struct file first, second;
	struct err e = { ERR_NONE, "" };

	for (unsigned i = 0; i < 4; i++) {
		row(one, sizeof one, i, 0, "");
		row(two, sizeof two, i + 4, 0, "");
	}
	put(&first, one);
	put(&second, two);
	const char *segments[] = { first.path, second.path };
	const char *copies[] = { first.path, second.path, second.path };
	struct recording *r = recording_open(segments, 2, &e);

	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(recording_next(r, &f, &e), RECORDING_FRAME);
	struct recording_place last = f->place;

	assert_int_equal(recording_next(r, &f, &e), RECORDING_END);
	assert_true(recording_seek(r, &last, &e));
	assert_int_equal(recording_next(r, &f, &e), RECORDING_FRAME);
	recording_close(r);
	r = recording_open(copies, 3, &e);
	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(recording_next(r, &f, &e), RECORDING_FRAME);
	assert_int_equal(recording_next(r, &f, &e), RECORDING_BAD);
	assert_non_null(
		strstr(e.text, ":2: sample 4 of run r1 is repeated after"));
	recording_close(r);
	assert_int_equal(unlink(first.path), 0);
	assert_int_equal(unlink(second.path), 0);
}

UNIT(quoted_text_may_have_lines)
{
	static const char text[] =
		HEAD "ktop/1,core,r1,0,2026-01-01T00:00:01Z,1,1,1,P,\"Perf,\n"
		     "orm\"\"ance\",0,0,,,,,50,10,20,,,\r\n"
		     "\r\n"
		     "\"ktop/1\",core,r1,1,2026-01-01T00:00:02Z,2,1,1,P,\"Perf,"
		     "\nx\",0,0,,,,,50,10,x,,,\r\n";
	const struct recording_frame *f;
	struct file file;
	struct err e = { ERR_NONE, "" };

	put(&file, text);
	struct recording *r = recording_open(file.list, 1, &e);

	assert_non_null(r);
	/* The row after a frame is looked at before the frame is given. */
	assert_int_equal(recording_next(r, &f, &e), RECORDING_BAD);
	assert_int_equal(e.code, ERR_FORMAT);
	assert_non_null(strstr(e.text, ":5: column 19 (instructions): 'x'"));
	recording_close(r);
	assert_int_equal(unlink(file.path), 0);
}

/* As other programs write rows: every field in quotes, or lines ended by CR LF.
 */
static void
rewrite(char *out, const char *text, const char *quote, const char *end)
{
	*out = '\0';
	for (const char *s = text; *s != '\0';) {
		size_t n = strcspn(s, ",\n");

		out += sprintf(out, "%s%.*s%s%s", quote, (int)n, s, quote,
			       s[n] == ',' ? "," : end);
		s += n + 1;
	}
}

/* How many frames of two CPUs are given; their counts are those written. */
static unsigned
whole_frames(const char *text)
{
	const struct recording_frame *f;
	enum recording_status s = RECORDING_END;
	struct file file;
	struct err e = { ERR_NONE, "" };
	unsigned n = 0;

	put(&file, text);
	struct recording *r = recording_open(file.list, 1, &e);

	if (r == NULL)
		fail_msg("%s", e.text);
	while ((s = recording_next(r, &f, &e)) == RECORDING_FRAME) {
		assert_int_equal(f->number, n);
		assert_int_equal(f->ncpus, 2);
		for (unsigned i = 0; i < 2; i++) {
			assert_true(span_had_fixed(&f->cpu[i].counts));
			assert_int_equal(f->cpu[i].counts.cycles, 1000 * n + i);
			assert_int_equal(f->cpu[i].counts.instructions, n + 7);
			assert_int_equal(f->cpu[i].counts.slot[0], n);
		}
		n++;
	}
	if (s != RECORDING_END)
		fail_msg("%s\n%s", e.text, text);
	recording_close(r);
	assert_int_equal(unlink(file.path), 0);
	return n;
}

/* Cut anywhere behind the first frame: no torn row, no frame that lacks one. */
UNIT(a_cut_file_gives_its_whole_frames)
{
	static const struct {
		const char *quote, *end;
	} form[] = { { "", "\n" }, { "\"", "\n" }, { "\"", "\r\n" } };
	enum { FRAMES = 3 };
	char text[4096] = HEAD, all[8192], part[8192];

	for (unsigned i = 0; i < 2 * FRAMES; i++)
		row(text, sizeof text, i / 2, i % 2, "");
	for (unsigned k = 0; k < sizeof form / sizeof *form; k++) {
		rewrite(all, text, form[k].quote, form[k].end);
		assert_int_equal(whole_frames(all), FRAMES);
		size_t n = 0, rows = 2;

		for (unsigned line = 0; line < 3; line++)
			n += strcspn(all + n, "\n") + 1;
		for (; all[n] != '\0'; rows += all[n++] == '\n') {
			(void)snprintf(part, sizeof part, "%.*s", (int)n, all);
			unsigned got = whole_frames(part);

			/* The last row may be whole without its end; a torn one
			   behind the first frame may be of that, too. */
			assert_true(got <= (rows + 1) / 2);
			assert_true(got >= rows / 2 || (rows == 2 && got == 0));
			assert_true(part[n - 1] != '\n' || got == rows / 2);
		}
		assert_int_equal(rows, 2 * FRAMES);
	}
}

/* Each is told with its place, and may be left out. */
UNIT(damage_is_told_and_left_out)
{
	static const struct {
		char from, to; /* of a row, its last */
		const char *why;
	} damage[] = { { '7', '"', "" },
		       { '7', '\r', "" },
		       { '7', 'x', "column 19 (instructions)" },
		       { ',', ' ', "is missing" },
		       { '\n', ',', "is more" } };
	const struct recording_frame *f;

	for (unsigned i = 0; i < sizeof damage / sizeof *damage; i++) {
		char text[4096] = HEAD;
		struct file file;
		struct err e = { ERR_NONE, "" };

		row(text, sizeof text, 0, 0, "");
		row(text, sizeof text, 1, 0, "");
		if (damage[i].from == '\n')
			(void)strcpy(strrchr(text, '\n'), ",\n");
		else
			*strrchr(text, damage[i].from == '7' ? '8' : ',') =
				damage[i].to;
		row(text, sizeof text, 2, 0, "");
		put(&file, text);
		for (unsigned skip = 0; skip < 2; skip++) {
			struct recording *r = recording_open(file.list, 1, &e);

			assert_non_null(r);
			if (skip)
				recording_skip_damaged(r);
			assert_int_equal(recording_next(r, &f, &e),
					 skip ? RECORDING_FRAME
					      : RECORDING_BAD);
			if (!skip && (strstr(e.text, ":3: ") == NULL ||
				      strstr(e.text, damage[i].why) == NULL))
				fail_msg("%s", e.text);
			if (skip) {
				assert_int_equal(f->number, 0);
				assert_int_equal(recording_next(r, &f, &e),
						 RECORDING_FRAME);
				assert_int_equal(f->number, 2);
				assert_non_null(
					strstr(recording_notice(r), ":3: "));
			}
			recording_close(r);
		}
		assert_int_equal(unlink(file.path), 0);
	}
}

/* The index, over more frames than it has places. */

enum { MANY = 3 * INDEX_PLACES + 17 };

/* A hundred were lost. */
static unsigned
number_of(unsigned frame)
{
	return frame < 20000 ? frame : frame + 100;
}

static void
write_many(struct file *file)
{
	put(file, HEAD);
	FILE *out = fopen(file->path, "a");

	assert_non_null(out);
	for (unsigned i = 0; i < MANY; i++) {
		char text[256] = "";

		row(text, sizeof text, number_of(i), 0,
		    i == 40000 ? "stolen" : "");
		(void)fputs(text, out);
	}
	assert_int_equal(fclose(out), 0);
}

static void
told(void *arg, uint64_t done, uint64_t all)
{
	assert_true(done > 0 && done <= all);
	++*(unsigned *)arg;
}

UNIT(index_finds_every_frame)
{
	const struct recording_frame *f;
	struct file file;
	struct err e = { ERR_NONE, "" };
	unsigned tells = 0;

	write_many(&file);
	struct recording *r = recording_open(file.list, 1, &e);

	assert_non_null(r);
	recording_set_progress(r, told, &tells);
	struct recording_index *x = recording_index_new(r, NULL, &e);

	assert_non_null(x);
	assert_true(tells > 0);
	recording_set_progress(r, NULL, NULL);
	assert_int_equal(x->frames, MANY);
	assert_int_equal(x->stride, 4);
	assert_true(x->nplaces <= INDEX_PLACES);
	for (uint64_t i = 0; i < MANY; i += 1237) {
		assert_true(recording_index_seek(x, r, MANY - 1 - i, &e));
		assert_int_equal(recording_next(r, &f, &e), RECORDING_FRAME);
		assert_int_equal(f->number, number_of(MANY - 1 - (unsigned)i));
		assert_int_equal(f->place.line, MANY - i + 1);
	}
	assert_true(recording_index_seek(x, r, MANY + 5, &e));
	assert_int_equal(recording_next(r, &f, &e), RECORDING_FRAME);
	assert_int_equal(f->number, number_of(MANY - 1));
	for (unsigned i = 0; i < MANY; i += 1237)
		assert_int_equal(recording_index_numbered(x, 7, number_of(i)),
				 i);
	assert_in_range(recording_index_numbered(x, 0, 20050), 19996, 19999);
	assert_int_equal(recording_index_numbered(x, 0, UINT64_MAX), MANY - 1);
	assert_int_equal(recording_index_last_number(x, 0),
			 number_of(MANY - 1));
	assert_int_equal(recording_index_next(x, 5)->frame, 40000);
	assert_null(recording_index_next(x, 40000));
	assert_null(recording_index_before(x, 40000));
	assert_int_equal(recording_index_before(x, 40001)->frame, 40000);
	assert_true(recording_index_at(x, 1000 * 1000000000ll) <= 999);
	assert_true(recording_index_at(x, 1000 * 1000000000ll) > 999 - 4);
	recording_index_free(x);
	recording_close(r);
	assert_int_equal(unlink(file.path), 0);
}
