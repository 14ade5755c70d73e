#!/bin/sh
# Builds ktop_VERSION_ARCHITECTURE.deb of this tree, for this Debian or Ubuntu.
#
#	docs/packaging/debian.sh [FOLDER]	output folder (build)
#	DEBEMAIL				the maintainer's address
set -eu

here=$(cd "$(dirname "$0")/../.." && pwd)
out=$(cd "${1:-$here}" && pwd)
[ $# -gt 0 ] || out=$here/build
cd "$here"
make=${MAKE:-make}
version=$($make -s --no-print-directory version)
arch=$(dpkg --print-architecture)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
who="the ktop authors <${DEBEMAIL:-ktop@example.org}>"
doc=$root/usr/share/doc/ktop

$make -s PREFIX=/usr DESTDIR="$root" install
strip "$root/usr/bin/ktop"
gzip -9n "$root"/usr/share/man/man?/*
install -d "$doc" "$root/DEBIAN" "$work/debian"
cp LICENSE "$doc/copyright"
cat NOTICE >>"$doc/copyright"
gzip -9nc docs/CHANGELOG.md >"$doc/NEWS.gz"
printf 'ktop (%s) unstable; urgency=low\n\n  * See NEWS.gz.\n\n -- %s  %s\n' "$version" \
    "$who" "$(LC_ALL=C date -u -R -r LICENSE)" | gzip -9n >"$doc/changelog.gz"
chmod 644 "$doc"/*

# dpkg-shlibdeps needs a source package
printf 'Source: ktop\n\nPackage: ktop\nArchitecture: any\n' >"$work/debian/control"
(cd "$work" && dpkg-shlibdeps -O "$root/usr/bin/ktop" >depends) || {
	echo 'debian.sh: dpkg-shlibdeps failed; apt-get install dpkg-dev' >&2
	exit 1
}
depends=$(sed -n 's/^shlibs:Depends=//p' "$work/depends")
size=$(du -sk "$root/usr" | cut -f 1)
cat >"$root/DEBIAN/control" <<END
Package: ktop
Version: $version
Architecture: $arch
Maintainer: $who
Installed-Size: $size
Depends: $depends
Section: utils
Priority: optional
Description: top for hardware performance counters
 Shows how many instructions each core completes per cycle and which bottleneck
 limits it, live in a terminal; records, replays and compares.
END
(cd "$root" && find usr -type f -exec md5sum {} + | sort -k 2 >DEBIAN/md5sums)
dpkg-deb --root-owner-group --build "$root" "$out/ktop_${version}_$arch.deb"
