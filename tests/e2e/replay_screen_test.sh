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
    'wait:frame 1/300 x1' 'wait:frame [2-9]/300' \
    'wait:REPLAY' 'wait: SIM ' key:q exit:0 given-back -- \
    "$ktop" --replay scr.csv
check 'keys go to and fro in it' -s 80x24 \
    'wait:frame 1/300' 'text: ' 'wait:stopped' \
    text:g 'text:<' 'wait:frame 1/300' \
    key:right 'wait:frame 2/300' key:right 'wait:frame 3/300' \
    key:left 'wait:frame 2/300' 'text:>' 'wait:frame 62/300' \
    text:, 'wait:frame 2/300' key:end 'wait:frame 300/300' \
    key:left 'wait:frame 299/300' key:home 'wait:frame 1/300' \
    'text::120\n' 'wait:frame 120/300' 'text::1:30\n' 'wait:frame 90/300' \
    'text::10s\n' 'wait:frame 10/300' \
    text:n 'wait:stolen: by another tool' 'wait:STOLEN' \
    'text:]]' 'wait:speed x4' 'text:[' 'wait:speed x2' \
    'text::nonsense\n' 'wait:neither a frame' \
    key:q exit:0 given-back -- "$ktop" --replay scr.csv
check 'what keys do in the live program they do there, too' -s 80x24 \
    'wait:frame 1/300' 'wait:space stop  < > minute' 'text: ' 'wait:stopped' \
    text:T 'wait:themes' key:esc 'gone:themes' \
    key:pgdn 'wait:frame 1/300 stopped' text:T 'wait:themes' key:down \
    key:enter 'gone:themes' key:q exit:0 given-back -- "$ktop" --replay scr.csv
check 'fast, it comes to its end and stays there' -s 120x40 \
    'wait:frame 300/300 end' key:left 'wait:frame 299/300 stopped' \
    key:q exit:0 given-back -- "$ktop" --replay scr.csv --speed 1000
# From its eighth frame on everything is a hundred seconds later.
awk -F, -v OFS=, 'NR > 1 && $4 >= 8 { $6 += 100 } { print }' scr.csv >asleep.csv
check 'a sleep in it is cut short' -s 80x24 \
    'wait:frame 7/300' 'wait:frame 12/300' key:q exit:0 given-back -- \
    "$ktop" --replay asleep.csv --speed 8
check '-n and --hold keep a screen' -s 80x24 \
    'wait:frame 5/300' 'wait:ENDED' key:q exit:0 given-back -- \
    "$ktop" --replay scr.csv --speed 1000 -n 5 --hold
check 'a damaged one is refused before the screen is taken' -s 80x24 \
    'wait:bad.csv:20: column' exit:0 -- \
    sh -c "sed '20s/ktop.1/ktop,1/' scr.csv >bad.csv; '$ktop' --replay bad.csv; [ \$? = 6 ]"
check 'counters cannot be chosen in it' -s 80x24 \
    'wait:frame 1/300' text:3 'wait:events cannot be changed' key:q exit:0 -- \
    "$ktop" --replay scr.csv
check 'nor are there events of processes, of whichever system it is' -s 80x24 \
    'wait:frame 1/300' text:P text:k \
    'wait:no events of processes were recorded' \
    key:q exit:0 -- "$ktop" --replay scr.csv
"$ktop" --sim m1,seed=1,clock=step --processes=9 --csv who.csv -n 9 2>/dev/null
check 'where it stands still, its processes are there when they are asked for' \
    -s 80x24 'wait:frame 1/9' 'text: ' 'wait:stopped' key:end 'wait:frame 9/9' \
    text:P 'wait:kernel_task' key:home 'wait:frame 1/9' \
    text:O 'gone:kernel_task' text:P 'wait:kernel_task' \
    key:q exit:0 -- "$ktop" --replay who.csv
check 'nor can marks be made: n goes to those there are' -s 80x24 \
    'wait:frame 1/300' text:m 'wait:marks are those of its recording; n goes' \
    text:n 'wait:stolen: by another tool' key:q exit:0 -- \
    "$ktop" --replay scr.csv
check 'its help begins with its own keys' -s 80x24 'wait:frame 1/300' \
    'key:?' 'wait:page 1 of' 'wait:next mark or change of state' key:esc \
    key:q exit:0 given-back -- "$ktop" --replay scr.csv
check 'standard input can be gone back in as well' -s 80x24 \
    'wait:frame 1/300' text:' ' key:end 'wait:frame 300/300' key:home \
    'wait:frame 1/300' key:q exit:0 given-back -- \
    sh -c "cat scr.csv | '$ktop' --replay -"
rm -f tick.csv
"$ktop" --sim m1,seed=1,clock=step -d 100ms -n 200 --csv tick.csv
"$ktop" --sim m1,seed=1,clock=step -d 2s -n 200 --csv tick.csv --append
check 'the tick is that of the recording, and changes with it' -s 120x40 \
    'wait:frame 1/400' 'wait:REPLAY  100 ms' 'text: :150\n' \
    'wait:frame 150/400' 'wait:REPLAY  100 ms' 'wait:IPC, last 6 s' \
    'wait:-5s {21}now' 'text::350\n' 'wait:frame 350/400' 'wait:REPLAY  2.0 s' \
    'wait:IPC, 112 s' 'text::200\n' 'wait:REPLAY  100 ms' \
    key:right 'wait:frame 201/400' 'wait:REPLAY  2.0 s' \
    key:q exit:0 given-back -- "$ktop" --replay tick.csv
rm -f r-*.csv
"$ktop" --sim m1,seed=1,clock=step --csv r-.csv --csv-rotate 100K -n 100
check 'segments are one recording' -s 80x24 \
    'wait:frame 1/100' text:' ' key:end 'wait:frame 100/100' key:left \
    'wait:frame 99/100' key:home 'wait:frame 1/100' key:q exit:0 -- \
    "$ktop" --replay r-*.csv
echo "1..$n"
exit $bad
