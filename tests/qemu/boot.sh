#!/bin/sh
# boot.sh [-E n] [-P n] [-p] [-r DIR] [-a ARGS] SCRIPT FILE...: boots a real
# Linux kernel on an emulated arm64 machine with n small and n big cores (-p:
# big ones first), each kind with a PMU of its own, and runs SCRIPT there with
# busybox's sh, the files beside it, DIR laid over the root. Prints what the
# script prints; the exit status is the script's, or 124 when the time is up,
# 125 when the machine did not come up. QEMU: another emulator (known.sh).
#
# The values are QEMU's: cycles are virtual time, instructions those of all
# virtual CPUs together. Kernel, PMUs, hotplug, groups and errors are real.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cache=${KTOP_QEMU:-${XDG_CACHE_HOME:-$HOME/.cache}/ktop-qemu}
small=2 big=2 first=E args='' over=''
while getopts E:P:pr:a: option; do
	case $option in
	E) small=$OPTARG ;;
	P) big=$OPTARG ;;
	p) first=P ;;
	r) over=$OPTARG ;;
	a) args=$OPTARG ;;
	*) exit 125 ;;
	esac
done
shift $((OPTIND - 1))
small_mask=$(((1 << small) - 1))
[ $first = E ] || small_mask=$((small_mask << big))

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# the guest's whole file system
mkdir -p "$work/root/bin" "$work/root/t" "$work/root/proc" "$work/root/sys" \
    "$work/root/dev" "$work/root/tmp"
[ -z "$over" ] || cp -r "$over/." "$work/root/"
cp "$(find "$cache/tree" -name busybox -type f -perm -u+x | head -n 1)" \
    "$work/root/bin/busybox"
cp "$1" "$work/root/t/script"
echo "$args" >"$work/root/t/args"
shift
[ $# = 0 ] || cp "$@" "$work/root/t/"
cat >"$work/root/init" <<'END'
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin LANG=C.UTF-8 TERM=vt100 HOME=/tmp
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t tmpfs tmp /tmp
cd /t
stty -opost -echo
echo '@@begin'
sh ./script $(cat /t/args) </dev/null 2>&1
printf '\n@@end %d\n' $?
poweroff -f
END
chmod +x "$work/root/init"
(cd "$work/root" && find . | cpio -o -H newc --quiet | gzip -1) >"$work/initrd"

"$here/hybrid-tree.sh" "$small" "$big" "$first" | dtc -q -O dtb -o "$work/tree"

# icount makes the retired-instruction event exist, and time deterministic;
# sleep=off lets the machine's time jump over idleness
status=0
QEMU_PMU_EMASK=$small_mask timeout 240 \
    "${QEMU:-qemu-system-aarch64}" -M virt,gic-version=3 -cpu max \
    -smp $((small + big)) -m 512 -icount shift=0,sleep=off \
    -display none -nodefaults -no-reboot -monitor none -serial stdio \
    -dtb "$work/tree" -kernel "$cache/kernel" -initrd "$work/initrd" \
    -append 'console=ttyAMA0 panic=-1 quiet loglevel=1' \
    </dev/null >"$work/console" || status=$?
if [ "$status" = 124 ]; then
	tail -n 20 "$work/console" >&2
	echo 'qemu/boot: 240 s were not enough' >&2
	exit 124
fi
tr -d '\r' <"$work/console" |
    awk '/^@@end /{ exit } on; /^@@begin$/{ on = 1 }'
status=$(tr -d '\r' <"$work/console" | sed -n 's/^@@end //p')
[ -n "$status" ] || {
	tail -n 20 "$work/console" >&2
	echo 'qemu/boot: the machine did not come up' >&2
	exit 125
}
exit "$status"
