#!/bin/sh
# Fuzzes every target (or those named) for FUZZ_SECONDS each (20), from the
# corpora beside this file; new finds are kept in $B/fuzz/corpus, crashes in
# $B/fuzz/crash-*: give one a name and a place in the corpus when it is mended.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
CLANG=${CLANG:-clang-14}
MAKE=${MAKE:-make}
command -v "$CLANG" >/dev/null || { echo "fuzz: needs $CLANG" >&2; exit 2; }
[ $# -gt 0 ] || set -- $(ls tests/fuzz/*_fuzz.c | sed 's|.*/||; s|_fuzz.c||')
out=$B/fuzz
mkdir -p "$out"
flags='-O1 -g -fsanitize=fuzzer-no-link'
"$MAKE" --no-print-directory B="$out" CC="$CLANG" SAN=1 CFLAGS="$flags" \
    HARDEN= "$out/libapp.a" "$out/libui.a" "$out/libout.a" "$out/libsource.a" \
    "$out/libsim.a" "$out/libkperf.a" "$out/libpmu.a" "$out/libmodel.a" \
    "$out/libbase.a" || exit 1
bad=0
for name; do
	# shellcheck disable=SC2046
	"$CLANG" -std=c11 -O1 -g -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE \
	    -D_XOPEN_SOURCE_EXTENDED -fsanitize=fuzzer,address,undefined \
	    -fno-sanitize-recover=all -Isrc -o "$out/${name}_fuzz" \
	    "tests/fuzz/${name}_fuzz.c" "$out/libapp.a" "$out/libui.a" \
	    "$out/libout.a" "$out/libsource.a" "$out/libsim.a" \
	    "$out/libkperf.a" "$out/libpmu.a" "$out/libmodel.a" \
	    "$out/libbase.a" $(pkg-config --libs ncursesw) -lcsv -ldl -lm \
	    -lpthread || { bad=1; continue; }
	mkdir -p "$out/corpus/$name"
	if "$out/${name}_fuzz" -max_total_time="${FUZZ_SECONDS:-20}" \
	    -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 -verbosity=0 \
	    -artifact_prefix="$out/crash-$name-" "$out/corpus/$name" \
	    "tests/fuzz/$name" >"$out/$name.log" 2>&1; then
		echo "ok fuzz: $name, $(sed -n 's/stat::number_of_executed_units: *//p' "$out/$name.log") inputs"
	else
		echo "not ok fuzz: $name"
		tail -n 30 "$out/$name.log"
		bad=1
	fi
done
exit $bad
