#!/bin/sh
# Lines and files of each group of modules beside the limits of tests/size.tsv,
# and of all: sh tests/size.sh. A group over its limit fails.
set -u
cd "$(dirname "$0")/.." || exit 1
over=0 lines=0 files=0 most=0

# sources FOLDER: the files of a folder of src; "ui/." without its folders
sources()
{
	case $1 in
	. | */.) find "src/${1%.}" -maxdepth 1 -name '*.[ch]' ;;
	*) find "src/$1" -name '*.[ch]' 2>/dev/null ;;
	esac
}

# row NAME LIMIT LINES FILES
row()
{
	mark=
	[ "$3" -le "$2" ] || mark=over
	[ -z "$mark" ] || over=$((over + 1))
	printf '%-28s %7d %7d %5d  %s\n' "$1" "$3" "$2" "$4" "$mark"
}

printf '%-28s %7s %7s %5s\n' module lines limit files
while IFS='	' read -r name limit folders; do
	case $name in '#'* | '') continue ;; esac
	list=$(for f in $folders; do sources "$f"; done)
	# shellcheck disable=SC2086
	n=$(cat $list | wc -l) k=$(echo "$list" | wc -l)
	lines=$((lines + n)) files=$((files + k)) most=$((most + limit))
	row "$name" "$limit" "$n" "$k"
done <tests/size.tsv
row 'src, all' $most "$lines" "$files"
n=$(find tests -type f -not -path 'tests/data/*' -not -name '*.pyc' -exec cat {} + | wc -l)
row 'tests without tests/data' 98740 "$n" \
    "$(find tests -type f -not -path 'tests/data/*' -not -name '*.pyc' | wc -l)"
all=$(find src -name '*.[ch]' -exec cat {} + | wc -l)
[ "$lines" = "$all" ] || { echo "tests/size.tsv lacks a folder: $lines of $all lines"; exit 1; }
[ $over = 0 ]
