# SPDX-License-Identifier: GPL-3.0-or-later
# What a command of the program does, for test scripts, to be sourced with tap.sh:
#
#   tap_command=solve; . "${top_srcdir:?}/tests/support/command.sh"
#   tap_check "an unknown solver" refuses "unknown solver 'no'" three.csv --solver no
#
# They work in the scratch folder from then on.
#
# shellcheck shell=sh
# shellcheck disable=SC2086,SC2154 # tap_command may be empty, for any; whoever sources this sets it

arenabench=$(cd "${top_builddir:?}" && pwd)/arenabench
cd "$tap_scratch" || exit 99

# has TEXT FILE: the text is in it, which may be several lines.
has()
{
    case $(cat "$2") in *"$1"*) ;; *) false ;; esac || {
        echo "expected '$1' in $2:"
        head -c 4000 "$2"
        return 1
    }
}

# exits STATUS ARGUMENT...: the command ends so, and leaves the files out and err.
exits()
{
    wanted=$1
    shift
    tap_exits "$wanted" "$arenabench" ${tap_command-} "$@"
}

# prints TEXT ARGUMENT...: it succeeds with TEXT in its output.
prints()
{
    text=$1
    shift
    exits 0 "$@" && has "$text" out
}

# quiet TEXT ARGUMENT...: and without a message.
quiet()
{
    prints "$@" && tap_same "$(cat err)" ''
}

# says TEXT ARGUMENT...: it succeeds with TEXT among its messages.
says()
{
    text=$1
    shift
    exits 0 "$@" && has "$text" err
}

# fails TEXT ARGUMENT...: status 1 with TEXT among its messages.
fails()
{
    text=$1
    shift
    exits 1 "$@" && has "$text" err
}

# refuses TEXT ARGUMENT...: status 2 with TEXT among its messages, and no output.
refuses()
{
    text=$1
    shift
    exits 2 "$@" && has "$text" err && tap_same "$(cat out)" ''
}
