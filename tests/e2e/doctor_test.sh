#!/bin/sh
# ktop doctor as a person runs it: the report, what is not in it, and what it
# leaves behind when it is stopped.
ktop=$1
n=0
bad=0

ok()
{
	n=$((n + 1))
	if eval "$2"; then
		echo "ok $n - doctor: $1"
	else
		echo "not ok $n - doctor: $1"
		bad=1
	fi
}

untouched()
{
	"$SIM_STATE" "$1" >state-now && grep -qx 'force 0' state-now &&
	    grep -qx 'counting 0' state-now &&
	    ! grep '^config_' state-now | grep -qv ' 0x0$'
}

# ---- the report ----
USER=zaphod LOGNAME=zaphod SUDO_USER=zaphod HOME=/Users/zaphod \
    HOSTNAME=heartofgold "$ktop" doctor --sim m1,clock=step,state=doctor-state \
    >doctor-m1 2>doctor-err
code=$?
ok 'the report of an M1 is complete' "[ $code = 0 ] && [ ! -s doctor-err ]"
ok 'it can be pasted: under 320 lines of at most 80 columns' \
    '[ "$(wc -l <doctor-m1)" -lt 320 ] &&
    awk "length > 80 { bad = 1 } END { exit bad }" doctor-m1'
in_order() # REPORT OTHER: all of the list but those that OTHER alone has
{
	sed -n 's/^	ROW([a-z_]*, "\([^"]*\)", \([A-Z0-9 |]*\), .*/\1 \2/p' \
	    "$(dirname "$0")/../../src/commands/doctor/doctor.h" |
	    grep -v " $2" | cut -d ' ' -f 1 >sections-want
	sed -n 's/^== //p' "$1" >sections-are
	[ -s sections-want ] && cmp -s sections-want sections-are
}
ok 'its sections come in order' 'in_order doctor-m1 LINUX &&
    grep -qx questions sections-are'
ok 'every feature has a verdict' 'sed "1,/^== verdict/d" doctor-m1 |
    grep -c "^[a-z ]*: works" | grep -qx 7'
ok 'the counters are as they were' \
    'grep -qx "restored: yes" doctor-m1 && untouched doctor-state'

names='zaphod heartofgold'
for name in "$(uname -n)" "$(id -un 2>/dev/null)"; do
	# Short ones, and what a report calls something else (a kernel that is
	# called as its host is), are in it anyway; so is the number of a user
	# who has no name.
	case $name in ''|?|??|???) ;;
	*[!0-9]*) { uname -srvm; cat /proc/cpuinfo 2>/dev/null; } |
	    grep -qiF -e "$name" || grep -rqiF -e "$name" \
	    "$(dirname "$0")/../../src" "$(dirname "$0")/../../docs" ||
	    names="$names $name" ;; esac
done
names_nobody() # REPORT
{
	for name in $names; do
		! grep -iF -e "$name" "$1" || return 1
	done
}
ok 'no serial number, host or user name is in it' \
    'names_nobody doctor-m1 && ! grep -qi "serial *[:=]\|IOPlatformSerial\|UUID" \
    doctor-m1'

# ---- machines that have less ----
"$ktop" doctor --sim m1,euid=501,clock=step >doctor-user
code=$?
ok 'without root it prints what it can' "[ $code = 0 ] &&
    grep -q '^ipc: does not work: .*root' doctor-user &&
    grep -q '^cluster P: ' doctor-user"
"$ktop" doctor --sim m1,clock=step,fault=refuse:INST_ALL@0s >doctor-refuse
ok 'a refused event is named and the others are tried' \
    'grep -q "^INST_ALL: 7: wrote 0x8c refused: EPERM" doctor-refuse &&
    grep -qx "events refused: 1 of 61" doctor-refuse'
"$ktop" doctor --sim m6,clock=step,subtype=12,raw=17 >doctor-six
ok 'on macOS 27 it tells how the new kernel takes words' \
    'grep -qx "subtype: 12 (arm64e.x1)" doctor-six &&
    grep -qx "raw words: 17 (with event filtering)" doctor-six &&
    grep -qx "new words are told: once counting is switched on again" \
    doctor-six &&
    grep -qx "words with counting off: lose their mode: no state" doctor-six &&
    grep -qx "sums at a swap: start at zero" doctor-six &&
    grep -q "^a second force: is answered 0" doctor-six &&
    grep -qx "restored: yes" doctor-six'
"$ktop" doctor --sim m5max,clock=step,os=26.4 >doctor-old
ok 'on macOS 26.4, how the old one does' \
    'grep -qx "new words are told: at once" doctor-old &&
    grep -qx "words with counting off: read as before" doctor-old &&
    grep -qx "sums at a swap: go on" doctor-old &&
    grep -qx "a second force: EACCES" doctor-old &&
    grep -qx "restored: yes" doctor-old'
"$ktop" doctor --sim "m6,clock=step,fault=refuse:INST_ALL@0s,fault=refuse:0x22@0s" \
    >doctor-two
ok 'all that is refused is in one list' \
    'tr "\n" " " <doctor-two | tr -s " " | grep -q "some are refused: 2 of 134\
 events refused: BRANCH_MISPRED_NONSPEC 0x22 EPERM, INST_ALL 0x8 EPERM"'
"$ktop" doctor --sim "m6,clock=step,fault=refuse:*@0s" >doctor-all
ok 'where all are refused it says so, and what still counts' \
    'grep -qx "events: none is accepted: 134 of 134 events refused" \
    doctor-all && grep -q "^words: not tried: macOS refuses" doctor-all &&
    tr "\n" " " <doctor-all | tr -s " " | grep -q "full mode: does not work:\
 macOS refuses all 134 events of database as9; cycles and instructions still\
 count" && grep -qx "ipc: works" doctor-all'
