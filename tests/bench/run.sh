#!/bin/sh
# What ktop costs, beside its neighbours: same length, same size, in turns, so
# that a busy minute hits them all.
#
# Prints at its end which of the targets are reached; the status does not say.
#
# usage: run.sh [KTOP]      (./ktop)
#   BENCH_SECONDS  length of one measurement (8)     BENCH_REPS   (3)
#   BENCH_SIZE     of the terminal (120x40)          BENCH_FRAMES (200000)
#   BENCH_WARMUP   seconds before it: 130 fill the chart at 120x40, and then
#                  more of the screen moves (tickcost's own: 2)
#   BENCH_ONLY     a pattern: names of the rows wanted, as "ktop*|htop"
#   CC, B          compiler and build folder (cc, build)
set -u

ktop=${1:-./ktop}
seconds=${BENCH_SECONDS:-8}
reps=${BENCH_REPS:-3}
size=${BENCH_SIZE:-120x40}
frames=${BENCH_FRAMES:-200000}
warmup=${BENCH_WARMUP:+-w $BENCH_WARMUP}
only=${BENCH_ONLY:-*}

here=$(cd "$(dirname "$0")" && pwd)
build=${B:-build}
mkdir -p "$build" || exit 1
cost=$build/tickcost
if [ -z "$(find "$cost" -newer "$here/tickcost.c" 2>/dev/null)" ]; then
	${CC:-cc} -std=c11 -O2 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE \
		-I"$here/../pty" -o "$cost" "$here/tickcost.c" \
		"$here/../pty/child.c" -lm || exit 1
fi

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Nobody's settings: neither read nor written.
HOME=$work/home XDG_CONFIG_HOME=$work/home/.config XDG_STATE_HOME=$work/home
export HOME XDG_CONFIG_HOME XDG_STATE_HOME
mkdir -p "$work/home/.config/btop"
echo 'update_ms = 1000' >"$work/home/.config/btop/btop.conf"
TERM=xterm-256color LANG=C.UTF-8 NMON=cm
export TERM LANG NMON
unset LC_ALL COLORTERM LINES COLUMNS HTOPRC

have() {
	command -v "$1" >/dev/null 2>&1
}

# name|command, all at one tick a second
rows() {
	if [ -x "$ktop" ]; then
		echo "ktop --sim m1|$ktop --sim m1 -d 1"
		echo "ktop --sim m3ultra|$ktop --sim m3ultra -d 1"
		echo "ktop|$ktop -d 1"
		echo "ktop, mute terminal|-Q $ktop --sim m1 -d 1"
	fi
	! have htop || echo 'htop|htop -d 10'
	! have top || echo 'top|top -d 1'
	! have nmon || echo 'nmon|nmon -s 1'
	! have perf || echo "perf stat|perf stat -a -A -I 1000 \
-e cpu-clock,context-switches,page-faults"
	! have btop || echo 'btop|btop'
}

wanted() {
	while IFS='|' read -r name command; do
		# the names wanted are one pattern, alternatives and all
		eval "case \$name in $only) echo \"\$name|\$command\" ;; esac"
	done
}

# Appends "name|figure=value ..." of one run to a file. The command is split
# into words here: none of them holds a blank.
measure() {
	# shellcheck disable=SC2086
	line=$("$cost" -s "$size" -n "$seconds" $warmup $3 $2 \
		2>>"$work/errors" \
		</dev/null) || line=failed
	echo "$1|$line" >>"$work/figures"
}

rows | wanted >"$work/rows"
[ -s "$work/rows" ] || echo "nothing to measure: no $ktop" >&2
rep=0
while [ "$rep" -lt "$reps" ]; do
	rep=$((rep + 1))
	echo "run $rep of $reps ..." >&2
	while IFS='|' read -r name command; do
		measure "$name" "$command" ''
	done <"$work/rows"
done
if have strace; then
	echo 'system calls ...' >&2
	while IFS='|' read -r name command; do
		measure "$name" "$command" -S
	done <"$work/rows"
fi

echo "$size, one tick a second, medians of $reps runs of $seconds s;" \
	"in brackets times ktop --sim m1"
