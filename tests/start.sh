#!/bin/sh
# Starts ktop the way this machine can: with live counters, as root where they
# need it, or, where there are none, with a simulated Mac. Used by `make run`.
#   start.sh PATH_TO_KTOP
set -u
ktop=$1
args=
[ -t 1 ] && [ -t 0 ] || args='-b -n 3' # no terminal: three frames of text

if [ "$(uname -s)" = Darwin ]; then
	echo "Starting: sudo $ktop $args"
	exec sudo "$ktop" $args
fi
why=$("$ktop" --require-pmu -b -n 1 2>&1 >/dev/null)
status=$?
case $status in
0) exec "$ktop" $args ;;
3)
	echo "$why"
	if [ "$(id -u)" != 0 ] && command -v sudo >/dev/null; then
		echo "Starting: sudo $ktop $args"
		exec sudo "$ktop" $args
	fi
	exec "$ktop" $args
	;;
5)
	echo "$why"
	echo "Starting a simulated Apple M1 instead (--sim m1). 'ktop' alone shows what this machine has."
	[ -n "$args" ] || sleep 2
	exec "$ktop" --sim m1 $args
	;;
*)
	echo "$why" >&2
	exit "$status"
	;;
esac
