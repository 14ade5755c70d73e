#include "screen.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <vterm.h>

#include "escape.h"

struct screen {
	VTerm *vt;
	VTermScreen *grid;
	VTermState *state;
	struct escape escape;
	int cols, rows;
	bool alt;
	int mouse;
	unsigned long bells;
	char title[128];
	char rest[4]; /* of a character that is not whole yet */
	size_t nrest;
};

/* Six characters of a cell (VTERM_MAX_CHARS_PER_CELL) at 4 bytes. */
#define CELL_BYTES (VTERM_MAX_CHARS_PER_CELL * 4 + 1)

/* libvterm 0.2 and later hand out long strings in pieces. */
#if VTERM_VERSION_MAJOR == 0 && VTERM_VERSION_MINOR < 2
static void
set_title(struct screen *s, const VTermValue *val)
{
	snprintf(s->title, sizeof(s->title), "%s", val->string);
}
#else
static void
set_title(struct screen *s, const VTermValue *val)
{
	size_t old = val->string.initial ? 0 : strlen(s->title);

	snprintf(s->title + old, sizeof(s->title) - old, "%.*s",
		 (int)val->string.len, val->string.str);
}
#endif

/*
 * libvterm keeps it with the saved cursor, of which it has one for both
 * screens: ESC 7 in the second one would hide the cursor of the first.
 */
static bool
cursor_visible(const struct screen *s)
{
	return !escape_mode_changed(&s->escape, 25);
}

static int
on_prop(VTermProp prop, VTermValue *val, void *user)
{
	struct screen *s = user;

	if (prop == VTERM_PROP_ALTSCREEN)
		s->alt = val->boolean;
	else if (prop == VTERM_PROP_MOUSE)
		s->mouse = val->number;
	else if (prop == VTERM_PROP_TITLE)
		set_title(s, val);
	return 1;
}

static int
on_bell(void *user)
{
	struct screen *s = user;

	s->bells++;
	return 1;
}

static const VTermScreenCallbacks callbacks = {
	.settermprop = on_prop,
	.bell = on_bell,
};

/* Bytes at the end that begin a UTF-8 character whose rest is to come. */
static size_t
unfinished(const char *bytes, size_t len)
{
	for (size_t n = 1; n < 4 && n <= len; n++) {
		unsigned char c = (unsigned char)bytes[len - n];

		if (c >= 0xc0) /* of 2, 3 or 4 bytes */
			return n < (c < 0xe0 ? 2u : c < 0xf0 ? 3u : 4u) ? n : 0;
		if (c < 0x80)
			return 0;
	}
	return 0;
}

/*
 * libvterm loses a character that is cut in two behind an ASCII one: the rest
 * of it is waited for.
 */
static void
to_vterm(const char *bytes, size_t len, void *user)
{
	struct screen *s = user;
	char piece[64];

	while (len > 0) {
		size_t n = sizeof piece - s->nrest, keep;

		n = n < len ? n : len;
		memcpy(piece, s->rest, s->nrest);
		memcpy(piece + s->nrest, bytes, n);
		bytes += n;
		len -= n;
		n += s->nrest;
		keep = unfinished(piece, n);
		vterm_input_write(s->vt, piece, n - keep);
		memcpy(s->rest, piece + n - keep, keep);
		s->nrest = keep;
	}
}

bool
screen_ground(struct screen *s, const char *rrggbb)
{
	return escape_ground(&s->escape, rrggbb);
}

struct screen *
screen_new(int cols, int rows, screen_reply *reply, void *user)
{
	struct screen *s = calloc(1, sizeof(*s));

	if (s == NULL)
		return NULL;
	s->cols = cols;
	s->rows = rows;
	s->escape.rows = rows;
	s->escape.out = to_vterm;
	s->escape.user = s;
	s->escape.reply = reply;
	s->escape.reply_user = user;
	s->vt = vterm_new(rows, cols);
	if (s->vt == NULL) {
		free(s);
		return NULL;
	}
	vterm_set_utf8(s->vt, 1);
	vterm_output_set_callback(s->vt, reply, user);
	s->state = vterm_obtain_state(s->vt);
	s->grid = vterm_obtain_screen(s->vt);
	vterm_screen_enable_altscreen(s->grid, 1);
	vterm_screen_set_callbacks(s->grid, &callbacks, s);
	vterm_screen_reset(s->grid, 1);
	return s;
}

