#!/bin/sh
# vtrun against programs that every Debian has: does the instrument tell the
# truth? Prints "ok" or "not ok" for each; the status is 1 when one is not ok.
# VTRUN names the program (build/vtrun).
# shellcheck disable=SC2016 # what stands in quotes is for the inner shell
set -u

here=$(cd "$(dirname "$0")" && pwd)
vtrun=${VTRUN:-${B:-build}/vtrun}
case $vtrun in
/*) ;;
*) vtrun=$PWD/$vtrun ;;
esac
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

# told NAME WANTED-STATUS STATUS: and shows what vtrun said when they differ
told() {
	if [ "$2" = "$3" ]; then
		echo "ok vtrun: $1"
	else
		echo "not ok vtrun: $1 (status $3, wanted $2)"
		sed 's/^/    /' err | head -n 20
		failed=1
	fi
}

# run NAME WANTED-STATUS vtrun's arguments
run() {
	name=$1 want=$2
	shift 2
	"$vtrun" "$@" >out 2>err
	told "$name" "$want" $?
}

# same NAME FILE: the file is what stdin says
same() {
	diff -u - "$2" >err 2>&1
	told "$1" 0 $?
}

# --- the end of the program
run 'status of the program' 7 -- sh -c 'exit 7'
run 'killed by a signal' 139 wait:x sig:SEGV -- sh -c 'echo x; exec sleep 60'
run 'kill ends a run well' 0 wait:x kill -- sh -c 'echo x; exec sleep 60'
run 'no such program' 99 -- ./none
run 'no such action' 99 dance -- true
run 'a wait that times out' 99 -t 0.2 wait:never -- sleep 60
run 'a wait that the program does not live to see' 99 wait:never -- true
run 'another status than wanted' 99 exit:3 -- sh -c 'exit 4'
run 'a program that does not end' 99 -t 0.2 exit -- sleep 60
run 'alive' 0 wait:x alive kill -- sh -c 'echo x; exec sleep 60'
run 'not alive' 99 exit alive -- true
run 'output just before the end' 0 -o last -- sh -c 'echo the end'
same 'is kept' last.txt <<'END'
the end























END

# --- the screen
cat >looks <<'END'
printf '\033]2;a title\007\033[?1049h\033[H\033[?25l'
printf 'plain\033[1mbold\033[0;2mdim\033[0;4munder\033[0;7mrev\033[0m\r\n'
printf '\033[31mred\033[92mbright\033[38;5;208mcube\033[48;5;24mon blue\r\n'
printf '\033[0m\033[38;2;2;22;222mrgb\033[0;2;1mdim bold\033[22mneither\r\n'
printf '\033'; sleep 0.05; printf '[2'; sleep 0.05; printf 'mcut\033[0m up\r\n'
printf 'h\303\251 \344\270\255x\r\n'
printf '\033[44m\033[Kbce\033[0mEND'
sleep 60
END
run 'colours and attributes' 0 -s 40x8 wait:END dump:looks kill -- sh looks
same 'as cells' looks.cells <<'END'
size 40x8 cursor 6,5 hidden alt mouse=0 modes=- pen=plain tty=same bells=0 title=a title
  0   0 |plain| fg=- bg=- -
  0   5 |bold| fg=- bg=- bold
  0   9 |dim| fg=- bg=- dim
  0  12 |under| fg=- bg=- underline
  0  17 |rev| fg=- bg=- reverse
  1   0 |red| fg=1 bg=- -
  1   3 |bright| fg=10 bg=- -
  1   9 |cube| fg=208 bg=- -
  1  13 |on blue| fg=208 bg=24 -
  2   0 |rgb| fg=#0216de bg=- -
  2   3 |dim bold| fg=- bg=- bold,dim
  2  11 |neither| fg=- bg=- -
  3   0 |cut | fg=- bg=- dim
  3   4 |up| fg=- bg=- -
  4   0 |hé 中x| fg=- bg=- -
  5   0 |bce| fg=- bg=4 -
  5   3 |END| fg=- bg=- -
  5   6 |                                  | fg=- bg=4 -
END
same 'as text' looks.txt <<'END'
plainbolddimunderrev
redbrightcubeon blue
rgbdim boldneither
cut up
hé 中x
bceEND


END
run 'an update is seen whole' 0 wait:first print kill -- sh -c \
	'printf "\033[?2026hfirst"; sleep 0.4; printf last; printf "\033[?2026l"
	sleep 60'
grep -q firstlast out
told 'and not half' 0 $?
run 'what goes away' 0 wait:here key:enter gone:here kill -- sh -c \
	'echo here; read -r x; printf "\033[H\033[J"; sleep 60'

# --- the keyboard and the mouse
cat >keys <<'END'
stty raw -echo
printf 'ready %b' "$1"
exec cat -v
END
run 'keys' 0 wait:ready key:up key:f1 key:pgdn key:^C key:S-tab 'text:q\x3d' \
	'wait:\^\[\[A\^\[OP\^\[\[6~\^C\^\[\[Zq=' kill -- sh keys ''
run 'keys in application mode' 0 wait:ready key:up 'wait:\^\[OA' kill -- \
	sh keys '\033[?1h'
run 'no such key' 99 key:any -- sleep 60
run 'a click' 0 wait:ready mouse:4,2 'wait:\^\[\[<0;5;3M\^\[\[<0;5;3m' kill \
	-- sh keys '\033[?1000h\033[?1006h'
run 'no click where none was asked for' 0 wait:ready mouse:4,2 text:end \
	'wait:ready end' kill -- sh keys ''

# --- its size
run 'size at the start' 0 -s 93x27 'wait:27 93' kill -- sh -c \
	'stty size; sleep 60'
run 'size when it changes' 0 wait:on resize:51x13 'wait:13 51' kill -- sh -c \
	'trap "stty size" WINCH; echo on; while :; do sleep 0.1; done'

# --- job control
run 'stop and go on' 0 wait:on key:^Z stopped fg 'text:more\n' \
	'wait:^more$' key:^D exit:0 -- sh -c 'echo on; exec cat'
run 'stopped by a signal' 0 wait:on sig:STOP stopped fg 'text:more\n' \
	wait:more kill -- sh -c 'echo on; exec cat'
run '^C' 130 wait:on key:^C -- sh -c 'echo on; exec cat'

# --- the terminal as it was found
left() {
	run "left: $1" 99 exit given-back -- sh -c "$2"
	grep -q "left:.*$3" err
	told "and says $3" 0 $?
}
run 'given back' 0 exit given-back -- sh -c \
	'was=$(stty -g); stty -echo raw
	printf "\033[?1049h\033[?25l\033[?1000h\033[1mx"
	printf "\033[m\033[?1000l\033[?25h\033[?1049l"; stty "$was"'
left 'the other screen' 'printf "\033[?1049h"' alternate-screen
left 'the cursor' 'printf "\033[?25l"' hidden-cursor
left 'the mouse' 'printf "\033[?1003h"' mouse
left 'another mode' 'printf "\033[?2004h"' modes:2004
left 'the keypad' 'printf "\033="' keypad
left 'a scrolling region' 'printf "\033[2;5r"' region
left 'a colour' 'printf "\033[32m"' colours
left 'no echo' 'stty -echo' tty=-echo
left 'raw input' 'stty -icanon' tty=-icanon

# --- a terminal nobody reads, and one that is gone
cat >flood <<'END'
echo on
read -r x
dd if=/dev/zero bs=1024 count=512 2>/dev/null | tr '\0' 'y'
echo all >written
printf '\033[H\033[Jall'
sleep 60
END
run 'blocked' 0 wait:on block key:enter sleep:300 alive kill -- sh flood
test ! -e written
told 'and the program waits' 0 $?
run 'unblocked' 0 -B key:enter sleep:200 unblock wait:all kill -- sh flood
test -e written
told 'and the program goes on' 0 $?
run 'closed' 129 wait:on close exit -- sh -c 'echo on; exec sleep 60'
run 'closed, nobody told' 99 -t 0.5 -N wait:on close exit -- sh -c \
	'echo on; exec sleep 60'
run 'closed, nobody told, but it looks' 3 -N wait:on close exit -- sh -c \
	'echo on; while echo x 2>/dev/null; do sleep 0.1; done; exit 3'

# --- bytes
run 'bytes' 0 wait:on mark key:enter wait:12345 bytes:5 bytes kill -- sh -c \
	'stty -echo; echo on; read -r x; printf 12345; sleep 60'
grep -q '^5 bytes in' out
told 'printed' 0 $?
run 'too many bytes' 99 wait:on mark key:enter wait:12345 bytes:4 -- sh -c \
	'stty -echo; echo on; read -r x; printf 12345; sleep 60'
run 'kept' 0 -r raw -- printf 'a\033[1mb'
printf 'a\033[1mb' | cmp -s - raw
told 'as written' 0 $?

# --- what can be seen: blanks have no colour, the console's palette is no title
run 'blanks' 0 -s 20x4 -o looks -- printf \
	'\033[31m  a \033[32m b\033[41m \033[0;7m \033[m\n\033]R\033]P1ff0000x'
sed 1d looks.cells >seen
same 'and their looks' seen <<'END'
  0   0 |  a  | fg=1 bg=- -
  0   5 |b| fg=2 bg=- -
  0   6 | | fg=- bg=1 -
  0   7 | | fg=- bg=- reverse
  1   0 |x| fg=- bg=- -
END

# --- answers: the ground, and later than the program waits for
printf '%s\n' 'stty raw -echo min 0 time 200' \
	'printf "\033]11;?\033\\\\\033[c"; dd bs=1 count="$1" 2>/dev/null | od -c' \
	'stty sane' >asks
run 'no ground' 0 -o asked -- sh asks 7
grep -q '033 *\[ *? *1 *; *2 *c' asked.txt
told 'only what it is' 0 $?
run 'a ground' 0 -g ff8000 -o asked -- sh asks 32
grep -q '1 *1 *; *r *g *b *: *f *f *f *f *' asked.txt
told 'is answered' 0 $?
run 'held back' 0 -g ff8000 -A wait:ready answer:4 'wait:033  *[^ ]  *1  *1' kill -- sh -c \
	'stty raw -echo; printf "ready\033]11;?\007"; dd bs=4 count=1 2>/dev/null | od -c; sleep 60'
run 'nothing held back' 99 answer -- sleep 60

# --- a script, and the environment
printf '# words\n\nwait:v=1 t=dumb l=C.UTF-8\n  kill\n' >script
run 'a script' 0 -f script -T dumb -e V=1 -- sh -c \
	'echo "v=$V t=$TERM l=$LANG"; sleep 60'

# --- whole programs, where they are
if command -v less >/dev/null; then
	seq 1 200 >numbers
	run 'less' 0 -s 40x10 -e LESS -e LESSHISTFILE=- wait:numbers key:pgdn \
		'wait:^18$' key:/ 'text:150\n' 'wait:^150$' key:q exit:0 \
		given-back -- less numbers
fi
if command -v top >/dev/null; then
	VTRUN=$vtrun sh "$here/leave.sh" -w 'q TERM ^Z close' top >err 2>&1
	told 'leave.sh: top gives the terminal back' 0 $?
fi
VTRUN=$vtrun sh "$here/leave.sh" -t 2 -w 'q TERM close-nohup' \
	sh -c 'printf "\033[?1049hx"; exec sleep 60' >err 2>&1
told 'leave.sh: what leaves the terminal changed is found' 3 $?

exit "$failed"
