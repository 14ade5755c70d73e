#!/bin/sh
# A simulated year, a frame a second, on several machines with random faults:
#	sh tests/soak/year.sh PATH_TO_KTOP [MACHINE...]
# SOAK_SECONDS: the real time for each machine (60). A year has 31,536,000
# frames and takes about twelve minutes a machine, an hour with two processes
# (SOAK_SEPARATE=1); what fits in the time is run, and the report says how
# much that was. SOAK_SEED chooses the faults (the day).
exec python3 "$(dirname "$0")/year.py" "$@"
