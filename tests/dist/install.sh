#!/bin/sh
# make install and make install-lib put there what is listed here, below DESTDIR
# and a PREFIX, both with a space in their names, with no path of the build in it;
# what was installed works, and uninstall removes just that.
#
#	tests/dist/install.sh		in a tree that is built or can be
set -eu

cd "$(dirname "$0")/../.."
make=${MAKE:-make}
unset MAKEFLAGS MAKELEVEL MFLAGS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
to="$work/to there"
prefix='/opt/k top'

fail()
{
	echo "install: $*" >&2
	exit 1
}

# make_it TARGET [VARIABLE=VALUE]
make_it()
{
	$make -s --no-print-directory DESTDIR="$to" PREFIX="$prefix" "$@" \
	    >"$work/log" 2>&1 || {
		tail -n 5 "$work/log" >&2
		fail "make $1 fails"
	}
}

# listed FILE: what is there now beside what FILE says
listed()
{
	(cd "$to" && find . ! -type d | sed 's,^\./,,' | sort) >"$work/there"
	sort "$1" | diff - "$work/there" >&2 ||
	    fail "other files are there than $2 should leave (<: missing, >: too many)"
}

case $(uname -s) in
Darwin) libs='libkperf-sampler.dylib libkperf-sampler.1.dylib' ;;
*) libs='libkperf-sampler.so libkperf-sampler.so.1' ;;
esac
{
	for file in bin/ktop share/bash-completion/completions/ktop \
	    share/zsh/site-functions/_ktop share/fish/vendor_completions.d/ktop.fish; do
		echo "opt/k top/$file"
	done
	for page in man1/ktop.1 man5/ktop-csv.5 man5/ktop-theme.5; do
		echo "opt/k top/share/man/$page"
	done
	for theme in themes/*.theme; do
		echo "opt/k top/share/ktop/$theme"
	done
} >"$work/program"
{
	for file in include/kperf-sampler/abi.h include/kperf-sampler/api.h \
	    include/kperf-sampler/sampler.h lib/libkperf-sampler.a \
	    lib/pkgconfig/kperf-sampler.pc share/man/man3/kperf-sampler.3; do
		echo "opt/k top/$file"
	done
	for file in $libs; do
		echo "opt/k top/lib/$file"
	done
} >"$work/library"

# Of another: below the same folders, and in no list of ours.
mkdir -p "$to$prefix/share/ktop/themes" "$to$prefix/include/kperf-sampler"
others="opt/k top/share/ktop/themes/mine.theme
opt/k top/include/kperf-sampler/mine.h"
echo "$others" >"$work/others"
echo "$others" | while read -r file; do echo mine >"$to/$file"; done

make_it install
cat "$work/others" "$work/program" >"$work/list"
listed "$work/list" 'make install'
make_it install-lib
cat "$work/others" "$work/program" "$work/library" >"$work/list"
listed "$work/list" 'make install-lib'

if grep -rlF "$PWD" "$to"; then
	fail 'the path of the build is in these files'
fi
"$to$prefix/bin/ktop" --version | grep -qx "ktop $($make -s version)" ||
    fail 'the installed program does not say its version'
if command -v pkg-config >/dev/null 2>&1; then
	# PKG_CONFIG_SYSROOT_DIR is what DESTDIR is to make
	for word in --cflags --libs; do
		eval "set -- $(PKG_CONFIG_PATH="$to$prefix/lib/pkgconfig" \
		    PKG_CONFIG_SYSROOT_DIR="" pkg-config $word kperf-sampler)"
		case $1 in
		"-I$prefix/include" | "-L$prefix/lib") ;;
		*) fail "kperf-sampler.pc says $1" ;;
		esac
	done
fi

make_it uninstall
cat "$work/others" "$work/library" >"$work/list"
listed "$work/list" 'make uninstall'
make_it install
make_it uninstall-lib
cat "$work/others" "$work/program" >"$work/list"
listed "$work/list" 'make uninstall-lib'
echo "$others" | while read -r file; do rm "$to/$file"; done
make_it uninstall
[ ! -e "$to$prefix/share/ktop" ] || fail 'make uninstall leaves its own folder'

# A folder that cannot be made: what to do, in one sentence.
if $make -s --no-print-directory PREFIX=/dev/null/x install >"$work/log" 2>&1; then
	fail 'make install into a device says nothing'
fi
grep -q '^make install: cannot write /dev/null/x: run sudo make install, or make install PREFIX=' \
    "$work/log" || fail 'make install does not say what to do where it may not write'
echo 'install: what was installed works, and is gone again'
