#!/bin/sh
# libkperf-sampler as others use it: installed under a prefix, one cc line,
# C11 and C++17, static and shared, on the simulated frameworks. KTOP_SIM_SO
# names those (make builds them); without it: one skip.
here=$(cd "$(dirname "$0")/../.." && pwd)
of=sampler
. "$here/tests/e2e/check.sh"
[ -n "${KTOP_SIM_SO:-}" ] || {
	echo "ok 1 - sampler # SKIP no KTOP_SIM_SO"
	exit 0
}
[ "$(uname -s)" = Darwin ] || command -v "${OBJCOPY:-objcopy}" >/dev/null || {
	echo "ok 1 - sampler # SKIP no objcopy, which Linux needs for it"
	exit 0
}
cc=${CC:-cc}
cxx=${CXX:-c++}
top=$PWD/sampler-test
rm -rf "$top"
mkdir -p "$top/away" && cd "$top/away" || exit 1
p=$top/prefix
so=$(cd "$(dirname "$KTOP_SIM_SO")" && pwd)/$(basename "$KTOP_SIM_SO")
umask 022
# What is compiled already is not compiled again; its times say whether it is.
mkdir -p "$top/build"
for room in gen base kperf pmu; do
	[ -d "${so%/*}/$room" ] && cp -Rp "${so%/*}/$room" "$top/build/"
done
install_it()
{
	makefiles="-f Makefile"
	grep -q 'sampler\.mk' "$here/Makefile" ||
		makefiles="$makefiles -f src/kperf/sampler.mk"
	# shellcheck disable=SC2086
	env -u MAKEFLAGS -u MAKELEVEL ${MAKE:-make} -C "$here" $makefiles \
	    B="$top/build" PREFIX="$p" DESTDIR= install-lib
}
check 'make install-lib' install_it
version=$(cd "$here" && ${MAKE:-make} -s --no-print-directory version)
check 'kperf-sampler.pc has the version' \
    grep -qx "Version: $version" "$p/lib/pkgconfig/kperf-sampler.pc"
check 'kperf-sampler(3) has the version' \
    grep -qx "\.Os ktop $version" "$p/share/man/man3/kperf-sampler.3"

alone()
{
	for h in abi api sampler; do
		echo "#include <kperf-sampler/$h.h>" >one.c
		$cc -std=c11 -pedantic -Wall -Wextra -Werror -I"$p/include" \
		    -fsyntax-only one.c || return 1
		cp one.c one.cc
		"$cxx" -std=c++17 -pedantic -Wall -Wextra -Werror \
		    -I"$p/include" -fsyntax-only one.cc || return 1
	done
	# nothing of ktop leaks out
	! grep -rn '"kperf/\|"base/\|symbols\.h' "$p/include"
}
check 'headers compile alone as C11 and C++17' alone

only_ours()
{
	nm -g --defined-only "$p/lib/libkperf-sampler.a" |
	    awk 'NF == 3 && $3 !~ /^_?kps_/ { print; bad = 1 } END { exit bad }'
	s=$?
	[ -e "$p/lib/libkperf-sampler.so" ] || return $s
	nm -D --defined-only "$p/lib/libkperf-sampler.so" |
	    awk '$3 !~ /^kps_/ && $2 != "A" { print; bad = 1 } END { exit bad }' &&
	    return $s
}
check 'only kps_ names are exported' only_ours

# A program that was built with another number must not start with this one.
versioned()
{
	abi=$(sed -n 's/^#define KPS_ABI //p' "$p/include/kperf-sampler/sampler.h")
	[ -n "$abi" ] && [ -e "$p/lib/libkperf-sampler.so.$abi" ] &&
	    readelf -d "$p/lib/libkperf-sampler.so.$abi" |
	    grep -q "SONAME.*libkperf-sampler.so.$abi\]" &&
	    readelf -d measure | grep -q "NEEDED.*libkperf-sampler.so.$abi\]" &&
	    nm -D measure | grep -q "U kps_sampler_new@KPERF_SAMPLER_$abi$" &&
	    ! nm -D "$p/lib/libkperf-sampler.so.$abi" |
	    grep ' T kps_' | grep -v "@@KPERF_SAMPLER_$abi$"
}

build()
{
	for e in measure allcpus processes; do
		$cc "$here/docs/examples/$e.c" -o "$e" -I"$p/include" \
		    -L"$p/lib" -Wl,-rpath,"$p/lib" -lkperf-sampler || return 1
	done
	$cc "$here/docs/examples/measure.c" -o measure-static \
	    -I"$p/include" "$p/lib/libkperf-sampler.a" -ldl -lm -lpthread
}
check 'examples build with one cc line' build
if [ "$(uname -s)" = Linux ]; then
	check 'the shared object has an ABI number and versioned symbols' versioned
fi

