#!/bin/sh
# The checks before a release. Every section runs, even after a failure. With both
# Debians this takes half an hour.
#
#	tests/dist/release.sh [SECTION...]	(all)
#
#	version		only the Makefile has it; the change log begins with it
#	gcc, clang	dist-check with this compiler; every fast test in the tarball
#	musl		all modules except process compile with musl-gcc
#	debian-12, debian-13	the tarball and the .deb on a bare Debian (root)
set -u

cd "$(dirname "$0")/../.." || exit 1
make=${MAKE:-make}
unset MAKEFLAGS MAKELEVEL MFLAGS
wanted=" $* "
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
status=0

# section NAME COMMAND...
section()
{
	name=$1
	shift
	case $wanted in '  ' | *" $name "*) ;; *) return ;; esac
	echo "release-check: $name"
	"$@" >"$work/log" 2>&1
	case $? in
	0) said="ok $name" ;;
	75) said="ok $name # SKIP $(tail -n 1 "$work/log")" ;;
	*)
		said="not ok $name" status=1
		grep '^not ok' "$work/log" || tail -n 15 "$work/log"
		;;
	esac
	why=$(sed -n 's/^.*-check: SKIPPED: //p' "$work/log" | head -n 1)
	echo "$said${why:+ # SKIP $why}" >>"$work/sections"
}

version()
{
	$make -s ktop && (cd "$work" && sh "$OLDPWD/tests/e2e/version_test.sh" "$OLDPWD/ktop") &&
	    awk -v "version=$($make -s --no-print-directory version)" '
	/^## / && seen++ { exit }
	/^## / && $2 != version {
		print "not ok: the change log begins with " $2 ", not " version
		exit
	}
	/^\* / { entries++ }
	END { exit !entries }' docs/CHANGELOG.md
}

# check_tarball COMPILER
check_tarball()
{
	command -v "$1" >/dev/null 2>&1 || {
		echo "$1 is not installed"
		return 75
	}
	CC=$1 DIST_TESTS=1 MAKE=$make sh tests/dist/check.sh
}

# All modules except process, which uses glibc's backtraces. musl's FD_SET and ioctl
# convert signs.
musl()
{
	command -v musl-gcc >/dev/null 2>&1 || {
		echo 'musl-gcc is not installed'
		return 75
	}
	# musl's headers come before those of the kernel, libcsv and curses
	set -- CC=musl-gcc B="$work/musl" \
	    WERROR='-Werror -Wno-error=conversion -Wno-error=sign-conversion' \
	    CPPFLAGS="-idirafter /usr/include -idirafter /usr/include/$(gcc -print-multiarch)"
	libs=$($make -s "$@" archives | tr ' ' '\n' | grep -v '/libprocess\.a$')
	# shellcheck disable=SC2086
	$make -s -j2 "$@" $libs "$work/musl/sim-state" &&
	    ./ktop --sim "m1,state=$work/state,clock=step" -b -n 1 >/dev/null &&
	    "$work/musl/sim-state" "$work/state" | grep '^counting 0'
}

debian()
{
	# the .deb is installed after libcsv is removed, so that it needs its Depends
	FRESH_SUITE=$1 FRESH_COMMAND='sh tests/install.sh test &&
		DIST_TESTS=1 sh tests/dist/check.sh && apt-get -q install -y dpkg-dev &&
		sh docs/packaging/debian.sh && apt-get -q purge -y libcsv3 &&
		apt-get -q install -y ./build/ktop_*.deb && cd / &&
		ktop --sim m1,clock=step -b -n 1' CI=true sh tests/fresh/check.sh root
}

section version version
section gcc check_tarball gcc
section clang check_tarball clang
section musl musl
section debian-12 debian bookworm
section debian-13 debian trixie
cat "$work/sections"
exit $status
