#!/bin/sh
# The checks' own reports: what failed, was not run, was skipped or is of another
# day is never in them as passed.
here=$(cd "$(dirname "$0")/../.." && pwd)
of=checks
logs=said
. "$here/tests/e2e/check.sh"
unset MAKEFLAGS MAKELEVEL MFLAGS KTOP_LONG DESTDIR

says() # LINE...: each is one of what was said
{
	for line; do
		grep -qxF -e "$line" said || { echo "it does not say: $line"; return 1; }
	done
}

# ---- the summary ----
program() # NAME: one that passed two tests and skipped one
{
	mkdir -p "b/tests/$(dirname "$1")"
	cat >"b/tests/$1.log" <<'END'
[ RUN      ] apart
# SKIP no such machine
[  SKIPPED ] apart
[  PASSED  ] 2 test(s).
END
	: >"b/tests/$1.ok"
}
part() # NAME
{
	mkdir -p b/logs
	echo "ok 1 - $1" >"b/logs/$1.log"
	echo 0 >"b/logs/$1.status"
}
built() # a build that is in order
{
	rm -rf b
	for test in one/a_test one/two/b_test one/two/linux/c_test; do
		program $test
		echo $test >>b/tests/list
	done
	part lint
	part e2e
}
summary()
{
	sh "$here/tests/summary.sh" b/tests b/lint b/e2e >said 2>&1
}
all_levels()
{
	built
	summary && says '8 passed, 0 failed, 3 skipped' \
	    'skipped: one/two/linux/c_test: apart: no such machine'
}
another_day()
{
	built
	program one/gone_test
	part gone
	summary && says '8 passed, 0 failed, 3 skipped'
}
without() # FILE LINE
{
	built
	rm "b/$1"
	! summary && says "$2"
}
check 'unit programs of all levels are counted, and their skips named' all_levels
check 'logs of tests that are gone do not count' another_day
check 'a part without a status has failed' without logs/e2e.status \
    '8 passed, 1 failed, 3 skipped'
check 'so has one that left nothing' without logs/lint.status \
    'failed: lint ended with status unknown'
check 'so has a unit program without success' \
    without tests/one/two/linux/c_test.ok 'failed: one/two/linux/c_test'
check 'one without output' without tests/one/two/b_test.log \
    '6 passed, 1 failed, 2 skipped'
check 'and a build whose programs nobody listed' without tests/list \
    'failed: list'

echo "1..$n"
exit $bad
