#!/bin/sh
# Keeps what ktop doctor says of this machine, asked with all rights, in a file:
# for a report to paste, and for machines that nobody sits at.
#	doctor.sh PATH_TO_KTOP FILE
set -u
ktop=$1 file=$2
as_root=
if [ "$(id -u)" != 0 ] && command -v sudo >/dev/null 2>&1; then
	as_root=sudo
fi
mkdir -p "$(dirname "$file")"
echo "Asking: ${as_root:+sudo }$ktop doctor" >&2
$as_root "$ktop" doctor >"$file" 2>&1 </dev/null
status=$?
cat "$file"
[ "$status" = 0 ] || echo "doctor.sh: ktop doctor ended with status $status" >&2
exit "$status"
