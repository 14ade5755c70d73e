"""The simulated Mac as docs/SIMULATION.md describes it, in Python.

Written from that page, not from the C code, so that a recording can be checked
against numbers that the program had no part in. Only tables are read from the
sources where the page names the file: frequencies, widths and event rates.
"""
import functools
import os
import re

SRC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                   "src", "sim")
BOOT_NS = 1000 * 10 ** 9
GRAIN_NS = 250 * 10 ** 6
GRAINS = 1024
READ_CYCLES, READ_INSTRUCTIONS = 2000, 900
KERNEL = 6
ACTIVITIES = range(7)
U64 = (1 << 64) - 1

# Kinds fastest first, and the kind of each CPU in the order of the ids.
MACHINES = {
    "m1": (("M1_P", "M1_E"), [1] * 4 + [0] * 4),
    "m1max": (("M1_P", "M1_E"), [1] * 2 + [0] * 8),
    "m2max": (("M2_P", "M2_E"), [1] * 4 + [0] * 8),
    "m3": (("M3_P", "M3_E"), [1] * 4 + [0] * 4),
    "m3ultra": (("M3_P", "M3_E"), ([1] * 4 + [0] * 12) * 2),
    "m4": (("M4_P", "M4_E"), [1] * 6 + [0] * 4),
    "m4max": (("M4_P", "M4_E"), [1] * 4 + [0] * 12),
    "m5": (("M5_S", "M5_E"), [1] * 6 + [0] * 4),
    "m5max": (("M5_S", "M5_P"), [1] * 12 + [0] * 6),
    "m5ultra": (("M5_S", "M5_P"), ([1] * 12 + [0] * 6) * 2),
    "m6": (("M5_S", "M5_P", "M5_E"), [2] * 6 + [0] * 2 + [1] * 4),
    "neo": (("M4_P", "M4_E"), [1] * 4 + [0] * 2),
}
LAST_CLUSTER = {"m2max": (8, 9, 10, 11)}  # it naps by itself

IPC = {"Performance": (4200, 430, 2300, 3600, 1400, 1500, 1350),
       "Super": (4200, 430, 2300, 3600, 1400, 1500, 1350),
       "Efficiency": (1850, 330, 950, 1250, 620, 1000, 720)}
IPC_M5_MAX_PERFORMANCE = (3500, 400, 1900, 2900, 1150, 1250, 1100)
LOST = ((430, 60), (860, 25), (260, 330), (560, 20), (150, 60), (130, 690),
        (430, 70))

# Odds (heavy, light, slow), least and span of busy, thousandths of it.
STATES = (
    ((30, 10, 14), 70, 31, (860, 40, 60, 10, 0, 0, 30)),
    ((18, 8, 10), 60, 41, (30, 850, 50, 10, 0, 0, 60)),
    ((16, 10, 12), 60, 41, (120, 60, 720, 10, 0, 0, 90)),
    ((12, 4, 2), 70, 31, (60, 110, 20, 780, 0, 0, 30)),
    ((8, 8, 14), 40, 51, (80, 90, 110, 10, 0, 0, 710)),
    ((8, 28, 33), 5, 26, (200, 150, 300, 10, 0, 0, 340)),
    ((8, 32, 15), 0, 1, (200, 150, 300, 10, 0, 0, 340)),
)

# work=NATURE: busy, thousandths of it. Phases are the first four in turn.
NATURES = {
    "compute": (90, (860, 40, 60, 10, 0, 0, 30)),
    "memory": (90, (30, 850, 50, 10, 0, 0, 60)),
    "branchy": (90, (60, 60, 130, 10, 0, 690, 50)),
    "frontend": (90, (80, 40, 60, 10, 760, 0, 50)),
    "kernel": (90, (80, 90, 110, 10, 0, 0, 710)),
    "mixed": (90, (35, 425, 10, 0, 205, 295, 30)),
    "idle": (0, (200, 150, 300, 10, 0, 0, 340)),
}
PHASES = ("compute", "memory", "branchy", "frontend")
NATURE_GRAINS = 960


def cut(a, b):
    """Division towards zero."""
    return a // b if (a < 0) == (b < 0) or a == 0 else -(-a // b)


def draw(*numbers):
    x = 0
    for n in numbers:
        x = ((x ^ n) + 0x9e3779b97f4a7c15) & U64
        x = ((x ^ x >> 30) * 0xbf58476d1ce4e5b9) & U64
        x = ((x ^ x >> 27) * 0x94d049bb133111eb) & U64
        x ^= x >> 31
    return x


def kinds_of_source():
    """{macro: (name, letter, width, MHz)} of machines.c"""
    row = re.compile(r'#define (M\d_\w) \{ "(\w+)", "(\w)", \w+, (\d+), '
                     r'\{ (\d+), (\d+), (\d+), (\d+) \}')
    text = open(os.path.join(SRC, "machines.c")).read()
    return {m[0]: (m[1], int(m[3]), tuple(map(int, m[4:8])))
            for m in row.findall(text)}


