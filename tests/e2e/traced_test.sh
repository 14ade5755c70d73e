#!/bin/sh
# Who misses: k in the view of processes takes tracing of the kernel, and every
# way out gives it back; what SIGKILL leaves the next one clears away. VTRUN
# names the terminal driver (make builds it); without it: one skip.
ktop=$1
[ -n "${VTRUN:-}" ] || { echo "ok 1 - who misses # SKIP no VTRUN"; exit 0; }
bad=0

say()
{
	if [ "$1" = 0 ]; then
		echo "ok who misses: $2"
	else
		bad=1
		echo "not ok who misses: $2"
		sed 's/^/# /' run.log
	fi
}

# screen STATE [ACTION...]: after k, k and a first count
screen()
{
	state=$1
	shift
	"$VTRUN" -t 30 -s 120x40 'wait:sim FULL' key:P 'wait:all modes' text:k \
	    'wait:k again shows' text:k 'wait:traced [0-9.]+%, 0 gaps' \
	    'wait:L1D-ld' "$@" -- "$ktop" --sim "m1,state=$state" -d 100ms \
	    >run.log 2>&1
	[ $? != 99 ] # else it is the program's own, which may be a signal's
}

state_has()
{
	"$ktop" sim-state "$1" >now
	shift
	for line; do
		grep -qx "$line" now || { cat now >>run.log; return 1; }
	done
}

let_go()
{
	state_has "$1" 'ktrace_pid 0' 'ktrace_state 0' 'sampling 0' \
	    'thread_counting 0' 'force 0' 'counting 0'
}

screen k-q 'key:k' 'wait:given back' 'wait:seen|cost' key:q exit:0 && let_go k-q
say $? 'taken by k, given back by k'
screen k-q key:q exit:0 given-back && let_go k-q
say $? 'given back by q'
screen k-q sig:TERM exit given-back && let_go k-q
say $? 'given back by SIGTERM'
screen k-q sig:SEGV exit && let_go k-q
say $? 'given back by a crash'
screen k-q close exit && let_go k-q
say $? 'given back when the terminal goes'
screen k-q 'key:^Z' stopped fg 'wait:traced [0-9.]+%' key:q exit:0 &&
	let_go k-q
say $? 'taken again after a stop'

# One that SIGKILL ends leaves it on; a dead owner keeps nobody from tracing.
screen k-kill kill && state_has k-kill 'ktrace_pid 0' 'sampling 1'
say $? 'SIGKILL leaves it on'
screen k-kill key:q exit:0 &&
	state_has k-kill 'ktrace_pid 0' 'ktrace_state 0' 'sampling 0'
say $? '  and the next one that takes it clears it away'

# Another tool has it: named, and left alone.
"$VTRUN" -t 30 -s 120x40 'wait:sim FULL' key:P 'wait:all modes' text:k \
    'wait:process 77 traces' text:k 'wait:another tool traces the kernel' \
    key:q exit:0 -- "$ktop" --sim m1,fault=ktrace:77@0s -d 100ms >run.log 2>&1
say $? 'another tool is named, and left alone'
exit $bad
