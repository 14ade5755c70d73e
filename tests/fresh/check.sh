#!/bin/sh
# Runs the first commands of the README on a Debian that has only git and make:
# this shows what a machine with many packages hides. debootstrap makes the system
# once; every run gets a copy. The last commit is tested, not the working tree.
#
#	tests/fresh/check.sh [root|user]...	(both)
#
#	root	as root, in root's home
#	user	as a normal user who may use sudo, in that user's home
#
#	FRESH_COMMAND	instead of make run, make test, make install and ktop
#	FRESH_SUITE	another Debian than this machine's: bookworm, trixie
#	KTOP_FRESH	the folder for the system (default: a cache folder)
#
# Needs root and Linux. Where CI=true, what could not be fetched is skipped aloud.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
base=${KTOP_FRESH:-${XDG_CACHE_HOME:-$HOME/.cache}/ktop-fresh}${FRESH_SUITE:+/$FRESH_SUITE}
command=${FRESH_COMMAND:-make run </dev/null && make test && sudo make -s install &&
	/usr/local/bin/ktop --sim m1 -b -n 1}
work=

say()
{
	echo "fresh-check: $*"
}

skip()
{
	say "SKIPPED: $*"
	[ "${CI:-}" = true ] && exit 0
	exit 1
}

# What is mounted goes first: nothing of this machine may be removed with it.
clean()
{
	[ -n "$work" ] || return 0
	for at in sys dev proc; do
		umount -l "$work/root/$at" 2>/dev/null || :
	done
	rm -rf --one-file-system "$work"
	work=
}

# The suite and the place of the packages are those of this machine.
make_base()
{
	[ ! -e "$base/made" ] || return 0
	ours=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
	suite=${FRESH_SUITE:-$ours}
	# one place has all suites
	uri=$(apt-get indextargets --format '$(CODENAME) $(REPO_URI)' \
	    'Created-By: Packages' | sed -n "s/^$ours //p" | head -n 1)
	[ -n "$uri" ] || skip "this machine's packages have no place for $suite"
	say "making a $suite, once"
	rm -rf --one-file-system "$base"
	mkdir -p "$base/root"
	debootstrap --variant=minbase --include=ca-certificates,git,make,sudo \
	    "$suite" "$base/root" "$uri" >"$base/log" 2>&1 || {
		tail -n 5 "$base/log"
		skip 'debootstrap could not fetch a system'
	}
	# how this machine reaches its packages
	apt-config dump Acquire | grep -E '^Acquire::(https?|Retries)' \
	    >"$base/root/etc/apt/apt.conf.d/01reach" || :
	chroot "$base/root" useradd -m -s /bin/bash user
	echo 'user ALL=(ALL) NOPASSWD: ALL' >"$base/root/etc/sudoers.d/user"
	touch "$base/made"
}

# try WHO: the commands in a copy of the system; their status
try()
{
	who=$1
	work=$(mktemp -d "$base/run.XXXXXX")
	chmod 755 "$work"
	cp -a "$base/root" "$work/root"
	for file in resolv.conf hosts; do
		[ ! -e /etc/$file ] || cp -L /etc/$file "$work/root/etc/$file"
	done
	mount -t proc proc "$work/root/proc"
	for at in sys dev; do
		mount --rbind "/$at" "$work/root/$at"
		mount --make-rslave "$work/root/$at"
	done
	home=$(chroot "$work/root" getent passwd "$who" | cut -d : -f 6)
	git clone -q --no-hardlinks . "$work/root$home/ktop"
	[ "$who" = root ] || chroot "$work/root" chown -R "$who:" "$home/ktop"
	say "as $who, in $home: $command"
	began=$(date +%s)
	status=0
	env -i HOME="$home" PATH=/usr/sbin:/usr/bin:/sbin:/bin \
	    TERM=xterm-256color chroot "$work/root" su "$who" -c \
	    "cd $home/ktop && $command" || status=$?
	say "as $who: status $status after $(($(date +%s) - began)) s"
	clean
	return $status
}

[ "$(uname -s)" = Linux ] || skip 'for Linux only'
[ "$(id -u)" = 0 ] || skip 'only root can make a system; try: sudo make fresh-check'
tests/install.sh fresh || skip 'debootstrap could not be installed'
trap clean EXIT
trap 'exit 130' INT TERM
make_base
failed=0
for who in ${*:-root user}; do
	try "$who" || failed=1
done
[ $failed = 0 ] && say ok
exit $failed
