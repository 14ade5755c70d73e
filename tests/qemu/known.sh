#!/bin/sh
# Numbers that are known: builds QEMU from Debian's source with a few lines
# more, boots the hybrid machine in it and has check.sh judge what ktop and perf
# print there. As Debian builds it cycles are virtual time and instructions
# those of all vCPUs together. Here a vCPU's cycles are what it executed itself,
# and its retired instructions half of that on a small core, twice on a big one:
# any IPC is known, 0.5, 2.0, or of both.
# The first time it builds for some minutes, with 1 GB in the cache folder; then
# it is one boot.
#
#	KTOP_QEMU	the folder (default: $XDG_CACHE_HOME/ktop-qemu)
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../sources.sh"
folder=${KTOP_QEMU:-${XDG_CACHE_HOME:-$HOME/.cache}/ktop-qemu}
cache=$folder/known

say()
{
	echo "qemu/known: $*" >&2
}

not_fetched()
{
	say "could not fetch $*"
	exit 75
}

# insert FILE FUNCTION LINE TEXT: TEXT before a line of a function ("": of the
# file), which has to be there once.
insert()
{
	FUNCTION=$2 LINE=$3 TEXT=$4 awk '
		/^[a-z].*[(]/ { inside = index($0, ENVIRON["FUNCTION"] "(") }
		$0 == ENVIRON["LINE"] && (inside || ENVIRON["FUNCTION"] == "") {
			print ENVIRON["TEXT"]
			found++
		}
		{ print }
		END { exit found != 1 }' "$1" >"$cache/edited" || {
		say "$1: ${2:-the file} is not what it was: $3"
		exit 1
	}
	mv "$cache/edited" "$1"
}

# QEMU_PMU_EMASK (boot.sh) has the numbers of the small ones as bits. What a
# vCPU executed is counted for itself: while others run its counters stand, also
# between the reading of one and of the next. Overflows are foreseen by the old
# rates, and noticed with the next exception all the same.
edit()
{
	insert "$1/softmmu/icount.c" '' \
	    'static void icount_update_locked(CPUState *cpu)' \
	    'int64_t known_executed[64];
'
	insert "$1/softmmu/icount.c" icount_update_locked \
	    '    cpu->icount_budget -= executed;' \
	    '    known_executed[cpu->cpu_index & 63] += executed;'
	insert "$1/target/arm/helper.c" '' \
	    'static uint64_t cycles_get_count(CPUARMState *env)' \
	    '/* What has run by now, of this vCPU alone. */
static uint64_t known_cycles(CPUARMState *env)
{
    extern int64_t known_executed[];

    icount_get_raw();
    return known_executed[env_cpu(env)->cpu_index & 63];
}
'
	insert "$1/target/arm/helper.c" cycles_get_count \
	    '    return muldiv64(qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL),' \
	    '    if (icount_enabled()) {
        return known_cycles(env);
    }'
	insert "$1/target/arm/helper.c" instructions_get_count \
	    '    return (uint64_t)icount_get_raw();' \
	    '    static uint64_t small;
    static bool asked;

    if (!asked) {
        const char *mask = getenv("QEMU_PMU_EMASK");

        small = mask != NULL ? strtoull(mask, NULL, 0) : 0;
        asked = true;
    }
    if (small >> env_cpu(env)->cpu_index & 1) {
        return known_cycles(env) / 2;
    }
    return known_cycles(env) * 2;'
	printf 'CONFIG_%s=y\n' ARM_VIRT ARM_V7M ARM_GICV3_TCG SEMIHOSTING \
	    ARM_COMPATIBLE_SEMIHOSTING \
	    >"$1/configs/devices/aarch64-softmmu/ktop.mak"
}

# Only the machine that is booted, and nothing that it does not need.
build()
{
	rm -rf "$cache/src/qemu" "$cache/build"
	fetch_sources qemu
	edit "$cache/src/qemu"
	mkdir -p "$cache/build"
	say 'building, for some minutes'
	(cd "$cache/build" && ../src/qemu/configure \
	    --target-list=aarch64-softmmu --without-default-features \
	    --without-default-devices --with-devices-aarch64=ktop \
	    --enable-system --enable-tcg --enable-fdt=system \
	    --meson="$(command -v meson)" --disable-werror --disable-docs \
	    --disable-tools && nice -n 10 ninja -j"$(nproc)" \
	    qemu-system-aarch64) >"$cache/log" 2>&1 || {
		tail -n 20 "$cache/log" >&2
		say "QEMU does not build; all it said: $cache/log"
		exit 1
	}
	cp "$cache/build/qemu-system-aarch64" "$cache/qemu"
	rm -rf "$cache/build" "$cache/src"
	cksum <"$0" >"$cache/complete"
}

sh tests/install.sh known
mkdir -p "$cache/src"
(
	flock 9
	[ "$(cat "$cache/complete" 2>/dev/null)" = "$(cksum <"$0")" ] || build
) 9>"$cache/lock"
QEMU="$cache/qemu" exec sh tests/qemu/check.sh known
