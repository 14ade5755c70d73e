#!/bin/sh
# ktop on a real Linux kernel with two kinds of cores: builds it static for
# arm64, boots an emulated hybrid machine (boot.sh) and judges what it printed.
# The harness is judged first, with counters.c, which shares no code with ktop.
# What could not be fetched is skipped aloud where CI=true, else an error.
#
#	check.sh [guest | cost | known]
#				guest: the harness alone; cost: what a machine
#				pays for being looked at, by ktop and by others;
#				known: the numbers that known.sh's emulator makes
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
build=${B:-build}/arm64
failed=0
. tests/qemu/known_counts.sh

if [ "$(uname -s)" != Linux ]; then
	echo 'qemu-check: SKIPPED: needs a Linux machine to build on' >&2
	exit 0
fi

skip()
{
	echo "qemu-check: SKIPPED: $*" >&2
	[ "${CI:-}" = true ] && exit 0
	exit 1
}

build_counters()
{
	mkdir -p "$build"
	aarch64-linux-gnu-gcc -static -O1 -Wall -Wextra -Werror \
	    -o "$build/counters" tests/qemu/counters.c
}

# The libraries by path: only these two come from the folder, libc does not.
build_ktop()
{
	lib=$cache/tree/usr/lib/aarch64-linux-gnu
	make --no-print-directory -j2 OS=Linux B="$build" LDFLAGS=-static \
	    CC=aarch64-linux-gnu-gcc AR=aarch64-linux-gnu-ar \
	    CURSES_CFLAGS="-isystem $cache/tree/usr/include" \
	    CURSES_LIBS="$lib/libncursesw.a $lib/libtinfo.a" \
	    CSV_CFLAGS="-isystem $cache/tree/usr/include" \
	    CSV_LIBS="$lib/libcsv.a" "$build/ktop"
}

# With ktop's own source of counters; its libraries are there by now.
build_events()
{
	libs=
	for module in source-perf source pmu-perf pmu model base; do
		libs="$libs $build/lib$module.a"
	done
	# shellcheck disable=SC2086
	aarch64-linux-gnu-gcc -std=c11 -D_GNU_SOURCE -static -O1 -Wall \
	    -Wextra -Isrc -o "$build/events" tests/qemu/events.c $libs -lm
}

# part NAME: what that part of the guest's script printed
part()
{
	awk -v begin="@part $1" -v end="@status $1 " '
		index($0, end) == 1 { exit }
		on
		$0 == begin { on = 1 }' "$build/console"
}

# holds SENTENCE COMMAND...: the command's success is the truth of the sentence
holds()
{
	sentence=$1
	shift
	if "$@"; then
		echo "qemu-check: ok: $sentence"
	else
		echo "qemu-check: FAILED: $sentence" >&2
		failed=$((failed + 1))
	fi
}

succeeded()
{
	grep -qx "@status $1 0" "$build/console"
}

# Of the machine booted: its small CPUs, as numbers from and to; big has the
# rest. none: no small ones.
is_small='c >= small_from && c <= small_to'

# judge PART PROGRAM: awk over what the part printed
judge()
{
	part "$1" | awk -F "${3-$(printf '\t')}" -v small_from="$small_from" \
	    -v small_to="$small_to" -v cpus="$cpus" "$2"
}

# cpu, PMU, cycles: every CPU on the PMU of its own kind
counters_are_right()
{
	judge counters '
		{ c = $1 + 0; small = '"$is_small"' }
		$3 > 0 && $2 == (small ? "armv8_cortex_a55" \
		    : "armv8_cortex_a76") { ok++ }
		END { exit ok != cpus || NR != cpus }'
}

# label, kind, pmu, cpus, physical cores: as many rows as there are kinds, the
# big ones P, the small ones E, CPU where there is one kind
topology_is_right()
{
	judge topology '
		/^#/ { next }
		{ split($4, range, "-"); c = range[1]; n += $5 }
		{ small = '"$is_small"' }
		$3 != (small ? "armv8_cortex_a55" : "armv8_cortex_a76") { bad = 1 }
		small && $1 != "E" { bad = 1 }
		!small && $1 != (small_to < 0 ? "CPU" : "P") { bad = 1 }
		{ rows++ }
		END { exit bad || n != cpus || rows != (small_to < 0 ? 1 : 2) }'
}

