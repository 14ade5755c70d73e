#!/bin/sh
# Adds up what the tests of a build printed and ends with "N passed, N failed".
#   summary.sh DIR   DIR/tests/*/*.log are cmocka's, DIR/logs/ has the rest
set -u
dir=$1
passed=0 failed=0
for log in "$dir"/tests/*/*.log; do
	[ -f "$log" ] || continue
	p=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$log" | awk '{s+=$1} END{print s+0}')
	f=$(sed -n 's/^\[  FAILED  \] \([0-9]*\) test.*/\1/p' "$log" | awk '{s+=$1} END{print s+0}')
	ok=${log%.log}.ok
	[ -e "$ok" ] || { [ "$f" -gt 0 ] || f=1; echo "failed: ${log#"$dir"/tests/}"; tail -40 "$log"; }
	printf '%5d passed %3d failed  %s\n' "$p" "$f" "$(echo "${log#"$dir"/tests/}" | sed 's/\.log$//')"
	passed=$((passed + p)) failed=$((failed + f))
done
for part in unit e2e lint; do
	status=$(cat "$dir/logs/$part.status" 2>/dev/null || echo 1)
	log=$dir/logs/$part.log
	p=0 f=0
	if [ -f "$log" ]; then
		p=$(grep -c '^ok ' "$log")
		f=$(grep -c '^not ok ' "$log")
		printf '%5d passed %3d failed  %s\n' "$p" "$f" "$part"
	fi
	passed=$((passed + p)) failed=$((failed + f))
	if [ "$status" != 0 ] && [ "$f" = 0 ] && [ "$failed" = 0 ]; then
		echo "failed: $part ended with status $status"
		failed=$((failed + 1))
	fi
done
echo "$passed passed, $failed failed" | tee "$dir/summary"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
