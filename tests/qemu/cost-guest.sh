#!/bin/sh
# Run in the guest by boot.sh: each way of looking at all CPUs for a while and
# for three times as long, so that what it takes to start and end goes out of the
# difference. Lines: @cost WAY READINGS INTERRUPTS INSTRUCTIONS NS
events='r0008 r0011 r0000 r0012'
raw='8 11 0 12'
short=10 long=30

# pay WAY READINGS COMMAND...: the best of three, since the kernel has work of its own
pay()
{
	way=$1 readings=$2
	shift 2
	for _ in 1 2 3; do
		./cost "$@" 2>/tmp/errors | sed "s/^/@cost $way $readings /"
	done
	sed 's/^/@error /' /tmp/errors
}

all=$(echo "$events" | tr ' ' ,)
for n in $short $long; do
	seconds=$((n / 2))
	pay nothing "$n" sleep "$seconds"
	# shellcheck disable=SC2086
	pay read "$n" ./cost -r "$n" $raw
	# shellcheck disable=SC2086
	pay hop "$n" ./cost -h "$n" $raw
	pay perf "$n" perf stat -a -A -I 500 -e "{$all}" -o /tmp/out -- \
	    sleep "$seconds"
	pay ktop "$n" ./ktop --events "$all" --csv /tmp/out --force -d 0.5 -n "$n"
	pay text "$n" sh -c "./ktop --events $all -b -d 0.5 -n $n >/tmp/out"
done
