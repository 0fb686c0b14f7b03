#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# agree: exit statuses, what it prints and writes, and what it counts.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"

tap_command=agree
. "$top_srcdir/tests/support/command.sh"

# told TEXT: it is among the messages of the command before.
told()
{
    has "$1" err
}

itself="exec:'$arenabench' solve - --solver greedy-by-size --time-limit 0"

tap_check "a planner and the same as a program" says ": the same offsets on 40 of 40 instances" \
    greedy-by-size "$itself" 40
tap_check "and prints nothing" tap_same "$(cat out)" ""

# In naive buffers lie one on the other; this does so from the last one on.
cat >backwards.awk <<'EOF'
BEGIN { FS = "," }
NR > 1 { id[NR] = $1; size[NR] = $4 }
END {
    print "id,offset"
    for (i = NR; i > 1; i--) { print id[i] "," top + 0; top += size[i] }
}
EOF
backwards='exec:awk -f backwards.awk'
tap_check "two that differ" fails "the same offsets on 0 of 30 instances; 30 differ" \
    naive "$backwards" 30 --alignment 1 --output small.csv
tap_check "and where" told "; of these 2 are enough"
tap_check "the smallest instance with both offsets" tap_same "$(cut -d, -f4- out)" "size,alignment,offset,other_offset
1,1,0,1
1,1,1,0"
tap_check "and its rows as a file" tap_same "$(cat small.csv)" "$(cut -d, -f1-4 out)"

# by SOLVER: the offsets that it gives on the file.
by()
{
    "$arenabench" solve small.csv --solver "$1" 2>/dev/null | sed 1d | cut -d, -f5 | tr '\n' ' '
}

tap_check "on which they differ" tap_same "$(by naive)/$(by "$backwards")" "0 1 /1 0 "
tap_check "their peaks are the same" exits 0 naive "$backwards" 30 --alignment 1 --what peak
tap_check "and objects" exits 0 naive "$backwards" 30 --alignment 1 --what objects
tap_check "another seed, the same end" fails "of seed 7, which has" \
    naive "$backwards" 30 --alignment 1 --seed 7

rm small.csv
tap_check "where they agree" exits 0 naive naive 5 --output small.csv
tap_check "no file is made" test ! -e small.csv

# A program that fails on three buffers or more, and does not know alignments.
cat >stack.awk <<'EOF'
BEGIN { FS = "," }
{ line[NR] = NR == 1 ? "id,offset" : $1 "," top + 0 }
NR > 1 { top += $4 }
END {
    if (most && NR > most) { print "too many" >"/dev/stderr"; exit 3 }
    for (i = 1; i <= NR; i++) print line[i]
}
EOF
tap_check "a program that crashes is counted" fails " without a valid plan of one of them" \
    naive 'exec:awk -v most=3 -f stack.awk' 30 --alignment 1
tap_check "the reason is given" told "with status 3: no answer; it said: too many)"
tap_check "three buffers are enough, and it has no offsets" tap_same \
    "$(sed 1d out | cut -d, -f4- | tr '\n' ' ')" "1,1,0, 1,1,1, 1,1,2, "
tap_check "a program that ignores alignments has no valid plan either" fails \
    "exec:awk -f stack.awk: invalid (" naive 'exec:awk -f stack.awk' 60
tap_check "of two buffers" tap_same "$(sed 1d out | cut -d, -f4- | tr '\n' ' ')" "1,1,0,0 1,2,2,1 "

tap_check "what one refuses is not compared" exits 0 xla-spatial model-ilp:load=on 12 \
    --buffers 4 --what peak --work-limit 1000
tap_check "and counted with the reason" told " refused, not compared (model-ilp:load=on: takes no alignments"
tap_check "nothing that can be compared" fails "there was nothing to compare" \
    naive 'exec:sleep 300' 2 --time-limit 1
tap_check "with the limit" told "2 cut by a limit, not compared (exec:sleep 300: "

# An interrupt while the program waits: what there is, and the signal's status.
interrupted()
{
    "$arenabench" agree naive 'exec:: >waits; exec sleep 300' 5 --time-limit 0 --output small.csv \
        >out 2>err &
    agreeing=$!
    tries=0
    until [ -e waits ] || [ $tries -eq 1000 ]; do
        tries=$((tries + 1))
        sleep 0.02
    done
    kill -TERM $agreeing
    wait $agreeing
    tap_same $? 143 && told "interrupted after 0 of 5 instances" && [ ! -e small.csv ]
}
tap_check "an interrupt" interrupted

tap_check "an unknown solver" refuses "did you mean 'greedy-by-size'" naive greedy-by-sise 5
tap_check "an unknown parameter" refuses "did you mean 'ties'" greedy-by-size:tie=index naive 5
tap_check "no number" refuses "expected a whole number of instances from 1 on, got 'many'" naive naive many
tap_check "none" refuses "got '0'" naive naive 0
tap_check "an unknown word" refuses "did you mean 'offsets'" naive naive 5 --what offset
tap_check "objects of who has none" refuses "greedy-by-size has offsets in one arena" \
    naive greedy-by-size 5 --what objects
tap_check "a folder that is not there" refuses "none/small.csv" naive naive 5 --output none/small.csv
tap_check "two arguments" exits 2 naive naive
tap_done