ok 'a report does not ask for a report' \
    '! tr "\n" " " <doctor-all | tr -s " " |
    grep -q "^preset.*Please send\|refused: [^:]*Please send"'
for machine in $("$ktop" --list-machines | awk -F '\t' 'NR > 1 { print $1 }'); do
	"$ktop" doctor --sim "$machine,clock=step" >"doctor-$machine" &&
	    grep -q '^restore: ' "doctor-$machine" &&
	    ! grep -q '^changed: ' "doctor-$machine" || poor="${poor:-} $machine"
	grep '^cluster ' "doctor-$machine" | grep 'width=0\|=-1' && zero=1
done
ok 'what is not known of a cluster is no number' \
    '[ -z "${zero:-}" ] && grep -q "^cluster S: .* width=- pmu=as9" doctor-m6'
ok "every machine gets a report${poor:-}" '[ -z "${poor:-}" ]'
"$ktop" doctor --kperf ./zaphod/none.so --kperfdata ./zaphod/none.so \
    >doctor-none 2>&1
code=$?
ok 'libraries that do not load are said, without their folder' \
    "[ $code != 0 ] && grep -q '^dlopen: ' doctor-none && ! grep -q zaphod \
    doctor-none"
if [ -n "${KTOP_SIM_SO:-}" ] && [ -e "$KTOP_SIM_SO" ]; then
	KTOP_SIM=m1,clock=step "$ktop" doctor --kperf "$KTOP_SIM_SO" \
	    --kperfdata "$KTOP_SIM_SO" >doctor-so
	ok 'libraries given by path have all symbols' \
	    'grep -qx "symbols: 34 of 34" doctor-so &&
	    grep -qx "symbols: 23 of 23" doctor-so &&
	    grep -qx "restore: works" doctor-so'
fi
if [ "$(uname -s)" = Linux ]; then
	"$ktop" doctor >doctor-linux
	code=$?
	ok 'Linux gets a report of its own' "[ $code = 0 ] &&
	    grep -q '^macos parts: do not apply' doctor-linux &&
	    grep -q '^perf_event_paranoid: ' doctor-linux &&
	    grep -q '^open any: cpu [0-9]*: cycles ' doctor-linux &&
	    names_nobody doctor-linux"
	ok 'its sections come in order' 'in_order doctor-linux MAC &&
	    grep -qx pmus sections-are'
	ok 'its verdicts are those of a Mac' '[ "$(sed "1,/^== verdict/d" \
	    doctor-linux | sed -n "s/^\([a-z][a-z ]*\): .*/\1/p")" = "$(sed \
	    "1,/^== verdict/d" doctor-m1 | sed -n "s/^\([a-z][a-z ]*\): .*/\1/p")" ]'
	mkdir -p elsewhere/sys elsewhere/proc
	"$ktop" doctor --root elsewhere >doctor-elsewhere
	code=$?
	ok 'another machine is only read' "[ $code = 0 ] &&
	    grep -q '^root: another machine' doctor-elsewhere &&
	    ! grep -q '^open any' doctor-elsewhere &&
	    grep -qx 'ipc: not tried: --root' doctor-elsewhere"
fi
# ---- stopped in the middle ----
for send in 15 1; do
	rm -f doctor-stop
	# Slow calls: it has the counters for eight seconds.
	"$ktop" doctor --sim m1,state=doctor-stop,fault=slow:5ms@0s \
	    >doctor-cut &
	pid=$!
	tries=0
	until "$SIM_STATE" doctor-stop 2>/dev/null | grep -qx 'force 1' ||
	    [ $tries = 1000 ]; do
		tries=$((tries + 1))
		sleep 0.02
	done
	kill -$send $pid 2>/dev/null
	wait $pid
	code=$?
	ok "signal $send in the middle puts the counters back" \
	    "[ $code = $((128 + send)) ] && untouched doctor-stop &&
	    grep -qx 'restored: yes' doctor-cut &&
	    grep -q '^interrupted: by signal $send' doctor-cut"
done

# ---- the page that shows a report ----
told() # FILE: what does not depend on the day, the person or the terminal
{
	sed -E -e '/^== terminal/,/^$/d' \
	    -e 's/^(ktop|euid|list of processes.*): .*/\1/' -e '/^read all cpus/d' \
	    -e '/^start: [0-9]/,/^read, stop/d' \
	    -e 's/^(force: taken in) [0-9]+/\1 N/' -e 's/^(slowest swap:) .*/\1/' "$1"
}
page=$(dirname "$0")/../../docs/DOCTOR.md
"$ktop" doctor --sim m6,clock=step >doctor-six
if [ "${GOLDEN_UPDATE:-}" = 1 ]; then # as for the screens
	sed '/^    ktop doctor report/,$d' "$page" >page-new
	sed 's/^./    &/' doctor-six >>page-new
	sed '1,/^    restore: works/d' "$page" >>page-new
	cp page-new "$page"
fi
sed -n 's/^    //;/^ktop doctor report/,/^restore: works/p' "$page" |
    awk '/^== /{ print "" } NF' >doctor-page
awk '/^== /{ print "" } NF' doctor-six >doctor-now
told doctor-page >page-told
told doctor-now >now-told
for section in $(sed -n 's/^== //p' doctor-six doctor-linux 2>/dev/null); do
	grep -q "^| $section | " "$page" || unsaid="${unsaid:-} $section"
done
ok "docs/DOCTOR.md tells what each section is for${unsaid:-}" \
    '[ -z "${unsaid:-}" ]'
ok 'docs/DOCTOR.md shows the report that it says' \
    'grep -q "^sums at a swap" page-told && diff page-told now-told'
exit $bad
