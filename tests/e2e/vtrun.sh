# For tests that are a list of screens: they set $subject and vtrun's $options,
# and this gives them check, which counts in n and bad. Without VTRUN they end.
[ -n "${VTRUN:-}" ] || { echo "ok 1 - $subject # SKIP no VTRUN"; exit 0; }
n=0
bad=0

check() # name, then what vtrun is given
{
	n=$((n + 1))
	name=$1
	shift
	# shellcheck disable=SC2086 # options are words
	if "$VTRUN" $options "$@" >out.txt 2>&1; then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
		sed -n '1,24p;/frame/p' out.txt | sed 's/^/  # /'
		bad=1
	fi
}
