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
size() # REPORT: lines, and the longest of them
{
	awk '{ if (length > n) n = length } END { print NR, n }' "$1"
}
fits() # REPORT LINES
{
	size "$1" | { read -r lines columns
	    [ "$lines" -ge 20 ] && [ "$lines" -le "$2" ] && [ "$columns" -le 80 ]; }
}
ok 'it can be pasted: at most 80 lines of 80 columns' 'fits doctor-m1 80'
"$ktop" doctor --sim m3ultra,clock=step >doctor-ultra
ok 'of an M3 Ultra at most 100' 'fits doctor-ultra 100'
ok 'its sections come in order' '[ "$(sed -n "s/^== //p" doctor-m1 |
    grep -xE "ktop|system|topology|database|counters" | tr "\n" " ")" = \
    "ktop system topology database counters " ]'
ok 'it answers what is asked of a Mac' '[ "$(grep -cE "^(may count|before|\
system|hw.perflevel0|name|different|tracing|loop|restored): " doctor-m1)" = 9 ]'
ok 'the counters are as they were' \
    'grep -qx "restored: yes" doctor-m1 && untouched doctor-state'

ok 'it says what energy is measured of, and when that is told' \
    '"$ktop" doctor --sim m1,clock=step,power=sample |
    sed -n "/^== energy/,\$p" >doctor-energy &&
    grep -q "^energy of clusters: EACC_CPU, PACC_CPU; published after 0.250, 0.250, 0.250 s$" doctor-energy &&
    grep -q "^bytes read: DCS RD; published" doctor-energy'
"$ktop" doctor --sim m5ultra,clock=step,power=30min >doctor-ultra
ok 'with energy it is at most 100 lines, too' 'fits doctor-ultra 100'
sed -n '/^== energy/,$p' doctor-ultra >doctor-energy
ok 'what is not told again while it looks says so' \
    'tr "\n" " " <doctor-energy | grep -q "DIE_1_PCPU; not published again" &&
    grep -q "^energy of the GPU: GPU Energy; published after 0.250" doctor-energy'
ok 'it lists the groups of channels, and what cannot be had of them' \
    'tr "\n" " " <doctor-energy | sed "s/  */ /g" >doctor-groups &&
    grep -q "Energy Model: 408 channels, simple in mJ nJ, 11 used, can be subscribed to; not used: DIE_#_MCPU#_#, " doctor-groups &&
    grep -q "PMP / DCS BW: 6 channels, state in 24Mticks, 6 used, can be " doctor-groups &&
    grep -q "AMC Stats / Perf Counters: 2 channels, simple in B, 2 used, cannot be subscribed to" doctor-groups'
ok 'of a Mac whose names nobody knows, too' \
    '"$ktop" doctor --sim m6,clock=step,power=unknown | tr "\n" " " |
    grep -q "Energy Model: 1 channel, simple in mJ, 0 used, can be subscribed to; not used:  *XCPU#"'

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
joined() # REPORT: what a line break has parted in one line again
{
	tr '\n' ' ' <"$1" | tr -s ' '
}
"$ktop" doctor --sim m1,euid=501,clock=step >doctor-user
code=$?
ok 'without root it prints what it can' "[ $code = 0 ] &&
    grep -q '^may count: nothing: .*root' doctor-user &&
    grep -q '^cluster P: ' doctor-user"
"$ktop" doctor --sim m1,clock=step,fault=refuse:INST_ALL@0s >doctor-refuse
ok 'a refused event is named and the others are tried' \
    'grep -qx "refused: INST_ALL not permitted" doctor-refuse &&
    grep -q "^events: 60 of 61 accepted" doctor-refuse'
"$ktop" doctor --sim m6,clock=step,subtype=12,raw=17 >doctor-six
ok 'on macOS 27 it tells the new kernel layer' \
    'grep -q "subtype 12, family" doctor-six && joined doctor-six |
    grep -q "kernel layer: CPC .*; 17 raw words" &&
    grep -qx "restored: yes" doctor-six'
"$ktop" doctor --sim m5max,clock=step,os=26.4 >doctor-old
ok 'on macOS 26.4, the old one' \
    'grep -q "^kernel layer: kpc " doctor-old &&
    grep -qx "restored: yes" doctor-old'
"$ktop" doctor --sim "m6,clock=step,fault=refuse:INST_ALL@0s,fault=refuse:0x22@0s" \
    >doctor-two
