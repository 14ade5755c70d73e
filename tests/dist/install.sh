#!/bin/sh
# make install and make install-lib install exactly the files listed here, below a
# DESTDIR and a PREFIX with spaces in their names; no file contains the build path.
# The installed files work, and uninstall removes exactly them.
#
#	tests/dist/install.sh
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

# run_make TARGET [VARIABLE=VALUE]
run_make()
{
	$make -s --no-print-directory DESTDIR="$to" PREFIX="$prefix" "$@" \
	    >"$work/log" 2>&1 || {
		tail -n 5 "$work/log" >&2
		fail "make $1 fails"
	}
}

# check_files FILE WHAT: the installed files are those of the list FILE
check_files()
{
	(cd "$to" && find . ! -type d | sed 's,^\./,,' | sort) >"$work/there"
	sort "$1" | diff - "$work/there" >&2 ||
	    fail "wrong files after $2 (<: missing, >: too many)"
}

case $(uname -s) in
Darwin) libs='lib/libkperf-sampler.dylib lib/libkperf-sampler.1.dylib' ;;
*) libs='lib/libkperf-sampler.so lib/libkperf-sampler.so.1' ;;
esac
for file in bin/ktop share/bash-completion/completions/ktop \
    share/zsh/site-functions/_ktop share/fish/vendor_completions.d/ktop.fish \
    share/man/man1/ktop.1 share/man/man5/ktop-csv.5 share/man/man5/ktop-theme.5 \
    $(printf 'share/ktop/%s ' themes/*.theme); do
	echo "opt/k top/$file"
done >"$work/program"
for file in include/kperf-sampler/abi.h include/kperf-sampler/api.h \
    include/kperf-sampler/sampler.h lib/libkperf-sampler.a $libs \
    lib/pkgconfig/kperf-sampler.pc share/man/man3/kperf-sampler.3; do
	echo "opt/k top/$file"
done >"$work/library"

# Files of another program in the same folders must stay.
mkdir -p "$to$prefix/share/ktop/themes" "$to$prefix/include/kperf-sampler"
others="opt/k top/share/ktop/themes/mine.theme
opt/k top/include/kperf-sampler/mine.h"
echo "$others" >"$work/others"
echo "$others" | while read -r file; do echo mine >"$to/$file"; done

run_make install
cat "$work/others" "$work/program" >"$work/list"
check_files "$work/list" 'make install'
run_make install-lib
cat "$work/others" "$work/program" "$work/library" >"$work/list"
check_files "$work/list" 'make install-lib'

! grep -rlF "$PWD" "$to" || fail 'these files contain the build path'
"$to$prefix/bin/ktop" --version | grep -qx "ktop $($make -s version)" ||
    fail 'the installed program does not print its version'
if command -v pkg-config >/dev/null 2>&1; then
	for word in --cflags --libs; do
		eval "set -- $(PKG_CONFIG_PATH="$to$prefix/lib/pkgconfig" \
		    PKG_CONFIG_SYSROOT_DIR="" pkg-config $word kperf-sampler)"
		case $1 in
		"-I$prefix/include" | "-L$prefix/lib") ;;
		*) fail "kperf-sampler.pc says $1" ;;
		esac
	done
fi

run_make uninstall
cat "$work/others" "$work/library" >"$work/list"
check_files "$work/list" 'make uninstall'
run_make install
run_make uninstall-lib
cat "$work/others" "$work/program" >"$work/list"
check_files "$work/list" 'make uninstall-lib'
echo "$others" | while read -r file; do rm "$to/$file"; done
run_make uninstall
[ ! -e "$to$prefix/share/ktop" ] || fail 'make uninstall leaves its own folder'

# A folder that cannot be created: the message says what to do.
if $make -s --no-print-directory PREFIX=/dev/null/x install >"$work/log" 2>&1; then
	fail 'make install into a device succeeds'
fi
grep -q '^make install: cannot write /dev/null/x: run sudo make install, or make install PREFIX=' \
    "$work/log" || fail 'make install without permission does not say what to do'
echo 'install: the installed files work, and uninstall removes them'
