#include "out/sink.h"

#include <cmocka.h>

#include "out/recording.h"

static void
put_bytes(const char *name, const char *text, size_t n)
{
	FILE *fp = fopen(path(name), "a");

	assert_non_null(fp);
	assert_int_equal(fwrite(text, 1, n, fp), n);
	assert_int_equal(fclose(fp), 0);
}

static void
put(const char *name, const char *text)
{
	put_bytes(name, text, strlen(text));
}

static void
record(struct frames *f, const char *name, unsigned n)
{
	struct err e = { ERR_NONE, "" };
	struct sink *s = open_in(f, name);

	for (unsigned i = 0; i < n; i++) {
		f->frame.seq = i;
		assert_true(s->ops->frame(s, &f->frame, &e));
	}
	s->ops->close(s);
}

UNIT(append_goes_on_without_a_second_header)
{
	struct frames *f = frames_new();

	f->about.append = true;
	record(f, "append.csv", 1); /* creates it */
	record(f, "append.csv", 2);
	char *text = slurp("append.csv");

	assert_int_equal(lines_in(text), 1 + 3 * FRAMES_CPUS);
	assert_null(strstr(text + 1, "schema,"));
	assert_string_equal(at(text, 9, "sample"), "0");
	free(text);
	frames_free(f);
}

UNIT(append_refuses_another_header)
{
	struct frames *f = frames_new();
	struct err e = { ERR_NONE, "" };

	put("other.csv", "name,value\n1,2\n");
	f->about.append = true;
	assert_null(sink_csv.open(path("other.csv"), &f->about, &e));
	assert_int_equal(e.code, ERR_FORMAT);
	assert_non_null(strstr(e.text, "not a recording"));
	put("newer.csv", "schema,row,run\nktop/2,cpu,r1\n");
	assert_null(sink_csv.open(path("newer.csv"), &f->about, &e));
	assert_non_null(strstr(e.text, "columns"));
	char *text = slurp("newer.csv");

	assert_string_equal(text, "schema,row,run\nktop/2,cpu,r1\n");
	free(text);
	put("older.csv", "schema,row,run,frame,time\nktop/1,core,r1,0,\n");
	assert_null(sink_csv.open(path("older.csv"), &f->about, &e));
	assert_non_null(strstr(e.text, "its schema is ktop/1, and this ktop "
				       "writes ktop/2"));
	put("older.json", "{\"schema\":\"ktop/1\",\"row\":\"core\"}\n");
	assert_null(sink_json.open(path("older.json"), &f->about, &e));
	assert_non_null(strstr(e.text, "its schema is ktop/1, and this ktop "
				       "writes ktop/2"));
	text = slurp("older.csv");
	assert_int_equal(strlen(text), 44);
	free(text);
	frames_free(f);
}

UNIT(append_refuses_another_machine)
{
	static const char *const model[] = { "Apple M3", "Mac,\"Pro\"" };
	struct frames *f = frames_new();
	struct err e = { ERR_NONE, "" };

	f->about.append = true;
	for (unsigned i = 0; i < 2; i++) {
		const char *name = i == 0 ? "machine.json" : "machine.csv";
		const struct sink_ops *ops = i == 0 ? &sink_json : &sink_csv;

		for (unsigned m = 0; m < 2;
		     m++) { /* and goes on with its own */
			f->about.model = model[i];
			struct sink *s = ops->open(path(name), &f->about, &e);

			assert_non_null(s);
			assert_true(s->ops->frame(s, &f->frame, &e));
			s->ops->close(s);
		}
		off_t size = size_of(name);

		f->about.model = "Apple M1";
		assert_null(ops->open(path(name), &f->about, &e));
		assert_int_equal(e.code, ERR_FORMAT);
		HAS(e.text, model[i]);
		HAS(e.text, "Apple M1");
		assert_int_equal(size_of(name), size);
	}
	frames_free(f);
}

