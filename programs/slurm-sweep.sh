#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A sweep on a cluster with Slurm: an array job, a shard and a store for each of its tasks, then a job
# that merges them, then one that makes the report.
#
#     slurm-sweep.sh OUT SHARDS [SBATCH_OPTION...] -- EXPERIMENT... [SWEEP_OPTION...]
#
#     slurm-sweep.sh results/paper 100 --time=4:00:00 --cpus-per-task=4 --mem=16G -- gap networks --full
#
# Called like that it submits the three jobs, the last two with the array's options but its size,
# and says their numbers.  OUT is a folder that all nodes see; in it are then
#
#     shards/I     the store of the I-th shard
#     log          what each job says
#     results      the shards as one folder, with the report
#
# A task that is preempted, or whose node fails, is queued again by Slurm; one whose time is nearly up
# queues itself again.  Either goes on where it stopped.  Called again with the same arguments it runs
# what is missing, and makes results anew.
#
# ARENABENCH is the program (default: arenabench).  It runs --cpus-per-task tasks at once, one without.
set -eu

fail()
{
    echo "slurm-sweep.sh: $1" >&2
    exit 2
}

arenabench=${ARENABENCH:-arenabench}

# --- the jobs: slurm-sweep.sh ROLE OUT SHARDS SWEEP_ARGUMENT... ---

# Waits for the sweep while signals come in: TERM when the job is cancelled or preempted, USR1 a while
# before its time is up.
run_shard()
{
    out=$1
    shards=$2
    shift 2
    again=
    "$arenabench" sweep --jobs "${SLURM_CPUS_PER_TASK:-1}" "$@" \
        --shard "$SLURM_ARRAY_TASK_ID/$shards" --output "$out/shards/$SLURM_ARRAY_TASK_ID" &
    sweep=$!
    trap 'caught=yes; kill -TERM $sweep' TERM
    trap 'caught=yes; again=yes; kill -TERM $sweep' USR1
    status=0
    # A signal ends a wait, and not yet the sweep; one that comes too late leaves nothing to wait for.
    while :; do
        caught=
        now=0
        wait $sweep || now=$?
        [ $now -eq 127 ] || status=$now
        [ -n "$caught" ] || break
    done
    if [ -n "$again" ] && [ "$status" -eq 143 ]; then
        echo "slurm-sweep.sh: not done in time: queued again" >&2
        scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
    fi
    exit "$status"
}

# Results are replaced when the new ones are whole.
run_merge()
{
    out=$1
    set --
    for shard in "$out"/shards/*; do
        [ ! -e "$shard/results.db" ] || set -- "$@" "$shard"
    done
    [ $# -gt 0 ] || fail "$out/shards: no shard has results"
    rm -rf "$out/results.new"
    status=0
    "$arenabench" merge "$out/results.new" "$@" || status=$?
    [ -d "$out/results.new" ] || exit "$status"
    rm -rf "$out/results"
    mv "$out/results.new" "$out/results"
    exit "$status"
}

case ${1-} in
shard)
    shift
    run_shard "$@"
    ;;
merge)
    run_merge "$2"
    ;;
report)
    exec "$arenabench" report "$2/results"
    ;;
esac

# --- submitting them ---

[ $# -ge 2 ] || fail "expected OUT SHARDS [SBATCH_OPTION...] -- EXPERIMENT..."
out=$1
shards=$2
shift 2
case $shards in
'' | 0* | *[!0-9]*) fail "'$shards': expected the number of shards" ;;
esac
case $out in
/*) ;;
*) out=$(pwd)/$out ;;
esac
case $out in
*\\*) fail "'$out': a backslash turns sbatch's patterns off: expected a folder without one" ;;
esac

# Those before -- are sbatch's, which are passed on as they are; what is behind is the sweep's.
options=$(mktemp)
trap 'rm -f "$options"' EXIT
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    case $1 in
    *[!A-Za-z0-9_.,:/=@%+-]*) fail "'$1': expected an sbatch option without blanks and quotes" ;;
    --array* | -a* | --dependency* | -d*) fail "$1: the script says that itself" ;;
    -*) echo "$1" >>"$options" ;;
    *) fail "'$1': expected an sbatch option as one word (--time=1:00:00), or --" ;;
    esac
    shift
done
[ $# -gt 1 ] || fail "expected -- and experiments behind sbatch's options"
shift

"$arenabench" sweep "$@" --dry-run --shard "1/$shards" --output "$out/none" >/dev/null
mkdir -p "$out/log"
out=$(cd "$out" && pwd)
script=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")
# A pattern of sbatch's, in which %a is a task's number and %% a percent sign.
log=$(printf '%s\n' "$out/log" | sed 's/%/%%/g')

# submit ROLE OPTION... -- ARGUMENT...: its number.
submit()
{
    role=$1
    shift
    # shellcheck disable=SC2046 # one word each
    sbatch --parsable --job-name="arenabench-$role" --open-mode=append $(cat "$options") "$@"
}

array=$(submit shard --array="1-$shards" --requeue --signal=B:USR1@60 \
    --output="$log/shard-%a.txt" "$script" shard "$out" "$shards" "$@")
array=${array%%;*}
merge=$(submit merge --dependency="afterany:$array" --output="$log/merge.txt" \
    "$script" merge "$out")
merge=${merge%%;*}
report=$(submit report --dependency="afterany:$merge" --output="$log/report.txt" \
    "$script" report "$out")
echo "shards: job $array; merge: job $merge; report: job ${report%%;*}"
