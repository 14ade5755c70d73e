"""Films ktop: runs it on a terminal, presses keys, and makes an animated GIF of
the screens, each with a line below that says what is done.

usage: film.py VTRUN KTOP OUT.gif

Everything shown is a run of the program; nothing is drawn by hand but the line
at the foot. Needs python3-pil and fonts-dejavu-core, as topng.py does.
"""
import argparse
import collections
import os
import subprocess
import sys
import tempfile

from PIL import Image, ImageDraw

import topng

SIZE = "120x40"
PX, MARGIN, BAR = 13, 10, 34
COLOURS, EXACT = 160, 110
GROUND, INK, CAP, WORDS = "#121212", "#c8ccd4", "#2a303b", "#8b93a2"
RUN = ["--sim", "m1max,seed=6", "-d", "200ms", "--theme", "default"]
WARM_UP_MS = 36000

# What is pressed (actions of vtrun; "": nothing), how that is called at the
# foot, what it does; how many pictures, and milliseconds a picture is shown.
SCENES = (
    ([], "", "ktop on a simulated Apple M1 Max: IPC and misses of every core",
     4, 600),
    (["text:jjjjjj"], "j", "choose a core: it gets a line of its own in the "
     "chart", 3, 600),
    (["text:H"], "H", "history of every cluster and of that core", 3, 700),
    (["text:MMMM"], "M", "of any metric; what could not be measured is a gap",
     3, 700),
    ([" "] + ["key:left"] * 20, "left", "space freezes the screen; back in "
     "time with the arrows", 1, 900),
    (["key:left"] * 20, "left", "as far as an hour, while counting goes on",
     1, 900),
    ([" ", "text:MMMMMMM", "sleep:400", "text:O2"], "2",
     "swap the events: where do the issue slots go?", 4, 700),
    (["text:B"], "B", "what limits each cluster, and what to look at next", 2,
     1000),
    (["key:enter", "text:O"], "Enter", "follow the worst cause to the events "
     "that explain it", 3, 700),
    (["text:e-", "sleep:300", "text:tlb"], "e", "pick events one by one: where "
     "each can be counted, and why not", 2, 1200),
    (["key:esc", "sleep:150", "key:esc", "sleep:150", "text:T"],
     "T", "themes, each tried at once", 1, 900),
    (["text:TT"], "T", "okabe-ito, for every eye", 1, 1000),
    (["text:TT"], "T", "nord", 1, 1000),
    (["text:T"], "T", "gruvbox ...", 1, 1000),
    (["key:esc", "sleep:200", "text:1"], "1", "and back to the first preset", 3,
     600),
)


def script(folder):
    """The actions for vtrun, and a list of (dump, key, words, ms)."""
    actions = ["wait:q quit", "sleep:%d" % WARM_UP_MS]
    shots = []
    for keys, cap, words, count, ms in SCENES:
        actions += ["text: " if k == " " else k for k in keys]
        for _ in range(count):
            name = os.path.join(folder, "%03d" % len(shots))
            # Two frames later: the screen has something new to say.
            actions += ["sleep:420", "dump:" + name]
            shots.append((name + ".cells", cap, words, ms))
    return actions + ["key:q", "exit:0"], shots


def foot(image, fonts, cap, words):
    """The line below the screen: the key as a cap, and what it does."""
    w, h = image.size
    out = Image.new("RGB", (w, h + BAR), GROUND)
    out.paste(image, (0, 0))
    draw = ImageDraw.Draw(out)
    x, middle = MARGIN + 4, h + BAR // 2 - 4
    if cap:
        wide = fonts["Bold", ""].getlength(cap) + 16
        draw.rounded_rectangle((x, middle - 11, x + wide, middle + 11), 4,
                               fill=CAP)
        draw.text((x + 8, middle), cap, font=fonts["Bold", ""], fill="white",
                  anchor="lm")
        x += wide + 12
    draw.text((x, middle), words, font=fonts["", ""], fill=INK, anchor="lm")
    draw.text((w - MARGIN - 4, middle), "SIM: computed, not measured",
              font=fonts["", ""], fill=WORDS, anchor="rm")
    return out


def picture(cells, cap, words):
    with open(cells, encoding="utf-8") as f:
        grid, cursor = topng.read_cells(f.read().rstrip("\n").split("\n"))
    options = argparse.Namespace(px=PX, margin=MARGIN, bg=GROUND[1:],
                                 fg=INK[1:], cursor=False)
    return foot(topng.paint(grid, cursor, options), topng.load_fonts(PX), cap,
                words)


def palette(images):
    """The colours that most pixels have as they are, the rest as they come:
    letters have many shades at their edges, and badges are small."""
    count = collections.Counter()
    for image in images:
        for n, rgb in image.getcolors(1 << 20):
            count[rgb] += n
    exact = [rgb for rgb, _ in count.most_common(EXACT)]
    rest = [rgb for rgb in count if rgb not in set(exact)] or exact[:1]
    sheet = Image.new("RGB", (len(rest), 1))
    sheet.putdata(rest)
    some = sheet.quantize(COLOURS - EXACT, Image.Quantize.MEDIANCUT)
    flat = [part for rgb in exact for part in rgb]
    flat += some.getpalette()[: 3 * (COLOURS - EXACT)]
    out = Image.new("P", (1, 1))
    out.putpalette(flat + [0] * (768 - len(flat)))
    return out


def reduced(images):
    """Pictures of one ground share a palette, so that what stays the same in
    them stays the same in the file."""
    ground = [image.getpixel((MARGIN + 3, MARGIN + 100)) for image in images]
    shared = {g: palette([i for i, k in zip(images, ground) if k == g])
              for g in set(ground)}
    return [i.quantize(palette=shared[g], dither=Image.Dither.NONE)
            for i, g in zip(images, ground)]


def main():
    if len(sys.argv) != 4:
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    vtrun, ktop, out = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        actions, shots = script(folder)
        env = dict(os.environ, XDG_CONFIG_HOME=folder)
        subprocess.run([vtrun, "-s", SIZE, "-e", "COLORTERM=truecolor", "-e",
                        "TZ=UTC"] + actions + ["--", ktop] + RUN, env=env,
                       check=True)
        images = [picture(cells, cap, words) for cells, cap, words, _ in shots]
    frames = reduced(images)
    frames[0].save(out, save_all=True, append_images=frames[1:], loop=0,
                   duration=[ms for _, _, _, ms in shots], optimize=False,
                   disposal=1)
    print("%s: %d pictures, %d kB" % (out, len(frames),
                                      os.path.getsize(out) // 1000))
    return 0


if __name__ == "__main__":
    sys.exit(main())
