#!/bin/sh
# Runs every end-to-end test on a ktop, some at a time, each in a folder of its
# own: sh tests/e2e/run.sh PATH_TO_KTOP [NAME...]
# Each prints "ok ..." or "not ok ..." lines, with "# SKIP why" at the end of one
# that could not be tried; python3's standard library is all they need beside a
# shell. KTOP_LONG=1 asks the slow ones for all they can do, and adds *_long.*.
# A test that hangs is ended after KTOP_TEST_LIMIT seconds (600).
set -u
[ $# -ge 1 ] || { echo "usage: sh tests/e2e/run.sh PATH_TO_KTOP [NAME...]" >&2; exit 2; }
ktop=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
shift
# shellcheck source=tests/e2e/env.sh
. "$here/env.sh"
folder=$(mktemp -d) || exit 1
chmod 755 "$folder" # some tests start ktop as somebody else
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
# A machine has few terminals' descriptions; those of its own come after ours.
if tic -x -o "$folder/terminfo" "$here/../pty/terms.ti" 2>/dev/null; then
	chmod -R a+rX "$folder/terminfo"
	TERMINFO_DIRS=$folder/terminfo:${TERMINFO_DIRS:-}
	export TERMINFO_DIRS
fi
# Version managers put a script in front of python3, which takes six times as
# long to start as python3 itself.
mkdir "$folder/bin"
python=/usr/bin/python3
[ "$(uname -s)" = Linux ] && [ -x $python ] ||
	python=$(python3 -c 'import sys; print(sys.executable)')
ln -s "$python" "$folder/bin/python3"
PATH=$folder/bin:$PATH
limit=${KTOP_TEST_LIMIT:-600}

one() { # TEST_FILE: its output in NAME.log, its status and seconds beside it
	name=$(basename "$1")
	case $1 in *.py) with=python3 ;; *) with="sh" ;; esac
	mkdir "$folder/$name.state" "$folder/$name.config"
	start=$(date +%s)
	(XDG_STATE_HOME=$folder/$name.state XDG_CONFIG_HOME=$folder/$name.config
	export XDG_STATE_HOME XDG_CONFIG_HOME
	cd "$folder/$name" && python3 "$here/../within.py" "$limit" \
		$with "$1" "$ktop") >"$folder/$name.log" 2>&1
	echo $? $(($(date +%s) - start)) >"$folder/$name.ending"
	mv "$folder/$name.ending" "$folder/$name.end"
}

bad=0
tell() { # NAME: prints what it said
	read -r status seconds <"$folder/$1.end"
	echo "# $1: $seconds s"
	cat "$folder/$1.log"
	[ "$status" = 0 ] && return
	bad=1
	[ "$status" = 124 ] && echo "not ok $1 ends within $limit s" && return
	grep -q '^not ok' "$folder/$1.log" || echo "not ok $1 ended with status $status"
}

names=
for test in "$here"/*_test.py "$here"/*_test.sh "$here"/*_long.py; do
	[ -e "$test" ] || continue # no long one
	name=$(basename "$test")
	if [ $# -gt 0 ]; then
		case " $* " in
		*" ${name%_test.*} "* | *" ${name%.*} "*) ;;
		*) continue ;;
		esac
	else
		case $name in *_long.*) [ -n "${KTOP_LONG:-}" ] || continue ;; esac
	fi
	names="$names $name"
done

# Those that last longest begin, so that none of them is left for the end.
first=
for name in neighbours cases die silent newcomers redraw slow_tty leave \
	exit faults examples compare sampler; do
	case " $names" in *" $name"_test.*)
		first="$first $(cd "$here" && echo "$name"_test.*)" ;;
	esac
done

# Each of the lanes takes the next test that no other has taken.
lane()
{
	for name in $first $names; do
		mkdir "$folder/$name" 2>/dev/null || continue
		one "$here/$name"
	done
}

LANES=${KTOP_TEST_LANES:-9}
while [ "$LANES" -gt 0 ]; do
	lane &
	LANES=$((LANES - 1))
done
for name in $names; do
	until [ -f "$folder/$name.end" ]; do
		sleep 0.1
	done
	tell "$name"
done
wait
exit $bad
