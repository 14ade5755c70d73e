#!/bin/sh
# Run in the guest by boot.sh: what the kernel says, then what ktop says. Each
# part goes to the console between marks for check.sh to take apart.
cpu=/sys/devices/system/cpu
paranoid=/proc/sys/kernel/perf_event_paranoid

part()
{
	name=$1
	shift
	echo "@part $name"
	"$@" 2>/tmp/errors
	echo "@status $name $?"
	sed "s/^/@error $name /" /tmp/errors
}

core_pmus()
{
	for pmu in /sys/bus/event_source/devices/*; do
		[ ! -f "$pmu/cpus" ] || basename "$pmu"
	done
}

# The same counters in the same interval, read by both.
same_interval()
{
	./counters -s 3 >/tmp/stat &
	sleep 0.2
	./ktop --csv /tmp/csv -b -n 5 -d 0.5 >/tmp/batch
	wait
	sed 's/^/@stat /' /tmp/stat
	cat /tmp/csv
}

# Each CPU has a share of work more than the one before it, all of it while both
# count.
unlike_loads()
{
	./counters -s 5 >/tmp/stat &
	reader=$!
	sleep 0.2
	rm -f /tmp/loads.csv
	./ktop --csv /tmp/loads.csv -b -n 7 -d 0.5 >/tmp/batch &
	ktop=$!
	until grep -q ,cpu, /tmp/loads.csv 2>/dev/null; do
		sleep 0.1
	done
	workers=
	for c in 0 1 2 3; do
		./counters -l $(((c + 1) * 200)) $c &
		workers="$workers $!"
	done
	# shellcheck disable=SC2086
	wait $workers
	wait $ktop
	status=$?
	wait $reader
	sed 's/^/@stat /' /tmp/stat
	cat /tmp/loads.csv
	return $status
}

# perf stat over an interval that has ktop's inside, one CPU at work: here the
# instructions of all CPUs are one number, so every CPU seems to work.
beside_perf()
{
	(while :; do :; done) &
	burner=$!
	perf stat -a -A -x, -e cycles,instructions -o /tmp/perf -- sleep 2.4 &
	perf=$!
	sleep 0.4
	./ktop --csv /tmp/perf.csv -b -n 3 -d 0.5 >/tmp/batch
	status=$?
	wait $perf
	kill $burner
	sed 's/^CPU/@perf,/' /tmp/perf
	cat /tmp/perf.csv
	return $status
}

# The same command counted by both: perf stat has ktop stat in it, which is a
# few milliseconds of some seconds, with a child that works on another CPU. Each
# PMU is named: plain "cycles" would be one kind's, scaled up to all.
stat_beside_perf()
{
	work='i=0; while [ $i -lt $1 ]; do i=$((i + 1)); done'
	events=
	for pmu in $(core_pmus); do
		events=$events${events:+,}$pmu/cpu_cycles/,$pmu/inst_retired/
	done
	perf stat -x, -e "$events" -o /tmp/perf.stat -- \
	    ./ktop stat --csv /tmp/ktop.stat -- \
	    sh -c "(set -- 100000; $work) & set -- 300000; $work; wait"
	status=$?
	sed 's/^/@perf,/' /tmp/perf.stat
	cat /tmp/ktop.stat
	./ktop stat -r 2 -e inst_retired,context-switches -- sh -c ':' 2>&1 |
	    sed 's/^/@text /'
	return $status
}

# known_stat CPU...: so much work on these CPUs by turns that what ktop does
# itself is below 1 % of it, counted by ktop stat in perf stat.
known_stat()
{
	events=
	for pmu in $(core_pmus); do
		events=$events${events:+,}$pmu/cpu_cycles/,$pmu/inst_retired/
	done
	perf stat -x, -e "$events" -o /tmp/perf.stat -- \
	    ./ktop stat --force --csv /tmp/ktop.stat -- \
	    ./counters -n 360 "$@"
	status=$?
	sed 's/^/@perf,/' /tmp/perf.stat
	cat /tmp/ktop.stat
	return $status
}

# A process that runs, with its threads.
stat_of_process()
{
	(while :; do :; done) &
	burner=$!
	./ktop stat -I 500 --csv /tmp/process.stat -p $burner &
	ktop=$!
	# On a busy machine its start takes a while; then it counts.
	tries=0
	until grep -q ^interval /tmp/process.stat 2>/dev/null ||
		[ $tries = 300 ]; do
		tries=$((tries + 1))
		sleep 0.1
	done
	sleep 2
	kill $burner
	wait $ktop
	status=$?
	cat /tmp/process.stat
	return $status
}

# One works on a small core, one on a big one, one on both by turns.
processes()
{
	./counters -w 0 &
	small=$!
	./counters -w 3 &
	big=$!
	./counters -w 1 2 &
	both=$!
	./ktop --csv /tmp/processes.csv --processes=5 -b -n 6 -d 0.5 >/tmp/batch
	status=$?
	kill $small $big $both
	echo "@workers $small $big $both"
	sed 's/^/@batch /' /tmp/batch
	cat /tmp/processes.csv
	return $status
}

# More of them than there are counters next to the cores'; of $1 frames.
events_of()
{
	./counters -w 0 &
	small=$!
	./counters -w 3 &
	big=$!
	./counters -w 1 2 &
	both=$!
	echo "@workers $small $big $both"
	./events inst_retired,r0011,r0008,cpu_cycles,r0000 $1 $small $big $both
	status=$?
	kill $small $big $both
	return $status
}

# Hibernation without a place to write to: the kernel stops every task, takes
# all CPUs but the first off line, makes its image, and goes on.
suspended()
{
	./ktop --csv /tmp/suspended.csv -b -n 8 -d 0.5 >/tmp/batch &
	sleep 1.6
	echo disk >/sys/power/state
	wait $!
	status=$?
	dmesg | grep -q 'Image created' && echo '@image'
	cat /tmp/suspended.csv
	return $status
}

hotplug()
{
	./ktop --csv /tmp/hot.csv -b -n 9 -d 0.5 >/tmp/batch &
	sleep 1.2
	echo 0 >$cpu/cpu1/online
	sleep 1.5
	echo 1 >$cpu/cpu1/online
	wait $!
	status=$?
	cat /tmp/hot.csv
	return $status
}

# Four of the counters are another program's, for a while.
shared()
{
	./counters -h 3 4 &
	sleep 0.5
	rm -f /tmp/shared.csv
	./ktop --csv /tmp/shared.csv -b -n 9 -d 0.5 $1 >/tmp/batch
	status=$?
	wait
	sed 's/^/@batch /' /tmp/batch
	cat /tmp/shared.csv
	return $status
}

as_nobody()
{
	echo "$1" >$paranoid
	./counters -u 65534 ./ktop -b -n 1 -d 0.2
}

# with_one LEVEL CAP: as a user with that one capability
with_one()
{
	echo "$1" >$paranoid
	./counters -k "$2" 65534 ./ktop --csv - -n 2 -d 0.2
}

# CPU 3 is off line at the start and comes later.
late()
{
	echo 0 >$cpu/cpu3/online
	./ktop --csv /tmp/late.csv -b -n 10 -d 0.5 >/tmp/batch &
	sleep 1.6
	echo 1 >$cpu/cpu3/online
	wait $!
	status=$?
	cat /tmp/late.csv
	return $status
}

# Another program takes all counters while ktop looks on.
held()
{
	./counters -h 4 &
	sleep 0.5
	./ktop --csv /tmp/held.csv -b -n 5 -d 0.5 >/tmp/batch
	status=$?
	wait
	cat /tmp/held.csv
	return $status
}

on_the_console()
{
	mkdir -p /tmp/terminfo/v
	cp vt100 /tmp/terminfo/v/
	TERMINFO=/tmp/terminfo TERM=vt100 ./ktop -n 2 -d 0.3 \
	    </dev/ttyAMA0 >/dev/ttyAMA0
}

if [ "${1:-}" = known ]; then
	part loads unlike_loads
	part processes processes
	part statE known_stat 0
	part statP known_stat 3
	part statboth known_stat 1 2 3
	exit 0
fi
part pmus core_pmus
part capacity cat $cpu/cpu*/cpu_capacity
# shellcheck disable=SC2046
part counters ./counters $(core_pmus)
[ -x ./ktop ] || exit 0
part topology ./ktop topology
part batch ./ktop -b -n 3
part csv ./ktop --csv - -n 3
part interval same_interval
[ "${1:-}" = all ] || exit 0
part events ./ktop --events r0011,inst_retired,context-switches --csv - -n 2
part loads unlike_loads
part hotplug hotplug
part suspended suspended
[ ! -x /bin/perf ] || part perf beside_perf
[ ! -x /bin/perf ] || part statperf stat_beside_perf
part statpid stat_of_process
part processes processes
part events_of events_of 8
part pairs_of events_of -6
part held held
part shared shared ''
part mux shared --mux
for level in 0 1 2 3; do
	part "paranoid$level" as_nobody $level
done
part perfmon2 with_one 2 38
part perfmon3 with_one 3 38
part admin3 with_one 3 21
echo -1 >$paranoid
part late late
part screen on_the_console
