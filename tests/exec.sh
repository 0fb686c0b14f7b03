#!/bin/sh
# Programs of the user's own: nothing of them outlives a run, whatever they say
# stays small, and a sweep knows which program made a result.
# shellcheck disable=SC2317 # functions are called through tap_check
# shellcheck disable=SC2016 # what stands in single quotes is for the commands' shell
set -u
. "${top_srcdir:?}/tests/tap.sh"

arenabench=$(cd "${top_builddir:?}" && pwd)/arenabench
cd "$tap_scratch" || exit 99
unset ARENABENCH_DATA

printf 'id,lower,upper,size\na,0,2,10\nb,2,4,7\nc,1,3,5\n' >three.csv
plan='id,offset\na,0\nb,0\nc,10\n'

says()
{
    grep -qE -- "$2" "$1" || {
        echo "expected '$2' in $1:"
        head -c 2000 "$1"
        return 1
    }
}

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
    tap_exits 0 "$arenabench" solve three.csv --solver "exec:$(daemon "printf '$plan'")" &&
        no_daemon
}

after_the_limit()
{
    rm -f daemon
    tap_exits 1 "$arenabench" solve three.csv --time-limit 0.5 \
        --solver "exec:$(daemon "trap '' TERM; sleep 300; :")" && no_daemon
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
tap_check "a daemon is gone after a SIGKILL of ours" after_a_kill

# --- standard error ---

talker()
{
    tap_exits 1 "$arenabench" solve three.csv --time-limit 0.5 \
        --solver 'exec:yes "no luck today" >&2' &&
        says err 'still running; it said: no luck today\)$' &&
        tap_same "$(($(wc -c <err) < 1000))" 1
}

tap_check "of endless talk on standard error the last line is shown" talker
tap_done
