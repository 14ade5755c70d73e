#!/bin/sh
# Events per process: v in the view of processes takes over kernel tracing, and
# every way out gives it back; what SIGKILL leaves the next one clears away. VTRUN
# names the terminal driver (make builds it); without it: one skip.
ktop=$1
# The kernel keeps the name of the program that traced, and ktop clears what a
# ktop has left: a copy with another name would not (by_start).
[ "${ktop##*/}" = ktop ] || { cp "$ktop" ktop && ktop=$PWD/ktop; }
[ -n "${VTRUN:-}" ] || { echo "ok 1 - events per process # SKIP no VTRUN"; exit 0; }

# screen STATE [ACTION...]: after v, y and a first count; a machine that is late
# has gaps
screen()
{
	state=$1
	shift
	# shellcheck disable=SC2086 # options without blanks
	"$VTRUN" -t 30 -s 120x40 wait:live key:P wait:kernel_task text:v \
	    'wait:Instruments cannot record' text:y 'wait:traced [0-9.]+%, [0-9]+ gaps?,' \
	    'wait:BOTTLENECK.*L1D-ld' "$@" -- "$ktop" --sim "m1,state=$PWD/$state" -d 100ms \
	    ${more:-} >"$state.log" 2>&1
	[ $? != 99 ] # else it is the program's own, which may be a signal's
}

state_has()
{
	"$SIM_STATE" "$1" >"$1.now"
	now=$1.now
	shift
	for line; do
		grep -qx "$line" "$now" || { cat "$now"; return 1; }
	done
}

let_go()
{
	state_has "$1" 'ktrace_pid 0' 'ktrace_state 0' 'sampling 0' \
	    'thread_counting 0'
}

# Also where the half that counts is a process of its own.
by_v()
{
	KTOP_SEPARATE=always screen k-1 key:v 'wait:process: off' \
	    'wait:seen|cost' key:q exit:0 && let_go k-1
}
by_q() { screen k-2 key:q exit:0 given-back && let_go k-2; }
by_term() { screen k-3 sig:TERM exit given-back && let_go k-3; }
by_crash() { screen k-4 sig:SEGV exit && let_go k-4; }
by_close() { screen k-5 close exit && let_go k-5; }
by_stop()
{
	screen k-6 'key:^Z' stopped fg 'wait:traced [0-9.]+%' key:q exit:0 &&
		let_go k-6
}

is_dead()
{
	until state_has "$1" 'ktrace_pid 0' 'force 0' >/dev/null; do
		sleep 0.1
	done
}

# Nobody is there then but the guard, which has the terminal no more.
by_guard()
{
	screen k-10 sig:KILL exit && until let_go k-10 >/dev/null; do
		sleep 0.1
	done
}

# pid, parent and words of its processes, whoever else runs this test; a small
# Linux has no ps.
processes_of() # STATE
{
	if [ ! -r /proc/self/stat ]; then
		ps -A -o pid=,ppid=,args=
		return
	fi
	for at in $(grep -ls -- "state=$PWD/$1" /proc/[0-9]*/cmdline); do
		words=$(tr '\0' ' ' <"$at" 2>/dev/null)
		above=$(sed 's/.*) . \([0-9]*\) .*/\1/' "${at%cmdline}stat" 2>/dev/null)
		pid=${at#/proc/}
		echo "${pid%/cmdline} $above $words"
	done
}
# Its path may have spaces.
is_ktop='{ words = $0; sub(/^ *[0-9]+ +[0-9]+ +/, "", words) }
	index(words, k " ") == 1 && index(words, s)'
# All processes of a run; of two sides: the screen's, and the server behind it.
all_of() { processes_of "$1" | awk -v k="$ktop" -v s="state=$PWD/$1 " \
    "$is_ktop { print \$1 }"; }
sides()
{
	processes_of "$1" | awk -v k="$ktop" -v s="state=$PWD/$1 " "$is_ktop"' {
			above[$1] = $2 }
		END { for (p in above) if (above[p] in above) print p, above[p] }'
}
while_traced() # STATE
{
	KTOP_SEPARATE=always screen "$1" exit &
	until state_has "$1" 'sampling 1' >/dev/null 2>&1; do
		sleep 0.1
	done
}
by_screen()
{
	while_traced k-14
	# shellcheck disable=SC2046 # two numbers
	set -- $(sides k-14)
	kill -9 "$1"
	wait
	let_go k-14
}

# Where nobody is left, and no guard (the filter of the counter server lets it
# start none), it stays on; a dead owner keeps nobody from tracing.
killed()
{
	while_traced "$1"
	# shellcheck disable=SC2046 # none is to see the end of another
	kill -STOP $(all_of "$1")
	# shellcheck disable=SC2046
	kill -9 $(all_of "$1")
	wait
	is_dead "$1" && state_has "$1" 'sampling 1'
}
by_next()
{
	killed k-7 && screen k-7 key:q exit:0 && let_go k-7
}

# Also who does not trace, if it takes the counters.
by_start()
{
	killed k-9 &&
		"$ktop" -b -n 1 -d 100ms --ipc --sim m1,state=$PWD/k-9 >k-9.log &&
		state_has k-9 'sampling 1' &&
		"$ktop" -b -n 1 -d 100ms --sim m1,state=$PWD/k-9 >k-9.log &&
		let_go k-9
}
by_repair()
{
	killed k-8 &&
		"$ktop" doctor --repair --sim m1,state=$PWD/k-8 >k-8.log &&
		grep -q 'taken by a program that has died' k-8.log &&
		let_go k-8
}

# A recording has the columns that it has without, and plays as it was made:
# each replay is a run of its own, nothing else differs.
by_recording()
{
	more='--csv k-11.csv --processes'
	screen k-11 key:q exit:0 && let_go k-11 &&
		"$ktop" --replay k-11.csv --processes --csv k-12.csv &&
		"$ktop" -b -n 1 --sim m1,clock=step --processes --csv k-13.csv &&
		cut -d , -f 1,2,4- k-11.csv >k-11.rows &&
		cut -d , -f 1,2,4- k-12.csv | cmp - k-11.rows &&
		[ "$(head -n 1 k-11.csv)" = "$(head -n 1 k-13.csv)" ] &&
		grep -q ',process,' k-11.csv
}

others()
{
	"$VTRUN" -t 30 -s 120x40 wait:live key:P wait:kernel_task text:v \
	    'wait:Process 77 traces' text:y \
	    'wait:another tool traces the kernel' key:q exit:0 -- \
	    "$ktop" --sim m1,fault=ktrace:77@0s -d 100ms
}

# All at once: most of it is waiting.
ways='by_v by_crash by_guard by_screen by_next by_start by_repair by_recording others'
[ -n "${KTOP_LONG:-}" ] && ways="$ways by_q by_term by_close by_stop"
for way in $ways; do
	($way >"$way.log" 2>&1; echo $? >"$way.status") &
done
wait
bad=0
for way in $ways; do
	if [ "$(cat "$way.status")" = 0 ]; then
		echo "ok events per process: $way"
	else
		bad=1
		echo "not ok events per process: $way"
		sed 's/^/# /' "$way.log" k-*.log
	fi
done
exit $bad
