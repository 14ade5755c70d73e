#!/bin/sh
# Builds all of ktop for macOS on arm64 and x86_64, on Linux, with warnings as
# errors, and looks at what the programs would ask of a Mac. What could not be
# fetched is skipped aloud where CI=true, and an error elsewhere.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
build=${B:-build}

if [ "$(uname -s)" != Linux ]; then
	echo 'mac-check: for Linux only; on a Mac make itself is that check'
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
known='/usr/lib/libSystem.B.dylib
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

build_for()
{
	out=$build/mac-$1
	set -- OS=Darwin B="$out" CC="$cache/bin/$1-cc" AR="$cache/bin/ar" \
	    WERROR=-Werror \
	    CURSES_CFLAGS="-isystem $cache/$1/include/ncursesw -isystem $cache/$1/include" \
	    CURSES_LIBS="$cache/$1/lib/libncursesw.a" \
	    CSV_CFLAGS="-isystem $cache/$1/include" \
	    CSV_LIBS="$cache/$1/lib/libcsv.a" \
	    FRAMEWORKS='-F tests/mac/Frameworks -framework IOKit -framework CoreFoundation' \
	    CPPFLAGS='-F tests/mac/Frameworks'
	make --no-print-directory -k -j2 "$@" "$out/ktop"
	look_at "$out/ktop"
	# the simulated frameworks, where the Makefile can make them
	if make -n "$@" "$out/libkperf-sim.so" >/dev/null 2>&1; then
		make --no-print-directory "$@" "$out/libkperf-sim.so"
		look_at "$out/libkperf-sim.so"
	fi
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