void
screen_free(struct screen *s)
{
	if (s == NULL)
		return;
	vterm_free(s->vt);
	free(s);
}

void
screen_feed(struct screen *s, const char *bytes, size_t len)
{
	escape_feed(&s->escape, bytes, len);
}

void
screen_resize(struct screen *s, int cols, int rows)
{
	s->cols = cols;
	s->rows = rows;
	s->escape.rows = rows;
	s->escape.region = false;
	vterm_set_size(s->vt, rows, cols);
}

bool
screen_in_update(const struct screen *s)
{
	return escape_mode_changed(&s->escape, 2026);
}

static const struct {
	const char *name;
	VTermKey key;
} keys[] = {
	/* clang-format off */
	{ "up",        VTERM_KEY_UP },        { "down",  VTERM_KEY_DOWN },
	{ "left",      VTERM_KEY_LEFT },      { "right", VTERM_KEY_RIGHT },
	{ "home",      VTERM_KEY_HOME },      { "end",   VTERM_KEY_END },
	{ "pgup",      VTERM_KEY_PAGEUP },    { "pgdn",  VTERM_KEY_PAGEDOWN },
	{ "ins",       VTERM_KEY_INS },       { "del",   VTERM_KEY_DEL },
	{ "enter",     VTERM_KEY_ENTER },     { "tab",   VTERM_KEY_TAB },
	{ "esc",       VTERM_KEY_ESCAPE },    { "bs",    VTERM_KEY_BACKSPACE },
	{ "f1",  (VTermKey)VTERM_KEY_FUNCTION(1) },
	{ "f2",  (VTermKey)VTERM_KEY_FUNCTION(2) },
	{ "f3",  (VTermKey)VTERM_KEY_FUNCTION(3) },
	{ "f4",  (VTermKey)VTERM_KEY_FUNCTION(4) },
	{ "f5",  (VTermKey)VTERM_KEY_FUNCTION(5) },
	{ "f6",  (VTermKey)VTERM_KEY_FUNCTION(6) },
	{ "f7",  (VTermKey)VTERM_KEY_FUNCTION(7) },
	{ "f8",  (VTermKey)VTERM_KEY_FUNCTION(8) },
	{ "f9",  (VTermKey)VTERM_KEY_FUNCTION(9) },
	{ "f10", (VTermKey)VTERM_KEY_FUNCTION(10) },
	{ "f11", (VTermKey)VTERM_KEY_FUNCTION(11) },
	{ "f12", (VTermKey)VTERM_KEY_FUNCTION(12) },
	/* clang-format on */
};

/* Strips C-, M- and S- before a key's name, and ^ before a letter. */
static const char *
take_modifiers(const char *name, VTermModifier *mod)
{
	int m = VTERM_MOD_NONE;

	while (name[0] != '\0' && name[1] == '-' && name[2] != '\0') {
		if (name[0] == 'C')
			m |= VTERM_MOD_CTRL;
		else if (name[0] == 'M')
			m |= VTERM_MOD_ALT;
		else if (name[0] == 'S')
			m |= VTERM_MOD_SHIFT;
		else
			break;
		name += 2;
	}
	*mod = (VTermModifier)m;
	return name;
}

/* ^A, ^[, ^?: the byte itself, as every terminal sends it. */
static bool
control_byte(const char *name, char *byte)
{
	if (name[0] != '^' || name[1] == '\0' || name[2] != '\0')
		return false;
	*byte = name[1] == '?' ? '\177' : (char)(name[1] & 0x1f);
	return true;
}

bool
screen_key(struct screen *s, const char *name)
{
	VTermModifier mod;
	char byte;

	if (control_byte(name, &byte)) {
		vterm_keyboard_unichar(s->vt, (unsigned char)byte,
				       VTERM_MOD_NONE);
		return true;
	}
	name = take_modifiers(name, &mod);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (strcasecmp(name, keys[i].name) == 0) {
			vterm_keyboard_key(s->vt, keys[i].key, mod);
			return true;
		}
	}
	if (strcasecmp(name, "space") == 0)
		name = " ";
	if (name[0] < ' ' || name[0] > '~' || name[1] != '\0')
		return false;
	vterm_keyboard_unichar(s->vt, (unsigned char)name[0], mod);
	return true;
}

