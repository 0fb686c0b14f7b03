#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs of the user's own: nothing of them outlives a run, whatever they say
# stays small, and a sweep knows which program made a result.
# shellcheck disable=SC2317 # functions are called through tap_check
# shellcheck disable=SC2016 # what stands in single quotes is for the commands' shell
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
. "$top_srcdir/tests/support/experiments.sh"

unset ARENABENCH_DATA

printf 'id,lower,upper,size\na,0,2,10\nb,2,4,7\nc,1,3,5\n' >three.csv
plan='id,offset\na,0\nb,0\nc,10\n'

# --- processes ---

# A program whose daemon, in a session of its own, writes its number into the file
# daemon; then $1.
daemon()
{
    printf '%s' 'setsid sh -c "setsid sh -c \"echo \\\$\\\$ >daemon.new; mv daemon.new daemon
        exec sleep 300\" &" </dev/null >/dev/null 2>&1
        while [ ! -e daemon ]; do sleep 0.01; done; '"$1"
}

no_daemon()
{
    [ -s daemon ] || {
        echo 'there was none'
        return 1
    }
    ! kill -0 "$(cat daemon)" 2>/dev/null
}

# As long as it may take on a busy machine.
await()
{
    tries=0
    until "$@" >/dev/null 2>&1; do
        tries=$((tries + 1))
        [ "$tries" -lt 1000 ] || return 1
        sleep 0.02
    done
}

after_a_good_end()
{
    rm -f daemon
    exits 0 solve three.csv --solver "exec:$(daemon "printf '$plan'")" &&
        no_daemon
}

# limited COMMAND CAME...: the program reaches the limit, which grows until CAME says
# that it came as far as it should before: a busy machine starts programs late.
limited()
{
    command=$1
    shift
    for limit in 0.5 2 8 32; do
        exits 1 solve three.csv --time-limit $limit --solver "exec:$command" ||
            return 1
        "$@" && return
    done
    cat err
    return 1
}

after_the_limit()
{
    rm -f daemon
    limited "$(daemon "trap '' TERM; sleep 300; :")" test -s daemon && no_daemon
}

after_a_kill()
{
    rm -f daemon
    "$arenabench" solve three.csv --solver "exec:$(daemon 'sleep 300; :')" >/dev/null 2>&1 &
    solving=$!
    await test -s daemon && kill -KILL "$solving"
    { wait "$solving"; } 2>/dev/null
    await no_daemon && no_daemon
}

tap_check "a daemon is gone after a good end" after_a_good_end
tap_check "a daemon is gone after the time limit" after_the_limit
# What is stopped reaches no end of its own.
for command in 'kill -STOP $$' 'sh -c "kill -STOP \$\$"; :'; do
    tap_check "a program that is stopped is ended at the time limit" tap_exits 1 timeout 60 "$arenabench" \
        solve three.csv --time-limit 0.5 --solver "exec:$command"
    tap_check "... as one that runs" grep -q ': timeout, ' err
done
tap_check "a daemon is gone after a SIGKILL of ours" after_a_kill

# --- standard error ---

talker()
{
    limited 'yes "no luck today" >&2' grep -q 'it said' err &&
        tap_says err 'still running; it said: no luck today\)$' &&
        tap_same "$(($(wc -c <err) < 1000))" 1
}

tap_check "of endless talk on standard error the last line is shown" talker

# --- output without end ---

# endless OUTCOME WORDS COMMAND: is ended long before the limit for what it says.
endless()
{
    exits 1 solve three.csv --time-limit 100 --memory-limit 16 \
        --solver "exec:$3" && tap_says err "$1" && tap_says err "$2" &&
        tap_same "$(($(cat out err | wc -c) < 2000))" 1
}

# One plan after the other, each of which is fine: until the limit.
plans_without_end()
{
    printf "$plan" >plan.csv
    exits 0 solve three.csv --time-limit 0.5 --memory-limit 16 \
        --solver 'exec:while :; do cat plan.csv; done' && tap_says err 'the command was still running'
}

file_without_end()
{
    endless 'crashed' 'File size limit exceeded' 'exec head -c 64m /dev/zero >endless'
    status=$?
    tap_same "$(wc -c <endless)" 16777216 || status=1
    rm -f endless
    return $status
}

tap_check "a line without end" endless invalid 'far too long' 'tr "\\0" x </dev/zero'
tap_check "lines without end" endless invalid "unknown column 'x'" 'yes x'
tap_check "empty lines without end" endless invalid 'no header' 'yes ""'
tap_check "headers without end" endless invalid 'ends without the buffer' 'yes id,offset'
tap_check "plans without end" plans_without_end
tap_check "a file without end" file_without_end

# --- which program made a result ---

mkdir bin
cat "$top_srcdir/tests/support/stack.awk" >stack.awk
printf '#!/bin/sh\nexec awk -f stack.awk 2>>made\n' >plan.sh
printf '#!/bin/sh\nexec awk -f stack.awk\n' >bin/planner
chmod +x plan.sh bin/planner
PATH=$tap_scratch/bin:$PATH
export PATH

# Two tasks each.
planner_experiment own '"naive", "exec:./plan.sh 2>said", "exec:awk -f stack.awk", "exec:planner",
    "exec:identity=v1,command=./plan.sh"' '"uniform:n=6,seed={1,2}"'

