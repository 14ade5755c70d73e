#!/bin/sh
# The end-to-end tests where there is less than on a Debian of one's own: what
# a test cannot do there it skips.
#
#	check.sh proc PATH_TO_KTOP [TEST...]	no processes in /proc, as on a Mac
#	check.sh docker PATH_TO_KTOP [TEST...]	with a container's rights
#
# Both need root on Linux. The Makefile sets VTRUN, KTOP_SIM_SO and B.
set -u
unset KTOP_LONG
how=$1
shift
here=$(cd "$(dirname "$0")/.." && pwd)
skip()
{
	echo "$how-check: SKIPPED: $*"
	exit 0
}
[ "$(uname -s)" = Linux ] && [ "$(id -u)" = 0 ] || skip 'needs root on Linux'

case $how in
proc)
	# Left out are tests of what ktop itself reads in /proc on Linux.
	[ $# -gt 1 ] || set -- "$@" $(cd "$here/e2e" && for test in *_test.*; do
		case ${test%_test.*} in
		leave | processes | run | stat | theme | traced | two) ;;
		*) echo "${test%_test.*}" ;;
		esac
	done)
	unshare -m true 2>/dev/null || skip 'no mount namespace can be made'
	work=$(mktemp -d) || exit 1
	# shellcheck disable=SC2016 # the inner shell's words
	unshare -m sh -c 'work=$1 && shift && mkdir "$work/real" &&
	mount --bind /proc "$work/real" && mount -t tmpfs none /proc &&
	mkdir /proc/self && for name in self/fd sys stat cpuinfo meminfo
	do ln -s "$work/real/$name" "/proc/$name" || exit 1; done &&
	ln -s "$(realpath "$2")" /proc/self/exe &&
	exec sh "$@"' sh "$work" "$here/e2e/run.sh" "$@"
	status=$?
	rm -rf "$work"
	exit $status ;;
docker)
	box=${B:-build}/docker
	"${CC:-cc}" -o "$box" "$here/sandbox/docker.c" || exit 1
	"$box" true 2>/dev/null || skip 'this kernel has no such rights to take away'
	exec "$box" sh "$here/e2e/run.sh" "$@" ;;
esac
echo 'usage: check.sh proc|docker PATH_TO_KTOP [TEST...]' >&2
exit 2
