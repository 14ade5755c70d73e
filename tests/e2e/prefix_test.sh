#!/bin/sh
# Another PREFIX is compiled in without make clean; the same one is not.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
unset MAKEFLAGS MAKELEVEL MFLAGS
object=$PWD/b/ui/theme/theme.o
n=0

make_it() { # PREFIX: what make prints
	make -C "$root" --no-print-directory B="$PWD/b" PREFIX="$1" "$object" 2>&1
}

told() { # TEXT, and whether it is so
	n=$((n + 1))
	if [ "$2" = 0 ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; fi
}

make_it /first/place >first
grep -q /first/place/share/ktop/themes "$object"
told "the folder of the installed themes is compiled in" $?
make_it /first/place | grep -q ui/theme/theme.c
[ $? = 1 ]
told "the same PREFIX: nothing is compiled" $?
make_it /second/place >second
grep -q /second/place/share/ktop/themes "$object"
told "another PREFIX: it is compiled again" $?
! grep -q /first/place "$object"
told "and the first one is gone" $?
echo "1..$n"
