#!/bin/sh
# The version stands in the Makefile alone; the program, the manual pages that
# are installed and the change log say that one.
#   version_test.sh PATH_TO_KTOP
ktop=$1
top=$(cd "$(dirname "$0")/../.." && pwd)
make=${MAKE:-make}
bad=0
check()
{
	what=$1
	shift
	if "$@"; then
		echo "ok version: $what"
	else
		echo "not ok version: $what"
		bad=1
	fi
}
version=$(cd "$top" && $make -s --no-print-directory version)
check 'the Makefile has one' [ -n "$version" ]
check 'the program says it' [ "$("$ktop" --version)" = "ktop $version" ]

elsewhere()
{
	escaped=$(echo "$version" | sed 's/\./\\./g')
	grep -rnIE "(^|[^0-9.])$escaped([^0-9.]|\$)" "$top/src" "$top/docs" \
	    "$top/README.md" "$top/.github" "$top/tests/dist" |
	    grep -v -e '/docs/CHANGELOG\.md:' -e '/docs/DOCTOR\.md:' | grep .
}
# shellcheck disable=SC2310
nowhere_else() { ! elsewhere; }
check 'it stands nowhere else' nowhere_else

# -o: however old the program looks, it is not built again
to=$(pwd)/to
installed()
{
	(cd "$top" && $make -s -o ktop DESTDIR="$to" PREFIX=/usr install)
}
check 'make install' installed
for page in man1/ktop.1 man5/ktop-csv.5 man5/ktop-theme.5; do
	check "the installed $page says it" \
	    grep -qx "\.Os ktop $version" "$to/usr/share/man/$page"
done
newest=$(sed -n 's/^## \([^ ]*\).*/\1/p' "$top/docs/CHANGELOG.md" | head -1)
check 'the change log begins with it, or with what is not released' \
    [ "$newest" = "$version" -o "$newest" = Unreleased ]

# compile OBJECT VARIABLE=VALUE: in a build folder of its own
compile()
{
	object=$to/build/$1
	shift
	(cd "$top" && $make B="$to/build" "$@" "$object") | grep -q ' CC '
}
compiled_again()
{
	compile commands/command.o VERSION=1.2.3 &&
	    grep -q 'ktop 1\.2\.3' "$to/build/commands/command.o" &&
	    compile commands/command.o VERSION=4.5.6 &&
	    grep -q 'ktop 4\.5\.6' "$to/build/commands/command.o" &&
	    compile ui/theme/theme.o PREFIX=/one &&
	    compile ui/theme/theme.o PREFIX=/two &&
	    grep -q '/two/share/ktop/themes' "$to/build/ui/theme/theme.o"
}
check 'another version or PREFIX is compiled into what has it' compiled_again
compiled_once()
{
	! (cd "$top" && $make B="$to/build" PREFIX=/two \
	    "$to/build/ui/theme/theme.o") | grep ' CC '
}
check 'the same is not' compiled_once
exit $bad
