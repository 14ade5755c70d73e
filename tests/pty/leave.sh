#!/bin/sh
# Nine ways to leave a terminal program: is it gone (or still alive, where it
# should be), and was the terminal given back? One line, "ok" or "not ok", for
# each; the exit status is the number of ways that went wrong.
#
# usage: leave.sh [-r READY] [-k KEY] [-c CHECK] [-s WxH] [-t SEC] [-T TERM]
#                 [-w WAYS] [--] program [arg ...]
#   READY  what the screen shows when the program runs (any character)
#   KEY    what quits it (q)
#   CHECK  a shell command run after each way; its failure counts too
#   WAYS   some of: q ^C INT TERM HUP close close-nohup resize ^Z
#
# VTRUN names the driver: tests/pty/vtrun.c, built by `make vtrun`.

vtrun=${VTRUN:-${B:-build}/vtrun}
ready='[^ ]' key=q check='' size=80x24 limit=10 term=xterm-256color
ways='q ^C INT TERM HUP close close-nohup resize ^Z'

usage() {
	sed -n 's/^# \{0,1\}//; 2,13p' "$0" >&2
	exit 99
}

while getopts r:k:c:s:t:T:w: opt; do
	case $opt in
	r) ready=$OPTARG ;;
	k) key=$OPTARG ;;
	c) check=$OPTARG ;;
	s) size=$OPTARG ;;
	t) limit=$OPTARG ;;
	T) term=$OPTARG ;;
	w) ways=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || usage
if ! [ -x "$vtrun" ]; then
	echo "leave.sh: no $vtrun; build it or set VTRUN" >&2
	exit 99
fi

# The actions of one way, one a line. Waits are for slow machines; what is
# asserted does not depend on their length.
actions() {
	printf 'wait:%s\nsleep:400\nalive\n' "$ready"
	case $1 in
	q) printf 'key:%s\n' "$key" ;;
	^C) echo 'key:^C' ;;
	INT | TERM | HUP) echo "sig:$1" ;;
	close | close-nohup)
		printf 'close\nexit\n'
		return
		;;
	resize)
		printf 'resize:20x5\nsleep:400\nalive\n'
		printf 'resize:1x1\nsleep:400\nalive\n'
		printf 'resize:%s\nwait:%s\nsleep:400\nalive\n' \
			"$size" "$ready"
		printf 'key:%s\n' "$key"
		;;
	^Z)
		printf 'key:^Z\nstopped\ngiven-back\n'
		printf 'fg\nwait:%s\nsleep:400\nalive\n' "$ready"
		printf 'key:%s\n' "$key"
		;;
	*)
		echo "leave.sh: no such way: $1" >&2
		return 1
		;;
	esac
	printf 'exit\ngiven-back\n'
}

nohup_option() {
	[ "$1" != close-nohup ] || echo -N
}

tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
trap 'exit 99' HUP INT TERM
bad=0
for way in $ways; do
	actions "$way" >"$tmp/script" || exit 99
	rm -f "$tmp/last.txt"
	# shellcheck disable=SC2046 # one option or none
	"$vtrun" -s "$size" -T "$term" -t "$limit" $(nohup_option "$way") \
		-f "$tmp/script" -o "$tmp/last" -- "$@" 2>"$tmp/err"
	status=$?
	wrong=$(sed -n 's/^vtrun: //p' "$tmp/err" | head -n 1)
	# the last dump is only written when every action went well
	[ -e "$tmp/last.txt" ] || wrong=${wrong:-$(head -n 3 "$tmp/err")}
	[ -e "$tmp/last.txt" ] || wrong=${wrong:-status $status}
	if [ -n "$check" ] && ! sh -c "$check" >"$tmp/check" 2>&1; then
		wrong="$wrong check: $(head -n 1 "$tmp/check")"
	fi
	if [ -z "$wrong" ]; then
		echo "ok leave: $way, status $status"
	else
		echo "not ok leave: $way: $wrong"
		bad=$((bad + 1))
	fi
done
exit "$bad"
