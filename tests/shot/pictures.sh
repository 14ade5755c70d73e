#!/bin/sh
# The pictures of the README, each of a run of its own, all at the same time:
# pictures.sh VTRUN KTOP FOLDER. They differ a little from run to run, as the
# simulated Macs run in real time.
set -u
[ $# -eq 3 ] || { echo "usage: pictures.sh VTRUN KTOP FOLDER" >&2; exit 2; }
vtrun=$1 ktop=$2 folder=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export XDG_CONFIG_HOME="$work" TZ=UTC
unset KTOP_SIM KTOP_THEME

picture() { # NAME SIZE MACHINE THEME ACTION...: what is pressed after a while,
	# and the theme that is shown then
	name=$1 size=$2 machine=$3 theme=$4
	shift 4
	ground=$(sed -n 's/^background *= *#//p' "$here/../../themes/$theme.theme") # any: a dark one
	"$vtrun" -s "$size" -e COLORTERM=truecolor 'wait:q quit' text:2 sleep:6000 \
		text:1 sleep:26000 "$@" sleep:900 "dump:$work/$name" kill -- \
		"$ktop" --sim "$machine,seed=1" -d 250ms --theme default &&
		/usr/bin/python3 "$here/topng.py" -p 14 -b "${ground:-121212}" \
			"$work/$name.cells" "$folder/$name.png" && echo "$folder/$name.png"
}

mkdir -p "$folder"
picture overview 120x40 m2max,work=P1:memory default &
picture processes 120x40 m2max,work=P1:memory default text:Pl sleep:1000 key:enter sleep:1500 &
picture chart 120x40 m3ultra default text:H &
picture bottlenecks 120x40 m4max,work=P1:memory default text:2 sleep:3000 text:4 sleep:3000 text:1B sleep:1500 &
picture events 120x40 m1max default text:E &
picture picker 120x40 m1 default text:e- sleep:300 text:miss key:down key:down &
picture themes 120x40 m3 nord text:T sleep:300 text:TTTTT &
picture help 160x45 m5max default 'text:?' &
picture small 80x24 m2max,work=P1:memory default &
wait