UNIT(append_cuts_a_torn_row_and_says_so)
{
	struct frames *f = frames_new();
	struct err e = { ERR_NONE, "" };

	record(f, "repair.csv", 2);
	put("repair.csv", "ktop/2,core,r12");
	f->about.append = true;
	struct sink *s = open_in(f, "repair.csv");

	assert_non_null(strstr(s->notice, "15 bytes"));
	assert_true(s->ops->frame(s, &f->frame, &e));
	s->ops->close(s);
	char *text = slurp("repair.csv");

	assert_int_equal(lines_in(text), 1 + 3 * FRAMES_CPUS);
	for (const char *p = text; *p != '\0'; p = strchr(p, '\n') + 1)
		assert_int_equal(fields_in(p), column_count());
	free(text);
	frames_free(f);
}

/* Offsets at which the frames of a recording begin, and where it ends. */
struct written {
	char *text;
	size_t begin[5], end;
};

/* A header (or none), three frames, a mark behind the second. */
static struct written
write_three(struct frames *f, const struct sink_ops *ops, const char *name)
{
	struct err e = { ERR_NONE, "" };
	struct written w;
	struct sink *s = ops->open(path(name), &f->about, &e);

	assert_non_null(s);
	for (unsigned i = 0; i < 3; i++) {
		w.begin[i] = (size_t)size_of(name);
		f->frame.seq = i;
		assert_true(s->ops->frame(s, &f->frame, &e));
		if (i == 1) {
			w.begin[3] = (size_t)size_of(name);
			assert_true(s->ops->mark(s, &f->frame, "m, n", &e));
		}
	}
	s->ops->close(s);
	w.text = slurp(name);
	w.end = strlen(w.text);
	return w;
}

enum { KEY_MAX = 100 }; /* with so many bytes a row tells its frame */

/* Of the first `cut` bytes whole frames stay, as far as that can be known. */
static void
expect_left(const struct written *w, size_t cut, size_t left)
{
	const size_t *begin = w->begin;
	size_t want;

	if (cut < begin[1]) /* of the only one nobody knows the length */
		want = cut > 0 && w->text[cut - 1] == '\n' ? cut : begin[0];
	else if (cut > begin[1] && cut <= begin[1] + KEY_MAX)
		want = left == begin[0] ? begin[0] : begin[1];
	else if (cut < begin[3])
		want = begin[1];
	else if (cut < begin[2])
		want = begin[3];
	else
		want = cut < w->end ? begin[2] : w->end;
	if (left != want)
		fail_msg("cut at %zu, %zu left and not %zu", cut, left, want);
}

static void
cut_everywhere(const struct sink_ops *ops, const char *name)
{
	struct frames *f = frames_new();
	struct err e = { ERR_NONE, "" };
	struct written w = write_three(f, ops, name);

	f->about.append = true;
	for (size_t cut = w.begin[0]; cut <= w.end; cut += cut % 97 + 1) {
		assert_int_equal(unlink(path(name)), 0);
		put_bytes(name, w.text, cut);
		struct sink *s = ops->open(path(name), &f->about, &e);

		if (s == NULL)
			fail_msg("%s", e.text);
		bool silent = s->notice[0] == '\0';

		s->ops->close(s);
		expect_left(&w, cut, (size_t)size_of(name));
		assert_int_equal(silent, (size_t)size_of(name) == cut);
	}
	free(w.text);
	frames_free(f);
}

UNIT(append_leaves_whole_frames_only)
{
	cut_everywhere(&sink_csv, "cut.csv");
	cut_everywhere(&sink_json, "cut.json");
}

/* Killed in its very first write. */
UNIT(append_mends_a_torn_header)
{
	struct frames *f = frames_new();

	put("head.csv", "schema,row,ru");
	f->about.append = true;
	record(f, "head.csv", 1);
	char *text = slurp("head.csv");

	assert_int_equal(lines_in(text), 1 + FRAMES_CPUS);
	assert_string_equal(at(text, 1, "schema"), "ktop/2");
	free(text);
	frames_free(f);
}

