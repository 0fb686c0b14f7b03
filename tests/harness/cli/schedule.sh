#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# arenabench schedule: modelled and measured times.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
tap_command=schedule
. "$top_srcdir/tests/support/command.sh"

# ends FIGURES ARGUMENT...: the row ends with these figures.
ends()
{
    figures=$1
    shift
    exits 0 forked.param:groups=1 --byte-rate 32768 --sync 0.5 \
        --lanes 8192 --format csv "$@" && tap_same "$(tail -1 out)" "forked.param:groups=1,3,2,$figures"
}

# All values are of 16,384 bytes.  s reads one and makes two, r and t read one and make one.
printf '7767517\n4 5\nInput x 0 1 x 0=8 1=8 2=64\nSplit s 1 2 x a b\n' >forked.param
printf 'ReLU r 1 1 a y\nSigmoid t 1 1 b z\n' >>forked.param
printf 'operator,time_s\ns,0.5\nr,1\nt,3\n' >times.csv
printf 'type,time_s,low,operator\nx,3,2,t\nx,1,,r\nx,0.5,0,s\n' >others.csv

# s takes 49,152 bytes, 1.5 s, and fills the machine; r and t 1 s on the whole machine, of which
# they fill half: 2 s each alone, and 2 s side by side.  1.5 + 2 + 2 and two synchronisations; 1.5 +
# 2 and one.
modelled=6.5,4,1.6250
tap_check "modelled, by hand" ends "1,32768,$modelled"
# 0.5 + 1 + 3 + 2 x 0.5; t is not done when half of r's and t's work, 2 s, is: 0.5 + 3 + 0.5.
tap_check "measured, by hand: another answer" ends "1,32768,5.5,4,1.3750,$modelled" \
    --times times.csv
tap_check "... with other columns" ends "1,32768,5.5,4,1.3750,$modelled" --times others.csv
# Threads: 1.5 + 1 + 1 without waiting; 1.5 + 1 + 0.5.  Measured 0.5 + 1 + 3; 0.5 + 3 + 0.5.
tap_check "two threads" ends "1,32768,3.5,3,1.1667" --threads 2
tap_check "... measured" ends "1,32768,4.5,4,1.1250,3.5,3,1.1667" --threads 2 --times times.csv
tap_check "one thread" ends "0,32768,4.5,4.5,1.0000,3.5,3.5,1.0000" --threads 1 --times times.csv

# measured NETWORK: its operators, run and timed, are times for its schedule.
measured()
{
    tap_exits 0 "$arenabench" run "$1" --rounds 1 --times run.csv &&
        tap_exits 0 "$arenabench" schedule "$1" --times run.csv --threads 2 --format csv
}
tap_check "times that run has measured" measured squeezenet1_1:size=64,groups=1

network="network 'forked.param' has no operator 'q'"
printf 'operator,time_s\ns,0.5\nr,1\n' >missing.csv
printf 'operator,time_s\ns,0.5\nq,1\n' >unknown.csv
printf 'operator,time_s\ns,0.5\ns,1\n' >doubled.csv
printf 'operator,time_s\ns,-1\n' >negative.csv
printf 'operator,time_s\ns,inf\n' >infinite.csv
printf 'operator,seconds\ns,1\n' >other.csv
tap_check "an operator without a time" refuses "missing.csv:4:1: no time of operator 't'" \
    forked.param --times missing.csv
tap_check "an unknown operator" refuses "unknown.csv:3:1: $network" forked.param --times unknown.csv
tap_check "two times" refuses "doubled.csv:3:1: operator 's' has a time already" forked.param \
    --times doubled.csv
for bad in negative infinite; do
    value=$(sed -n 's/^s,//p' $bad.csv)
    tap_check "$bad time" refuses "$bad.csv:2:3: time_s '$value'; expected a number, at least 0" \
        forked.param --times $bad.csv
done
tap_check "another column" refuses \
    "other.csv:1:17: no column 'time_s'; expected a header such as operator,time_s" forked.param \
    --times other.csv
tap_check "no file" refuses "gone.csv: cannot open: No such file or directory" forked.param \
    --times gone.csv
tap_check "a folder" refuses ".: cannot read: Is a directory" forked.param --times .
tap_check "times of two networks" refuses "--steps and --times take one network" forked.param \
    forked.param:groups=1 --times times.csv
tap_check "no threads" refuses "--threads 0" forked.param --threads 0
tap_done
