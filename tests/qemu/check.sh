#!/bin/sh
# ktop on a real Linux kernel with two kinds of cores: builds it static for
# arm64, boots an emulated hybrid machine (boot.sh) and judges what it printed.
# The harness is judged first, with counters.c, which shares no code with ktop.
# What could not be fetched is skipped aloud where CI=true, else an error.
#
#	check.sh [guest]	guest: the harness alone
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
build=${B:-build}/arm64
failed=0

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

# cpu, PMU, cycles: CPUs 0 and 1 on the small cores' PMU, 2 and 3 on the other
counters_are_right()
{
	part counters | awk -F '\t' '
		$3 > 0 && $2 == ($1 < 2 ? "armv8_cortex_a55" \
		    : "armv8_cortex_a76") { ok++ }
		END { exit ok != 4 || NR != 4 }'
}

# label, kind, pmu, cpus, physical cores
topology_is_right()
{
	part topology | awk -F '\t' '
		$3 == "armv8_cortex_a55" && $4 == "0-1" && $5 == 2 { small++ }
		$3 == "armv8_cortex_a76" && $4 == "2-3" && $5 == 2 { big++ }
		END { exit small != 1 || big != 1 }'
}

# Every CPU has three rows, all with cycles and instructions above 0, and two
# clusters of two CPUs that agree with the topology.
csv_is_right()
{
	part csv | tr -d '"' | awk -F , '
		!head { for (i = 1; i <= NF; i++) col[$i] = i; head = 1; next }
		$col["row"] != "core" { next }
		$col["cycles"] > 0 && $col["instructions"] > 0 {
			good[$col["cpu"]]++
		}
		{ cluster[$col["cpu"]] = $col["cluster"] }
		END {
			for (cpu = 0; cpu < 4; cpu++) if (good[cpu] != 3) exit 1
			exit cluster[0] != cluster[1] || \
			    cluster[2] != cluster[3] || cluster[0] == cluster[2]
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
set -- "$build/counters"
if [ "$mode" != guest ]; then
	build_ktop
	set -- "$@" "$build/ktop"
fi
tests/qemu/boot.sh tests/qemu/guest.sh "$@" >"$build/console"
holds 'the guest has two PMUs that count on their own CPUs' counters_are_right
if [ $# = 2 ]; then
	holds 'ktop topology succeeds' succeeded topology
	holds 'ktop topology shows two clusters on two PMUs' topology_is_right
	holds 'ktop -b -n 3 succeeds' succeeded batch
	holds 'ktop --csv - -n 3 succeeds' succeeded csv
	holds 'every CPU counts in every frame, in two clusters' csv_is_right
fi
if [ $failed != 0 ]; then
	echo "qemu-check: the guest's console:" >&2
	cat "$build/console" >&2
	exit 1
fi
echo 'qemu-check: ok'
