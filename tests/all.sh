#!/bin/sh
# Everything that `make test` does, and what takes longer: the same tests at
# length, all unit tests under the sanitizers, both compilers with warnings as
# errors, every way to die, damaged input, macOS, a real kernel. Each section
# runs whatever became of the others; one that cannot run here says why.
#
#	tests/all.sh [SECTION...]	(all of them)
set -u
cd "$(dirname "$0")/.." || exit 1
make=${MAKE:-make}
build=${B:-build}
jobs=${JOBS:-2}
wanted=" $* "
logs=$build/all/logs
rm -rf "$build/all" && mkdir -p "$logs" || exit 1
: >"$logs/sections.log"
status=0

# section NAME MINUTES COMMAND...
section()
{
	name=$1 minutes=$2
	shift 2
	case $wanted in '  ' | *" $name "*) ;; *) return 0 ;; esac
	printf '\n===== %s: %s\n\n' "$name" "$*"
	began=$(date +%s) rc=0
	{
		python3 tests/within.py $((minutes * 60)) "$@" 2>&1
		echo $? >"$logs/$name.end"
	} | tee "$build/all/$name.out"
	rc=$(cat "$logs/$name.end")
	rm -f "$logs/$name.end"
	took=$(($(date +%s) - began))
	why=$(sed -n 's/^.*-check: SKIPPED: //p' "$build/all/$name.out" | head -n 1)
	case $rc in
	0) said="ok $name, $took s${why:+ # SKIP $why}" ;;
	124) said="not ok $name is not done in $minutes minutes" status=1 ;;
	*) said="not ok $name ended with status $rc after $took s" status=1 ;;
	esac
	echo "$said" | tee -a "$logs/sections.log"
	# those of make check are in its own logs
	[ "$name" = test ] || sed -n "s/^ok \(.*# SKIP\)/ok $name: \1/p" \
	    "$build/all/$name.out" >>"$logs/sections.log"
}

# skipped NAME WHY
skipped()
{
	case $wanted in '  ' | *" $1 "*) ;; *) return 0 ;; esac
	echo "ok $1 # SKIP $2" | tee -a "$logs/sections.log"
}

KTOP_LONG=1
export KTOP_LONG
section test 20 "$make" check
section sanitizers 25 "$make" --no-print-directory "-j$jobs" -k WERROR=-Werror \
    "B=$build/san" SAN=1 CFLAGS='-O1 -g1' HARDEN= \
    "SIM_SO=$PWD/$build/libkperf-sim.so" unit
section gcc 5 "$make" "-j$jobs" CC=gcc "B=$build/gcc" WERROR=-Werror \
    "$build/gcc/ktop"
if command -v clang >/dev/null 2>&1; then
	section clang 5 "$make" "-j$jobs" CC=clang "B=$build/clang" \
	    WERROR=-Werror "$build/clang/ktop"
else
	skipped clang 'clang is not installed'
fi
section instructions 10 "$make" instructions-check
section deaths 10 "$make" die-check
section callers 10 "$make" caller-check
section proc 10 "$make" proc-check
section docker 10 "$make" docker-check
if command -v clang >/dev/null 2>&1; then
	section fuzz 8 env FUZZ_SECONDS="${FUZZ_SECONDS:-3}" "$make" fuzz
else
	skipped fuzz 'clang is not installed'
fi
section recipes 40 "$make" recipes-check
section dist 10 "$make" dist-check
section mac 20 "$make" mac-check
if [ "$(uname -s)" = Linux ]; then
	section guest 15 "$make" qemu-check
else
	skipped guest 'the emulated kernels are started on Linux only'
fi

echo $status >"$logs/sections.status"
printf '\n===== result\n\n'
cat "$logs/sections.log"
echo
sh tests/summary.sh "$build/tests" "$build/unit" "$build/lint" "$build/e2e" \
    "$build/san/tests" "$build/all/sections"
