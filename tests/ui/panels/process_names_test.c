/* Names of processes: long ones, and such of wide letters. */
#include "ui/process_screen.h"

/* The sentence is whole where a name is long: that is cut, also wide letters.
 */
UNIT(test_a_long_name_leaves_room_for_what_is_said)
{
	TABLE(k, 80, 24);
	row_of(&k, 4411)->name = "com.example.background.renderer";
	assert_says(
		screen_draw(&k.s),
		"! com.example.background... (4411) is slow: IPC 0.70 with 25% of all cycles.");
	row_of(&k, 4411)->name = "動画変換ツール動画変換ツール動画";
	assert_says(screen_draw(&k.s),
		    "! 動画変換ツール動画変換 .. (4411) is slow: IPC 0.70");
	assert_says(k.s.text, "25% of all cycles.");
}

/* Cells of the line before that text. */
static int
column_of(const char *line, const char *text)
{
	const char *at = strstr(line, text);
	char before[256];

	assert_non_null(at);
	assert_true(at - line < (int)sizeof before);
	memcpy(before, line, (size_t)(at - line));
	before[at - line] = '\0';
	return canvas_width(before);
}

/* Whatever a name is of, numbers stand below each other. */
UNIT(test_columns_stay_in_line)
{
	static const char *const name[] = {
		"計数器",
		"計数器計数器計数器計数器計数器計数器",
		"e\xcc\x81te\xcc\x81",
		"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb",
		"a\033]0;x\007b\xe2\x80\xae ",
		"\xff\xfe",
	};
	static const int width[] = { 40, 80, 120, 200 };

	for (unsigned w = 0; w < sizeof width / sizeof *width; w++)
		for (unsigned i = 0; i < sizeof name / sizeof *name; i++) {
			TABLE(k, width[w], 40);
			row_of(&k, 4411)->name = name[i];
			const char *text = screen_draw(&k.s);
			const char *line = strstr(text, "  4411 ");
			const char *other = strstr(text, "  3307 ");

			assert_non_null(line);
			assert_non_null(other);
			assert_int_equal(column_of(line, "191.7"),
					 column_of(other, "88.3") - 1);
			assert_null(strchr(text, '\033'));
			assert_silent(text, "\xe2\x80\xae", "\xe2\x80\x8d");
		}
}

/* Names get 20 cells where the screen is wide, and up to 40. */
UNIT(test_names_are_as_wide_as_there_is_room)
{
	static const char name[] = "com.example.background.renderer.helper";
	struct table k;

	table_open(&k, 120, 40);
	row_of(&k, 3307)->name = name;
	assert_says(screen_draw(&k.s), " com.example.backg");
	screen_close(&k.s);
	table_open(&k, 200, 40);
	row_of(&k, 3307)->name = name;
	assert_says(screen_draw(&k.s),
		    " com.example.background.renderer.helper ");
	screen_close(&k.s);
}
