#!/bin/sh
# How fast ktop records: frames a second, MB/s and time a frame for each output
# and machines of 8 to 1024 cores, then the program as a whole on simulated
# ones. Prints figures; asserts nothing.
#
# usage: record.sh [KTOP]      (./ktop)
#   RECORD_CORES  numbers of cores (8 32 128 1024)
#   CC, B         compiler and build folder with the modules' archives (cc, build)
set -u

ktop=${1:-./ktop}
ktop=$(cd "$(dirname "$ktop")" && pwd)/$(basename "$ktop")
here=$(cd "$(dirname "$0")" && pwd)
build=${B:-build}
cores=${RECORD_CORES:-8 32 128 1024}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME

flags=$(${MAKE:-make} -s --no-print-directory -C "$here/../.." \
    CC="${CC:-cc}" flags) || exit 1
# shellcheck disable=SC2086
${CC:-cc} -std=c11 -O2 -I"$here/../../src" -o "$work/record" \
    "$here/record.c" "$build/libout.a" "$build/libmodel.a" \
    "$build/libbase.a" $flags -lm || exit 1
# shellcheck disable=SC2086
"$work/record" "$work" $cores || exit 1

echo "# ktop --sim MACHINE,clock=step --csv: counting, rates and all"
echo "# machine      frames        seconds     frames/s"
for machine in m1 m3ultra; do
	for frames in 20000; do
		python3 - "$ktop" "$machine" "$frames" "$work" <<-'PY'
			import subprocess, sys, time
			ktop, machine, frames, work = sys.argv[1:]
			t = time.monotonic()
			subprocess.run([ktop, "--sim", machine + ",clock=step",
			                "-n", frames, "--csv", work + "/run.csv",
			                "--force"], check=True,
			               stdin=subprocess.DEVNULL)
			t = time.monotonic() - t
			print("%-10s %10s %14.2f %12.0f" %
			      (machine, frames, t, int(frames) / t))
		PY
	done
done