def rates_of_source():
    """[(event, base, ppm)] of work.c, in order; a final * is any ending"""
    row = re.compile(r'\{ "([A-Z0-9_.*]+)", OF_(\w+), \{ ([\d, ]+) \} \}')
    text = open(os.path.join(SRC, "work.c")).read()
    return [(n, b, tuple(int(x) for x in p.split(",")))
            for n, b, p in row.findall(text)]


KINDS, RATES = kinds_of_source(), rates_of_source()


class Kind:
    def __init__(self, macro, seed, number):
        self.name, self.width, self.mhz = KINDS[macro]
        self.slow = self.name == "Efficiency"
        self.ipc = (IPC_M5_MAX_PERFORMANCE if macro == "M5_P"
                    else IPC[self.name])
        r = draw(seed, 241, number, 0)
        self.uops = 950 + r % 171
        self.cost = 7 + (r >> 16) % 9 if self.slow else 9 + (r >> 16) % 14
        self.bubbles = 15 + (r >> 32) % 66

    def bases(self, a):
        inst = self.ipc[a] * 2 ** 20 // 1000
        uop = inst * self.uops // 1000
        rest = 2 ** 20 - uop // self.width
        stall, gone = (rest * part // 1000 for part in LOST[a])
        front = rest - stall - gone
        mapped = uop + gone // 2 * self.width
        empty = 2 ** 20 * self.width - mapped
        return {"CYCLE": 2 ** 20, "INST": inst, "UOP": uop,
                "MISS": gone // self.cost, "STALL": stall,
                "BUBBLE": front * self.bubbles // 100, "REWIND": gone // 2,
                "MAPPED": mapped, "DELIVERY": front * self.width,
                "STALL_SLOT": empty,
                "STALL_BACK": stall * self.width,
                "STALL_FRONT": empty - stall * self.width}

    def rate(self, event, recovery):
        base, ppm = "INST", (1000,) * len(ACTIVITIES)
        for name, of, parts in RATES:
            if name == event or (name[-1] == "*" and
                                 event.startswith(name[:-1])):
                base, ppm = of, parts
                break
        out = []
        for a in ACTIVITIES:
            bases = self.bases(a)
            more = bases["REWIND"] if recovery and event == "MAP_STALL" else 0
            out.append(bases[base] * ppm[a] // 10 ** 6 + more)
        return out


@functools.lru_cache(None)
def end_of_noise(seed, x, at):
    return draw(seed, 3, x, at) % 2001 - 1000


def noise(seed, x, g):
    a, b = (end_of_noise(seed, x, g // 8 + i) for i in (0, 1))
    return a + cut((b - a) * (g % 8), 8)


def grain(old, new, k, n1, n2):
    """(busy in thousandths, shares) k eighths of the way."""
    busy = (old[0] * 10 * (8 - k) + new[0] * 10 * k) // 8
    part = [(o * (8 - k) + n * k) // 8 for o, n in zip(old[1], new[1])]
    busy = min(busy + cut(busy * n1, 16000), 1000)
    largest = part.index(max(part))
    other = 1 if largest == 0 else 0
    move = max(min(cut(n2, 20), part[largest]), -part[other])
    part[largest] -= move
    part[other] += move
    share = [4096 * busy // 1000 * p // 1000 for p in part]
    if sum(share) < 4096:
        share[KERNEL] += 1
    return busy, share


def step(busy):
    """The frequency's, of thousandths busy."""
    return 0 if busy < 10 else 1 if busy < 350 else 2 if busy < 750 else 3


class Mac:
    """work: {cpu: nature}, of those whose work is not drawn."""
    made = {}  # grains and sums by machine, seed and work

    def __init__(self, name, seed, end_s, work=None):
        self.nature = work or {}
        macros, self.kind_of = MACHINES[name]
        self.kinds = [Kind(m, seed, i) for i, m in enumerate(macros)]
        self.recovery = name[:2] in ("m4", "m5", "m6", "ne")
        self.off = []  # (cpus, from, to) in ns of awake time since the start
        self.unread = ()  # seconds at which the kernel refuses to read
        self.seed, self.name = seed, name
        self.last = (BOOT_NS + end_s * 10 ** 9) // GRAIN_NS + 1
        key = name, seed, tuple(sorted(self.nature.items()))
        if key not in Mac.made:
            Mac.made[key] = self.work_and_sums()
        self.cpu, self.sums = Mac.made[key]
        self.rates = {}

    def work_and_sums(self):
        cpu = [self.work_of(c) for c in range(len(self.kind_of))]
        return cpu, [self.add_up(grains) for grains in cpu]

    def phase(self, job, i, column):
        r = draw(self.seed, 1, job, i)
        ticket = r % 100
        for odds, least, span, parts in STATES:
            if ticket < odds[column]:
                break
            ticket -= odds[column]
        return r, (least + (r >> 8) % span, parts)

    def job(self, q, j, n):
        """Grains of a job: (MHz, shares)"""
        column = 2 if self.kinds[q].slow else 0 if j < (n + 1) // 2 else 1
        w = 64 * q + j
        out, old, i = [], self.phase(w, 0, column)[1], 1
        while len(out) < GRAINS:
            r, new = self.phase(w, i, column)
            for k in range(8 + (r >> 32) % 73):
                g = len(out)
                if g == GRAINS:
                    break
                busy, share = grain(old, new, min(k + 1, 8),
                                    noise(self.seed, w, g),
                                    noise(self.seed, w + 4096, g))
                out.append((self.kinds[q].mhz[step(busy)], share))
            old, i = new, i + 1
        return out

    def turns(self, q, n):
        out, turn, i = [], 0, 0
        while len(out) < GRAINS:
            r = draw(self.seed, 2, q, i)
            out += [turn] * (48 + (r >> 32) % 73)
            turn = (turn + 1 + r % (n - 1)) % n
            i += 1
        return out

    def program(self, cpu, nature):
        """Grains of a CPU whose program has a nature."""
        out = []
        for g in range(NATURE_GRAINS):
            name = PHASES[(g // 80 + 2) % 4] if nature == "phases" else nature
            busy, share = grain(NATURES[name], NATURES[name], 8,
                                noise(self.seed, 512 + cpu, g),
                                noise(self.seed, 4608 + cpu, g))
            out.append((self.kinds[self.kind_of[cpu]].mhz[step(busy)], share))
        return out

    def work_of(self, cpu):
        if cpu in self.nature:
            return self.program(cpu, self.nature[cpu])
        q = self.kind_of[cpu]
        same = [c for c, kind in enumerate(self.kind_of) if kind == q]
        n = len(same)
        if not hasattr(self, "jobs"):
            self.jobs = {}
        if q not in self.jobs:
            self.jobs[q] = ([self.job(q, j, n) for j in range(n)],
                            self.turns(q, n))
        jobs, turns = self.jobs[q]
        place = same.index(cpu)
        return [jobs[(place + turns[g]) % n][g] for g in range(GRAINS)]

    @staticmethod
    def add_up(grains):
        """Sums over the grains before each, and over all."""
        cycles, ns = [0] * len(ACTIVITIES), [0, 0]
        sums = [(tuple(cycles), tuple(ns))]
        for mhz, share in grains:
            for a in ACTIVITIES:
                cycles[a] += share[a] * mhz * GRAIN_NS // 4096000
            ns[0] += sum(share[:KERNEL])
            ns[1] += share[KERNEL]
            sums.append((tuple(cycles), tuple(ns)))
        return sums

    def off_ns(self, cpu, t):
        """Time off, t in ns of awake time since the start."""
        return sum(max(0, min(t, b) - a) for cpus, a, b in self.off
                   if cpu in cpus)

    def online(self, cpu, t):
        return not any(a <= t < b for cpus, a, b in self.off if cpu in cpus)

    def cycles(self, cpu, t):
        """Cycles of each activity, and the ticks (user, kernel, idle)."""
        awake = BOOT_NS + t - self.off_ns(cpu, t)
        whole, part = divmod(awake, GRAIN_NS)
        periods, g = divmod(whole, len(self.cpu[cpu]))
        full, head = self.sums[cpu][-1], self.sums[cpu][g]
        mhz, share = self.cpu[cpu][g]
        cycles = [periods * full[0][a] + head[0][a] +
                  share[a] * mhz * part // 4096000 for a in ACTIVITIES]
        now = (sum(share[:KERNEL]), share[KERNEL])
        user, kernel = ((( periods * full[1][i] + head[1][i]) * GRAIN_NS +
                         now[i] * part) // 4096 for i in range(2))
        tick = 10 ** 7
        return cycles, (user // tick, kernel // tick,
                        (awake - user - kernel) // tick)

    def count(self, cpu, event, t, answers=0, modes="uk"):
        """What the event has come to; in user (u) and kernel (k) mode."""
        q = self.kind_of[cpu]
        if (q, event) not in self.rates:
            self.rates[q, event] = self.kinds[q].rate(event, self.recovery)
        rate = self.rates[q, event]
        done = self.cycles(cpu, t)[0]
        total = 0
        for a in ACTIVITIES:
            if ("k" if a == KERNEL else "u") in modes:
                total += done[a] * rate[a] >> 20
        if "k" in modes and rate == self.kinds[q].rate("INST_ALL", False):
            total += READ_INSTRUCTIONS * answers
        elif "k" in modes and rate == [2 ** 20] * len(ACTIVITIES):
            total += READ_CYCLES * answers
        return total

    def nap(self, until_s):
        """What a machine that powers down does by itself."""
        d = draw(self.seed, 4, 0, 0)
        first, length = 12 + d % 17, 6 + d // 17 % 5
        for start in range(first, until_s, 48):
            self.off.append((LAST_CLUSTER[self.name], start * 10 ** 9,
                             (start + length) * 10 ** 9))
