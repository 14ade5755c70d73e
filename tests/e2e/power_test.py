"""Rows of power: sums, energy by the documented formula, times that join."""
import csv

from tap import Run, finish, ok, same


def rows(spec, n, kind="power"):
    out = Run("--sim", spec, "--csv", "-", "--csv-rows", "cpu,cluster",
              "-n", str(n)).out
    return [x for x in csv.DictReader(out.splitlines()) if x["row"] == kind]


def number(x, name):
    return float(x[name]) if x[name] else None


# docs/SIMULATION.md: pJ a cycle and mW of a CPU that is on.
ENERGY = {"P": (900e-12, 0.040), "E": (150e-12, 0.008)}
power = rows("m1,seed=3,clock=step,power=os", 20)
counts = {(x["sample"], x["cluster"]): x
          for x in rows("m1,seed=3,clock=step,power=os", 20, "cluster")}
wrong = []
for x in power:
    if x["cluster"] == "":
        continue
    c = counts[x["sample"], x["cluster"]]
    joule, watts = ENERGY[x["cluster"]]
    # What the readings of the counters cost is not in the model's work.
    want = float(c["cycles"]) * joule + 4 * watts
    nj = want * 1e9 / float(c["instructions"])
    if abs(number(x, "power_w") - want) > 0.003 or \
            abs(number(x, "nj_per_instruction") / nj - 1) > 0.02:
        wrong.append((x["sample"], x["cluster"], want, number(x, "power_w"),
                      nj, x["nj_per_instruction"]))
same(wrong, [], "power and energy of an instruction are those of the counts")
same(len(power), 20 * 3, "each sample has its clusters and the machine")
for sample in {x["sample"] for x in power}:
    of = {x["cluster"]: number(x, "power_w") for x in power
          if x["sample"] == sample}
    if abs(of["E"] + of["P"] - of[""]) > 0.003:
        wrong.append(of)
same(wrong, [], "clusters add up to the machine")
same({x["power_flags"] for x in power}, {""}, "nothing is marked")

power = [x for x in rows("m5max,clock=step,power=2s", 30)
         if x["power_w"] and x["cluster"] == "S"]
ok(13 <= len(power) <= 15 and
   all(2.05 < number(x, "power_span_s") < 2.15 for x in power),
   "energy is in the sample in which it was published, once",
   [x["power_span_s"] for x in power])
same([x for x in rows("m1,clock=step,power=never", 5) if x["power_w"]], [],
     "what is not published is empty")
same(rows("m1,clock=step", 3) + rows("vm,clock=step,power=os", 3), [],
     "a machine without it has no such row")
# Each value has its span: here energy's is 2 s, the others' are of a sample.
SPANS = ("power_w", "dram_w", "gpu_w", "ane_w", "package_w", "platform_w", "dram_gbs")
for spec in ("m1,clock=step,power=os+hot", "m1,clock=step,power=os+throttle",
             "m5max,clock=step,power=2s"):
    text = Run("--sim", spec, "--csv", "p.csv", "--force", "-n", "12").err
    again = Run("--replay", "p.csv", "--csv", "-").out
    with open("p.csv", encoding="utf-8") as f:
        first = [x.split(",", 3)[::3] for x in f if ",power," in x]
    same([x.split(",", 3)[::3] for x in again.splitlines(True)
          if ",power," in x], first, "a replay writes the same rows" + text)
    with open("p.csv", encoding="utf-8") as f:
        power = [x for x in csv.DictReader(f) if x["row"] == "power"]
    same([(x["sample"], k) for x in power for k in SPANS
          if (x[k] == "") != (x[k.replace("power_w", "power") + "_span_s"]
                              == "")], [], "a value and its span come together")
same(sorted({x["gpu_w_span_s"] for x in power if x["cluster"] == ""}),
     ["1.0"], "a rail that is published in each sample has that span")
# Heavy from 10 s on; nominal says nothing of throttling.
def heat(words):
    return [(x["thermal_pressure"], x["throttled"]) for x in
            rows("m1,clock=step,power=os+" + words, 12) if x["cluster"] == ""]


same(heat("hot"), [("nominal", "0")] * 9 + [("heavy", "1")] * 3,
     "thermal pressure, and that heavy is throttled")
same({x[0] for x in heat("throttle")}, {"nominal"}, "it may stand at nominal")
ok(("nominal", "1") in heat("throttle"), "while clocks are too slow")
same({x[0] for x in heat("noheat")}, {""}, "or not be known")
same(len([x for x in rows("m5max,clock=step,power=never", 5)
          if x["clock_ghz"] and x["cluster"]]), 5 * 3,
     "clocks are recorded in each sample, energy or not")
# A recording made before energy and traffic had spans of their own.
Run("--sim", "m1,clock=step,power=os", "--csv", "p.csv", "--force", "-n", "9")
with open("p.csv", encoding="utf-8") as f:
    table = list(csv.reader(f))
keep = [i for i, name in enumerate(table[0])
        if not name.endswith("_w_span_s") and name != "dram_gbs_span_s"]
with open("old.csv", "w", encoding="utf-8") as f:
    csv.writer(f, lineterminator="\n").writerows(
        [x[i] for i in keep] for x in table)
power = [x for x in csv.DictReader(
    Run("--replay", "old.csv", "--csv", "-").out.splitlines())
         if x["row"] == "power" and x["cluster"] == ""]
same([(x["power_span_s"], x["dram_w_span_s"], x["dram_gbs_span_s"])
      for x in power], [("1.0", "1.0", "")] * 9,
     "an old recording's energy has the span of its row, its traffic none")
ok(all(float(x["dram_gbs"]) > 0 for x in power), "and its traffic is read")
finish()