by_pkg_config()
{
	# shellcheck disable=SC2046
	PKG_CONFIG_PATH=$p/lib/pkgconfig $cc \
	    "$here/docs/examples/measure.c" -o measure-pc \
	    $(PKG_CONFIG_PATH=$p/lib/pkgconfig pkg-config --cflags --libs \
	    kperf-sampler)
}
if command -v pkg-config >/dev/null; then
	check 'kperf-sampler.pc' by_pkg_config
else
	n=$((n + 1))
	echo "ok $n - sampler: kperf-sampler.pc # SKIP no pkg-config"
fi

# Four events, each counted; the order is the caller's.
measure()
{
	KTOP_SIM=m1 "./$1" "$so" "$so" >out || return 1
	cat out
	awk '{ name[NR] = $1; n[NR] = $2 }
	    END {
		if (NR != 4 || name[1] != "FIXED_INSTRUCTIONS" ||
		    name[2] != "FIXED_CYCLES" ||
		    name[3] != "BRANCH_MISPRED_NONSPEC" ||
		    name[4] != "L1D_CACHE_MISS_LD_NONSPEC")
			exit 1
		ipc = n[1] / n[2] # docs/SIMULATION.md: 4.2 while computing
		exit !(ipc > 4.19 && ipc < 4.21 && n[3] > 0 && n[4] > n[3])
	    }' out
}
check 'the measuring example, shared' measure measure
check 'the measuring example, static' measure measure-static

counts_cpus()
{
	KTOP_SIM=m3ultra ./allcpus "$so" "$so" 1 >out || return 1
	cat out
	[ "$(grep -c '^cpu' out)" = 32 ]
}
check 'the example of all CPUs' counts_cpus

# Who has tracing of the kernel is named; without them it samples.
samples_processes()
{
	KTOP_SIM=m1 ./processes "$so" "$so" 1 >out || return 1
	cat out
	grep -q '^ *[0-9]* .*Gcycles .*IPC' out || return 1
	# Who is late to read, as on a slow machine, has gaps.
	grep -qE '^attributed [1-9][0-9.]* % of all cycles, [0-9]+ gaps?, [0-9]+ rej' out ||
		return 1
	! KTOP_SIM=m1,fault=ktrace:77@0s ./processes "$so" "$so" 1 2>out ||
		return 1
	cat out
	grep -q 'another tool traces the kernel, pid 77' out
}
check 'the example of processes' samples_processes

# What it leaves: a state file is the machine that two programs share.
leaves_nothing()
{
	KTOP_SIM=m1,state=$top/state ./measure "$so" "$so" || return 1
	"$SIM_STATE" "$top/state" >out || return 1
	cat out
	grep -qx 'force 0' out && grep -qx 'counting 0' out
}
check 'the counters are as before' leaves_nothing

# On a machine without frameworks: no path leads to any.
needs_no_framework()
{
	cat >table.c <<'END'
#include <kperf-sampler/sampler.h>
#include <stdio.h>
int
main(void)
{
	struct kps_table t;
	struct kps_event v;
	unsigned n = 0;

	if (!kps_table_find("as4", &t))
		return 1;
	while (kps_table_event("as4", n, &v))
		n++;
	printf("%s %#x %#x %#x %u\n", t.database, t.fixed_bits,
	       t.config_bits, t.power_bits, n - t.events);
	return 0;
}
END
	$cc -std=c11 table.c -o table -I"$p/include" -L"$p/lib" \
	    -Wl,-rpath,"$p/lib" -lkperf-sampler &&
	    [ "$(KTOP_KPERF=/none KTOP_KPERFDATA=/none ./table)" = 'as4 0x3 0x3fc 0xe0 0' ]
}
check 'the tables need no framework' needs_no_framework

says_why()
{
	! KTOP_SIM=m1,euid=501 ./measure "$so" "$so" 2>out || return 1
	grep -q 'only root.*sudo' out || return 1
	! ./measure /no/such/kperf "$so" 2>out || return 1
	grep -q '/no/such/kperf' out
}
check 'errors are sentences' says_why

in_cxx()
{
	cat >use.cc <<'END'
#include <kperf-sampler/sampler.h>
#include <cstdio>
int
main(int, char **argv)
{
	kps_error e{};
	kps_frameworks *f = kps_load(argv[1], argv[1], &e);
	if (f == nullptr)
		return std::puts(e.text), 1;
	kps_database *d = kps_database_new(kps_kperfdata(f), "as4", &e);
	bool ok = d != nullptr && kps_database_find(d, "InstAll") != nullptr;
	kps_database_free(d);
	kps_unload(f);
	return ok ? 0 : 1;
}
END
	"$cxx" -std=c++17 use.cc -o use -I"$p/include" -L"$p/lib" \
	    -Wl,-rpath,"$p/lib" -lkperf-sampler && ./use "$so"
}
check 'a C++ program' in_cxx
rm -rf "$top"
echo "1..$n"
exit $bad
