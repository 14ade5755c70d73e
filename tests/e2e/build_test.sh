#!/bin/sh
# The Makefile as a stranger's machine meets it: libraries that the compiler
# does not find by itself, and a ktop that runs while it is replaced.
ktop=$1
here=$(cd "$(dirname "$0")/../.." && pwd)
unset MAKEFLAGS MAKELEVEL MFLAGS CPATH HOMEBREW_PREFIX DESTDIR
of=build
. "$here/tests/e2e/check.sh"

# ---- what is missing ----
misses() # VARIABLE=VALUE: which make says, and what to do
{
	! ${MAKE:-make} -C "$here" B="$PWD/bare" "$1" "$PWD/bare/gen/needed" >said 2>&1 &&
	    grep -q 'make run installs them' said && [ ! -e bare/gen/needed ]
}
check 'a missing compiler is reported' misses CC=no-such-cc
check 'so is a missing library' misses CPPFLAGS=-nostdinc

# ---- libraries ----
# A compiler that finds no header unless -isystem or -I leads to it, and a brew
# that says when it was asked.
mkdir -p bin cellar/include cellar/lib
cat >bin/brew <<END
#!/bin/sh
echo "brew \$*" >>'$PWD/asked'
[ "\$*" = --prefix ] && echo '$PWD/cellar'
END
cat >bin/finds-none <<'END'
#!/bin/sh
case " $* " in *" -E "*) ;; *) exit 0 ;; esac
for a; do
	case $a in
	-I*) [ ! -f "${a#-I}/csv.h" ] || exit 0 ;;
	esac