void
screen_mouse(struct screen *s, int col, int row, int button)
{
	/* libvterm reports to those who never asked, too. */
	if (s->mouse == 0)
		return;
	vterm_mouse_move(s->vt, row, col, VTERM_MOD_NONE);
	vterm_mouse_button(s->vt, button, true, VTERM_MOD_NONE);
	if (button < 4)
		vterm_mouse_button(s->vt, button, false, VTERM_MOD_NONE);
}

static size_t
put_utf8(uint32_t c, char *to)
{
	if (c < 0x80) {
		to[0] = (char)c;
		return 1;
	}
	size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	for (size_t i = n - 1; i > 0; i--, c >>= 6)
		to[i] = (char)(0x80 | (c & 0x3f));
	to[0] = (char)((0xf00 >> n & 0xff) | c);
	return n;
}

static size_t
cell_text(const VTermScreenCell *cell, char *to)
{
	size_t n = 0;

	if (cell->chars[0] == 0 || cell->chars[0] == UINT32_MAX)
		to[n++] = ' ';
	else
		for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell->chars[i];
		     i++)
			n += put_utf8(cell->chars[i], to + n);
	to[n] = '\0';
	return n;
}

static void
cell_at(const struct screen *s, int row, int col, VTermScreenCell *cell)
{
	VTermPos pos = { .row = row, .col = col };

	memset(cell, 0, sizeof(*cell));
	vterm_screen_get_cell(s->grid, pos, cell);
	if (cell->width < 1)
		cell->width = 1;
}

char *
screen_text(const struct screen *s)
{
	size_t row = (size_t)s->cols * CELL_BYTES + 1;
	char *text = malloc((size_t)s->rows * row + 1), *p = text;
	VTermScreenCell cell;

	if (text == NULL)
		return NULL;
	for (int y = 0; y < s->rows; y++) {
		char *end = p;

		for (int x = 0; x < s->cols; x += cell.width) {
			cell_at(s, y, x, &cell);
			size_t n = cell_text(&cell, p);
			bool blank = n == 1 && *p == ' ';
			p += n;
			if (!blank)
				end = p;
		}
		p = end;
		*p++ = '\n';
	}
	*p = '\0';
	return text;
}

static void
colour_name(const VTermColor *c, bool is_default, char *to, size_t size)
{
	if (is_default)
		snprintf(to, size, "-");
	else if (VTERM_COLOR_IS_INDEXED(c))
		snprintf(to, size, "%d", c->indexed.idx);
	else
		snprintf(to, size, "#%02x%02x%02x", c->rgb.red, c->rgb.green,
			 c->rgb.blue);
}

/* Of a cell, or of a run: what can be seen of it. */
struct looks {
	char fg[16], bg[16], attrs[64];
	bool blank; /* no more than a background is to be seen */
	bool marks; /* attributes that are seen on blanks as well */
};

static void
looks_of(const VTermScreenCell *cell, const char *text, struct looks *l)
{
	const VTermScreenCellAttrs *a = &cell->attrs;

	colour_name(&cell->fg, VTERM_COLOR_IS_DEFAULT_FG(&cell->fg), l->fg,
		    sizeof(l->fg));
	colour_name(&cell->bg, VTERM_COLOR_IS_DEFAULT_BG(&cell->bg), l->bg,
		    sizeof(l->bg));
	snprintf(l->attrs, sizeof(l->attrs), "%s%s%s%s%s%s%s",
		 a->bold ? ",bold" : "",
		 a->font == ESCAPE_DIM_FONT ? ",dim" : "",
		 a->italic ? ",italic" : "", a->underline ? ",underline" : "",
		 a->blink ? ",blink" : "", a->reverse ? ",reverse" : "",
		 a->strike ? ",strike" : "");
	l->marks = a->underline || a->reverse || a->strike;
	l->blank = !l->marks && strcmp(text, " ") == 0;
	if (l->blank) {
		strcpy(l->fg, "-");
		l->attrs[0] = '\0';
	}
}

/*
 * Blanks go with what stands before them, or else behind: the colour they were
 * written with is not to be seen on a screen, nor here.
 */
static bool
looks_join(struct looks *run, const struct looks *next)
{
	if (strcmp(run->bg, next->bg) != 0 || run->marks != next->marks)
		return false;
	if (next->blank && !run->marks)
		return true;
	if (run->blank && !next->marks) {
		*run = *next;
		return true;
	}
	return strcmp(run->fg, next->fg) == 0 &&
	       strcmp(run->attrs, next->attrs) == 0;
}

