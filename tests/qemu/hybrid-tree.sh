#!/bin/sh
# hybrid-tree.sh E P: the device tree (dts) of QEMU's arm "virt" machine with
# gic-version=3, written for E small cores and P big ones, small ones first.
# Addresses and interrupts are those of QEMU's docs/system/arm/virt and
# hw/arm/virt.c; QEMU itself adds memory, PSCI and /chosen.
#
# Two PMUs can share per-CPU interrupt 7 (PPI 23) only when the interrupt
# controller says which CPUs each of them means: ppi-partitions, and a fourth
# cell in every interrupt (Linux: arm,gic-v3.yaml).
set -eu
small=$1 big=$2
last=$((small + big - 1))

# cpus FROM TO: "<&cpu0>, <&cpu1>" for the numbers in between
cpus()
{
	for i in $(seq "$1" "$2"); do
		printf '%s<&cpu%d>' "${comma-}" "$i"
		comma=', '
	done
	unset comma
}

# cluster NAME FROM TO: an entry of the cpu-map
cluster()
{
	echo "$1 {"
	for i in $(seq "$2" "$3"); do
		echo "core$((i - $2)) { cpu = <&cpu$i>; };"
	done
	echo '};'
}

# cpu NUMBER MODEL CAPACITY
cpu()
{
	cat <<END
	cpu$1: cpu@$1 {
		device_type = "cpu"; compatible = "arm,$2"; reg = <$1>;
		enable-method = "psci"; capacity-dmips-mhz = <$3>;
	};
END
}

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
		small: interrupt-partition-0 {
			affinity = $(cpus 0 $((small - 1)));
		};
		big: interrupt-partition-1 {
			affinity = $(cpus "$small" "$last");
		};
	};
};
pmu-small {
	compatible = "arm,cortex-a55-pmu"; interrupts = <1 7 4 &small>;
};
pmu-big {
	compatible = "arm,cortex-a76-pmu"; interrupts = <1 7 4 &big>;
};
cpus {
	#address-cells = <1>;
	#size-cells = <0>;
	cpu-map {
		$(cluster cluster0 0 $((small - 1)))
		$(cluster cluster1 "$small" "$last")
	};
END
for i in $(seq 0 $((small - 1))); do cpu "$i" cortex-a55 400; done
for i in $(seq "$small" "$last"); do cpu "$i" cortex-a76 1024; done
echo '}; };'
