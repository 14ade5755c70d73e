#!/bin/sh
# Adds up what the tests of some builds printed, lists what was skipped and why,
# and ends with "N passed, N failed, N skipped".
#
#	tests/summary.sh DIR...
#
# DIR/tests/ROOM/NAME.log are cmocka's, with NAME.ok where the test succeeded.
# DIR/logs/PART.log has lines "ok ..." and "not ok ..."; one that ends in
# "# SKIP why" was not tried. DIR/logs/PART.status has the part's exit status.
set -u
passed=0 failed=0 skipped=0
list=$(mktemp) || exit 1
trap 'rm -f "$list"' EXIT

# add NAME PASSED FAILED SKIPPED
add()
{
	printf '%5d passed %3d failed %3d skipped  %s\n' "$2" "$3" "$4" "$1"
	passed=$((passed + $2)) failed=$((failed + $3)) skipped=$((skipped + $4))
}

# unit LOG NAME: the counts of one cmocka program, and what it skipped
unit()
{
	counts=$(awk -v name="$2" -v list="$list" '
	/^\[ RUN / { run = 1; why = "no reason given" }
	/^# SKIP / { why = substr($0, 8) }
	/^\[  PASSED  \] [0-9]+ test/ { p += $4 }
	/^\[  FAILED  \] [0-9]+ test/ { f += $4 }
	/^\[  SKIPPED \] / && run { s++; print name ": " $4 ": " why >>list }
	/^\[  (     OK|FAILED |SKIPPED) \]/ { run = 0 }
	END { print p + 0, f + 0, s + 0 }' "$1")
	# shellcheck disable=SC2086
	set -- "$1" "$2" $counts
	if [ ! -e "${1%.log}.ok" ]; then
		[ "$4" -gt 0 ] || set -- "$1" "$2" "$3" 1 "$5"
		echo "failed: $2"
		tail -n 40 "$1"
	fi
	add "$2" "$3" "$4" "$5"
}

# part LOG NAME STATUS: the counts of a log of "ok" and "not ok" lines
part()
{
	counts=$(awk -v name="$2" -v list="$list" '
	/^# .*: [0-9]+ s$/ { file = $2 " " }
	/^ok .*# SKIP/ { s++; line = $0; sub(/^ok /, "", line)
		sub(/ *# SKIP */, ": ", line)
		print name ": " file line >>list; next }
	/^ok / { p++ }
	/^not ok / { f++ }
	END { print p + 0, f + 0, s + 0 }' "$1")
	# shellcheck disable=SC2086
	set -- "$1" "$2" "$3" $counts
	if [ "$3" != 0 ] && [ "$5" = 0 ]; then
		echo "failed: $2 ended with status $3"
		set -- "$1" "$2" "$3" "$4" 1 "$6"
	fi
	grep '^not ok ' "$1" | sed "s/^not ok/failed: $2:/"
	add "$2" "$4" "$5" "$6"
}

for dir; do
	last=$dir
	for log in "$dir"/tests/*/*.log; do
		[ -f "$log" ] || continue
		name=${log#"$dir"/tests/}
		unit "$log" "${name%.log}"
	done
	for status in "$dir"/logs/*.status; do
		[ -f "$status" ] || continue
		log=${status%.status}.log
		[ -f "$log" ] || : >"$log"
		part "$log" "$(basename "$log" .log)" "$(cat "$status")"
	done
done
[ ! -s "$list" ] || sed 's/^/skipped: /' "$list"
echo "$passed passed, $failed failed, $skipped skipped" | tee "$last/summary"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
