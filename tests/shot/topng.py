#!/usr/bin/python3
"""Draws a screen kept by vtrun (FILE.cells) as a picture.

usage: topng.py [-p PIXELS] [-b RRGGBB] [-f RRGGBB] [-m MARGIN] [-c] [-l]
                FILE.cells [OUT.png]

  -p  size of the letters (16)     -b, -f  default background, foreground
  -m  margin in pixels (8)         -c      draws the cursor where it is shown
  -l  light: dark letters on white

Needs python3-pil and fonts-dejavu-core. Lines, blocks, shades and braille
are drawn by geometry, so that neighbours touch; letters are DejaVu Sans Mono.
"""
import argparse
import os
import re
import sys
import unicodedata

from PIL import Image, ImageDraw, ImageFont

FONT_DIRS = (
    "/usr/share/fonts/truetype/dejavu",
    "/usr/share/fonts/TTF",
    "/usr/share/fonts/dejavu-sans-mono-fonts",
    "/Library/Fonts",
    os.path.expanduser("~/Library/Fonts"),
)

# The sixteen colours as a calm dark theme has them; programs that name one of
# these leave the shade to the terminal.
PALETTE = (
    "1d1f21 d75f5f 87af5f d7af5f 5f87d7 af87d7 5fafaf c5c8c6 "
    "707880 ff8787 afd787 ffd787 87afff d7afff 87d7d7 ffffff"
).split()

RUN = re.compile(r" *(\d+) +(\d+) \|(.*)\| fg=(\S+) bg=(\S+) (\S+)$")
HEAD = re.compile(r"size (\d+)x(\d+) cursor (\d+),(\d+) (\w+) ")


class Cell:
    """One place on the screen; text is empty behind a wide character."""

    __slots__ = ("text", "fg", "bg", "attrs", "span")

    def __init__(self, text=" ", fg="-", bg="-", attrs=frozenset(), span=1):
        self.text, self.fg, self.bg = text, fg, bg
        self.attrs, self.span = attrs, span


def width(char):
    if unicodedata.combining(char) or char in "\u200b\u200d\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def read_cells(lines):
    """(rows of cells, cursor's column and row or None)"""
    head = HEAD.match(lines[0]) if lines else None
    if head is None:
        raise ValueError("line 1 is no header of a .cells file")
    cols, rows, x, y = (int(head.group(k)) for k in (1, 2, 3, 4))
    cursor = (x, y) if head.group(5) == "visible" else None
    grid = [[Cell() for _ in range(cols)] for _ in range(rows)]
    for number, line in enumerate(lines[1:], 2):
        run = RUN.match(line)
        if run is None:
            raise ValueError("line %d is no run of cells" % number)
        row, col = int(run.group(1)), int(run.group(2))
        attrs = frozenset(run.group(6).split(",")) - {"-"}
        for char in run.group(3):
            span = width(char)
            if span == 0 and col > 0:
                grid[row][col - 1].text += char
                continue
            if row >= rows or col + span > cols:
                raise ValueError("line %d is off the screen" % number)
            grid[row][col] = Cell(char, run.group(4), run.group(5), attrs, span)
            if span == 2:
                grid[row][col + 1].text = ""
                grid[row][col + 1].span = 0
            col += span
    return grid, cursor


def hex_rgb(text):
    return tuple(int(text[k : k + 2], 16) for k in (0, 2, 4))