done
exit 1
END
printf '#!/bin/sh\nexit 0\n' >bin/finds-all
chmod 755 bin/*
: >cellar/include/csv.h
: >cellar/include/cmocka.h
: >cellar/include/vterm.h

plan() # COMPILER OS [VARIABLE=VALUE...]: what make would run
{
	compiler=$PWD/bin/$1 os=$2
	shift 2
	rm -f asked
	PATH=$PWD/bin:$PATH ${MAKE:-make} -n -C "$here" B="$PWD/none" \
	    CC="$compiler" OS="$os" "$@" "$PWD/none/ktop" "$PWD/none/vtrun" \
	    "$PWD/none/tests/out/csv_test" >plan 2>&1 || { cat plan; return 1; }
}
both() # NAME: its folders are given to the compiler
{
	grep -q -e "-isystem $PWD/cellar/include" plan &&
	    grep -q -e "-L$PWD/cellar/lib $1" plan && return
	echo "no folders for $1"
	return 1
}
brewed()
{
	plan finds-none "$1" && both -lcsv && both -lcmocka && both -lvterm
}
only_what_is_asked()
{
	plan finds-all "$1" && [ ! -e asked ] && ! grep -q cellar plan
}
by_hand()
{
	plan finds-none Darwin CPPFLAGS="-I$PWD/cellar/include" \
	    LDFLAGS=-L/somewhere/lib &&
	    ! grep -q -e "-isystem $PWD" -e "-L$PWD" plan &&
	    grep -q -e '-L/somewhere/lib.* -lvterm' plan &&
	    grep -q -e '-L/somewhere/lib.* -lcmocka' plan
}
curses() # OS LIBRARY
{
	plan finds-none "$1" PKG_CONFIG=false && grep -q -e " $2 " plan
}
check 'without pkg-config it is the wide curses of Linux' \
    curses Linux -lncursesw
check "and a Mac's by its own name" curses Darwin -lncurses
check "Homebrew's folders are given for all three libraries" brewed Darwin
check 'on Linux too' brewed Linux
check 'nothing is asked where the compiler finds the headers' \
    only_what_is_asked Darwin
check 'what CPPFLAGS and LDFLAGS say is enough' by_hand

elsewhere() # OS FOLDERS NAME
{
	${MAKE:-make} -s -C "$here" --no-print-directory OS="$1" elsewhere |
	    sort >said
	# What is in a folder of that system's, or in a room that it alone has.
	find "$here/tests" -name '*_test.c' |
	    sed "s|^$here/tests/|ok |; s|\\.c\$| # SKIP $3 only|" |
	    grep "$2" | sort >wanted
	diff wanted said
}
check 'the tests that only Linux has are named on a Mac' \
    elsewhere Darwin '/linux/\|source/perf/' Linux
check "and a Mac's on Linux" elsewhere Linux /mac/ macOS

# The scripts that compile something ask the Makefile.
cat >bin/logs <<END
#!/bin/sh
echo "\$*" >>'$PWD/compiled'
exec '$PWD/bin/finds-none' "\$@"
END
cat >bin/make <<END
#!/bin/sh
case " \$* " in *" flags "*) exec '$(command -v "${MAKE:-make}")' "\$@" ;; esac
END
chmod 755 bin/*
asks() # PATTERN COMMAND...: it compiles that with the folders of brew
{
	pattern=$1
	shift
	rm -f compiled
	PATH=$PWD/bin:$PATH MAKE=$PWD/bin/make CC=$PWD/bin/logs B=$PWD/none \
	    FUZZ_DRIVER=own FUZZ_SECONDS=0 "$@"
	grep -e "$pattern" compiled | grep -q -e "-L$PWD/cellar/lib -lcsv"
}
check 'the benchmark of recording is linked with what the Makefile found' \
    asks record.c sh "$here/tests/bench/record.sh" "$ktop"
check 'and so are the fuzzers' \
    asks theme_fuzz.c sh "$here/tests/fuzz/run.sh" theme

# The installer finds what the Makefile finds, and wants no Homebrew for it.
mkdir mac
for tool in sh sed id dirname; do
	path=$(command -v $tool) && ln -s "$path" "mac/$tool"
done
printf '#!/bin/sh\necho Darwin\n' >mac/uname
printf '#!/bin/sh\nexit 0\n' >mac/xcode-select
printf '#!/bin/sh\nexit 0\n' >mac/python3
chmod 755 mac/uname mac/xcode-select mac/python3
installer() # COMPILER [VARIABLE=VALUE...]
{
	compiler=$PWD/bin/$1
	shift
	env CC="$compiler" "$@" PATH="$PWD/mac" \
	    /bin/sh "$here/tests/install.sh" test </dev/null
}
says_what_is_missing()
{
	! installer finds-none && installer finds-none 2>&1 |
	    grep -q 'no Homebrew .*: libcsv cmocka libvterm *$'
}
check 'the installer wants no Homebrew where the headers are' \
    installer finds-all
check 'nor where they lie in a prefix that is known' \
    installer finds-none HOMEBREW_PREFIX="$PWD/cellar"
check 'and says what is missing where they are not' says_what_is_missing

# ---- replacing a program that runs ----
mkdir tree tree/build
ln -s "$here/src" "$here/tests" "$here/themes" "$here/docs" "$here/Makefile" \
    tree/
cp "$ktop" tree/build/ktop
again() # ARGS...: make, where the program has been linked again
{
	[ ! -e tree/ktop ] || touch -t 200001010000 tree/ktop
	${MAKE:-make} -C tree -o build/ktop "$@"
}
inode()
{
	# shellcheck disable=SC2012 # one name without oddities
	ls -i "$1" | awk '{ print $1 }'
}
replaced() # PROGRAM MAKE_ARGS...: it runs on, and its name is a new file
{
	program=$1
	shift
	again "$@" || return 1
	"$program" --sim m1 -b -d 100ms -n 10000 >printed 2>&1 &
	pid=$!
	until [ -s printed ] || ! kill -0 $pid; do
		sleep 0.02
	done
	old=$(inode "$program")
	# another file holds the old one's number as long as that runs
	again "$@"
	status=$?
	new=$(inode "$program")
	kill -0 $pid
	runs=$?
	kill $pid
	wait $pid
	ls "$program".* 2>/dev/null && return 1
	[ $status = 0 ] && [ $runs = 0 ] && [ "$old" != "$new" ]
}
check 'ktop is replaced while it runs' replaced tree/ktop ktop
check 'and so is the installed one' replaced "$PWD/to there/usr/local/bin/ktop" \
    -o ktop install DESTDIR="$PWD/to there" PREFIX=/usr/local
at_home()
{
	HOME="$PWD/at home" again -o ktop install DESTDIR= PREFIX='~/local' &&
	    [ -x "at home/local/bin/ktop" ]
}
check "also below the home, by a shell that leaves its ~ to others" at_home
echo "1..$n"
exit $bad
