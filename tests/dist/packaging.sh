#!/bin/sh
# Checks docs/packaging as far as this machine can: the formula and the PKGBUILD
# install a ktop that runs, nix evaluates the derivation, the .deb is built and
# unpacked. A check whose tool is missing is skipped with a message.
#
#	tests/dist/packaging.sh
set -eu

cd "$(dirname "$0")/../.."
make=${MAKE:-make}
unset MAKEFLAGS MAKELEVEL MFLAGS
version=$($make -s --no-print-directory version)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

fail()
{
	[ ! -s "$work/log" ] || tail -n 5 "$work/log" >&2
	echo "packaging: $*" >&2
	exit 1
}

# has TOOL WHAT: false with a message if the tool that checks WHAT is missing
has()
{
	command -v "$1" >/dev/null 2>&1 && return
	echo "packaging: SKIPPED: the $2: $1 is not installed"
	return 1
}

# check_installed FOLDER: ktop below it runs and has a manual page
check_installed()
{
	"$1/bin/ktop" --sim m1,clock=step -b -n 1 | grep -qF "Apple M1 (sim)" ||
	    fail "the ktop in $1 does not run"
	[ -f "$1/share/man/man1/ktop.1" ] || [ -f "$1/share/man/man1/ktop.1.gz" ] ||
	    fail "no manual page in $1"
}

! $make -s packages >"$work/log" 2>&1 || fail 'make packages needs no URL'
$make -s packages URL=https://example.org/k.tgz HOMEPAGE=https://example.org \
    >"$work/log" 2>&1 || fail 'make packages fails'
rm -rf "$work/packages"
cp -R build/packages "$work/packages"
! grep -n '@' "$work/packages/PKGBUILD" | grep -v '^1:' ||
    fail 'the PKGBUILD is not filled in'

if has ruby formula; then
	ruby -wc "$work/packages/ktop.rb" >/dev/null || fail 'ruby refuses the formula'
	ruby tests/dist/formula.rb "$work/packages/ktop.rb" "$work/cellar" \
	    >"$work/log" 2>&1 || fail 'the formula fails'
	check_installed "$work/cellar"
fi

if has bash PKGBUILD; then
	mkdir "$work/src" "$work/pkg"
	ln -s "$PWD" "$work/src/ktop-$version"
	# shellcheck disable=SC2016
	pkgdir=$work/pkg bash -euc 'cd "$2"; . "$1"
		[ "$pkgver" = "$3" ] && [ ${#sha256sums[0]} = 64 ]
		build; check; package' bash "$work/packages/PKGBUILD" \
	    "$work/src" "$version" >"$work/log" 2>&1 || fail 'the PKGBUILD fails'
	check_installed "$work/pkg/usr"
	[ -f "$work/pkg/usr/share/licenses/ktop/LICENSE" ] || fail 'the PKGBUILD installs no licence'
fi

if has nix-instantiate derivation; then
	said=$(nix-instantiate --eval -E '(import ./docs/packaging {
		pkgs = { stdenv.mkDerivation = x: x; pkg-config = 1; libcsv = 1;
			ncurses = 1; lib.licenses.mit = 1; };
	}).version' 2>"$work/log") || fail 'the derivation is not evaluated'
	[ "$said" = "\"$version\"" ] || fail "the derivation says version $said"
fi

if has dpkg-shlibdeps 'Debian package'; then
	MAKE=$make sh docs/packaging/debian.sh "$work" >"$work/log" 2>&1 ||
	    fail 'the .deb is not built'
	mkdir "$work/bin"
	printf '#!/bin/sh\nexit 127\n' >"$work/bin/dpkg-shlibdeps"
	chmod 755 "$work/bin/dpkg-shlibdeps"
	! PATH=$work/bin:$PATH MAKE=$make sh docs/packaging/debian.sh "$work/bin" \
	    >"$work/log" 2>&1 && grep -q dpkg-dev "$work/log" ||
	    fail 'a .deb is built without its dependencies'
	deb=$(echo "$work"/ktop_"$version"_*.deb)
	dpkg-deb -f "$deb" Depends | grep -q 'libcsv3.*libtinfo6' ||
	    fail "the .deb depends on $(dpkg-deb -f "$deb" Depends)"
	dpkg -x "$deb" "$work/unpacked"
	check_installed "$work/unpacked/usr"
	! dpkg-deb -c "$deb" | grep -v ' root/root ' || fail 'files of the .deb are not owned by root'
fi

# Each licence that REUSE.toml names has its text in LICENSES.
sed -n 's/^SPDX-License-Identifier = "\(.*\)"/\1/p' REUSE.toml >"$work/licences"
[ -s "$work/licences" ] || fail 'REUSE.toml names no licence'
while read -r id; do
	[ -s "LICENSES/$id.txt" ] || fail "LICENSES/$id.txt is missing"
done <"$work/licences"
cmp LICENSE LICENSES/MIT.txt || fail 'LICENSE is another text than LICENSES/MIT.txt'
for library in csv ncurses; do
	grep -q "^\(lib\)\{0,1\}$library " NOTICE || fail "NOTICE lacks $library"
done
echo 'packaging: ok'
