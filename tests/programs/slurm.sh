#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# programs/slurm-sweep.sh on a cluster of one node, which is started here on the loopback address: a
# sweep as an array job of which a task is queued again midway, one runs out of time and one is killed,
# merged by a job that waits for them, comes to what one machine finds.
#
# Takes a minute: `make check-slurm` runs it; where Slurm or its rights are missing it skips.
# shellcheck disable=SC2154,SC2317 # tap.sh sets tap_scratch; functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
. "$top_srcdir/tests/support/experiments.sh"

arenabench=$(cd "${top_builddir:?}" && pwd)/arenabench
script=$(cd "$top_srcdir" && pwd)/programs/slurm-sweep.sh
PATH=$PATH:/usr/sbin:/sbin
cd "$tap_scratch" || exit 99
ARENABENCH=$arenabench
ARENABENCH_DATA=
export ARENABENCH ARENABENCH_DATA PATH

# --- what is refused, and what is submitted, with no cluster ---

planner_experiment slow '"naive", "greedy-by-size", "exec:slow=sh slow.sh"' '"uniform:n={4,5},seed={1..12}"'
# Everything on top of each other, in half a second.
cat >slow.sh <<'END_OF_FILE'
sleep 0.5
awk -F, 'NR == 1 { print "id,offset"; next } { printf "%s,%.0f\n", $1, at; at += $4 }'
END_OF_FILE

refused()
{
    text=$1
    shift
    tap_exits 2 sh "$script" "$@" && grep -q -- "$text" err
}

tap_check "without arguments" refused 'expected OUT SHARDS'
tap_check "without a number" refused 'number of shards' swept a -- slow.cfg
tap_check "without experiments" refused 'expected -- and experiments' swept 3 --
tap_check "an option in two words" refused 'as one word' swept 3 --time 1:00 -- slow.cfg
tap_check "an array" refused 'says that itself' swept 3 --array=1-2 -- slow.cfg
tap_check "an experiment that is none" refused 'nothing.cfg' swept 3 -- nothing.cfg

# What sbatch is told, by one that says so.
mkdir played
cat >played/sbatch <<'END_OF_FILE'
#!/bin/sh
for word; do echo "$word"; done >>"$SUBMITTED"
echo 1
END_OF_FILE
chmod +x played/sbatch
submitted()
{
    rm -f submitted
    tap_exits "$1" env PATH="$tap_scratch/played:$PATH" SUBMITTED="$tap_scratch/submitted" \
        sh "$script" "$2" 3 -- slow.cfg
}
# What --output of job $1 is: %% is a percent sign in sbatch's patterns, %a the task's number.
output_of()
{
    grep "^--output=.*/$1" submitted
}
tap_check "three jobs" submitted 0 'of 5%a and 100%'
tap_check "... a percent sign in the folder's name is doubled for the shards" tap_same \
    "$(output_of shard)" "--output=$tap_scratch/of 5%%a and 100%%/log/shard-%a.txt"
tap_check "... and for the others" tap_same "$(output_of merge; output_of report)" \
    "--output=$tap_scratch/of 5%%a and 100%%/log/merge.txt
--output=$tap_scratch/of 5%%a and 100%%/log/report.txt"
tap_check "... and nowhere else" tap_same "$(grep -c '^/.*/of 5%a and 100%$' submitted)" 3
tap_check "a backslash, with which there are no patterns" submitted 2 'a\b'
tap_check "... is refused" grep -q 'backslash' err

# --- the cluster ---

why_not()
{
    for program in munged slurmctld slurmd sbatch scontrol squeue; do
        command -v $program >/dev/null || {
            echo "$program is not here (slurm-wlm, munge)"
            return
        }
    done
    [ "$(id -u)" -eq 0 ] || echo "only root starts a cluster"
    [ -n "${ARENABENCH_SLURM-}" ] || echo "a minute: make check-slurm"
}

reason=$(why_not | head -n 1)
[ -z "$reason" ] || tap_skip_all "$reason"

cluster=$tap_scratch/cluster
mkdir -p "$cluster/state" "$cluster/spool" "$cluster/munge"
SLURM_CONF=$cluster/slurm.conf
export SLURM_CONF
host=$(hostname -s)
port=$((20000 + $$ % 20000))

