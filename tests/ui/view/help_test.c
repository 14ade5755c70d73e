/* Keys of the help: parts, pages and what is typed to be searched for. */
#include "ui/view/help.h"

#include "ui/draw/keycode.h"

#include <string.h>

#include <cmocka.h>

static struct help
opened(void)
{
	struct help h;

	help_open(&h);
	h.lines = 100;
	h.rows = 20;
	h.nparts = 3;
	h.part[1] = 40;
	h.part[2] = 90;
	return h;
}

static void
type(struct help *h, const char *keys)
{
	for (; *keys != '\0'; keys++)
		assert_true(help_key(h, *keys));
}

UNIT(tab_goes_round_the_parts)
{
	struct help h = opened();

	assert_true(help_key(&h, KEY_TAB));
	assert_int_equal(h.top, 40);
	help_scroll(&h, 7);
	assert_int_equal(help_part(&h), 1);
	/* The last part has the top, though the page does not fill. */
	assert_true(help_key(&h, KEY_TAB));
	assert_int_equal(h.top, 90);
	help_scroll(&h, 1);
	assert_int_equal(h.top, 90);
	assert_true(help_key(&h, KEY_TAB));
	assert_int_equal(h.top, 0);
	assert_true(help_key(&h, KEY_BACK_TAB));
	assert_int_equal(h.top, 90);
}

UNIT(scrolling_stays_on_the_page)
{
	struct help h = opened();

	help_scroll(&h, -5);
	assert_int_equal(h.top, 0);
	assert_true(help_key(&h, ' '));
	assert_int_equal(h.top, 20);
	help_scroll(&h, 100000);
	assert_int_equal(h.top, 90);
}

/* What is typed is text, also where it is a key elsewhere. */
UNIT(letters_are_text_while_it_is_typed)
{
	struct help h = opened();

	type(&h, "/qnN ?");
	assert_true(h.typing);
	assert_string_equal(h.text, "qnN ?");
	assert_int_equal(h.seek, HELP_STAY);
	assert_true(help_key(&h, KEY_ERASE));
	assert_true(help_key(&h, KEY_RETURN));
	assert_false(h.typing);
	assert_string_equal(h.text, "qnN ");
	assert_int_equal(h.seek, HELP_NEXT);
}

UNIT(escape_leaves_the_search_first)
{
	struct help h = opened();

	type(&h, "/ipc");
	assert_true(help_key(&h, KEY_ESCAPE));
	assert_false(h.typing);
	assert_string_equal(h.text, "");
	type(&h, "/ipc\r");
	assert_true(help_key(&h, KEY_ESCAPE));
	assert_string_equal(h.text, "");
	/* The next one is the screen's: it closes the help. */
	assert_false(help_key(&h, KEY_ESCAPE));
}

UNIT(n_goes_on_only_in_a_search)
{
	struct help h = opened();

	assert_true(help_key(&h, 'n'));
	assert_int_equal(h.seek, HELP_STAY);
	type(&h, "/ipc\r");
	h.seek = HELP_STAY;
	assert_true(help_key(&h, 'N'));
	assert_int_equal(h.seek, HELP_PREVIOUS);
	/* Nothing typed: nothing searched for. */
	type(&h, "/\r");
	assert_string_equal(h.text, "");
	assert_int_equal(h.at, HELP_NOWHERE);
	assert_false(help_key(&h, 'q'));
}
