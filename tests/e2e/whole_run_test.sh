#!/bin/sh
# Charts of the whole run, longer than single frames are kept.
ktop=$1
subject='the whole run'
options='-s 120x40 -t 240'
# shellcheck source=tests/e2e/vtrun.sh
. "$(dirname "$0")/vtrun.sh"

# 12000 s are 800 sums of 15 s, and four of these a dot.
check 'a run of 12000 frames is there from its begin' \
    wait:ENDED 'text:zzzz' 'wait:z whole run, ' 'wait:-3h' 'wait:now' \
    key:q exit:0 given-back -- \
    "$ktop" --sim m1,seed=1,clock=step --view chart -n 12000 --hold
"$ktop" --sim m1,seed=1,clock=step --csv run.csv --csv-rows core -n 12000
check 'and in a recording, however one gets to its end' \
    'wait:sample 0/11999' 'text: ' key:end 'wait:sample 11999/11999' \
    'text:zzzz' 'wait:z whole run, ' 'wait:-3h' \
    key:q exit:0 given-back -- "$ktop" --replay run.csv --view chart
check 'back in the middle it ends there' \
    'wait:sample 0/11999' 'text: ' key:end 'wait:sample 11999/11999' \
    'text::1:40:00\n' 'wait:sample 5999/11999' \
    'text:zzzz' 'wait:z whole run, ' 'wait:-1h30' gone:-2h \
    key:q exit:0 given-back -- "$ktop" --replay run.csv --view chart
exit $bad
