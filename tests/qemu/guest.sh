#!/bin/sh
# Run in the guest by boot.sh: what the kernel says, then what ktop says. Each
# part goes to the console between marks for check.sh to take apart.
part()
{
	name=$1
	shift
	echo "@part $name"
	"$@" 2>/tmp/errors
	echo "@status $name $?"
	sed "s/^/@error $name /" /tmp/errors
}

part pmus ls /sys/bus/event_source/devices
part capacity cat /sys/devices/system/cpu/cpu*/cpu_capacity
part counters ./counters armv8_cortex_a55 armv8_cortex_a76
[ -x ./ktop ] || exit 0
part topology ./ktop topology
part batch ./ktop -b -n 3
part csv ./ktop --csv - -n 3
