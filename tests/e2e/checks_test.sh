#!/bin/sh
# The checks' own reports: what failed, was not run, was skipped or is of another
# day is never in them as passed.
here=$(cd "$(dirname "$0")/../.." && pwd)
of=checks
logs=said
. "$here/tests/e2e/check.sh"
unset MAKEFLAGS MAKELEVEL MFLAGS KTOP_LONG DESTDIR
make=${MAKE:-make}

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

# ---- what runs again ----
# A tree of one room, in a folder with a space; its test notes that it ran.
tree="a tree"
mkdir "$tree"
ln -s "$tree" tree
mkdir -p tree/src/base tree/src/kperf tree/tests/base \
    tree/tests/data tree/docs tree/themes \
    tree/tests/fuzz/recording
cp "$here/Makefile" tree/
cp "$here/src/kperf/sampler.mk" tree/src/kperf/
cp "$here/tests/cmocka.h" "$here/tests/main.c" tree/tests/
echo 'int base_one(void); int base_one(void) { return 1; }' >tree/src/base/one.c
: >tree/docs/SIMULATION.md
echo fine >tree/tests/data/input
cat >tree/tests/base/one_test.c <<'END'
#include <stdio.h>
int
main(void)
{
	char word[8];
	FILE *in = fopen("tests/data/input", "r"), *ran = fopen("ran", "a");

	if (in == NULL || ran == NULL || fscanf(in, "%7s", word) != 1)
		return 2;
	fprintf(ran, "%s\n", word);
	puts("[  PASSED  ] 1 test(s).");
	return word[0] == 'f' ? 0 : 1;
}
END
ran() # TIMES [VARIABLE=VALUE]: after one more make, the test has run so often
{
	times=$1
	shift
	env "$@" $make -s -C "$tree" tests-base CMOCKA_LIBS= LINK_LIBS= &&
	    [ "$(wc -l <tree/ran)" -eq "$times" ]
}
breaks()
{
	! ran 4 && ! $make -s -C "$tree" B=build tests-base &&
	    [ ! -e tree/build/tests/base/one_test.ok ]
}
check 'a unit test runs' ran 1
check 'and not again when nothing changed' ran 1
echo fine,too >tree/tests/data/input
check 'but when its data changed' ran 2
echo more >tree/tests/data/another
check 'when data came' ran 3
check 'and when it is to last longer' ran 4 KTOP_LONG=1
echo bad >tree/tests/data/input
check 'one that succeeded once and fails now has not succeeded' breaks
listed()
{
	$make -s -C "$tree" build/tests/list &&
	    [ "$(cat tree/build/tests/list)" = base/one_test ]
}
check 'the summary is told which programs there are' listed

if git -C "$here" rev-parse HEAD >/dev/null 2>&1; then
	check 'what python3 leaves beside the tests is no source' \
	    git -C "$here" check-ignore -q tests/e2e/__pycache__/tap.pyc
fi

# ---- what a test leaves behind ----
left_behind()
{
	# shellcheck disable=SC2016 # the inner shell's words
	python3 "$here/tests/within.py" 60 \
	    sh -c '(sleep 3; echo late >late) & exit 7' | cat
	[ ! -e late ]
}
check 'what a test leaves running ends with it' left_behind

# ---- sections of test-all, and of CI ----
mkdir -p bin ci/.ci ci/tests/fresh
[ ! -e "$here/.ci/run" ] || cp "$here/.ci/run" ci/.ci/
cp "$here/tests/all.sh" "$here/tests/within.py" "$here/tests/summary.sh" ci/tests/
: >ci/tests/install.sh
echo 'echo "fresh-check: SKIPPED: no network"' >ci/tests/fresh/check.sh
cat >bin/make <<'END'
#!/bin/sh
case "$*" in
test-all)
	[ -n "${NO_SUMMARY:-}" ] ||
	    { mkdir -p build/all && echo '9 passed' >build/all/summary; } ;;
*dist-check) echo 'dist-check: SKIPPED: no tar' ;;
*die-check) printf 'ok 1 - deaths\nok 2 - of root # SKIP needs root\n' ;;
esac
exit "${MAKE_STATUS:-0}"
END
printf '#!/bin/sh\necho 0\n' >bin/id
chmod 755 bin/make bin/id
section() # NAME: of test-all
{
	(cd ci && MAKE=$PWD/../bin/make sh tests/all.sh "$1") >said 2>&1
	sed 's/, [0-9]* s/, N s/' ci/build/all/logs/sections.log >sections
}
skipped_sections()
{
	section dist
	grep -qx 'ok dist, N s # SKIP no tar' sections && section deaths &&
	    grep -qx 'ok deaths: 2 - of root # SKIP needs root' sections
}
ci() # [VARIABLE=VALUE...]
{
	(cd ci && env "$@" PATH="$PWD/../bin:$PATH" .ci/run) >said.all 2>&1
	status=$?
	sed 's/, [0-9]* s$/, N s/' said.all >said
	rm -rf ci/build
	return $status
}
skipped_in_ci()
{
	ci && says 'fresh, as a user: skipped: no network, N s' 'tests: ok, N s' \
	    'with tools as a Mac has them: skipped: they are not here' &&
	    ! grep '^warning' said
}
red()
{
	! ci MAKE_STATUS=3 && says 'tests: FAILED (status 3), N s'
}
too_long()
{
	ci SECONDS=4201 && grep '^warning: more than 70 minutes' said
}
check 'a section of test-all that is skipped says so, and its skips are listed' \
    eval 'skipped_sections || { cat sections; false; }'
if command -v bash >/dev/null 2>&1 && [ -e ci/.ci/run ]; then
	check 'a section of CI that is skipped is not ok' skipped_in_ci
	check 'one that fails is red' red
	check 'and so is a test-all without a result' eval '! ci NO_SUMMARY=1'
	check 'more than 70 minutes are said' too_long
fi
echo "1..$n"
exit $bad
