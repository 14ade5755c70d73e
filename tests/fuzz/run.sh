#!/bin/sh
# Fuzzes every target (or those named) for FUZZ_SECONDS each (20), from the
# corpora beside this file; new finds are kept in $B/fuzz/corpus, crashes in
# $B/fuzz/crash-*: give one a name and a place in the corpus when it is mended.
# The damage is drawn from FUZZ_SEED (1); 0 is another one each time, to hunt.
# With clang it is libFuzzer, which sees what the code does; with another
# compiler (or FUZZ_DRIVER=own) drive.c, which only damages the corpora.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
CLANG=${CLANG:-clang-14}
MAKE=${MAKE:-make}
out=$B/fuzz
if [ "${FUZZ_DRIVER:-}" != own ] && command -v "$CLANG" >/dev/null; then
	flags='-O1 -g -fsanitize=fuzzer-no-link'
	link='-fsanitize=fuzzer,address,undefined'
	driver=
else
	CLANG=${CC:-cc}
	out=$B/fuzz-own
	flags='-O1 -g'
	link='-fsanitize=address,undefined'
	driver=tests/fuzz/drive.c
fi
[ $# -gt 0 ] || set -- $(ls tests/fuzz/*_fuzz.c | sed 's|.*/||; s|_fuzz.c||')
mkdir -p "$out"
"$MAKE" -j2 --no-print-directory B="$out" CC="$CLANG" SAN=1 CFLAGS="$flags" \
    HARDEN= modules >"$out/build.log" 2>&1 || { tail -n 30 "$out/build.log"; exit 1; }
flags=$("$MAKE" -s --no-print-directory CC="$CLANG" flags) || exit 1
archives=$("$MAKE" -s --no-print-directory B="$out" archives) || exit 1
build() { # NAME
	# shellcheck disable=SC2086
	"$CLANG" -std=c11 -O1 -g $link -fno-sanitize-recover=all \
	    -Isrc -Itests -o "$out/$1_fuzz" \
	    "tests/fuzz/$1_fuzz.c" $driver $archives $flags -lm
}
feed() { # NAME
	if [ -n "$driver" ]; then
		FUZZ_CRASH=$out/crash-$1 UBSAN_OPTIONS=abort_on_error=1 \
		    ASAN_OPTIONS=abort_on_error=1 "$out/$1_fuzz" \
		    "${FUZZ_SECONDS:-20}" "tests/fuzz/$1"
	else
		mkdir -p "$out/corpus/$1"
		"$out/$1_fuzz" -max_total_time="${FUZZ_SECONDS:-20}" \
		    -seed="${FUZZ_SEED:-1}" -timeout=60 \
		    -rss_limit_mb=2048 -print_final_stats=1 \
		    -verbosity=0 -artifact_prefix="$out/crash-$1-" \
		    "$out/corpus/$1" "tests/fuzz/$1"
	fi
}
bad=0
for name; do
	if [ "$(uname -s)" != Linux ] &&
	    grep -q '"source/perf/' "tests/fuzz/${name}_fuzz.c"; then
		echo "ok fuzz: $name # SKIP Linux only"
	elif build "$name" && feed "$name" >"$out/$name.log" 2>&1; then
		echo "ok fuzz: $name, $(sed -n 's/stat::number_of_executed_units: *//p' "$out/$name.log") inputs"
	else
		echo "not ok fuzz: $name"
		tail -n 30 "$out/$name.log"
		bad=1
	fi
done
exit $bad
