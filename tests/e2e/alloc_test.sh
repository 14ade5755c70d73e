#!/bin/sh
# Nothing allocates in the tick: as many calls of malloc for few frames as for
# 250 more, 1000 with KTOP_LONG=1, headless and on a screen. And what is large is
# given back at the end, also after a mistake.   alloc_test.sh PATH_TO_KTOP
set -u
ktop=$1
more=250
[ -n "${KTOP_LONG:-}" ] && more=1000
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
n=0
bad=0
cat >"$dir/count.c" <<'C'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static unsigned long calls;
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
enum { LARGE = 8192, MOST = 512 };
static void *large[MOST];
extern void __libc_free(void *);
static void *keep(void *p, size_t n)
{
	for (int i = 0; p != NULL && n >= LARGE && i < MOST; i++)
		if (large[i] == NULL) { large[i] = p; break; }
	return p;
}
static void *drop(void *p)
{
	for (int i = 0; p != NULL && i < MOST; i++)
		if (large[i] == p) large[i] = NULL;
	return p;
}
void *malloc(size_t n) { __atomic_add_fetch(&calls, 1, 5); return keep(__libc_malloc(n), n); }
void *calloc(size_t n, size_t m) { __atomic_add_fetch(&calls, 1, 5); return keep(__libc_calloc(n, m), n * m); }
void *realloc(void *p, size_t n) { __atomic_add_fetch(&calls, 1, 5); return keep(__libc_realloc(drop(p), n), n); }
void free(void *p) { __libc_free(drop(p)); }
__attribute__((destructor)) static void tell(void)
{
	const char *name = getenv("ALLOC_LOG");
	unsigned long seen = calls, left = 0;
	for (int i = 0; i < MOST; i++)
		left += large[i] != NULL;
	FILE *f = name != NULL ? fopen(name, "w") : NULL;
	if (f != NULL) { fprintf(f, "%lu\n", getenv("ALLOC_LEFT") ? left : seen); fclose(f); }
}
C
if [ "$(uname -s)" != Linux ] || ! cc -shared -fPIC -O1 -o "$dir/count.so" "$dir/count.c" 2>"$dir/log"; then
	echo "ok 1 - nothing allocates in the tick # SKIP counting needs cc and glibc"
	exit 0
fi

calls() { # FRAMES ARGS...: how often memory was asked for
	frames=$1
	shift
	rm -f "$dir/calls" # one that was not counted is not the last one's
	ALLOC_LOG=$dir/calls LD_PRELOAD=$dir/count.so "$ktop" --sim m1,seed=1,clock=step -n "$frames" "$@" >/dev/null 2>"$dir/log"
	cat "$dir/calls"
}
screen() { # FRAMES VIEW
	rm -f "$dir/calls"
	ALLOC_LOG=$dir/calls "${VTRUN:-vtrun}" -s 120x40 -e LD_PRELOAD="$dir/count.so" exit \
		-- "$ktop" --sim m1,seed=1,clock=step -n "$1" --view "$2" >/dev/null 2>"$dir/log"
	cat "$dir/calls"
}
check() { # NAME SHORT LONG
	n=$((n + 1))
	if [ -n "$2" ] && [ "$2" -gt 0 ] && [ "$2" = "$3" ]; then
		echo "ok $n - $1: $2 calls of malloc for few frames and for $more more"
	else
		echo "not ok $n - $1: $2 calls of malloc for few frames, $3 for $more more"
		bad=1
	fi
}
check "recording" "$(calls 10 --csv /dev/null --force)" "$(calls $((more + 10)) --csv /dev/null --force)"
check "batch text" "$(calls 10 -b)" "$(calls $((more + 10)) -b)"
processes() { # FRAMES: rows of them in every output
	calls "$1" -b --processes=9 --csv /dev/null --force --openmetrics "$dir/page.prom"
}
check "processes" "$(processes 60)" "$(processes $((more + 60)))"
if [ -n "${VTRUN:-}" ]; then
	# The screen's buffers grow to the largest frame in the first seconds.
	check "screen" "$(screen 300 overview)" "$(screen $((more + 300)) overview)"
	check "screen of processes" "$(screen 300 processes)" "$(screen $((more + 300)) processes)"
fi
for args in "--version" "--nonsense" "--config /nowhere" "--sim m1,nonsense -b -n 1" "--kperf /nowhere -b -n 1"; do
	n=$((n + 1))
	rm -f "$dir/calls"
	# shellcheck disable=SC2086
	ALLOC_LEFT=1 ALLOC_LOG=$dir/calls LD_PRELOAD=$dir/count.so "$ktop" $args >/dev/null 2>"$dir/log"
	left=$(cat "$dir/calls")
	if [ "$left" = 0 ]; then
		echo "ok $n - $args: nothing large is left"
	else
		echo "not ok $n - $args: ${left:-an unknown number} of large blocks left"
		bad=1
	fi
done
echo "1..$n"
exit $bad