# csv PART PROGRAM: awk over the core rows of a recording; col[] are columns
csv()
{
	part "$1" | tr -d '"' | awk -F , -v small_from="$small_from" \
	    -v small_to="$small_to" -v cpus="$cpus" '
		/^@stat/ { split($0, t, /[ \t]/)
			for (i = 3; i <= 7; i++) stat[t[2], i] = t[i]
			stat_rate[t[2]] = t[3] / t[5]
			stat_ipc[t[2]] = t[4] / t[3]; next }
		$1 == "schema" { for (i = 1; i <= NF; i++) col[$i] = i; next }
		($1 != "ktop/2" || $2 != "cpu") && $1 != "@perf" { next }
		{ cpu = $col["cpu"]; frame = $col["sample"]
		  quality = $col["quality"] }
		'"$2"
}

csv_is_right()
{
	csv csv '
		$col["cycles"] > 0 && $col["instructions"] > 0 { good[cpu]++ }
		{ c = cpu + 0
		  kind[('"$is_small"') "," $col["cluster"]] = 1 }
		END {
			for (i = 0; i < cpus; i++) if (good[i] != 3) exit 1
			for (k in kind) n++
			exit n != (small_to < 0 ? 1 : 2)
		}'
}

# Both read the same kernel: cycles a second within 1 %. QEMU counts the
# instructions of all CPUs as one number, so only their order of size is asked.
agrees_with_the_other_program()
{
	csv interval '
		{ cycles[cpu] += $col["cycles"]; s[cpu] += $col["interval_s"]
		  work[cpu] += $col["instructions"] }
		END { for (i = 0; i < cpus; i++) {
			if (s[i] <= 0 || !(i in stat_rate)) exit 1
			r = cycles[i] / (s[i] * 1e9) / stat_rate[i]
			w = work[i] / cycles[i] / stat_ipc[i]
			if (r < 0.99 || r > 1.01 || w < 0.02 || w > 50) exit 1
		} }'
}

# Switches are the counts that differ between CPUs here: what CPU i did at least,
# and what the other program counted, whose time ktop's lies in.
counts_are_of_their_cpu()
{
	csv loads '
		{ for (i = 1; i <= 10; i++)
			if ($col["e" i] == "SW_CONTEXT_SWITCHES")
				n[cpu] += $col["c" i] }
		END {
			for (i = 0; i < cpus; i++) {
				printf "CPU %d: %d switches, by the other program %d\n",
				    i, n[i], stat[i, 7]
				off = stat[i, 7] - n[i]
				bad += off < 0 || off > 100 ||
				    n[i] < 400 * (i + 1)
			}
			exit bad > 0
		}'
}

# r0011 counts what cycles count, over the same time
raw_events_are_right()
{
	csv events '
		$col["e1"] == "r0011" && $col["c1"] > 0 {
			r = $col["c1"] / $col["cycles"]
			if (r > 0.999 && r < 1.001) ok++
		}
		$col["e1"] == "inst_retired" && $col["c1"] > 0 {
			if ($col["e2"] == "r0011") ok++
		}
		END { exit ok != 2 * cpus }'
}

# CPU 1 counts, is off, counts again; the others never stop
hotplug_is_followed()
{
	csv hotplug '
		cpu == 1 && quality ~ /off/ { off++; if (!before) exit 1 }
		cpu == 1 && quality == "" && $col["cycles"] > 0 {
			if (off) after++; else before++
		}
		cpu == 0 && quality == "" && $col["cycles"] > 0 { other++ }
		END { exit !(before && off && after && other == 9) }'
}

# After a hibernation the first CPU's counters went on; those of the others died
# with their CPU, were opened again, and a gap was a gap: no value in the frame
# of it, no spike after it.
suspension_is_survived()
{
	part suspended | grep -qx @image &&
	csv suspended '
		quality ~ /gap/ { gap[cpu]++ }
		cpu > 0 && quality ~ /gap/ && $col["cycles"] != "" { bad = 1 }
		cpu > 0 && quality ~ /catchup/ && $col["cycles"] > 0 { back++ }
		$col["cycles"] != "" && $col["event_s"] > 0 {
			r = $col["cycles"] / ($col["event_s"] * 1e9)
			if (r < 0.99 || r > 1.01) bad = 1
		}
		frame == 7 && quality == "" && $col["cycles"] > 0 { end++ }
		END {
			for (i = 0; i < cpus; i++) if (gap[i] != 1) bad = 1
			exit bad || back != cpus - 1 || end != cpus
		}'
}

