#!/bin/sh
# hybrid-tree.sh E P [first]: the device tree (dts) of QEMU's arm "virt" machine
# with gic-version=3, written for E small cores and P big ones; small ones first
# unless `first` is P. With E or P 0 there is one kind, and one PMU.
# Addresses and interrupts are those of QEMU's docs/system/arm/virt and
# hw/arm/virt.c; QEMU itself adds memory, PSCI and /chosen.
#
# Two PMUs can share per-CPU interrupt 7 (PPI 23) only when the interrupt
# controller says which CPUs each of them means: ppi-partitions, and a fourth
# cell in every interrupt (Linux: arm,gic-v3.yaml).
set -eu
small=$1 big=$2
if [ "${3:-E}" = P ]; then
	big_from=0 small_from=$big
else
	big_from=$small small_from=0
fi
small_to=$((small_from + small - 1)) big_to=$((big_from + big - 1))

# kinds COMMAND: runs it as COMMAND NAME FROM TO for each kind there is
kinds()
{
	if [ "$small_from" = 0 ] && [ "$small" -gt 0 ]; then
		"$1" small "$small_from" "$small_to"
	fi
	[ "$big" = 0 ] || "$1" big "$big_from" "$big_to"
	if [ "$small_from" -gt 0 ] && [ "$small" -gt 0 ]; then
		"$1" small "$small_from" "$small_to"
	fi
}

# cpus FROM TO: "<&cpu0>, <&cpu1>" for the numbers in between
cpus()
{
	for i in $(seq "$1" "$2"); do
		printf '%s<&cpu%d>' "${comma-}" "$i"
		comma=', '
	done
	unset comma
}

partition()
{
	echo "$1: interrupt-partition-$2 { affinity = $(cpus "$2" "$3"); };"
}

model()
{
	[ "$1" = small ] && echo cortex-a55 || echo cortex-a76
}

pmu()
{
	cat <<-END
	pmu-$1 {
		compatible = "arm,$(model "$1")-pmu"; interrupts = <1 7 4 &$1>;
	};
	END
}

cluster()
{
	echo "cluster$number {"
	for i in $(seq "$2" "$3"); do
		echo "core$((i - $2)) { cpu = <&cpu$i>; };"
	done
	echo '};'
	number=$((number + 1))
}

cpu_nodes()
{
	for i in $(seq "$2" "$3"); do
		cat <<-END
		cpu$i: cpu@$i {
			device_type = "cpu"; compatible = "arm,$(model "$1")";
			reg = <$i>; enable-method = "psci";
			capacity-dmips-mhz = <$([ "$1" = small ] && echo 400 ||
			    echo 1024)>;
		};
		END
	done
}

number=0
cat <<END
/dts-v1/;
/ {
#address-cells = <2>;
#size-cells = <2>;
compatible = "linux,dummy-virt";
model = "ktop's hybrid";
interrupt-parent = <&gic>;
clock: clock {
	compatible = "fixed-clock"; #clock-cells = <0>;
	clock-frequency = <24000000>;
};
aliases { serial0 = &uart; };
chosen { stdout-path = &uart; };
timer {
	compatible = "arm,armv8-timer"; always-on;
	interrupts = <1 13 4 0>, <1 14 4 0>, <1 11 4 0>, <1 10 4 0>;
};
uart: pl011@9000000 {
	compatible = "arm,pl011", "arm,primecell"; reg = <0 0x9000000 0 0x1000>;
	interrupts = <0 1 4 0>;
	clocks = <&clock>, <&clock>; clock-names = "uartclk", "apb_pclk";
};
gic: intc@8000000 {
	compatible = "arm,gic-v3"; interrupt-controller;
	#interrupt-cells = <4>;
	reg = <0 0x8000000 0 0x10000>, <0 0x80a0000 0 0xf60000>;
	ppi-partitions {
		$(kinds partition)
	};
};
$(kinds pmu)
cpus {
	#address-cells = <1>;
	#size-cells = <0>;
	cpu-map {
		$(kinds cluster)
	};
	$(kinds cpu_nodes)
}; };
END