# sweeps COUNT [TEXT...]: so many of the ten tasks run; the messages have the TEXTs.
sweeps()
{
    count=$1
    shift
    exits 0 sweep own.cfg --output res &&
        tap_says out "^own +10 +$((10 - count)) +$count " || return 1
    tap_same "$(grep -c 'run again' err)" $# || {
        cat err
        return 1
    }
    for text; do
        tap_says err "^arenabench: $text\$" || return 1
    done
    [ "$count" -gt 0 ] || tap_says out '^nothing left to do'
}

# edited COUNT TEXT...: so many run, and then none.
edited()
{
    sweeps "$@" && sweeps 0
}

touched()
{
    touch -d '2001-02-03' plan.sh stack.awk bin/planner && sweeps 0
}

program()
{
    echo '# edited' >>plan.sh &&
        edited 4 '2 tasks run again: exec:\./plan\.sh 2>said changed' \
            '2 tasks run again: exec:identity=v1,command=\./plan\.sh changed'
}

argument()
{
    echo '# edited' >>stack.awk && edited 2 '2 tasks run again: exec:awk -f stack\.awk changed'
}

found_in_path()
{
    echo '# edited' >>bin/planner && edited 2 '2 tasks run again: exec:planner changed'
}

identity()
{
    sed -i 's/identity=v1/identity=v2/' own.cfg && edited 2
}

# It is a result like others, and says why; the old one does not stand.
vanished()
{
    mv bin/planner planner.away && edited 2 '2 tasks run again: exec:planner changed' &&
        tap_same "$(grep -c ',crashed,.*status 127.*planner: .*not found' res/own.csv)" 2 &&
        mv planner.away bin/planner && sweeps 0 && ! grep crashed res/own.csv
}

tap_check "a sweep with programs" edited 10
tap_check "a file that is only touched changes nothing" touched
tap_check "an edited program: exactly its tasks run again" program
tap_check "an edited file among the arguments: the same" argument
tap_check "a program that is found through PATH: the same" found_in_path
tap_check "another identity: the same" identity
tap_check "a program that is gone: its tasks run and say so, until it is back" vanished

# --- by force ---

# forced OPTION COUNT: so many run again, each recorded anew, and the list says it before.
forced()
{
    exits 0 sweep own.cfg --output res "$1" --dry-run &&
        tap_same "$(grep -c ' forced$' out)" "$2" && tap_same "$(grep -c ' done$' out)" $((10 - $2)) &&
        sweeps 0 &&
        exits 0 sweep own.cfg --output res "$1" &&
        tap_says out "^own +10 +$((10 - $2)) +$2 " &&
        tap_says err "^arenabench: $2 tasks run again: forced\$" && sweeps 0 &&
        tap_same "$(wc -l <res/own.csv)" 11
}

# What has never run is no repetition.
forced_and_new()
{
    exits 0 sweep own.cfg --output fresh --force=naive &&
        tap_says out '^own +10 +0 +10 ' && tap_says err '^arenabench: 0 tasks run again: forced$'
}

unmatched()
{
    exits 2 sweep own.cfg --output res --force=naiv &&
        tap_says err '^arenabench: sweep: --force=naiv: expected the name of an experiment' &&
        [ ! -s out ] && sweeps 0
}

# A forced sweep that is killed while it waits for the file go: what it has done stays,
# the rest still has to run again.
killed()
{
    printf '[ -e go ] || { : >waits; sleep 60; }; exec ./plan.sh\n' >wait.sh
    sed 's/"naive"/"naive", "exec:sh wait.sh"/' own.cfg >kill.cfg
    : >go
    exits 0 sweep kill.cfg --output res || return 1
    rm -f go
    "$arenabench" sweep kill.cfg --output res --jobs 1 --force >/dev/null 2>&1 &
    sweeping=$!
    await test -e waits && kill -KILL "$sweeping"
    { wait "$sweeping"; } 2>/dev/null
    : >go
    exits 0 sweep kill.cfg --output res && tap_says out '^own +12 +1 +11 '
}

tap_check "--force runs all again" forced --force 10
tap_check "--force=CONTESTANT those of one" forced --force=naive 2
tap_check "with its parameters too" forced '--force=exec:awk*' 2
tap_check "or of all of that name" forced --force=exec 8
tap_check "--force=WORKLOAD those on it" forced '--force=uniform:*seed=2' 5
tap_check "--force=EXPERIMENT those of it" forced --force=own 10
tap_check "what is new only runs" forced_and_new
tap_check "a pattern that matches nothing is refused" unmatched
tap_check "a forced sweep that was killed goes on where it stopped" killed

# --- processor time ---

# limits NOW OPTION...: a sweep with the options runs so many tasks now.
limits()
{
    now=$1
    shift
    exits 0 sweep three.csv --solvers naive --output limits "$@" &&
        tap_says out "^adhoc +1 +$((1 - now)) +$now "
}

of_their_own()
{
    limits 1 && limits 1 --cpu-limit 5 && limits 0 --cpu-limit 5 && limits 1 --cpu-limit 6 &&
        limits 0
}

ends_a_search()
{
    exits 1 solve three.csv --time-limit 100 --cpu-limit 0.1 \
        --solver 'exec:while :; do :; done' &&
        tap_says err 'timeout, .*killed at the limit of processor time'
}

tap_check "tasks with another limit of processor time are others" of_their_own
tap_check "--cpu-limit ends a program" ends_a_search
tap_done