# perf stat -a -A beside ktop: cycles a second of each CPU, and the IPC of each
# kind from sums, within 1 %
agrees_with_perf_stat()
{
	csv perf '
		/^@perf/ {
			s_of[$2] = $6 / 1e9
			if ($5 == "cycles") perf_c[$2] = $3
			if ($5 == "instructions") perf_i[$2] = $3
			next
		}
		{ c[cpu] += $col["cycles"]; w[cpu] += $col["instructions"]
		  s[cpu] += $col["event_s"] }
		END {
			for (i = 0; i < cpus; i++) {
				if (s[i] <= 0 || perf_c[i] <= 0) exit 1
				r = c[i] / s[i] / (perf_c[i] / s_of[i])
				if (r < 0.99 || r > 1.01) exit 1
				k = i >= small_from && i <= small_to
				kc[k] += c[i]; kw[k] += w[i]
				pc[k] += perf_c[i]; pw[k] += perf_i[i]
			}
			for (k in kc) {
				r = kw[k] / kc[k] / (pw[k] / pc[k])
				if (r < 0.99 || r > 1.01) exit 1
			}
		}'
}

# A command and its child: perf stat's counts (value, unit, event, running),
# taken down to the time that each kind really had: it scales both up to all.
stat_agrees_with_perf_stat()
{
	part statperf | awk -F , '
		$1 == "@perf" && $4 ~ /cycles/ { pc += $2 * $5; rc += $5 }
		$1 == "@perf" && $4 ~ /inst_retired/ { pw += $2 * $5; rw += $5 }
		$1 == "mean" && $7 == "" && $6 == "cycles" { c = $10 }
		$1 == "mean" && $7 == "" && $6 == "instructions" { w = $10 }
		$1 == "mean" && $7 != "" && $6 == "cycles" { parts += $10 }
		$1 == "machine" && $6 == "cycles" {
			if ($7 == "") all = $10
			else clusters += $10
		}
		END {
			if (pc <= 0 || pw <= 0) exit 1
			if (all != clusters || (all > 0 && all < c)) exit 1
			pc /= rc; pw /= rw
			exit c / pc < 0.99 || c / pc > 1.01 ||
			    w / pw < 0.99 || w / pw > 1.01 ||
			    parts / c < 0.999 || parts / c > 1.001
		}' &&
	    part statperf | grep -q '^@text .*IPC' &&
	    part statperf | grep -q '^@text .*inst_retired' &&
	    part statperf | grep -q '^@text The machine during the runs (events of -e'
}

# Two seconds of a loop: the time that it had a CPU, and a thousand million
# cycles of each second of that
stat_follows_a_process()
{
	part statpid | awk -F , '
		$1 == "mean" && $7 == "" { v[$6] = $10 }
		END {
			share = v["cpu_time"] / v["elapsed"]
			rate = v["cycles"] / (v["cpu_time"] * 1e9)
			printf "%.3f x 10^9 cycles a second of CPU time\n", rate
			exit v["elapsed"] < 1.5 || share < 0.5 ||
			    share > 1.05 || rate < 0.9 || rate > 1.1
		}'
}

# Cycles are virtual time, a thousand million a second on a CPU: what works on
# a small core has none on a big one, and the other way round.
processes_are_counted_by_kind()
{
	part processes | tr -d '"' | awk -F , '
		/^@workers/ { split($0, w, " "); next }
		$1 == "schema" { for (i = 1; i <= NF; i++) col[$i] = i; next }
		$2 != "process" || $col["sample"] < 2 || $col["cycles"] == "" {
			next
		}
		{ pid = $col["pid"]; rows[pid]++
		  c[pid] += $col["cycles"]; p[pid] += $col["pcycles"]
		  ns[pid] += $col["user_ns"] + $col["system_ns"] }
		END {
			for (i = 2; i <= 4; i++) {
				if (rows[w[i]] < 3 || ns[w[i]] <= 0) exit 1
				r = c[w[i]] / ns[w[i]]
				if (r < 0.85 || r > 1.15) exit 1
			}
			both = p[w[4]] / c[w[4]]
			exit p[w[2]] != 0 || p[w[3]] != c[w[3]] ||
			    both < 0.1 || both > 0.9
		}'
}

# Those of a group were counted together, to some instructions. The cores hold
# the counters first; then they stand back, and what does not fit goes.
events_of_processes()
{
	part events_of | awk '
		/^@workers/ { split($0, w, " "); next }
		$1 == "state" {
			frames++
			bad = bad || $2 != 2
			yields = $6
			if (slots == "") slots = $4 ""
			last = $4 ""
			next
		}
		$1 == "pid" && $4 > 100000000 {
			rows[$2]++
			for (i = 8; i <= NF; i += 2)
				if ($i / $4 < 0.999 || $i / $4 > 1.001)
					bad = 1
		}
		END {
			for (i = 2; i <= 4; i++)
				bad = bad || rows[w[i]] < 3
			exit bad || frames < 8 || yields == 0 || last == slots
		}'
}

