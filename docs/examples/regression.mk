# Does the new build of a program need more instructions than the old one?
#
#	make -f regression.mk OLD=old/prog NEW=./prog ARGS=input.txt
#
# Both run ten times, by turns; the recipe fails where the new one surely needs
# over 1 % more. Instructions repeat to a fraction of a percent, times do not,
# so this is fit for a busy machine. On Linux it needs counters
# (perf_event_paranoid of 2 or less), on a Mac nothing, not even root.
KTOP  ?= ktop
LIMIT ?= 1%:instructions
RUNS  ?= 10

.PHONY: regression
regression:
	$(KTOP) stat -q -w 1 -r $(RUNS) --fail-above $(LIMIT) -- \
		$(OLD) $(ARGS) --vs $(NEW) $(ARGS) </dev/null >/dev/null
