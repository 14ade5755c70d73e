# For tests that are a list of commands: they set $of, the word before each name,
# and this gives them check, which counts in n and bad. Of one that failed its
# output is shown, and the files of $logs.
n=0
bad=0

check() # NAME COMMAND...
{
	n=$((n + 1))
	name=$1
	shift
	if "$@" >check.out 2>&1; then
		echo "ok $n - $of: $name"
	else
		echo "not ok $n - $of: $name"
		# shellcheck disable=SC2086 # logs are words
		sed 's/^/# /' check.out ${logs:-}
		bad=1
	fi
}