def rgb(name, default):
    """The colour that a .cells file names: -, an index, or #rrggbb."""
    if name == "-":
        return default
    if name.startswith("#"):
        return hex_rgb(name[1:])
    n = int(name)
    if n < 16:
        return hex_rgb(PALETTE[n])
    if n >= 232:
        return (8 + 10 * (n - 232),) * 3
    n -= 16
    return tuple(55 + 40 * v if v else 0 for v in (n // 36, n // 6 % 6, n % 6))


def mix(a, b, part):
    return tuple(round(x * part + y * (1 - part)) for x, y in zip(a, b))


LIGHT, HEAVY, DOUBLE = 1, 2, 3
ARMS = {"LEFT": "l", "RIGHT": "r", "UP": "u", "DOWN": "d",
        "HORIZONTAL": "lr", "VERTICAL": "ud"}
WEIGHTS = {"LIGHT": LIGHT, "SINGLE": LIGHT, "HEAVY": HEAVY, "DOUBLE": DOUBLE}


def arms_of(words):
    return "".join(ARMS.get(w, "") for w in words)


def box_arms(char):
    """{"l": weight, ...} of a box drawing character, from its Unicode name;
    None for dashes and diagonals."""
    name = unicodedata.name(char, "")
    if not name.startswith("BOX DRAWINGS ") or "DIAGONAL" in name:
        return None
    words = name[len("BOX DRAWINGS ") :].replace("ARC ", "").split()
    if "DASH" in words:
        return None
    arms = {}
    if words[0] in WEIGHTS and not any(w in WEIGHTS for w in words[1:]):
        return dict.fromkeys(arms_of(words), WEIGHTS[words[0]])
    parts = " ".join(words).split(" AND ")
    for part in parts:
        words = part.split()
        weight = next((WEIGHTS[w] for w in words if w in WEIGHTS), LIGHT)
        arms.update(dict.fromkeys(arms_of(words), weight))
    return arms


def dashes_of(char):
    """(number of dashes, weight, upright) or None"""
    name = unicodedata.name(char, "")
    m = re.fullmatch(
        r"BOX DRAWINGS (LIGHT|HEAVY) (DOUBLE|TRIPLE|QUADRUPLE) DASH "
        r"(HORIZONTAL|VERTICAL)", name)
    if m is None:
        return None
    count = {"DOUBLE": 2, "TRIPLE": 3, "QUADRUPLE": 4}[m.group(2)]
    return count, WEIGHTS[m.group(1)], m.group(3) == "VERTICAL"


class Painter:
    """Draws cells of one size onto one picture."""

    def __init__(self, cols, rows, px, margin, fg, bg):
        self.fonts = load_fonts(px)
        plain = self.fonts["", ""]
        self.w = round(plain.getlength("M"))
        self.ascent, descent = plain.getmetrics()
        self.h = self.ascent + descent
        self.line = max(1, round(px / 14))
        self.margin, self.fg, self.bg = margin, fg, bg
        self.image = Image.new(
            "RGB", (cols * self.w + 2 * margin, rows * self.h + 2 * margin), bg)
        self.draw = ImageDraw.Draw(self.image)
        self.boxes = {}

    def origin(self, col, row):
        return self.margin + col * self.w, self.margin + row * self.h

    def rect(self, at, x0, y0, x1, y1, colour):
        """Pixels x0 <= x < x1 of the cell at the origin."""
        if x1 > x0 and y1 > y0:
            x, y = at
            self.draw.rectangle(
                (x + x0, y + y0, x + x1 - 1, y + y1 - 1), fill=colour)

    def colours(self, cell):
        fg, bg = rgb(cell.fg, self.fg), rgb(cell.bg, self.bg)
        if "reverse" in cell.attrs:
            fg, bg = bg, fg
        if "dim" in cell.attrs:
            fg = mix(fg, bg, 0.6)
        return fg, bg

    def background(self, col, row, cell):
        _, bg = self.colours(cell)
        if bg != self.bg:
            at = self.origin(col, row)
            self.rect(at, 0, 0, self.w * cell.span, self.h, bg)

    def foreground(self, col, row, cell):
        fg, bg = self.colours(cell)
        at = self.origin(col, row)
        if cell.text.strip() and not self.shape(at, cell.text[0], fg, bg):
            style = ("Bold" if "bold" in cell.attrs else "",
                     "Oblique" if "italic" in cell.attrs else "")
            self.draw.text((at[0], at[1] + self.ascent), cell.text,
                           font=self.fonts[style], fill=fg, anchor="ls")
        wide = self.w * cell.span
        if "underline" in cell.attrs:
            y = self.ascent + max(1, self.line)
            self.rect(at, 0, y, wide, y + self.line, fg)
        if "strike" in cell.attrs:
            y = round(self.ascent * 0.65)
            self.rect(at, 0, y, wide, y + self.line, fg)

    def shape(self, at, char, fg, bg):
        """Draws what geometry says better than a font; False: a letter."""
        code = ord(char)
        if 0x2500 <= code <= 0x257F:
            return self.box(at, char, fg)
        if 0x2580 <= code <= 0x259F:
            self.block(at, code, fg, bg)
        elif 0x2800 <= code <= 0x28FF:
            self.braille(at, code - 0x2800, fg)
        elif 0x1FB00 <= code <= 0x1FB3B:
            self.sextant(at, code - 0x1FB00, fg)
        else:
            return False
        return True

    def box(self, at, char, fg):
        if char in "╭╮╯╰":
            self.arc(at, char, fg)
            return True
        dashes = dashes_of(char)
        if dashes:
            self.dashes(at, dashes, fg)
            return True
        if char not in self.boxes:
            self.boxes[char] = box_arms(char)
        arms = self.boxes[char]
        if arms is None:
            return False
        for side, weight in arms.items():
            self.arm(at, arms, side, weight, fg)
        return True

    def thickness(self, weight):
        return self.line * (3 if weight == HEAVY else 1)

    def arm(self, at, arms, side, weight, fg):
        """One arm from its edge to the middle, and a little across it so
        that corners close."""
        upright = side in "ud"
        t = self.thickness(weight)
        across, along = (self.w, self.h) if upright else (self.h, self.w)
        gap = self.line if weight == DOUBLE else 0
        others = [v for k, v in arms.items() if (k in "ud") != upright]
        reach = max([self.thickness(v) for v in others], default=t)
        half = reach // 2 + (self.line if DOUBLE in others else 0)
        middle = along // 2
        for shift in (-2 * gap, 2 * gap) if gap else (0,):
            a0 = across // 2 - t // 2 + shift // 2 * 2
            b0, b1 = 0, middle + (reach + 1) // 2 + (half - reach // 2)
            if side in "rd":
                b0, b1 = middle - half, along
            if upright:
                self.rect(at, a0, b0, a0 + t, b1, fg)
            else:
                self.rect(at, b0, a0, b1, a0 + t, fg)

    def arc(self, at, char, fg):
        """A rounded corner, painted four times as large and shrunk."""
        z, t = 4, self.line
        w, h = self.w, self.h
        # The same pixels as arm() uses, or the lines would not meet.
        x0, y0 = w // 2 - t // 2, h // 2 - t // 2
        r = min(w - x0 - t, y0, h - y0 - t, x0) + t
        right, down = char in "╭╰", char in "╭╮"
        big = Image.new("L", (w * z, h * z), 0)
        d = ImageDraw.Draw(big)

        def fill(a, b, c, e):
            if c > a and e > b:
                d.rectangle((a * z, b * z, c * z - 1, e * z - 1), fill=255)

        # The circle's centre lies towards the two open sides.
        cx = x0 + r if right else x0 + t - r
        cy = y0 + r if down else y0 + t - r
        start = {"╭": 180, "╮": 270, "╯": 0, "╰": 90}[char]
        d.arc(((cx - r) * z, (cy - r) * z, (cx + r) * z - 1, (cy + r) * z - 1),
              start, start + 90, fill=255, width=t * z)
        if right:
            fill(cx, y0, w, y0 + t)
        else:
            fill(0, y0, cx, y0 + t)
        if down:
            fill(x0, cy, x0 + t, h)
        else:
            fill(x0, 0, x0 + t, cy)
        mask = big.resize((w, h), Image.BOX)
        self.image.paste(fg, at, mask)

    def dashes(self, at, dashes, fg):
        count, weight, upright = dashes
        t = self.thickness(weight)
        along, across = (self.h, self.w) if upright else (self.w, self.h)
        a0 = across // 2 - t // 2
        for k in range(count):
            b0, b1 = along * k // count, along * (k + 1) // count
            b1 -= max(1, (b1 - b0) // 3)
            if upright:
                self.rect(at, a0, b0, a0 + t, b1, fg)
            else:
                self.rect(at, b0, a0, b1, a0 + t, fg)

    def block(self, at, code, fg, bg):
        w, h = self.w, self.h
        if code == 0x2580:
            self.rect(at, 0, 0, w, h - round(h / 2), fg)
        elif code <= 0x2588:
            self.rect(at, 0, h - round(h * (code - 0x2580) / 8), w, h, fg)
        elif code <= 0x258F:
            self.rect(at, 0, 0, max(1, round(w * (0x2590 - code) / 8)), h, fg)
        elif code == 0x2590:
            self.rect(at, round(w / 2), 0, w, h, fg)
        elif code <= 0x2593:
            self.rect(at, 0, 0, w, h, mix(fg, bg, (code - 0x2590) / 4))
        elif code == 0x2594:
            self.rect(at, 0, 0, w, max(1, round(h / 8)), fg)
        elif code == 0x2595:
            self.rect(at, w - max(1, round(w / 8)), 0, w, h, fg)
        else:
            self.quadrants(at, code, fg)

    def quadrants(self, at, code, fg):
        name = unicodedata.name(chr(code))[len("QUADRANT ") :]
        mx, my = round(self.w / 2), self.h - round(self.h / 2)
        for part in name.split(" AND "):
            up, left = part.startswith("UPPER"), part.endswith("LEFT")
            self.rect(at, 0 if left else mx, 0 if up else my,
                      mx if left else self.w, my if up else self.h, fg)

    def braille(self, at, dots, fg):
        """Bits 0 to 2 and 6 are the left column, 3 to 5 and 7 the right."""
        size = max(2, round(self.w / 4))
        for bit in range(8):
            if not dots >> bit & 1:
                continue
            col = (bit // 3) if bit < 6 else bit - 6
            row = (bit % 3) if bit < 6 else 3
            x = round(self.w * (1 + 2 * col) / 4 - size / 2)
            y = round(self.h * (1 + 2 * row) / 8 - size / 2)
            self.rect(at, x, y, x + size, y + size, fg)

    def sextant(self, at, index, fg):
        """Unicode leaves out the empty, left-half and right-half patterns."""
        dots = index + 1
        dots += (dots >= 21) + (dots >= 41)
        for bit in range(6):
            if dots >> bit & 1:
                col, row = bit % 2, bit // 2
                self.rect(at, self.w * col // 2, self.h * row // 3,
                          self.w * (col + 1) // 2, self.h * (row + 1) // 3, fg)


def load_fonts(px):
    base = next((d for d in FONT_DIRS
                 if os.path.exists(os.path.join(d, "DejaVuSansMono.ttf"))), None)
    if base is None:
        raise OSError("no DejaVuSansMono.ttf (Debian: fonts-dejavu-core)")
    fonts = {}
    for bold in ("", "Bold"):
        for slant in ("", "Oblique"):
            tail = "-" + bold + slant if bold or slant else ""
            path = os.path.join(base, "DejaVuSansMono%s.ttf" % tail)
            if not os.path.exists(path):  # the obliques are in -extra
                path = os.path.join(base, "DejaVuSansMono.ttf")
            fonts[bold, slant] = ImageFont.truetype(path, px)
    return fonts


def paint(grid, cursor, options):
    fg, bg = hex_rgb(options.fg), hex_rgb(options.bg)
    p = Painter(len(grid[0]), len(grid), options.px, options.margin, fg, bg)
    if cursor and options.cursor:
        cell = grid[cursor[1]][cursor[0]]
        cell.attrs = cell.attrs ^ {"reverse"}
    # All grounds first: a letter may lean over into its neighbour.
    for draw in (p.background, p.foreground):
        for row, cells in enumerate(grid):
            for col, cell in enumerate(cells):
                if cell.span:
                    draw(col, row, cell)
    return p.image


def main():
    ap = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    ap.add_argument("-p", dest="px", type=int, default=16)
    ap.add_argument("-b", dest="bg")
    ap.add_argument("-f", dest="fg")
    ap.add_argument("-m", dest="margin", type=int, default=8)
    ap.add_argument("-c", dest="cursor", action="store_true")
    ap.add_argument("-l", dest="light", action="store_true")
    ap.add_argument("cells")
    ap.add_argument("out", nargs="?")
    options = ap.parse_args()
    options.bg = options.bg or ("ffffff" if options.light else "16181b")
    options.fg = options.fg or ("24292f" if options.light else "d0d3d6")
    out = options.out or re.sub(r"\.cells$", "", options.cells) + ".png"
    try:
        with open(options.cells, encoding="utf-8") as f:
            grid, cursor = read_cells(f.read().rstrip("\n").split("\n"))
        paint(grid, cursor, options).save(out)
    except (OSError, ValueError) as e:
        print("topng.py: %s: %s" % (options.cells, e), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
