#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every command that writes files, on disks that are too small for them: it says which file and why,
# ends with a status that is not 0, leaves nothing half written, and a store that goes on when there is
# room again.  The disks are in memory, in a mount namespace of their own.
# shellcheck disable=SC2154,SC2317 # tap.sh sets tap_scratch; functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
if [ "${FULL_DISK_INSIDE-}" != yes ]; then
    # shellcheck disable=SC2016
    if ! unshare -rm sh -c 'mount -t tmpfs -o size=4k none "$0"' "$tap_scratch" 2>/dev/null; then
        tap_skip "mounts of its own are not allowed here"
        tap_done
    fi
    FULL_DISK_INSIDE=yes unshare -rm sh "$0"
    exit
fi
. "$top_srcdir/tests/support/experiments.sh"

mkdir disk
trap 'umount disk 2>/dev/null; chmod -R u+w "$tap_scratch" && rm -rf "$tap_scratch"' EXIT
TMPDIR=$tap_scratch/disk
export TMPDIR

# An empty disk of $1 KiB.
disk()
{
    ! mountpoint -q disk || umount disk || exit 99
    mount -t tmpfs -o "size=$1k" none disk || exit 99
}

# What a command needs on its disk.
before()
{
    :
}

# What is on the disk and is not whole: each file is as the command leaves it when there is room, or as it
# was before.  SAME is how two are compared.
same="cmp"
half_written()
{
    (cd disk && find . -type f) | while read -r file; do
        case $file in
            */results.db* | */lock) continue ;;
        esac
        if [ ! -e "want/$file" ]; then
            echo "left over: $file"
        elif ! $same "disk/$file" "want/$file" >/dev/null 2>&1 &&
            ! cmp "disk/$file" "was/$file" >/dev/null 2>&1; then
            echo "half written: $file"
        fi
    done
}

# The command with $1 KiB.
without_room()
{
    room=$1
    shift
    disk "$room"
    before || exit 99
    "$@" >out 2>err
    status=$?
    [ $status -gt 0 ] && [ $status -lt 128 ] && grep -q 'disk.*No space left on device' err || {
        echo "exit status $status with $room KiB: $*"
        cat err
        return 1
    }
    tap_nothing half_written && after
}

# Afterwards, on the disk as it is.
after()
{
    :
}

with_room()
{
    disk 65536
    before && cp -r disk was
    least=$(du -sk disk | cut -f1)
    "$@" >out 2>err || { cat out err; return 1; }
    most=$(du -sk disk | cut -f1)
    cp -r disk want
}

# steps TEXT STEPS COMMAND...: COMMAND with disks from what was there before on.  What replaces a file,
# of REPLACED KiB, is beside it for a while.
replaced=0
steps()
{
    text=$1
    count=$2
    tap_whole || count=$(((count + 2) / 3))
    shift 2
    rm -rf was want
    least=0
    most=0
    tap_check "$text" with_room "$@"
    tap_check "$text: writes something" test "$most" -gt "$least"
    [ "$least" -ge 4 ] || least=4
    most=$((most + replaced))
    i=0
    while [ $i -lt "$count" ]; do
        room=$(((least + (most - least) * i / count) / 4 * 4))
        tap_check "$text: $room of $most KiB" without_room "$room" "$@"
        i=$((i + 1))
    done
}

# A page that is full, so that a disk with less room than a page can be had.
filled()
{
    head -c 4096 /dev/zero >disk/filled
}

# --- plans, models, certificates, pictures ---

printf 'id,lower,upper,size\na,0,2,10\nb,2,4,10\nc,1,3,4\n' >small.csv
before()
{
    filled
}
steps "solve --output" 3 "$arenabench" solve resnet50 --solver naive --output disk/plan.csv
steps "solve --certificate" 3 "$arenabench" solve tight:steps=40,cap=200,longest=20 \
    --solver branch-and-bound --output /dev/null --certificate disk/proof.txt
steps "solve --export-model, LP" 3 "$arenabench" solve uniform:n=30 --export-model disk/model.lp
steps "solve --export-model, MPS" 3 "$arenabench" solve uniform:n=30 --export-model disk/model.mps
cp "$top_srcdir/tests/fuzz/corpus/tflite/plan" model.tflite
steps "solve --export" 1 "$arenabench" solve model.tflite --solver naive --output /dev/null --export disk/model.tflite
# Times are other ones each time.
same_lines()
{
    [ "$(wc -l <"$1")" -eq "$(wc -l <"$2")" ]
}
same=same_lines
steps "run --times" 1 "$arenabench" run squeezenet1_1:size=64 --rounds 1 --times disk/times.csv
same="cmp"
if command -v gnuplot >/dev/null; then
    "$arenabench" solve uniform:n=60 --solver naive >many.csv 2>/dev/null
    for format in svg png pdf; do
        steps "draw, $format" 3 "$arenabench" draw uniform:n=60 many.csv --output disk/plan.$format
    done
else
    tap_skip "there is no gnuplot"
fi

# --- the suite ---

steps "suite export" 4 "$arenabench" suite export disk/suite --class tight --most 30
same=same_lines
steps "suite score --output" 3 "$arenabench" suite score --solver naive --class tight --most 30 \
    --output disk/kept
same="cmp"
table=$top_srcdir/suite/2026.1.csv
name=$(awk -F, '$2 == "tight" && $8 == $9 && $12 == "stored" { print $1; exit }' "$table")
before()
{
    mkdir disk/mine disk/mine/plans
    awk -F, -v OFS=, -v name="$name" '$1 == name { $9 += 5; $11 = "x"; $12 = "greedy-by-size" } 1' \
        "$table" >disk/mine/2026.1.csv
}
# It is merged or not.
after()
{
    cmp -s disk/mine/2026.1.csv was/mine/2026.1.csv && [ ! -e "disk/mine/plans/$name.csv" ] && return
    ls -R disk
    return 1
}
replaced=$(($(wc -c <"$table") / 4096 * 4))
steps "suite submit" 6 "$arenabench" suite submit "$top_srcdir/suite/plans/$name.csv" \
    --suite disk/mine --by me
replaced=0
after()
{
    :
}

# --- results ---

planner_experiment tiny '"naive", "greedy-by-size"' '"uniform:n={100,200},seed={1..5}"'

before()
{
    :
}
# With more room it goes on, to what it says when there was room from the beginning.
after()
{
    mount -o remount,size=65536k none disk && sweep disk/results && stored_rows disk/results >got &&
        same_rows whole.txt got && { [ ! -e disk/results/tiny.csv ] || [ -s disk/results/tiny.csv ]; }
}
same=same_lines
sweep whole && stored_rows whole >whole.txt
steps "sweep" 8 "$arenabench" sweep tiny.cfg --output disk/results --jobs 2
same="cmp"
after()
{
    cmp whole/results.db before.db
}
cp whole/results.db before.db
before()
{
    filled
}
steps "rescue" 4 "$arenabench" rescue whole --output disk/saved
steps "plans --output" 1 "$arenabench" plans whole --task 1 --output disk/plan.csv
steps "report --runs" 1 "$arenabench" report whole --runs disk/runs.csv
steps "report --optima" 1 "$arenabench" report whole --optima disk/optima.csv

# The store is on the disk, too.
before()
{
    mkdir disk/results && cp whole/results.db disk/results
}
after()
{
    cmp whole/results.db disk/results/results.db
}
steps "report --no-figures" 6 "$arenabench" report disk/results --no-figures
if command -v gnuplot >/dev/null; then
    steps "report --figures" 4 "$arenabench" report disk/results --figures gap --latex
fi
umount disk
tap_done
