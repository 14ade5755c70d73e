#!/bin/sh
# Builds all of ktop and every test for macOS on arm64 and x86_64, on Linux, with
# warnings as errors, and looks at what the programs would ask of a Mac. What
# could not be fetched is skipped aloud where CI=true, and an error elsewhere.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
build=${B:-build}

if [ "$(uname -s)" != Linux ]; then
	echo 'mac-check: SKIPPED: for Linux only; on a Mac make itself is that check'
	exit 0
fi

skip()
{
	echo "mac-check: SKIPPED: $*" >&2
	[ "${CI:-}" = true ] && exit 0
	exit 1
}

# libraries FILE: the dynamic libraries that a Mach-O names in itself
libraries()
{
	LC_ALL=C tr -c '[:print:]' '\n' <"$1" |
	    grep -E '^/(usr/lib|System/Library)/.*(\.dylib|/Versions/A/.*)$' |
	    sort -u
}

# Anything else would have to be installed on the Mac first.
# libIOReport is opened while it runs, and may be missing.
known='/usr/lib/libSystem.B.dylib
/usr/lib/libIOReport.dylib
/System/Library/Frameworks/CoreFoundation.framework/Versions/A/CoreFoundation
/System/Library/Frameworks/IOKit.framework/Versions/A/IOKit'

look_at()
{
	strange=$(libraries "$1" | grep -vxF "$known" || :)
	if [ -n "$strange" ]; then
		echo "mac-check: $1 needs $strange" >&2
		return 1
	fi
	echo "mac-check: $1: $(wc -c <"$1") bytes, needs" \
	    "$(libraries "$1" | sed 's,.*/,,' | tr '\n' ' ')"
}

# by_hand OUT FILE...: what scripts compile, with the flags that they ask for
by_hand()
{
	to=$out/by-hand/$1
	shift
	mkdir -p "$out/by-hand"
	# shellcheck disable=SC2086
	"$cc" -std=c11 -O2 -Wall -Wextra -Werror -Isrc -Itests -o "$to" "$@" \
	    $archives $flags
}

build_for()
{
	out=$build/mac-$1 cc=$cache/bin/$1-cc
	set -- OS=Darwin B="$out" CC="$cc" AR="$cache/bin/ar" \
	    WERROR=-Werror \
	    CURSES_CFLAGS="-isystem $cache/$1/include/ncursesw -isystem $cache/$1/include" \
	    CURSES_LIBS="$cache/$1/lib/libncursesw.a" \
	    CSV_CFLAGS="-isystem $cache/$1/include" \
	    CSV_LIBS="$cache/$1/lib/libcsv.a" \
	    CMOCKA_CFLAGS="-isystem $cache/$1/include" \
	    CMOCKA_LIBS="$cache/$1/lib/libcmocka.a" \
	    VTERM_CFLAGS="-isystem $cache/$1/include" \
	    VTERM_LIBS="$cache/$1/lib/libvterm.a" \
	    FRAMEWORKS='-F tests/mac/Frameworks -framework IOKit -framework CoreFoundation' \
	    CPPFLAGS='-F tests/mac/Frameworks'
	make --no-print-directory -k -j2 "$@" programs
	look_at "$out/ktop"
	look_at "$out/libkperf-sim.so"
	flags=$(make -s --no-print-directory "$@" flags)
	archives=$(make -s --no-print-directory "$@" archives)
	for file in tests/fuzz/*_fuzz.c; do
		! grep -q '"source/perf/' "$file" || continue
		by_hand "$(basename "$file" .c)" "$file" tests/fuzz/drive.c
	done
	by_hand record tests/bench/record.c
	by_hand tickcost -Itests/pty tests/bench/tickcost.c tests/pty/child.c
	by_hand foreign tests/e2e/foreign.c
	prefix='/opt/k top'
	make -s --no-print-directory "$@" DESTDIR="$out/root" \
	    PREFIX="$prefix" install-lib >/dev/null
	LC_ALL=C tr -c '[:print:]' '\n' \
	    <"$out/root$prefix/lib/libkperf-sampler.dylib" |
	    grep -qx "$prefix/lib/libkperf-sampler.1.dylib" || {
		echo 'mac-check: the library does not know where it is installed' >&2
		return 1
	}
	for file in docs/examples/*.c; do
		"$cc" -std=c11 -O2 -Wall -Wextra -Werror -I"$out/root$prefix/include" \
		    -o "$out/by-hand/$(basename "$file" .c)" "$file" \
		    "$out/root$prefix/lib/libkperf-sampler.a"
	done
	echo "mac-check: $out: $(find "$out/tests" -type f -perm -u+x |
	    grep -c .) unit tests are linked"
}

tests/install.sh mac || skip 'a package could not be installed'
status=0
cache=$(tests/mac/setup.sh) || status=$?
case $status in
0) ;;
75) skip 'the compiler or a library could not be fetched' ;;
*) exit "$status" ;;
esac
build_for aarch64
build_for x86_64
tests/mac/elf/check.sh "$cache"
echo 'mac-check: ok'
