#!/bin/sh
# Installs the packages that are missing for a purpose, and only those; silent
# when nothing is. On a terminal it asks first, elsewhere (CI) it does not.
#
#	tests/install.sh [-n] run|test|all|mac|qemu|known|fresh	-n: only print them
#
# An entry is PACKAGE or PACKAGE/PROOF: a command in the PATH, or a header the
# compiler finds, is as good as the package.
set -eu

deb_run='gcc/cc make/make pkg-config/pkg-config libc6-dev/stdio.h
	libncurses-dev/curses.h libcsv-dev/csv.h'
deb_test="$deb_run libcmocka-dev libvterm-dev/vterm.h python3/python3
	g++/c++"
# what make test-all also looks for; without one of them its tests are skipped
deb_wished='strace/strace valgrind/valgrind sqlite3/sqlite3 zsh/zsh fish/fish ruby/ruby musl-tools/musl-gcc gnuplot-nox/gnuplot python3-pandas zstd/zstd
	clang/clang clang-format-14/clang-format-14'
deb_mac='gcc/gcc make/make libc6-dev/stdio.h npm/npm dpkg-dev/dpkg-source
	xz-utils/xz clang/clang libcmocka-dev'
deb_qemu='make/make qemu-system-arm/qemu-system-aarch64
	device-tree-compiler/dtc cpio/cpio gcc-aarch64-linux-gnu
	libc6-dev-arm64-cross'
deb_known="$deb_qemu gcc/gcc dpkg-dev/dpkg-source xz-utils/xz python3/python3
	pkg-config/pkg-config ninja-build/ninja meson/meson libglib2.0-dev
	libpixman-1-dev libfdt-dev"
deb_fresh='debootstrap/debootstrap git/git'
brew_run='libcsv/csv.h'
brew_test='libcsv/csv.h cmocka/cmocka.h libvterm/vterm.h python3/python3'

die()
{
	echo "tests/install.sh: $*" >&2
	exit 1
}

usage()
{
	echo 'usage: tests/install.sh [-n] run|test|all|mac|qemu|known|fresh' >&2
	exit 2
}

# proven PROOF: the command or header is there without its package. The folders
# are those in which the Makefile looks.
proven()
{
	case $1 in
	*.h) # shellcheck disable=SC2086
		echo "#include <$1>" | ${CC:-cc} ${CPPFLAGS:-} ${CFLAGS:-} \
		    -E - >/dev/null 2>&1 && return 0
		for prefix in "${HOMEBREW_PREFIX:-}" /opt/homebrew /usr/local \
		    /opt/local; do
			[ ! -f "$prefix/include/$1" ] || return 0
		done
		return 1 ;;
	*) command -v "$1" >/dev/null 2>&1 ;;
	esac
}

# missing_of ENTRIES: those that neither the package manager nor a proof has
missing_of()
{
	for entry in $1; do
		name=${entry%%/*}
		case " $have " in *" $name "*) continue ;; esac
		case $entry in
		*/*) if proven "${entry#*/}"; then continue; fi ;;
		esac
		printf '%s ' "$name"
	done
}

# The runtime of clang's sanitizers is packaged by version: that of the clang
# that is there by now, if it is Debian's.
clang_runtime()
{
	dpkg-query -W -f '${Depends}\n' clang 2>/dev/null |
	    sed -n 's/.*clang-\([0-9][0-9]*\).*/libclang-rt-\1-dev/p'
}

names_of()
{
	for entry in $1; do
		printf '%s ' "${entry%%/*}"
	done
}

# agree WHAT: yes, unless a person at the terminal says no
agree()
{
	[ -t 0 ] && [ -t 2 ] || return 0
	printf '%s [Y/n] ' "$1" >&2
	read -r answer || answer=n
	case $answer in
	'' | [yY]*) return 0 ;;
	esac
	die "not installed, as you said; the missing ones are: $missing"
}

apt()
{
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q \
	    -o DPkg::Lock::Timeout=120 -o Acquire::Retries=2 "$@" >&2
}

apt_install()
{
	# a fresh container has no package lists, an old machine stale ones
	if ls /var/lib/apt/lists/*_Packages* >/dev/null 2>&1; then
		# shellcheck disable=SC2086
		apt install -y --no-install-recommends $1 && return 0
	fi
	# shellcheck disable=SC2086
	apt update && apt install -y --no-install-recommends $1
}

debian()
{
	[ -n "$1" ] || return 0
	# shellcheck disable=SC2046
	have=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' \
	    $(names_of "$1") 2>/dev/null |
	    sed -n 's/^.i  *//p' | tr '\n' ' ') || :
	missing=$(missing_of "$1")
	[ -n "$missing" ] || return 0
	echo "missing for '$purpose': $missing" >&2
	[ "$dry" = no ] || return 0
	command -v apt-get >/dev/null 2>&1 ||
	    die "there is no apt-get here; please install: $missing"
	as_root=
	if [ "$(id -u)" != 0 ]; then
		command -v sudo >/dev/null 2>&1 ||
		    die "neither root nor sudo; as root: apt-get install $missing"
		as_root=sudo
	fi
	agree "${as_root:+sudo }apt-get install these?"
	apt_install "$missing" ||
	    die "apt-get could not install: $missing(its own words stand above)"
}

macos()
{
	xcode-select -p >/dev/null 2>&1 ||
	    die "there is no compiler; run: xcode-select --install"
	# what MacPorts, Nix or hands have installed needs no Homebrew
	have=
	missing=$(missing_of "$1")
	[ -n "$missing" ] || return 0
	if command -v brew >/dev/null 2>&1; then
		prefix=$(brew --prefix)
		for name in $missing; do
			[ ! -d "$prefix/opt/$name" ] || have="$have $name"
		done
		missing=$(missing_of "$1")
		[ -n "$missing" ] || return 0
	fi
	echo "missing for '$purpose': $missing" >&2
	[ "$dry" = no ] || return 0
	command -v brew >/dev/null 2>&1 ||
	    die "there is no Homebrew (https://brew.sh) to install these with: $missing"
	[ "$(id -u)" != 0 ] ||
	    die "Homebrew refuses root; without sudo: brew install $missing"
	agree "brew install these?"
	# shellcheck disable=SC2086
	brew install $missing >&2 || die "brew could not install: $missing"
}

elsewhere()
{
	have=
	missing=$(missing_of "$1")
	[ -n "$missing" ] || return 0
	die "no apt-get or brew here; install what Debian calls: $missing"
}

dry=no
[ "${1:-}" != -n ] || { dry=yes; shift; }
purpose=${1:-}
case $purpose in
run) deb=$deb_run brew=$brew_run ;;
test) deb=$deb_test brew=$brew_test ;;
all) deb=$deb_test brew=$brew_test ;;
mac) deb=$deb_mac brew= ;;
qemu) deb=$deb_qemu brew= ;;
known) deb=$deb_known brew= ;;
fresh) deb=$deb_fresh brew= ;;
*) usage ;;
esac
if [ "$(uname -s)" = Darwin ]; then
	[ -z "$brew" ] || macos "$brew"
elif command -v dpkg-query >/dev/null 2>&1; then
	debian "$deb"
	[ "$purpose" != all ] || for entry in $deb_wished; do
		(debian "$entry") || echo "going on without ${entry%%/*}" >&2
	done
	case $purpose-$dry in
	mac-no) debian "$(clang_runtime)" ;;
	all-no) (debian "$(clang_runtime)") || : ;;
	esac
else
	elsewhere "$deb"
fi