# The cores' set leaves processes no counter, until two slots make place.
pairs_of_processes()
{
	part pairs_of | awk '
		$1 == "pairs" { yields = $3; n = 0 }
		$1 == "pid" && $4 == "cycles" && $5 > 100000000 { n++ }
		END { exit yields != 2 || n != 3 }'
}

# With four of them held the pair counts all the time, and as many events as
# fit, none by turns; all of them do in the end.
shared_is_fitted()
{
	part shared | grep -q '^@batch.* in-use' &&
	csv shared '
		{ n = 0
		  for (i = 1; i <= 10; i++) n += $col["c" i] != "" }
		$col["ipc"] == "" || $col["ipc"] <= 0 { bad = 1 }
		frame >= 1 && frame <= 2 {
			if (quality ~ /mux/) bad = 1
			some[cpu] = n
		}
		frame == 8 { if (n <= some[cpu] || quality != "") bad = 1; all++ }
		END { exit bad || all != cpus }'
}

# --mux: all events, by turns while counters are held, with their coverage.
mux_takes_turns()
{
	csv mux '
		{ n = 0
		  for (i = 1; i <= 10; i++) n += $col["c" i] != "" }
		frame >= 1 && frame <= 2 {
			some[cpu] = n
			if (quality !~ /mux/ || $col["coverage"] >= 0.99) bad = 1
		}
		frame == 8 { if (n != some[cpu] || quality != "") bad = 1; all++ }
		END { exit bad || all != cpus }'
}

# Counters that others hold are "not counted", never 0, and said why
held_is_seen()
{
	csv held '
		quality ~ /mux/ && $col["cycles"] == "" &&
		    $col["ipc"] == "" { seen++ }
		END { exit seen < 3 * cpus }' &&
		grep -q '^@error held ktop: .*another profiler' "$build/console"
}

paranoid_is_named()
{
	for level in 1 2 3; do
		grep -q "^@error paranoid$level ktop: perf_event_paranoid is $level" \
		    "$build/console" || return 1
		grep -qx "@status paranoid$level 3" "$build/console" || return 1
	done
	! grep -q '^@error paranoid0' "$build/console"
}

# CAP_PERFMON is enough up to level 2; at 3 Debian's kernel wants CAP_SYS_ADMIN
one_capability_is_enough()
{
	for name in perfmon2 admin3; do
		csv $name '$col["cycles"] > 0 { ok++ }
			END { exit ok != 2 * cpus }' || return 1
	done
	csv perfmon3 '$col["cycles"] != "" { exit 1 }' &&
	    grep -q '^@error perfmon3 ktop: .*CAP_SYS_ADMIN' "$build/console"
}

# A CPU that was off line at the start is a row without numbers, then counts
late_cpu_is_taken_in()
{
	csv late '
		cpu == 3 && quality ~ /off/ && $col["cycles"] == "" { off++ }
		cpu == 3 && quality == "" && $col["cycles"] > 0 { on++ }
		cpu == 3 && $col["kind"] != "" { kind = $col["kind"] }
		cpu == 0 && quality == "" && $col["cycles"] > 0 { other++ }
		END { exit !(off && on >= 3 && kind && other >= 7) }'
}

screen_is_drawn()
{
	part screen | grep -q "ktop's hybrid" && part screen | grep -q 'basic'
}

# boot ARGS...: a machine of that shape; what it printed goes to console
boot()
{
	if ! tests/qemu/boot.sh "$@" tests/qemu/guest.sh $files \
	    >"$build/console"; then
		echo "qemu-check: FAILED: the machine $*" >&2
		failed=$((failed + 1))
	fi
}

end()
{
	if [ $failed != 0 ]; then
		echo "qemu-check: the last guest's console:" >&2
		cat "$build/console" >&2
		exit 1
	fi
	echo 'qemu-check: ok'
	exit 0
}

judge_machine()
{
	holds "$1: every CPU counts on the PMU of its kind" counters_are_right
	[ "$mode" != guest ] || return 0
	holds "$1: ktop topology shows the kinds" topology_is_right
	holds "$1: ktop -b succeeds" succeeded batch
	holds "$1: every CPU counts in every frame" csv_is_right
	holds "$1: ktop and another program read the same" \
	    agrees_with_the_other_program
}

