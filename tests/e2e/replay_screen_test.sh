#!/bin/sh
# A replay on the screen: its pace, its keys, its timeline.
ktop=$1
subject='replay on the screen'
options="-t 60"
# shellcheck source=tests/e2e/vtrun.sh
. "$(dirname "$0")/vtrun.sh"

"$ktop" --sim m1,seed=1,clock=step,fault=steal@150s-155s --csv scr.csv --force \
    -n 300 2>/dev/null
check 'a recording plays at its own pace' -s 80x24 \
    'wait:frame 0/299 x1' 'wait:frame [1-9]/299' \
    'wait:REPLAY' 'wait: SIM ' key:q exit:0 given-back -- \
    "$ktop" --replay scr.csv
check 'keys go to and fro in it' -s 80x24 \
    'wait:frame 0/299' 'text: ' 'wait:stopped' \
    text:g 'text:<' 'wait:frame 0/299' \
    key:right 'wait:frame 1/299' key:right 'wait:frame 2/299' \
    key:left 'wait:frame 1/299' 'text:>' 'wait:frame 61/299' \
    text:, 'wait:frame 1/299' key:end 'wait:frame 299/299' \
    key:left 'wait:frame 298/299' key:home 'wait:frame 0/299' \
    'text::120\n' 'wait:frame 120/299' 'text::1:30\n' 'wait:frame 89/299' \
    'text::10s\n' 'wait:frame 9/299' \
    text:n 'wait:stolen: by another tool' 'wait:STOLEN' \
    'text:]]' 'wait:speed x4' 'text:[' 'wait:speed x2' \
    'text::nonsense\n' 'wait:neither a frame' \
    key:q exit:0 given-back -- "$ktop" --replay scr.csv
check 'what keys do in the live program they do there, too' -s 80x24 \
    'wait:frame 0/299' 'wait:space stop  < > minute' 'text: ' 'wait:stopped' \
    text:T 'wait:themes' key:esc 'gone:themes' \
    key:pgdn 'wait:frame 0/299 stopped' text:T 'wait:themes' key:down \
    key:enter 'gone:themes' key:q exit:0 given-back -- "$ktop" --replay scr.csv
check 'fast, it comes to its end and stays there' -s 120x40 \
    'wait:frame 299/299 end' key:left 'wait:frame 298/299 stopped' \
    key:q exit:0 given-back -- "$ktop" --replay scr.csv --speed 1000
# From its eighth frame on everything is a hundred seconds later.
awk -F, -v OFS=, 'NR > 1 && $4 >= 8 { $6 += 100 } { print }' scr.csv >asleep.csv
check 'a sleep in it is cut short' -s 80x24 \
    'wait:frame 6/299' 'wait:frame 11/299' key:q exit:0 given-back -- \
    "$ktop" --replay asleep.csv --speed 8
check '-n and --hold keep a screen' -s 80x24 \
    'wait:frame 4/299' 'wait:ENDED' key:q exit:0 given-back -- \
    "$ktop" --replay scr.csv --speed 1000 -n 5 --hold
check 'a damaged one is refused before the screen is taken' -s 80x24 \
    'wait:bad.csv:20: column' exit:0 -- \
    sh -c "sed '20s/ktop.1/ktop,1/' scr.csv >bad.csv; '$ktop' --replay bad.csv; [ \$? = 6 ]"
check 'counters cannot be chosen in it' -s 80x24 \
    'wait:frame 0/299' text:3 'wait:events cannot be changed' key:q exit:0 -- \
    "$ktop" --replay scr.csv
check 'nor are there events of processes, of whichever system it is' -s 80x24 \
    'wait:frame 0/299' text:P text:k \
    'wait:no events of processes were recorded' \
    key:q exit:0 -- "$ktop" --replay scr.csv
"$ktop" --sim m1,seed=1,clock=step --processes=9 --csv who.csv -n 9 2>/dev/null
check 'where it stands still, its processes are there when they are asked for' \
    -s 80x24 'wait:frame 0/8' 'text: ' 'wait:stopped' key:end 'wait:frame 8/8' \
    text:P 'wait:kernel_task' key:home 'wait:frame 0/8' \
    text:O 'gone:kernel_task' text:P 'wait:kernel_task' \
    key:q exit:0 -- "$ktop" --replay who.csv
check 'nor can marks be made: n goes to those there are' -s 80x24 \
    'wait:frame 0/299' text:m 'wait:marks are those of its recording; n goes' \
    text:n 'wait:stolen: by another tool' key:q exit:0 -- \
    "$ktop" --replay scr.csv
check 'its help begins with its own keys' -s 80x24 'wait:frame 0/299' \
    'key:?' 'wait:page 1 of' 'wait:next mark or change of state' key:esc \
    key:q exit:0 given-back -- "$ktop" --replay scr.csv
check 'standard input can be gone back in as well' -s 80x24 \
    'wait:frame 0/299' text:' ' key:end 'wait:frame 299/299' key:home \
    'wait:frame 0/299' key:q exit:0 given-back -- \
    sh -c "cat scr.csv | '$ktop' --replay -"
rm -f tick.csv
"$ktop" --sim m1,seed=1,clock=step -d 100ms -n 200 --csv tick.csv
"$ktop" --sim m1,seed=1,clock=step -d 2s -n 200 --csv tick.csv --append
check 'the tick is that of the recording, and changes with it' -s 120x40 \
    'wait:frame 0/199' 'wait:REPLAY  100 ms' 'text: :150\n' \
    'wait:frame 150/199' 'wait:REPLAY  100 ms' 'wait:IPC, last 6 s' \
    'wait:-5s {21}now' 'text::500\n' 'wait:frame 199/199' 'wait:REPLAY  100 ms' \
    key:right 'wait:frame 0/199' 'wait:REPLAY  2.0 s' 'text::150\n' \
    'wait:frame 150/199' 'wait:IPC, 112 s' key:left 'wait:frame 149/199' \
    key:q exit:0 given-back -- "$ktop" --replay tick.csv
awk -F, '$4 < 100 || $4 >= 120' scr.csv >holes.csv
check 'frames have the numbers of the file' -s 80x24 \
    'wait:frame 0/299' 'text: :130\n' 'wait:frame 130/299 stopped' \
    'text::110\n' 'wait:frame 99/299' key:right 'wait:frame 120/299' \
    'text::0\n' 'wait:frame 0/299' 'text::999\n' 'wait:frame 299/299' \
    key:q exit:0 -- "$ktop" --replay holes.csv
rm -f r-*.csv
"$ktop" --sim m1,seed=1,clock=step --csv r-.csv --csv-rotate 100K -n 100
check 'segments are one recording' -s 80x24 \
    'wait:frame 0/99' text:' ' key:end 'wait:frame 99/99' key:left \
    'wait:frame 98/99' key:home 'wait:frame 0/99' key:q exit:0 -- \
    "$ktop" --replay r-*.csv
echo "1..$n"
exit $bad
