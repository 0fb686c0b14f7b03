#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The first process of the virtual machine of cgroup.sh, which see.  Its user has number 1000.
# shellcheck disable=SC2317 # functions are called through check
# shellcheck disable=SC2016 # what stands in single quotes is for the commands' shell
PATH=/bin
export PATH
# Its own shell prefers its own tools to what has no path.
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
mkdir -p /dev/shm
mount -t tmpfs -o size=1g shm /dev/shm
mount -t cgroup2 cgroup2 /sys/fs/cgroup
groups=/sys/fs/cgroup
cd /tmp || exit 1
printf 'id,lower,upper,size\na,0,2,10\nb,2,4,7\nc,1,3,5\n' >three.csv
plan='printf "id,offset\na,0\nb,0\nc,10\n"'

echo # the firmware's last line has no end
checks=0

# check TEXT COMMAND...: as tap_check.
check()
{
    text=$1
    checks=$((checks + 1))
    shift
    if "$@" >output 2>&1; then
        echo "inside ok: $text"
    else
        echo "$text:"
        sed 's/^/    /' output
        echo "inside failed: $text"
    fi
}

says()
{
    grep -q -- "$2" "$1" || {
        cat "$1"
        return 1
    }
}

# as_user GROUP COMMAND...: in that group, alone there.
as_user()
{
    into=$groups/$1
    shift
    sh -c 'echo $$ >"$0/cgroup.procs" && exec /bin/setpriv --reuid 1000 --regid 1000 --clear-groups "$@"' \
        "$into" "$@"
}

# in_shell GROUP SCRIPT: the same below a shell, which stays there.
in_shell()
{
    as_user "$1" sh -c "$2; :"
}

# A group as systemd delegates one.
delegate()
{
    mkdir -p "$groups/$1"
    chown 1000 "$groups/$1" "$groups/$1/cgroup.procs" "$groups/$1/cgroup.subtree_control" \
        "$groups/$1/cgroup.threads"
}

# fresh COMMAND...: as the user, alone in a delegated group that is new, as systemd has one for each.
fresh()
{
    while [ -e "$groups/scope$scopes" ]; do
        scopes=$((scopes + 1))
    done
    delegate scope$scopes
    as_user scope$scopes "$@"
}
scopes=0

# solve LIMIT COMMAND: as the user; what it says is in `said`, its status is that of solve.
solve()
{
    fresh arenabench solve three.csv --memory-limit "$1" --time-limit 300 \
        --solver "exec:$2" >said 2>&1
}

nothing_left()
{
    [ -z "$(find "$groups" -name 'arenabench-task-*')" ] || {
        find "$groups" -name 'arenabench-task-*'
        return 1
    }
}

# --- where they are found ---

# kept WORDS COMMAND...: a sweep by that command says in its provenance how limits are kept.
kept()
{
    words=$1
    shift
    rm -rf results
    "$@" >said 2>&1 && grep -q -a "$words" results/results.db || {
        cat said
        grep -a -o 'solvers by address space[ -~]*' results/results.db
        return 1
    }
}

printf '%s\n' "$plan" >plan.sh
sweep="arenabench sweep three.csv --output results --solvers 'exec:sh /tmp/plan.sh'"

by_root()
{
    kept 'programs by control groups' sh -c "$sweep; :"
}

delegated()
{
    kept 'programs by control groups' in_shell scope/arenabench-supervisor "$sweep"
}

not_delegated()
{
    kept 'no control group here was delegated' in_shell other "$sweep"
}

chmod 777 /tmp
check "root, where nobody else keeps groups" by_root
echo +memory >$groups/cgroup.subtree_control
delegate scope
mkdir -p $groups/other
alone()
{
    kept 'programs by control groups' as_user scope sh -c "exec $sweep"
}
check "a user whose group holds nobody else" alone
check "a user whose group was not delegated" not_delegated
check "nothing of it is left" nothing_left
if [ -e /bin/setfattr ]; then
    delegate marked
    setfattr -n user.delegate -v 1 $groups/marked
    marked()
    {
        kept 'programs by control groups' in_shell marked "$sweep"
    }
    check "a user whose group was delegated, with a shell in it" marked
fi
check "a user whose group was split before, with a shell in it" delegated

# --- limits ---

fills_shared_memory()
{
    solve 64 "head -c 200m /dev/zero >/dev/shm/x; $plan"
    result=$?
    rm -f /dev/shm/x
    says said 'memout' && says said 'killed at the limit of memory' && [ $result = 1 ]
}

# What the kernel charges is memory, and files of programs that were read.
below_the_limit()
{
    solve 64 "head -c 30m /dev/zero >/dev/shm/x; $plan"
    result=$?
    rm -f /dev/shm/x
    [ $result = 0 ] || {
        cat said
        return 1
    }
}

keeps_its_plan()
{
    solve 64 "$plan; head -c 200m /dev/zero >/dev/shm/x; sleep 60"
    rm -f /dev/shm/x
    says said '^a,'
}

# Its parent has died, and ignores the end of its children.
forgotten_processes()
{
    fresh arenabench solve three.csv --cpu-limit 3 --time-limit 120 --solver \
        "exec:setsid sh -c 'trap \"\" CHLD; (while :; do :; done) & (while :; do :; done) & wait'" \
        >said 2>&1
    says said 'killed at the limit of processor time'
}

nobody_is_left()
{
    solve 64 'setsid sleep 1000 & (setsid sleep 1000 &) & kill -9 $(cut -d" " -f4 /proc/$PPID/stat)
        kill -9 $PPID; sleep 1000'
    ! pidof sleep && nothing_left
}

killed_ourselves()
{
    fresh arenabench solve three.csv --solver "exec:setsid sleep 1000 & sleep 1000" \
        >said 2>&1 &
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        pidof sleep >/dev/null && break
        sleep 1
    done
    kill -9 "$(pidof arenabench | tr ' ' '\n' | sort -n | sed 1q)"
    wait
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        if ! pidof sleep && nothing_left; then
            return 0
        fi
        sleep 1
    done
    return 1
}

in_one_another()
{
    solve 64 "arenabench solve three.csv --time-limit 300 --solver \
        'exec:head -c 50m /dev/zero >/dev/shm/x; head -c 50m /dev/zero >/dev/shm/y'; $plan"
    rm -f /dev/shm/x /dev/shm/y
    says said 'killed at the limit of memory' && nothing_left
}

check "files in memory count" fills_shared_memory
check "less than the limit is fine" below_the_limit
check "a plan that was whole is kept" keeps_its_plan
check "processor time of processes that nobody waits for counts" forgotten_processes
check "of a program that kills who looks after it nothing is left" nobody_is_left
check "of a program whose arenabench was killed nothing is left" killed_ourselves
check "a task that runs arenabench stays in its group" in_one_another

# --- the tests of polling hold too ---

suite()
{
    fresh "$1" >said 2>&1
    result=$?
    sed -n 's/^# .*below/inside says: &/p' said >/dev/console
    [ $result = 0 ] || {
        grep -v '^ok' said
        return 1
    }
}

check "t_memory_limits in a control group" suite t_memory_limits
check "t_reaper in a control group" suite t_reaper
check "nothing of all that is left" nothing_left
echo "inside ends $checks"
poweroff -f