UNIT(segments_have_headers_and_go_on)
{
	struct frames *f = frames_new();

	record(f, "one.csv", 1);
	f->about.rotate_bytes = 2 * (uint64_t)size_of("one.csv");
	record(f, "seg.csv", 7);
	unsigned frames = 0;
	unsigned segments = 0;
	char name[24] = "seg.csv";

	for (; access(path(name), F_OK) == 0; segments++) {
		char *text = slurp(name), want[24];
		unsigned lines = lines_in(text);

		assert_true((uint64_t)size_of(name) <= f->about.rotate_bytes);
		assert_string_equal(at(text, 0, "schema"), "schema");
		assert_string_equal(at(text, 1, "run"), "r0000000000001234");
		(void)snprintf(want, sizeof want, "%u", frames);
		assert_string_equal(at(text, 1, "sample"), want);
		assert_int_equal((lines - 1) % FRAMES_CPUS, 0);
		frames += (lines - 1) / FRAMES_CPUS;
		free(text);
		(void)snprintf(name, sizeof name, "seg.%04u.csv", segments + 1);
	}
	assert_int_equal(frames, 7);
	assert_true(segments >= 3 && segments <= 7);
	struct err e = { ERR_NONE, "" };

	assert_int_equal(unlink(path("seg.csv")), 0);
	assert_null(sink_csv.open(path("seg.csv"), &f->about, &e));
	assert_non_null(strstr(e.text, "segments"));
	assert_int_not_equal(access(path("seg.csv"), F_OK), 0);
	frames_free(f);
}

UNIT(segments_by_time)
{
	struct frames *f = frames_new();
	struct err e = { ERR_NONE, "" };

	f->about.rotate_ns = 3000000000;
	struct sink *s = open_in(f, "time.csv");

	for (unsigned i = 0; i < 7; i++) {
		f->frame.seq = i;
		f->frame.elapsed_s = i + 1;
		assert_true(s->ops->frame(s, &f->frame, &e));
	}
	s->ops->close(s);
	char *text = slurp("time.0001.csv");

	assert_int_equal(lines_in(text), 1 + 3 * FRAMES_CPUS);
	assert_string_equal(at(text, 1, "sample"), "3");
	free(text);
	/* --append goes on in the last one. */
	f->about.append = true;
	record(f, "time.csv", 1);
	text = slurp("time.0002.csv");
	assert_int_equal(lines_in(text), 1 + 2 * FRAMES_CPUS);
	free(text);
	frames_free(f);
}

/* The next segment's name is taken: the present one grows on. */
UNIT(a_taken_segment_is_not_touched)
{
	struct frames *f = frames_new();
	struct err e = { ERR_NONE, "" };

	f->about.rotate_ns = 1000000000;
	struct sink *s = open_in(f, "taken.csv");

	put("taken.0001.csv", "mine\n");
	for (unsigned i = 0; i < 3; i++) {
		f->frame.elapsed_s = i + 1;
		assert_true(s->ops->frame(s, &f->frame, &e));
		/* Said once. */
		assert_int_equal(s->notice[0] != '\0', i == 1);
		s->notice[0] = '\0';
	}
	s->ops->close(s);
	char *text = slurp("taken.0001.csv");

	assert_string_equal(text, "mine\n");
	free(text);
	text = slurp("taken.csv");
	assert_int_equal(lines_in(text), 1 + 3 * FRAMES_CPUS);
	free(text);
	frames_free(f);
}

UNIT(a_deleted_file_is_made_anew)
{
	struct frames *f = frames_new();
	struct err e = { ERR_NONE, "" };
	struct sink *s = open_in(f, "gone.csv");
	uint64_t lost;
	bool dead;

	for (unsigned i = 0; i < 3; i++)
		assert_true(s->ops->frame(s, &f->frame, &e));
	assert_int_equal(unlink(path("gone.csv")), 0);
	assert_true(s->ops->frame(s, &f->frame, &e));
	assert_non_null(strstr(s->notice, "3 samples"));
	sink_get_losses(s, &lost, &dead);
	assert_int_equal(lost, 3);
	s->ops->close(s);
	char *text = slurp("gone.csv");

	assert_int_equal(lines_in(text), 1 + 1 + FRAMES_CPUS);
	assert_string_equal(at(text, 1, "row"), "lost");
	assert_string_equal(at(text, 1, "note"), "3 samples lost");
	free(text);
	frames_free(f);
}

