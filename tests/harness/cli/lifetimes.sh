#!/bin/sh
# arenabench lifetimes: what it says beside the instance.
set -u
. "${top_srcdir:?}/tests/support/tap.sh"

arenabench=${top_builddir:?}/arenabench
cd "$tap_scratch" || exit 99

# has TEXT FILE: the text is in it.
has()
{
    grep -qF -- "$1" "$2" || {
        echo "expected '$1' in:"
        cat "$2"
        return 1
    }
}

# prints TEXT ARGUMENT...: it succeeds with TEXT in its output.
prints()
{
    text=$1
    shift
    tap_exits 0 "$arenabench" lifetimes "$@" && has "$text" out
}

# quiet TEXT ARGUMENT...: and without a message.
quiet()
{
    prints "$@" && tap_same "$(cat err)" ''
}

# says TEXT ARGUMENT...: it succeeds with TEXT as its message.
says()
{
    text=$1
    shift
    tap_exits 0 "$arenabench" lifetimes "$@" && has "$text" err
}

# refuses TEXT ARGUMENT...: status 2 with TEXT as its message, and no output.
refuses()
{
    text=$1
    shift
    tap_exits 2 "$arenabench" lifetimes "$@" && has "$text" err && tap_same "$(cat out)" ''
}

# --- nothing that counts ---

printf '7767517\n2 2\nInput x 0 1 x 0=4 1=4 2=3\nReLU r 1 1 x y\n' >relu.param
printf 'id,lower,upper,size\n' >empty.csv
tap_check "all values are inputs and outputs: io=both would count them" says \
    "relu.param: no buffers: all values are the network's inputs and outputs, or stored in it; \
io=both counts inputs and outputs" relu.param
tap_check "so where weights count, and there are none" says "io=both counts" relu.param:weights=on
tap_check "where both count, nothing is said" quiet "x,0,1,192" relu.param:io=both
tap_check "nor where there are buffers" quiet "conv1,0,2," resnet50
tap_check "nor of a file that has none" quiet "id,lower,upper,size" empty.csv

tap_done