ok 'all that is refused is in one list' 'grep -qx \
    "refused: BRANCH_MISPRED_NONSPEC not permitted, INST_ALL not permitted" doctor-two'
"$ktop" doctor --sim "m6,clock=step,fault=refuse:*@0s" >doctor-all
ok 'where all are refused it says so, and what still counts' \
    'grep -q "^events: 0 of 134 accepted" doctor-all && joined doctor-all |
    grep -q "may count: cycles and instructions: macOS refuses all" &&
    fits doctor-all 80'
ok 'a report does not ask for a report' \
    '! joined doctor-all | grep -q "Please send"'
for machine in $("$ktop" --list-machines | awk -F '\t' 'NR > 1 { print $1 }'); do
	"$ktop" doctor --sim "$machine,clock=step" >"doctor-$machine" &&
	    grep -qx 'restored: yes' "doctor-$machine" &&
	    fits "doctor-$machine" 100 || poor="${poor:-} $machine"
	grep '^cluster ' "doctor-$machine" | grep 'width=0\|=-1' && zero=1
done
ok 'what is not known of a cluster is no number' \
    '[ -z "${zero:-}" ] && grep -q "^cluster S: .* width=- pmu=as9" doctor-m6'
ok "every machine gets a report${poor:-}" '[ -z "${poor:-}" ]'
"$ktop" doctor --kperf ./zaphod/none.so --kperfdata ./zaphod/none.so \
    >doctor-none 2>&1
code=$?
ok 'libraries that do not load are said, without their folder' \
    "[ $code != 0 ] && grep -q '^kperf: none.so ' doctor-none && ! grep -q zaphod \
    doctor-none"
if [ -n "${KTOP_SIM_SO:-}" ] && [ -e "$KTOP_SIM_SO" ]; then
	# A copy: the caller of sudo may not reach a checkout in a closed home.
	cp "$KTOP_SIM_SO" doctor.so
	KTOP_SIM=m1,clock=step "$ktop" doctor --kperf ./doctor.so \
	    --kperfdata ./doctor.so >doctor-so
	ok 'libraries given by path have all symbols' \
	    'grep -q "^kperf: .* has 34 of 34 functions$" doctor-so &&
	    grep -q "^kperfdata: .* has 23 of 23 functions$" doctor-so &&
	    grep -qx "restored: yes" doctor-so'
fi
if [ "$(uname -s)" = Linux ]; then
	"$ktop" doctor >doctor-linux
	code=$?
	ok 'Linux gets a report of its own' "[ $code = 0 ] &&
	    grep -q '^perf_event_paranoid: ' doctor-linux &&
	    grep -q ' opened: cpu [0-9]*: cycles ' doctor-linux &&
	    names_nobody doctor-linux"
	mkdir -p elsewhere/sys elsewhere/proc
	"$ktop" doctor --root elsewhere >doctor-elsewhere
	code=$?
	ok 'another machine is only read' "[ $code = 0 ] &&
	    grep -q '^root: another machine' doctor-elsewhere &&
	    ! grep -q ' opened: ' doctor-elsewhere &&
	    grep -qx 'may count: not tried: --root' doctor-elsewhere"
fi
# ---- stopped in the middle ----
for send in 15 1; do
	rm -f doctor-stop
	# Slow calls: it has the counters for seconds.
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
told() # FILE: what does not depend on the day, the user or the terminal
{
	sed -E -e 's/^(ktop|terminal): .*/\1/' -e '/^(tracing: |  rejected)/d' "$1"
}
page=$(dirname "$0")/../../docs/DOCTOR.md
"$ktop" doctor --sim m6,clock=step >doctor-six
if [ "${GOLDEN_UPDATE:-}" = 1 ]; then # as for the screens
	sed '/^    ktop doctor report/,$d' "$page" >page-new
	sed 's/^./    &/' doctor-six >>page-new
	for section in $(sed -n 's/^== //p' doctor-six); do
		grep -q "^| $section | " page-new && continue
		sed "/^| counters | /i\\
| $section | Mac | |" page-new >page-more && mv page-more page-new
	done
	cp page-new "$page"
fi
sed -n 's/^    //;/^ktop doctor report/,$p' "$page" |
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
    'grep -q "^kernel layer" page-told && diff page-told now-told'
exit $bad
