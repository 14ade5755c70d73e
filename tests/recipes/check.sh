#!/bin/sh
# Every recipe of docs/ADDING.md, performed: on a copy of this tree the section's
# rows and files are added as they stand there, it is built and checked, and the
# new thing is seen to work. Prints "ok" or "not ok" for each.
#
#	tests/recipes/check.sh [RECIPE...]	(all)
#
# A recipe is a file RECIPE.recipe here, read by the shell:
#	section='A metric'	of docs/ADDING.md
#	modules='model ui/view'	whose unit tests are run
#	e2e='manual text'	end-to-end tests
#	made()			what is made from the new thing: golden screens
#	see()			what must be so; the new ktop is $ktop
# KTOP_RECIPES_KEEP=1 keeps the copies.
set -u
cd "$(dirname "$0")/../.." || exit 1
top=$PWD
work=$(mktemp -d) || exit 1
[ -n "${KTOP_RECIPES_KEEP:-}" ] || trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
jobs=${JOBS:-2}
make="${MAKE:-make} -s -j$jobs WERROR=-Werror"
export CCACHE_NOHASHDIR=1 # where that is used, a copy is not compiled again
unset MAKEFLAGS MFLAGS MAKELEVEL B SAN
n=0 bad=0

# The tree once, built; each recipe starts from a copy of that.
copy_tree()
{
	mkdir -p "$work/tree"
	{ git ls-files -co --exclude-standard 2>/dev/null ||
	    find . -type f ! -path './build/*' ! -path './.git/*'; } |
	    while read -r file; do [ ! -f "$file" ] || echo "$file"; done |
	    tar -cf - -T - | tar -xf - -C "$work/tree"
	[ ! -d build ] || for module in build/gen build/main.* build/vtrun build/tables build/sim-state src/*/; do
		case $module in src/*) module=build/$(basename "$module") ;; esac
		[ ! -e "$module" ] || cp -Rp "$module" "$work/tree/$module" 2>/dev/null
	done
}

# have TEXT COMMAND...: its output has a line with TEXT
have()
{
	wanted=$1
	shift
	"$@" >see.out 2>&1
	grep -qe "$wanted" see.out || {
		echo "  # no '$wanted' from: $*"
		sed -n '1,20s/^/  #   /p' see.out | cut -c1-160
		return 1
	}
}

# screen TEXT OPTIONS...: the screen of ktop has it, and q leaves
screen()
{
	wanted=$1
	shift
	[ -x build/vtrun ] || $make build/vtrun >/dev/null 2>&1 || {
		echo "  # the screen was not looked at: no libvterm here"
		return 0
	}
	# shellcheck disable=SC2086
	build/vtrun -s "${size:-120x40}" wait:IPC ${keys:-} "wait:$wanted" \
	    key:q exit:0 given-back -- "$ktop" "$@" >see.out 2>&1 || {
		echo "  # no '$wanted' on the screen of: ktop $*"
		sed -n '1,45s/^/  #   /p' see.out
		return 1
	}
}

# step WHAT COMMAND...: quiet unless it fails
step()
{
	what=$1
	shift
	"$@" >step.out 2>&1 || {
		echo "  # $what:"
		grep -av '^ok\|^  # *ok' step.out | tail -n 25 | sed 's/^/  #   /' | cut -c1-160
		return 1
	}
}

checks()
{
	python3 tests/recipes/apply.py "$section" &&
	    step 'does not build' $make all build/vtrun build/tables &&
	    step 'the manual' $make manual &&
	    made &&
	    step 'the messages' python3 tests/messages.py --write &&
	    step 'lint' env B=build sh tests/lint/lint.sh &&
	    { [ -z "$modules" ] || step 'unit tests' $make -k \
		$(for module in $modules; do echo "tests-$module"; done); } &&
	    { [ -z "$e2e" ] || step 'end-to-end tests' env \
		TABLES="$PWD/build/tables" VTRUN="$PWD/build/vtrun" KTOP_SIM_SO="$PWD/build/libkperf-sim.so" \
		sh tests/e2e/run.sh ./ktop $e2e; } &&
	    see
}

# In a shell of its own, so that what it says of itself ends with it.
perform()
(
	section='' modules='' e2e=''
	made() { :; }
	. "$top/tests/recipes/$1.recipe" || exit 1
	cp -Rp "$work/tree" "$work/$1" && cd "$work/$1" || exit 1
	ktop=$PWD/ktop
	XDG_CONFIG_HOME=$work/$1.config
	export XDG_CONFIG_HOME
	checks
)

copy_tree
(cd "$work/tree" && $make all build/vtrun build/tables build/sim-state >"$work/build.out" 2>&1) || {
	tail -n 20 "$work/build.out"
	echo 'not ok recipes: the copy of this tree does not build'
	exit 1
}
# What needs more than a row, a file and a name is no recipe.
too_much()
{
	mkdir -p "$work/much/docs"
	cat >"$work/much/docs/ADDING.md" <<'END'
## Too much

At the end of `one` in `one.c`:

    1,

At the end of `two` in `one.c`:

    2,
END
	printf 'int one[] = {\n\t0,\n};\nint two[] = {\n\t0,\n};\n' \
	    >"$work/much/one.c"
	! (cd "$work/much" &&
	    python3 "$top/tests/recipes/apply.py" 'Too much' >much.out 2>&1) &&
	    grep -q '2 times a row' "$work/much/much.out"
}

# Each section of the page has a recipe here.
all_sections()
{
	sed -n "s/^## //p" docs/ADDING.md | sort >"$work/sections"
	sed -n "s/^section='\(.*\)'$/\1/p" tests/recipes/*.recipe | sort |
	    diff "$work/sections" - | sed 's/^/  # /' >"$work/differ"
	cat "$work/differ"
	[ ! -s "$work/differ" ]
}

tell() # NAME: by the status before
{
	# shellcheck disable=SC2181
	if [ $? = 0 ]; then
		echo "ok $((n += 1)) - $1"
	else
		echo "not ok $((n += 1)) - $1"
		bad=$((bad + 1))
	fi
}
too_much
tell 'recipes: two rows are too many'
all_sections
tell 'recipes: every section of docs/ADDING.md is performed'
for recipe in ${*:-$(cd tests/recipes && ls -- *.recipe | sed 's/\.recipe$//')}
do
	perform "$recipe" >"$work/out" 2>&1
	tell "recipes: $recipe"
	grep -a '^  #' "$work/out"
	[ -n "${KTOP_RECIPES_KEEP:-}" ] || rm -rf "${work:?}/$recipe"
done
[ -z "${KTOP_RECIPES_KEEP:-}" ] || echo "# $work"
echo "1..$n"
[ "$bad" = 0 ]
