#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Output that can't be written: each command says why, ends with status 1 and leaves
# nothing half written.  full_disk.sh has disks that are too small.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
arenabench=${top_builddir:?}/arenabench
cd "$tap_scratch" || exit 99

printf 'id,lower,upper,size\na,0,2,10\nb,2,4,10\nc,1,3,4\n' >small.csv
printf 'time,event,address,size\n0,alloc,0x10,8\n' >recorded.csv
printf 'id,offset\na,0\nb,0\nc,10\n' >plan.csv
"$arenabench" solve resnet50 --solver naive >naive.csv 2>/dev/null
"$arenabench" sweep small.csv --solvers naive --output swept >/dev/null 2>&1
! command -v gnuplot >/dev/null || gnuplot=yes

# says REASON COMMAND...: status 1, with the reason in the messages.
says()
{
    reason=$1
    shift
    "$@" >/dev/null 2>err
    status=$?
    [ $status -eq 1 ] && grep -q "$reason" err || {
        echo "exit status $status: $*"
        cat err
        return 1
    }
}

# The same with standard output on a full device, and closed.
on_full()
{
    says 'standard output: No space left on device' sh -c '"$@" >/dev/full' sh "$arenabench" "$@"
}

on_closed()
{
    says 'standard output: Bad file descriptor' sh -c '"$@" >&-' sh "$arenabench" "$@"
}

while read -r arguments; do
    case $arguments in
        draw*) [ -n "${gnuplot-}" ] || continue ;;
    esac
    # shellcheck disable=SC2086
    if [ -w /dev/full ]; then
        tap_check "$arguments: a full device" on_full $arguments
    else
        tap_skip "there is no /dev/full"
    fi
    # shellcheck disable=SC2086
    tap_check "$arguments: a closed file" on_closed $arguments
done <<'EOT'
--help
--version
help solve
list solvers
list networks
list networks --format csv
lifetimes small.csv
lifetimes resnet50
lifetimes resnet50 --summary
lifetimes resnet50 --explain conv1
solve small.csv --solver naive
solve small.csv --solver naive --output /dev/null --statistics
solve resnet50 --solver naive
compare small.csv --solvers naive
compare small.csv --solvers naive --format csv
agree naive greedy-by-size 5
suite list
verify small.csv plan.csv
verify swept
rerun swept
draw small.csv plan.csv
draw resnet50 naive.csv
bounds small.csv
fit small.csv --memory a
fit small.csv --memory a --memory b --capacity-curve 2
hazards small.csv
trace recorded.csv --solvers bfc
schedule vgg16
schedule resnet50 --steps
loops recurrence
loops recurrence --views
conv c=4,h=5,w=6,k=4,r=1,s=1 --isa generic --rounds 1
EOT

# A file may not grow beyond BLOCKS of 512 bytes: limited BLOCKS ARGUMENT...
limited()
{
    blocks=$1
    shift
    says 'File too large' sh -c 'trap "" XFSZ; ulimit -S -f $0 && "$@"' "$blocks" "$arenabench" "$@"
}

# Nothing but what was there before.
left_over()
{
    find . -name 'out*' -o -name '.draw-*'
}

# whole TEXT BLOCKS ARGUMENT...
whole()
{
    text=$1
    shift
    tap_check "$text: a limit on the size of files" limited "$@"
    tap_check "$text: nothing is left" tap_nothing left_over
}

cut_pictures()
{
    find "$1" -name '*.svg' | while read -r picture; do
        tail -n 1 "$picture" | grep -q '</svg>' || echo "$picture"
    done
}

TMPDIR=$PWD
export TMPDIR
whole "solve --output" 1 solve resnet50 --solver naive --output out.csv
if [ -w /dev/full ]; then
    tap_check "agree --output: a full device" says 'No space left on device' \
        "$arenabench" agree naive greedy-by-size 5 --output /dev/full
else
    tap_skip "there is no /dev/full"
fi
whole "solve --certificate" 8 solve tight:steps=40,cap=200,longest=20 \
    --solver branch-and-bound --certificate out.txt
whole "solve --export-model, LP" 1 solve uniform:n=12 --export-model out.lp
whole "solve --export-model, MPS" 1 solve uniform:n=12 --export-model out.mps
if [ -n "${gnuplot-}" ]; then
    "$arenabench" solve uniform:n=60 --solver naive >many.csv 2>/dev/null
    whole "draw --output" 16 draw uniform:n=60 many.csv --output out.svg
    whole "draw --output, no room for the data" 1 draw uniform:n=60 many.csv --output out.svg
    "$top_builddir/tests/harness/report/make_results" usual results
    tap_check "report: a limit on the size of files" limited 24 report results
    tap_check "report: no picture is cut" tap_nothing cut_pictures results/figures
else
    tap_skip "there is no gnuplot"
fi

tap_done
