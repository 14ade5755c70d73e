# Sourced by check.sh: what it judges where the emulator is known.sh's. There a
# small core has an IPC of 0.5 and a big one of 2.0, of all that it does.
#
# How exact that can be seen:
# - Counters of a CPU, and those of tasks on small cores: to the unit, but for
#   what is between the reading of two registers of what runs: some hundred
#   instructions, rarely two thousand. They do not add up, since the next
#   reading takes them back: 5000 of 100 million and more are let pass.
# - Tasks on big cores: Linux stops a group as a whole only on the PMU that it
#   met first; on the other it stops one counter after the other, and at each
#   switch 46 instructions are between. That is a millionth of what they do.

# Rows of workers pinned to a small and a big core, and of one on both.
processes_have_known_ipc()
{
	part processes | tr -d '"' | awk -F , '
		/^@workers/ { split($0, w, " "); next }
		$1 == "schema" { for (i = 1; i <= NF; i++) col[$i] = i; next }
		{ pid = $col["pid"] }
		$2 != "process" || $col["cycles"] == "" ||
		    (pid != w[2] && pid != w[3] && pid != w[4]) { next }
		{ rows[pid]++
		  c[pid] += $col["cycles"]; p[pid] += $col["pcycles"]
		  n[pid] += $col["instructions"]
		  np[pid] += $col["pinstructions"]
		  off = np[pid] - 2 * p[pid]
		  if (off < 0) off = -off
		  e = n[pid] - np[pid] - (c[pid] - p[pid]) / 2
		  if (e < 0) e = -e
		  if (off > 5000 + p[pid] / 100000 || e > 5000) bad = 1
		  d = $col["instructions"] / $col["cycles"] - $col["ipc"]
		  if (d < -1e-6 || d > 1e-6) bad = 1 }
		END {
			for (i = 2; i <= 4; i++) {
				id = w[i]
				if (rows[id] < 5) bad = 1
				there = p[id] > 0 ? np[id] / p[id] : 0
				here = c[id] - p[id]
				if (here > 0) here = (n[id] - np[id]) / here
				printf "worker %d: IPC %.7f; %.3f of its cycles on big cores, IPC %.7f there, %.7f on small ones\n",
				    i - 1, n[id] / c[id], p[id] / c[id], there,
				    here
			}
			both = p[w[4]] / c[w[4]]
			exit bad || p[w[2]] != 0 || p[w[3]] != c[w[3]] ||
			    both < 0.1 || both > 0.9
		}'
}

# A CPU's counters are read together; a half may be cut off.
cores_have_known_ipc()
{
	csv processes '
		$col["cycles"] == "" { next }
		{ c = cpu + 0
		  known = $col["cycles"] * (('"$is_small"') ? 0.5 : 2)
		  off = $col["instructions"] - known
		  n++
		  if (off < 0) off = -off
		  if (off > most) most = off }
		END {
			printf "%d rows of CPUs, at most %.1f instructions from what is known\n",
			    n, most
			exit n < 5 * cpus || most > 5000
		}'
}

# Absolute counts, since IPC is the same on both CPUs of a kind: each CPU has a
# load of its own, and what the other program counted is that and some million
# cycles of ktop's beginning and end.
cores_have_their_own_counts()
{
	csv loads '
		{ c[cpu] += $col["cycles"]; n[cpu] += $col["instructions"] }
		END {
			for (i = 0; i < cpus; i++) {
				ipc = i >= small_from && i <= small_to ? 0.5 : 2
				printf "CPU %d: %.0f cycles, %.0f instructions; by the other program %.0f, %.0f\n",
				    i, c[i], n[i], stat[i, 3], stat[i, 4]
				off = stat[i, 3] - c[i]
				bad += off < -5000 || off > 4e7
				off = stat[i, 4] - n[i]
				bad += off < -5000 || off > 4e7 * ipc
				bad += i > 0 && stat[i, 3] - stat[i - 1, 3] < 8e7
			}
			exit bad > 0
		}'
}