# What started here ends here.
end_cluster()
{
    scancel --user=root >/dev/null 2>&1
    for pid in slurmd.pid slurmctld.pid munge/pid; do
        [ ! -s "$cluster/$pid" ] || kill "$(cat "$cluster/$pid")" 2>/dev/null
    done
    sleep 1
    rm -rf "$tap_scratch"
}
trap end_cluster EXIT

dd if=/dev/urandom of="$cluster/munge/key" bs=128 count=1 2>/dev/null
chmod 400 "$cluster/munge/key"
cat >"$SLURM_CONF" <<END_OF_FILE
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$cluster/munge/socket
CredType=cred/munge
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/slurmd.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,bf_interval=1
KillWait=3
SlurmdParameters=config_overrides
MpiDefault=none
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=test Nodes=$host Default=YES MaxTime=INFINITE State=UP
END_OF_FILE
# More processors than there are: the tasks sleep.
munged --force --key-file="$cluster/munge/key" --socket="$cluster/munge/socket" \
    --pid-file="$cluster/munge/pid" --log-file="$cluster/munge/log" \
    --seed-file="$cluster/munge/seed" 2>/dev/null
slurmctld -i >/dev/null 2>&1
slurmd >/dev/null 2>&1

# within SECONDS COMMAND...: until it succeeds.
within()
{
    tries=$(($1 * 5))
    shift
    until "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || return 1
        sleep 0.2
    done
}

has_node()
{
    sinfo --noheader --format=%T | grep -q idle
}
within 20 has_node || tap_skip_all "no cluster: $(tail -n 1 "$cluster/slurmctld.log" 2>/dev/null)"

# --- a sweep ---

# The array's task $1 is at work and has recorded something.
at_work()
{
    [ "$(squeue --noheader --job="${array}_$1" --format=%T)" = RUNNING ] &&
        [ -e "swept/shards/$1/results.db-wal" ]
}

nothing_queued()
{
    [ -z "$(squeue --noheader)" ]
}

submit()
{
    sh "$script" swept 4 --time=10:00 -- slow.cfg >submitted 2>err || {
        cat submitted err
        return 1
    }
    array=$(sed 's/shards: job \([0-9]*\);.*/\1/' submitted)
}

kill_sweep()
{
    pids=$(pgrep -f "sweep .*--shard $1/4 --output $tap_scratch/swept/shards/$1") || return 1
    # Its workers end with it.
    for pid in $pids; do
        kill -KILL "$pid" 2>/dev/null
    done
    return 0
}

show_logs()
{
    tail -n 20 swept/log/*.txt
}

"$arenabench" sweep slow.cfg --output one --jobs 4 >/dev/null 2>&1
timeless_columns one/slow.csv >one.txt
tap_check "one machine's 72 tasks" test "$(wc -l <one.txt)" -eq 73

tap_check "a sweep is submitted" submit
tap_check "the first shard is at work" within 60 at_work 1
tap_check "... and is queued again, as when it is preempted" scontrol requeue "${array}_1"
tap_check "the second is at work" within 60 at_work 2
tap_check "... and its time is nearly up" scancel --batch --signal=USR1 "${array}_2"
tap_check "the third is at work" within 60 at_work 3
tap_check "... and is killed" kill_sweep 3
tap_check "all jobs end" within 150 nothing_queued || show_logs
tap_check "the second was queued again" grep -q 'not done in time: queued again' swept/log/shard-2.txt
tap_check "the first and the second went on where they stopped" test \
    "$(cat swept/log/shard-1.txt swept/log/shard-2.txt | grep -c 'interrupted; run it again')" -ge 1
tap_check "the merge says what the third has not run" grep -q 'nobody ran the tasks' swept/log/merge.txt
tap_check "there are results" test -e swept/results/results.db
tap_check "the same call again runs what is missing" submit
tap_check "... to the end" within 100 nothing_queued || show_logs
tap_check "... and there is a report" test -e swept/results/report.html
tap_check "a sweep of it has nothing to do" sh -c \
    '"$ARENABENCH" sweep slow.cfg --output swept/results | grep "nothing left to do"'
timeless_columns swept/results/slow.csv >got.txt
tap_check "it is what one machine found" same_rows one.txt got.txt
tap_done
