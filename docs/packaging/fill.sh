#!/bin/sh
# Copies the formula and the PKGBUILD with the version, address and checksum of a
# tarball: docs/packaging/fill.sh VERSION TARBALL URL HOMEPAGE FOLDER
set -eu

[ $# = 5 ] && [ -n "$3" ] && [ -n "$4" ] || {
	echo 'packages: the addresses of the tarball and the project are missing: make packages URL=... HOMEPAGE=...' >&2
	exit 2
}
here=$(dirname "$0")
sum=$(python3 -c 'import hashlib, sys
print(hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest())' "$2")
mkdir -p "$5"
for file in ktop.rb PKGBUILD; do
	sed -e "s|@VERSION@|$1|" -e "s|@SHA256@|$sum|" -e "s|@URL@|$3|" \
	    -e "s|@HOMEPAGE@|$4|" "$here/$file" >"$5/$file"
done
echo "$5: ktop.rb and PKGBUILD of $2"