UNIT(a_truncated_file_begins_again)
{
	struct frames *f = frames_new();
	struct err e = { ERR_NONE, "" };
	uint64_t lost;
	bool dead;

	for (off_t left = 0; left <= 1000; left += 1000) {
		struct sink *s = open_in(f, "shorter.csv");

		for (unsigned i = 0; i < 3; i++)
			assert_true(s->ops->frame(s, &f->frame, &e));
		assert_int_equal(truncate(path("shorter.csv"), left), 0);
		assert_true(s->ops->mark(s, &f->frame, "after", &e));
		assert_non_null(strstr(s->notice, "truncated"));
		assert_true(s->ops->frame(s, &f->frame, &e));
		sink_get_losses(s, &lost, &dead);
		assert_int_equal(lost, 3);
		s->ops->close(s);
		char *text = slurp("shorter.csv");

		assert_int_equal(lines_in(text), 1 + 1 + 1 + FRAMES_CPUS);
		assert_string_equal(at(text, 0, "schema"), "schema");
		assert_string_equal(at(text, 1, "note"), "after");
		assert_string_equal(at(text, 2, "note"), "3 samples lost");
		free(text);
		f->about.force = true;
	}
	frames_free(f);
}

/* Not even the folder is left: said once, and it goes on when it is back. */
UNIT(a_deleted_folder_loses_frames_until_it_is_back)
{
	struct frames *f = frames_new();
	struct err e = { ERR_NONE, "" };

	assert_int_equal(mkdir(path("dir"), 0700), 0);
	struct sink *s = open_in(f, "dir/a.csv");

	assert_int_equal(unlink(path("dir/a.csv")), 0);
	assert_int_equal(rmdir(path("dir")), 0);
	assert_false(s->ops->frame(s, &f->frame, &e));
	assert_non_null(strstr(e.text, "a.csv"));
	assert_false(s->ops->frame(s, &f->frame, &e));
	assert_string_equal(e.text, "");
	assert_int_equal(mkdir(path("dir"), 0700), 0);
	assert_true(s->ops->frame(s, &f->frame, &e));
	s->ops->close(s);
	char *text = slurp("dir/a.csv");

	assert_string_equal(at(text, 1, "note"), "2 samples lost");
	free(text);
	assert_int_equal(unlink(path("dir/a.csv")), 0);
	assert_int_equal(rmdir(path("dir")), 0);
	frames_free(f);
}

/* The first segment's lock is the whole recording's. */
UNIT(what_another_writes_is_refused)
{
	struct frames *f = frames_new();
	struct err e = { ERR_NONE, "" };

	f->about.rotate_bytes = 1;
	struct sink *s = open_in(f, "mine.csv");

	for (unsigned i = 0; i < 3; i++)
		assert_true(s->ops->frame(s, &f->frame, &e));
	f->about.force = true;
	for (unsigned i = 0; i < 2; i++) {
		static const char *const name[] = { "mine.csv",
						    "mine.0002.csv" };

		f->about.append = !f->about.append;
		assert_null(sink_csv.open(path(name[i]), &f->about, &e));
		assert_non_null(strstr(e.text, "is recording to it"));
		assert_null(sink_csv.open(path(name[1 - i]), &f->about, &e));
	}
	s->ops->close(s);
	char *text = slurp("mine.csv");

	assert_int_equal(lines_in(text), 1 + FRAMES_CPUS);
	free(text);
	s = open_in(f, "mine.csv");
	s->ops->close(s);
	frames_free(f);
}

UNITS_IN(make_folder, remove_folder)