# The medians of each row's figures, and their ratios to the first row.
awk -F '|' '
function median(list, n, v, i, j, t) {
	n = split(list, v, " ")
	if (n == 0) return "-"
	for (i = 2; i <= n; i++)
		for (j = i; j > 1 && v[j] + 0 < v[j - 1] + 0; j--) {
			t = v[j]; v[j] = v[j - 1]; v[j - 1] = t
		}
	return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
}
function cell(row, figure, m, base) {
	m = median(all[row, figure])
	if (m == "-") return m
	base = median(all["ktop --sim m1", figure])
	if (base == "-" || base <= 0) return sprintf("%.4g", m)
	return sprintf(m < 10 ? "%.2f (%.2f)" : "%.0f (%.2f)", m, m / base)
}
# One target: a figure of ktop --sim m1, at most share of another row or a limit.
function target(what, figure, share, row, limit, m, other) {
	m = median(all["ktop --sim m1", figure])
	other = row == "" ? limit : median(all[row, figure])
	if (m == "-" || other == "-") {
		printf "  -     %s: not measured here\n", what
		return
	}
	if (row != "") limit = share * other
	printf "  %s  %-46s %8.0f of %.0f\n", (m <= limit) ? "pass" : "FAIL",
	    what, m, limit
}
FNR == NR { order[++rows] = $1; next }
{
	n = split($2, pair, " ")
	for (i = 1; i <= n; i++) {
		split(pair[i], kv, "=")
		if (kv[2] != "" && kv[2] != "-")
			all[$1, kv[1]] = all[$1, kv[1]] " " kv[2]
	}
}
END {
	fmt = "%-20s %16s %16s %16s %14s %15s %15s\n"
	printf fmt, "", "CPU us/tick", "RSS kB", "bytes/tick", "wake-ups/s",
	    "calls/tick", "first frame ms"
	for (r = 1; r <= rows; r++)
		printf fmt, order[r], cell(order[r], "cpu_us"),
		    cell(order[r], "rss_kb"), cell(order[r], "bytes"),
		    cell(order[r], "wakeups"), cell(order[r], "calls"),
		    cell(order[r], "first_ms")
	print "targets of ktop --sim m1 (measured, of at most):"
	target("CPU, half of htop", "cpu_us", 0.5, "htop")
	target("CPU, a tenth of htop", "cpu_us", 0.1, "htop")
	target("CPU, 0.6 of nmon", "cpu_us", 0.6, "nmon")
	target("CPU, 0.6 of perf stat", "cpu_us", 0.6, "perf stat")
	target("bytes, fewer than htop", "bytes", 1, "htop")
	target("bytes, fewer than btop", "bytes", 1, "btop")
	target("bytes, fewer than top", "bytes", 1, "top")
	target("bytes", "bytes", 0, "", 1200)
	target("memory, less than htop, kB", "rss_kb", 1, "htop")
	target("wake-ups a second", "wakeups", 0, "", 1.05)
	target("system calls a tick", "calls", 0, "", 40)
	target("first frame, ms", "first_ms", 0, "", 20)
}' "$work/rows" "$work/figures"
if [ -s "$work/errors" ]; then
	sort "$work/errors" | uniq -c
fi
[ -x "$ktop" ] || exit 0

# Seconds with a fraction where date has one.
now() {
	date +%s.%N | sed 's/[^0-9.]//g'
}

# rate NAME UNIT WANTED AMOUNT command ...: AMOUNT per second of its run
rate() {
	name=$1 unit=$2 least=$3 amount=$4
	shift 4
	from=$(now)
	if "$@" >"$work/out" 2>"$work/err" </dev/null; then
		awk -v a="$amount" -v t0="$from" -v t1="$(now)" -v n="$name" \
			-v u="$unit" -v w="$least" 'BEGIN {
			t = t1 - t0
			r = a / (t > 0 ? t : 1)
			printf "  %s  %-30s %10.0f %s (%.2f s), of at least %d\n",
			    (r >= w) ? "pass" : "FAIL", n, r, u, t, w
		}'
	else
		echo "$name: $(head -n 1 "$work/err")"
	fi
}

echo
echo "recording $frames frames of 8 cores"
sim=m1,seed=1,clock=step
rate 'to /dev/null' frames/s 20000 "$frames" "$ktop" --sim "$sim" \
	--force --csv /dev/null -n "$frames"
rate 'to a file' frames/s 20000 "$frames" "$ktop" --sim "$sim" \
	--csv "$work/out.csv" -n "$frames"
if [ -s "$work/out.csv" ]; then
	wc -c <"$work/out.csv" | awk -v n="$frames" \
		'{ printf "%-34s %10.0f bytes a frame\n", "", $1 / n }'
fi

# Where this ktop reads recordings.
if "$ktop" --help 2>/dev/null | grep -q '^  *summary ' && [ -s "$work/out.csv" ]
then
	megabytes=$(wc -c <"$work/out.csv" | awk '{ print $1 / 1e6 }')
	rate 'reading it back' MB/s 400 "$megabytes" "$ktop" summary \
		"$work/out.csv"
fi
