#!/bin/sh
# However ktop is left, terminal and simulated kernel are as before: force,
# counting and the words of every counter, read from the kernel's own file.
# VTRUN names the terminal driver (make builds it); without it: one skip.
here=$(cd "$(dirname "$0")" && pwd)
ktop=$1
[ -n "${VTRUN:-}" ] || { echo "ok 1 - leaving the screen # SKIP no VTRUN"; exit 0; }
bad=0

say()
{
	if [ "$1" = 0 ]; then
		echo "ok $2"
	else
		echo "not ok $2"
		bad=1
	fi
}

# COMMAND...: until it is true; a minute is enough for any machine
until_so()
{
	left=600
	until "$@"; do
		left=$((left - 1))
		[ $left -gt 0 ] || return 1
		sleep 0.1
	done
}

counts_in() # STATE
{
	"$SIM_STATE" "$1" 2>/dev/null | grep -qx 'counting 3'
}

has_frames() # CSV: and the counters are held, which is left-3's
{
	[ -e "$1" ] && [ "$(wc -l <"$1")" -gt 8 ] &&
	    "$SIM_STATE" left-3 | grep -qx 'force 1'
}

# A kernel that ktop left once: all zero, and what `as before` means below.
fresh()
{
	"$ktop" --sim "m1,state=$1" -d 100ms -b -n 1 >"$1.text" 2>&1
	"$SIM_STATE" "$1" >"$1.before"
	grep -qx 'force 0' "$1.before" && grep -qx 'counting 0' "$1.before" &&
	    grep -q '^config_9 0x0$' "$1.before" &&
	    ! grep '^config_' "$1.before" | grep -qv ' 0x0$'
}

# One that SIGKILL ended left its words and counting on.
used()
{
	"$ktop" --sim "m1,state=$1" -d 100ms --csv "$1.csv" &
	pid=$!
	until_so counts_in "$1"
	kill -9 "$pid"
	wait "$pid" 2>/dev/null
	"$SIM_STATE" "$1" >"$1.before"
	grep -qx 'force 0' "$1.before" && ! grep -qx 'counting 0' "$1.before" &&
	    ! grep -q '^config_2 0x0$' "$1.before"
}

same()
{
	"$SIM_STATE" "$1" >"$1.after" && cmp -s "$1.before" "$1.after"
}

leave()
{
	sh "$here/../pty/leave.sh" -t 60 -r live -s "$2" -w "$3" \
	    -c "'$SIM_STATE' $1 | cmp - $1.before" \
	    "$ktop" --sim "m1,state=$1" -d 100ms
}

# Two at a time: most of it is waiting.
fresh left-1
say $? 'leave: a kernel that nobody uses'
fresh left-2
used left-3 2>/dev/null
say $? 'leave: a kernel that somebody left set up'
leave left-1 120x40 'q ^C INT TERM HUP' >left-1.log &
pid=$!
leave left-2 80x24 'close close-nohup resize ^Z' >left-2.log || bad=1
leave left-3 80x24 'q TERM' | sed 's/leave:/leave, set up before:/' >left-3.log
wait "$pid" || bad=1
grep -q '^not' left-3.log && bad=1
cat left-1.log left-2.log left-3.log

# The Linux console: its palette's sequences have no end of their own.
sh "$here/../pty/leave.sh" -t 60 -r live -s 80x25 -T linux \
    -w 'q TERM ^Z' "$ktop" --sim m1,state=left-2 -d 100ms >left-linux.log
bad_linux=$?
sed 's/leave:/leave, Linux console:/' left-linux.log
[ "$bad_linux" = 0 ] || bad=1
for term in linux vt100 xterm-direct; do
	infocmp "$term" >/dev/null 2>&1 || {
		echo "ok leave: TERM=$term # SKIP no terminfo entry"
		continue
	}
	"$VTRUN" -s 80x24 -T "$term" wait:live key:^Z stopped given-back \
	    fg wait:live key:^L key:q exit:0 given-back -- \
	    "$ktop" --sim m1,state=left-2 -d 100ms 2>left.err
	say $? "leave: ^Z, fg, ^L and q on TERM=$term"
done

# A hundred sizes in two seconds, then the last one, whole.
set --
i=0
while [ $i -lt 50 ]; do
	set -- "$@" "resize:$((20 + i * 3))x$((5 + i))" sleep:20 \
	    "resize:$((170 - i * 3))x$((55 - i))" sleep:20
	i=$((i + 1))
done
"$VTRUN" -s 80x24 wait:live "$@" resize:90x28 wait:live \
    'wait:q quit' key:space 'wait:PAUSED' stable:100 dump:storm-a key:^L \
    stable:100 dump:storm-b key:q exit:0 given-back -- \
    "$ktop" --sim m1,state=left-2 -d 100ms 2>left.err
[ $? = 0 ] && for screen in storm-a storm-b; do # what it costs goes on
	sed 's/ *cost [0-9.]*% of a core/ cost/' $screen.txt >$screen
done && [ -s storm-a ] && diff storm-a storm-b
say $? 'leave: a storm of sizes leaves a whole screen'

# A crash: what it was is still told to whoever waits for the process.
for sig in SEGV ABRT BUS; do
	case $sig in SEGV) code=139 ;; ABRT) code=134 ;; BUS) code=135 ;; esac
	[ "$sig" != BUS ] || [ "$(uname -s)" = Linux ] || code=138
	"$VTRUN" -s 80x24 wait:live "sig:$sig" "exit:$code" given-back \
	    "dump:left-crash" -- "$ktop" --sim m1,state=left-1 -d 100ms 2>left.err
	[ $? = $code ] && grep -q 'ktop .*crashed; please report' left-crash.txt
	say $? "leave: SIG$sig gives the terminal back and says who crashed"
	same left-1
	say $? "leave: SIG$sig gives the counters back"
done

# In the middle of things: paused, help, a preset, IPC mode.
"$VTRUN" -s 100x30 wait:live key:3 wait:branch% 'key:?' \
    'wait:Find out' sig:SEGV exit:139 given-back -- \
    "$ktop" --sim m1,state=left-2 -d 100ms 2>left.err
[ $? = 139 ] && same left-2
say $? 'leave: a crash after a swap, with help open'
"$VTRUN" -s 100x30 wait:live key:i 'wait:FIXED COUNTERS' sig:SEGV exit:139 \
    given-back -- "$ktop" --sim m1,state=left-2 -d 100ms 2>left.err
[ $? = 139 ] && same left-2
say $? 'leave: a crash in IPC mode'

# Without a screen.
for sig in TERM INT HUP SEGV; do
	rm -f left-headless.csv
	# A shell's background jobs ignore INT; python gives it back.
	python3 -c 'import os, signal, sys
for s in signal.SIGINT, signal.SIGHUP:
    signal.signal(s, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' \
	    "$ktop" --sim m1,state=left-3 -d 100ms --csv left-headless.csv 2>left.err &
	pid=$!
	until_so has_frames left-headless.csv
	say $? "leave: --csv holds the counters before SIG$sig"
	kill -"$sig" "$pid"
	wait "$pid" 2>/dev/null
	case $sig:$? in TERM:143|INT:130|HUP:129|SEGV:139) true ;; *) false ;; esac
	say $? "leave: --csv ends with 128+n on SIG$sig"
	same left-3 && [ "$(tail -c 1 left-headless.csv | od -An -c | tr -d ' ')" = '\n' ]
	say $? "leave: SIG$sig leaves a whole recording and the kernel as before"
done
exit $bad
