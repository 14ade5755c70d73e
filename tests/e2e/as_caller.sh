#!/bin/sh
# The end-to-end tests once more, as root with a caller to become: sudo's view.
#	sh tests/e2e/as_caller.sh PATH_TO_KTOP [TEST...]
# Left out are those whose own folders would be root's (so, mark, config), that
# count system calls of one process (durable, alloc), or that start two
# processes anyway (die, privilege, hostile, silent).
set -u
[ $# -ge 1 ] || { echo "usage: as_caller.sh PATH_TO_KTOP" >&2; exit 2; }
[ "$(id -u)" = 0 ] || { echo "ok as_caller # SKIP needs root"; exit 0; }
ktop=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
shift
[ $# -gt 0 ] || set -- csv exact exit fault faults formulas text doctor leave \
	json openmetrics examples two slow_tty
# shellcheck source=tests/e2e/env.sh
. "$here/env.sh"
export SUDO_UID=64999 SUDO_GID=64999
top=$(mktemp -d) || exit 1
trap 'rm -rf "$top"' EXIT
trap 'exit 130' INT TERM
chmod 755 "$top"
bad=0
for name; do
	mkdir "$top/$name" "$top/$name.home"
	chown 64999 "$top/$name" "$top/$name.home"
	export HOME="$top/$name.home"
	if [ -e "$here/${name}_test.py" ]; then
		(cd "$top/$name" && python3 "$here/${name}_test.py" "$ktop")
	else
		(cd "$top/$name" && sh "$here/${name}_test.sh" "$ktop")
	fi || bad=1
done
exit $bad