static void
modes_name(const struct screen *s, char *to, size_t size)
{
	size_t n = 0;

	to[0] = '\0';
	for (unsigned i = 0; i < s->escape.nmodes && n + 16 < size; i++) {
		int mode = s->escape.mode[i];

		/* Shown in words of their own. */
		if (mode == 25 || mode == 47 || mode == 1047 || mode == 1049)
			continue;
		n += (size_t)snprintf(to + n, size - n, "%s%d", n ? "," : "",
				      mode);
	}
	if (s->escape.keypad && n + 16 < size)
		n += (size_t)snprintf(to + n, size - n, "%skeypad",
				      n ? "," : "");
	if (s->escape.region && n + 16 < size)
		n += (size_t)snprintf(to + n, size - n, "%sregion",
				      n ? "," : "");
	if (n == 0)
		snprintf(to, size, "-");
}

static bool
pen_is_plain(const struct screen *s)
{
	VTermValue v;

	for (int a = VTERM_ATTR_BOLD; a < VTERM_ATTR_FOREGROUND; a++) {
		vterm_state_get_penattr(s->state, (VTermAttr)a, &v);
		if (vterm_get_attr_type((VTermAttr)a) == VTERM_VALUETYPE_BOOL
			    ? v.boolean
			    : v.number)
			return false;
	}
	vterm_state_get_penattr(s->state, VTERM_ATTR_FOREGROUND, &v);
	if (!VTERM_COLOR_IS_DEFAULT_FG(&v.color))
		return false;
	vterm_state_get_penattr(s->state, VTERM_ATTR_BACKGROUND, &v);
	return VTERM_COLOR_IS_DEFAULT_BG(&v.color);
}

static void
put_header(const struct screen *s, const char *tty, FILE *fp)
{
	char modes[256];
	VTermPos pos;

	vterm_state_get_cursorpos(s->state, &pos);
	modes_name(s, modes, sizeof(modes));
	fprintf(fp,
		"size %dx%d cursor %d,%d %s %s mouse=%d modes=%s pen=%s "
		"tty=%s bells=%lu title=%s\n",
		s->cols, s->rows, pos.col, pos.row,
		cursor_visible(s) ? "visible" : "hidden",
		s->alt ? "alt" : "main", s->mouse, modes,
		pen_is_plain(s) ? "plain" : "set", tty, s->bells, s->title);
}

/* Writes one run and returns the column after it. */
static int
put_run(const struct screen *s, int row, int col, char *text, FILE *fp)
{
	struct looks run, next;
	VTermScreenCell cell;
	int x = col;
	size_t n = 0;

	for (; x < s->cols; x += cell.width) {
		cell_at(s, row, x, &cell);
		size_t more = cell_text(&cell, text + n);

		looks_of(&cell, text + n, &next);
		if (x == col)
			run = next;
		else if (!looks_join(&run, &next))
			break;
		n += more;
	}
	text[n] = '\0';
	/* Nor is it to be seen whether blanks at the end were written. */
	if (x >= s->cols && strcmp(run.bg, "-") == 0 && !run.marks)
		while (n > 0 && text[n - 1] == ' ')
			text[--n] = '\0';
	if (strspn(text, " ") < n || strcmp(run.bg, "-") != 0 || run.marks)
		fprintf(fp, "%3d %3d |%s| fg=%s bg=%s %s\n", row, col, text,
			run.fg, run.bg,
			run.attrs[0] != '\0' ? run.attrs + 1 : "-");
	return x;
}

void
screen_cells(const struct screen *s, const char *tty, FILE *fp)
{
	char *text = malloc((size_t)s->cols * CELL_BYTES + 1);

	put_header(s, tty, fp);
	for (int row = 0; text != NULL && row < s->rows; row++)
		for (int col = 0; col < s->cols;)
			col = put_run(s, row, col, text, fp);
	free(text);
}

bool
screen_given_back(const struct screen *s, char *why, size_t size)
{
	char modes[256];

	modes_name(s, modes, sizeof(modes));
	if (strcmp(modes, "-") == 0)
		modes[0] = '\0';
	snprintf(why, size, "%s%s%s%s%s%s", s->alt ? " alternate-screen" : "",
		 cursor_visible(s) ? "" : " hidden-cursor",
		 s->mouse ? " mouse" : "", modes[0] ? " modes:" : "", modes,
		 pen_is_plain(s) ? "" : " colours");
	return why[0] == '\0';
}
