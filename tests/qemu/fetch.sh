#!/bin/sh
# What the guest is made of, once, in a cache folder: Debian's arm64 cloud
# kernel, a static busybox, and ncurses and libcsv to link with. 25 MB to fetch.
# Apt keeps its state in the folder too: no root, no foreign architecture on
# this machine. The last line printed is the folder. Status 75: not fetched.
#
#	fetch.sh [perf]	perf: also perf with its libraries, laid out as they
#			stand in the guest's root, in the folder's perf/. 20 MB.
#	KTOP_QEMU	the folder (default: $XDG_CACHE_HOME/ktop-qemu)
set -eu

cache=${KTOP_QEMU:-${XDG_CACHE_HOME:-$HOME/.cache}/ktop-qemu}

not_fetched()
{
	echo "qemu/fetch: could not fetch $*" >&2
	exit 75
}

# arm64 COMMAND...: an apt tool as on an arm64 machine with nothing installed
arm64()
{
	tool=$1
	shift
	timeout 300 "$tool" -q -o APT::Architecture=arm64 \
	    -o APT::Architectures=arm64 -o APT::Sandbox::User= \
	    -o Dir::State="$cache/apt" -o Dir::State::status=/dev/null \
	    -o Dir::Cache="$cache/apt" -o Acquire::Languages=none \
	    -o Acquire::Retries=2 "$@"
}

# kernel_package: the real package behind the newest cloud kernel's name
kernel_package()
{
	arm64 apt-cache depends linux-image-cloud-arm64 |
	    sed -n 's/.*Depends: \(linux-image[^ ]*\)$/\1/p' | sort -V |
	    tail -n 1
}

fetch()
{
	echo 'qemu/fetch: fetching an arm64 kernel, busybox and libraries' >&2
	rm -rf "$cache/apt" "$cache/tree"
	mkdir -p "$cache/apt/lists/partial" "$cache/apt/archives/partial" \
	    "$cache/tree"
	arm64 apt-get update >&2 || not_fetched "the package lists for arm64"
	kernel=$(kernel_package)
	[ -n "$kernel" ] || not_fetched "the name of the arm64 kernel"
	(cd "$cache/apt" && arm64 apt-get download "$kernel" busybox-static \
	    libncurses-dev libcsv-dev >&2) || not_fetched "arm64 packages"
	for package in "$cache"/apt/*.deb; do
		dpkg-deb -x "$package" "$cache/tree"
	done
	cp "$cache"/tree/boot/vmlinuz-* "$cache/kernel"
	rm -rf "$cache/apt" "$cache/tree/lib/modules" "$cache/tree/boot"
	touch "$cache/complete"
}

# What perf needs to start: its libraries and theirs; of Perl and Python it
# loads the library alone.
perf_packages()
{
	arm64 apt-get install -s --no-install-recommends linux-perf |
	    awk '$1 == "Inst" && $2 ~ /^(lib|zlib|linux-perf)/ &&
		$2 !~ /stdlib|minimal|common/ { print $2 }'
}

# needed FILE: copies the libraries it names, and those they name
needed()
{
	for library in $(aarch64-linux-gnu-readelf -d "$1" |
	    sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
		[ ! -f "$cache/perf/lib/$library" ] || continue
		found=$(find -L "$cache/perf-tree" -name "$library" -type f |
		    head -n 1)
		[ -n "$found" ] || not_fetched "$library, which perf needs"
		cp -L "$found" "$cache/perf/lib/$library"
		needed "$cache/perf/lib/$library"
	done
}

fetch_perf()
{
	echo 'qemu/fetch: fetching perf for arm64' >&2
	rm -rf "$cache/apt" "$cache/perf" "$cache/perf-tree"
	mkdir -p "$cache/apt/lists/partial" "$cache/apt/archives/partial" \
	    "$cache/perf/bin" "$cache/perf/lib" "$cache/perf-tree"
	arm64 apt-get update >&2 || not_fetched "the package lists for arm64"
	packages=$(perf_packages)
	[ -n "$packages" ] || not_fetched 'the name of the perf package'
	# shellcheck disable=SC2086
	(cd "$cache/apt" && arm64 apt-get download $packages >&2) ||
	    not_fetched 'perf for arm64'
	for package in "$cache"/apt/*.deb; do
		dpkg-deb -x "$package" "$cache/perf-tree"
	done
	cp -L "$cache/perf-tree/usr/bin/perf" "$cache/perf/bin/perf"
	needed "$cache/perf/bin/perf"
	rm -rf "$cache/apt" "$cache/perf-tree"
	touch "$cache/perf-complete"
}

mkdir -p "$cache"
exec 9>"$cache/lock"
flock 9
[ -f "$cache/complete" ] || fetch
[ "${1:-}" != perf ] || [ -f "$cache/perf-complete" ] || fetch_perf
echo "$cache"
