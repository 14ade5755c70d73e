#!/bin/sh
# The tarball has the same bytes each time. Unpacked into a folder with a space in
# its name, without git, it builds, runs, passes lint and makes the same tarball.
#
#	tests/dist/check.sh		DIST_TESTS=1: run every fast test in it too
set -eu

cd "$(dirname "$0")/../.."
make=${MAKE:-make}
unset MAKEFLAGS MAKELEVEL MFLAGS # of the calling make
version=$($make -s version)
name=ktop-$version
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

fail()
{
	echo "dist-check: $*" >&2
	exit 1
}

# Time zone, umask and owner must not change the bytes.
(umask 022 && TZ=UTC python3 tests/dist/dist.py "$version" "$work/a/$name.tar.gz")
(umask 077 && TZ=Asia/Tokyo LC_ALL=C python3 tests/dist/dist.py "$version" \
    "$work/b/$name.tar.gz" >/dev/null)
cmp "$work/a/$name.tar.gz" "$work/b/$name.tar.gz" ||
    fail 'two tarballs of the same tree differ'

mkdir "$work/un packed"
cd "$work/un packed"
tar -xzf "../a/$name.tar.gz"
cd "$name"
for bad in .git build ktop; do
	[ ! -e "$bad" ] || fail "$bad is in the tarball"
done
mkdir "$work/bin"
printf '#!/bin/sh\necho "git was called: $*" >&2\nexit 127\n' >"$work/bin/git"
chmod 755 "$work/bin/git"
export PATH="$work/bin:$PATH"

$make -s -j2 WERROR=-Werror all >"$work/log" 2>&1 || {
	tail -30 "$work/log" >&2
	fail 'it does not build'
}
! grep 'git was called' "$work/log" || fail 'the build needs git'
[ "$(./ktop --version)" = "ktop $version" ] ||
    fail "ktop --version says $(./ktop --version)"
./ktop --sim m1,clock=step -n 5 --csv "$work/out.csv" >/dev/null ||
    fail 'it does not record a simulated Mac'
./ktop summary "$work/out.csv" >"$work/summary" ||
    fail 'it does not read its own recording'
grep -q '^machine' "$work/summary" || fail 'the summary has no row of the machine'
$make -s lint >"$work/log" 2>&1 || {
	grep -v '^ok' "$work/log" >&2
	fail 'lint fails in it'
}
[ "${DIST_TESTS:-}" != 1 ] || $make -s check || fail 'its tests fail'
MAKE=$make sh tests/dist/install.sh || fail 'it does not install'
MAKE=$make sh tests/dist/packaging.sh || fail 'a package of it fails'
$make -s dist >/dev/null
cmp "$work/a/$name.tar.gz" "build/$name.tar.gz" ||
    fail 'the tarball that the unpacked one makes differs'
echo "dist-check: $name.tar.gz is the same twice, and builds and runs without git"
sha256=$(cd "$work/a" && python3 -c 'import hashlib, sys
print(hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest())' "$name.tar.gz")
echo "dist-check: sha256 $sha256"