# Least of the tries of each way and length; a short run is taken off a long
# one, and what the machine does anyway off both. 4 CPUs.
cost_table()
{
	awk '$1 == "@error" { print >"/dev/stderr" }
		$1 != "@cost" { next }
		{ key = $2 " " $3
		  for (i = 4; i <= 6; i++)
			if (!((key, i) in v) || $i < v[key, i]) v[key, i] = $i
		  if (short == "") short = $3
		  if (!($2 in seen)) { seen[$2] = 1; way[++ways] = $2 }
		  long = $3 }
		END {
			printf "| a CPU and reading | interrupts | instructions | ns of CPU |\n"
			printf "|---|---|---|---|\n"
			for (w = 2; w <= ways; w++) {
				printf "| %s", way[w]
				for (i = 4; i <= 6; i++) {
					d = v[way[w] " " long, i] - v[way[w] " " short, i]
					n = v[way[1] " " long, i] - v[way[1] " " short, i]
					printf i == 4 ? " | %.2f" : " | %.0f", \
					    (d - n) / (long - short) / 4
				}
				print " |"
			}
		}'
}

tests/install.sh qemu || skip 'a package could not be installed'
status=0
cache=$(tests/qemu/fetch.sh) || status=$?
case $status in
0) ;;
75) skip 'the kernel or a library could not be fetched' ;;
*) exit "$status" ;;
esac
build_counters
mode=${1:-all}
files=$build/counters
perf=no over=''
if [ "$mode" != guest ]; then
	build_ktop
	build_events
	files="$files $build/ktop $build/events"
	for terminfo in /lib/terminfo /usr/share/terminfo /etc/terminfo; do
		[ -f $terminfo/v/vt100 ] || continue
		files="$files $terminfo/v/vt100"
		break
	done
fi
if [ "$mode" != guest ]; then
	if tests/qemu/fetch.sh perf >/dev/null; then
		perf=yes over="-r $cache/perf"
	else
		echo 'qemu-check: SKIPPED: perf stat beside ktop' >&2
	fi
fi
if [ "$mode" = cost ]; then
	[ "$perf" = yes ] || exit 1
	aarch64-linux-gnu-gcc -static -O1 -Wall -Wextra -Werror \
	    -o "$build/cost" tests/qemu/cost.c
	tests/qemu/boot.sh -E 0 -P 4 -r "$cache/perf" tests/qemu/cost-guest.sh \
	    "$build/cost" "$build/ktop" | cost_table
	exit
fi
cpus=4 small_from=0 small_to=1
if [ "$mode" = known ]; then
	[ "$perf" = yes ] || skip 'perf could not be fetched'
	# shellcheck disable=SC2086
	boot -E 2 -P 2 $over -a known
	judge_known
	end
fi
# shellcheck disable=SC2086
boot -E 2 -P 2 $over -a all
judge_machine 'small cores first'
if [ "$mode" != guest ]; then
	holds 'events by name and number are counted' raw_events_are_right
	holds 'counts are those of their own CPU' counts_are_of_their_cpu
	holds 'a CPU that goes and comes back is followed' hotplug_is_followed
	holds 'a hibernation is a gap and nothing else' suspension_is_survived
	if [ "$perf" = yes ]; then
		holds "rates and IPC are perf stat's" agrees_with_perf_stat
		holds "ktop stat counts what perf stat does" \
		    stat_agrees_with_perf_stat
	fi
	holds 'ktop stat follows a process that runs' stat_follows_a_process
	holds 'processes have their cycles on each kind of core' \
	    processes_are_counted_by_kind
	holds 'events of processes are counted where the cores stand back' \
	    events_of_processes
	holds 'processes have their cycles though the cores took all counters' \
	    pairs_of_processes
	holds 'counters that others hold are not shown as 0' held_is_seen
	holds 'what fits beside others counts, and the rest comes back' \
	    shared_is_fitted
	holds '--mux takes turns, and says so' mux_takes_turns
	holds 'each level of perf_event_paranoid has its sentence' \
	    paranoid_is_named
	holds 'one capability is enough, the right one' one_capability_is_enough
	holds 'a CPU that comes later is taken in' late_cpu_is_taken_in
	holds 'the screen is drawn on the console' screen_is_drawn
	[ $failed = 0 ] || cat "$build/console" >&2
	small_from=2 small_to=3
	boot -E 2 -P 2 -p
	judge_machine 'big cores first'
	small_from=0 small_to=-1
	boot -E 0 -P 4
	judge_machine 'one kind'
	cpus=8 small_to=3
	boot -E 4 -P 4
	judge_machine 'four and four'
fi
end