# What is shown: every row of one kind, CPU or cluster.
shown_is_known_ipc()
{
	part processes | awk '
		!sub(/^@batch /, "") { next }
		/^ROW/ { at = index($0, " IPC"); next }
		/^(E|P|cpu[0-9]+) / && at > 0 {
			ipc = substr($0, at - 2, 6) + 0
			clusters += $1 !~ /cpu/
			cpus_seen += $1 ~ /cpu/
			want = $2 == "E" ? 0.5 : 2
			if (ipc < want - 0.011 || ipc > want + 0.011) bad++
		}
		END {
			printf "%d rows of clusters, %d of CPUs, %d not as known\n",
			    clusters, cpus_seen, bad
			exit bad || clusters < 10 || cpus_seen < 20
		}'
}

# stat_is_known PART SHARE: of so much of its cycles on big cores, by ktop stat
# and by perf stat around it, which has ktop's own work too: on a big core that
# would be much of what is on a small one, so kinds are compared. What perf
# scaled up to all the time is taken down to the time that its counters ran.
stat_is_known()
{
	part "$1" | awk -F , -v share="$2" '
		function far(a, b) { return a > b ? a - b : b - a }
		$1 == "@perf" && $5 > 0 {
			k = $4 ~ /a55/ ? "E" : "P"
			if ($4 ~ /cycles/) { perf_c[k] = $2; run_c[k] = $5 }
			else { perf_n[k] = $2; run_n[k] = $5 }
		}
		$1 == "mean" && $6 == "cycles" { c[$7] = $10 }
		$1 == "mean" && $6 == "instructions" { n[$7] = $10 }
		END {
			off = n["P"] - 2 * c["P"]
			if (off < 0) off = -off
			e = n["E"] - c["E"] / 2
			ok = off <= 5000 + c["P"] / 100000 && e >= -5000 && e <= 5000
			for (k in perf_c) {
				pc[k] = perf_c[k] * run_c[k] / (run_c["E"] + run_c["P"])
				pn[k] = perf_n[k] * run_n[k] / (run_n["E"] + run_n["P"])
			}
			if (c[""] > 0) ipc = n[""] / c[""]
			want = 2 * share + 0.5 * (1 - share)
			if (c[""] <= 0) exit 1
			printf "ktop stat: %.0f instructions in %.0f cycles, IPC %.7f (known: %.2f)\n",
			    n[""], c[""], ipc, want
			ok = ok && c[""] == c["E"] + c["P"] &&
			    far(c["P"] / c[""], share) < 0.01 &&
			    far(ipc / want, 1) < 0.01
			for (k in pc) {
				if (c[k] < c[""] / 10) continue
				printf "perf stat: on %s %.0f in %.0f, ktop stat: %.0f in %.0f\n",
				    k, pn[k], pc[k], n[k], c[k]
				kinds++
				ok = ok && far(pc[k] / c[k], 1) < 0.01 &&
				    far(pn[k] / n[k], 1) < 0.01
			}
			exit !ok || kinds != (share > 0 && share < 1 ? 2 : 1)
		}'
}

judge_known()
{
	holds 'a process has 0.5 on small cores, 2.0 on big ones, its mix on both' \
	    processes_have_known_ipc
	holds 'CPUs have 0.5 and 2.0' cores_have_known_ipc
	holds 'CPUs have their own counts, as another program reads them' \
	    cores_have_their_own_counts
	holds 'rows of CPUs and clusters show it' shown_is_known_ipc
	holds 'ktop stat of a command on a small core, as perf stat' \
	    stat_is_known statE 0
	holds 'ktop stat of a command on a big core, as perf stat' \
	    stat_is_known statP 1
	holds 'ktop stat of a command that moves, two of three turns on big cores' \
	    stat_is_known statboth 0.6666667
}
