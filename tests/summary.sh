#!/bin/sh
# Adds up what the tests of some builds printed, lists what was skipped and why,
# and ends with "N passed, N failed, N skipped". A part that is named and left
# no result has failed.
#
#	tests/summary.sh DIR/PART...
#
# DIR/tests are the unit programs: DIR/tests/list names them, MODULE/NAME.log is
# cmocka's output, and MODULE/NAME.ok is there where the program succeeded.
# Another PART has DIR/logs/PART.log with lines "ok ..." and "not ok ...", where
# "# SKIP why" at the end means not tried, and its exit status in PART.status.
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
	[ -f "$1" ] || : >"$1"
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
	if [ ! -e "${1%.log}.ok" ] || [ "$3$4$5" = 000 ]; then
		[ "$4" -gt 0 ] || set -- "$1" "$2" "$3" 1 "$5"
		echo "failed: $2"
		tail -n 40 "$1"
	fi
	add "$2" "$3" "$4" "$5"
}

# part LOG NAME STATUS: the counts of a log of "ok" and "not ok" lines
part()
{
	[ -f "$1" ] || : >"$1"
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

[ $# -gt 0 ] || { echo 'usage: tests/summary.sh DIR/PART...' >&2; exit 2; }
for path; do
	dir=${path%/*} part=${path##*/}
	if [ "$part" = tests ]; then
		names=$(cat "$dir/tests/list")
		for name in ${names:-list}; do
			mkdir -p "$(dirname "$dir/tests/$name")"
			unit "$dir/tests/$name.log" "$name"
		done
	else
		mkdir -p "$dir/logs"
		log=$dir/logs/$part
		part "$log.log" "$part" "$(cat "$log.status" || echo unknown)"
	fi
done
[ ! -s "$list" ] || sed 's/^/skipped: /' "$list"
echo "$passed passed, $failed failed, $skipped skipped" | tee "$dir/summary"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
