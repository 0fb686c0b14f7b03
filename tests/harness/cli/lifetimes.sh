#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# arenabench lifetimes: what it says beside the instance.
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
tap_command=lifetimes
. "$top_srcdir/tests/support/command.sh"

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

# --- explanations ---

cat >small.param <<'END'
7767517
5 5
Input            in   0 1 in 0=4 1=4 2=2
ReLU             la   1 1 in a
Reshape          lb   1 1 a b 0=32
Softmax          lc   1 1 b c
ReLU             ld   1 1 c d
END
printf 'id,lower,upper,size,gaps\na,0,2,10,\nb,1,9,7,4-6\n' >some.csv

# explains NAME SPEC TEXT: that is all it says.
explains()
{
    tap_exits 0 "$arenabench" lifetimes --explain "$1" "$2" && tap_same "$(cat out)" "$3"
}

tap_check "a value that has a buffer of its own" explains c small.param \
    "'c': an intermediate value, 32 elements of 4 bytes
buffer 'c': 128 bytes, in the steps [2, 4)
  holds 'c' from byte 0 on
    made:   at step 2 by 'lc' (softmax)
    read:   at step 3 by 'ld' (relu)
so the first step that needs it is 2 and the last 3: lower 2, upper 4"
tap_check "one that is an alias" explains b small.param:alias=on \
    "'b': an intermediate value, 32 elements of 4 bytes
buffer 'a': 128 bytes, in the steps [0, 3)
  holds 'a' from byte 0 on
    made:   at step 0 by 'la' (relu)
    read:   at step 1 by 'lb' (reshape)
  holds 'b' from byte 0 on
    made:   at step 1 by 'lb' (reshape)
    read:   at step 2 by 'lc' (softmax)
    shares: it is the bytes of 'a', which its operator only hands on (alias=on)
so the first step that needs it is 0 and the last 2: lower 0, upper 3"
tap_check "one that is written over another" prints \
    "shares: it is written over 'b', which nobody reads afterwards (inplace=nnc)" \
    --explain c small.param:alias=on,inplace=nnc
tap_check "the pieces of its buffer" prints "bytes [0, 128) in the steps [2, 4)" \
    --explain c small.param:alias=on,inplace=nnc
tap_check "a part of a concatenation" prints "shares: it is a part of 'inception_3a/output', \
and lies there from the start (concat=place)" --explain inception_3a/relu_5x5 googlenet:concat=place
tap_check "a stretch of another value" prints \
    "shares: it is a stretch of 'stage2.0.shuffle.together', which its operator only hands on \
(inplace=megengine)" --explain stage2.1.chunk.1 shufflenet_v2_x1_0:inplace=megengine
tap_check "an input that does not count" explains in small.param \
    "'in': an input of the network, 1x2x4x4 elements of 4 bytes
    made:   before step 0, as it is an input of the network
    read:   at step 0 by 'la' (relu)
no buffer: inputs count with io=inputs or io=both"
tap_check "an output that does" prints "kept:   to the last step, 3, as it is an output" \
    --explain d small.param:io=both
tap_check "an output that does not" prints "outputs count with io=outputs" --explain d small.param
printf '7767517\n3 3\nInput in 0 1 in 0=4 1=4 2=2\nReshape r 1 1 in b 0=32\nReLU l 1 1 b y\n' >view.param
tap_check "an alias of one that does not" prints "no buffer: it shares the memory of an input" \
    --explain b view.param:alias=on
tap_check "a weight that does not" prints "no buffer: what is stored counts with weights=on" \
    --explain conv1.weight resnet50
tap_check "one that does lives for the whole run" prints "lower 0, upper 174" \
    --explain conv1.weight resnet50:weights=on
tap_check "a buffer that is no network's" explains b some.csv \
    "buffer 'b': 7 bytes, in the steps [1, 9)
    bytes [0, 7) in the steps [1, 4)
    bytes [0, 7) in the steps [6, 9)
the instance is a list of lifetimes: who makes and reads it is not known"
tap_check "one of a loop" prints "its network has loops or branches" --explain embedding lstm_lm
tap_check "an unknown value suggests the nearest" \
    refuses "unknown value or buffer 'layer1.0.bn9' (did you mean 'layer1.0.bn" \
    --explain layer1.0.bn9 resnet50
tap_check "each once" sh -c '"$0" lifetimes --explain relux resnet50 2>&1 |
    grep -qF "(did you mean '\''relu'\''?)"' "$arenabench"
tap_check "an unknown buffer" refuses "some.csv: unknown buffer 'z'" --explain z some.csv
tap_check "one thing at a time" refuses "expected one of --format, --explain and --summary" \
    --explain a --summary some.csv
tap_check "or the other" refuses "expected one of" --format csv --summary some.csv

# --- workspaces ---

# 64 channels x 9 taps x 56 x 56 floats; 36 x (64 + 64) x 14 x 14.
tap_check "a convolution's columns are there for its step" quiet \
    "layer1.0.conv2.workspace,7,8,7225344,64" resnet50:workspace=im2col
tap_check "what they are" prints "'layer1.0.conv2.workspace': the workspace of its operator, \
7225344 elements of 1 bytes" --explain layer1.0.conv2.workspace resnet50:workspace=im2col
tap_check "tiles, and what has none" says "resnet50:workspace=winograd: 40 of 53 convolutions are \
not done by winograd and get no workspace: 'conv1': expected a filter of 3 x 3, stride 1, no \
dilation, one group" resnet50:workspace=winograd
tap_check "in one line" tap_same "$(wc -l <err)" 1
tap_check "where there are tiles" has "layer1.0.conv2.workspace,7,8,3612672,64" out
tap_check "a kernel that asks for nothing" quiet "conv1,0,2," resnet50:workspace=mgemm
tap_check "so nothing is added" tap_same "$(grep -c workspace out)" 0
tap_check "without convolutions there is nothing to say" quiet "id,lower" gpt2:seq=8,workspace=winograd
tap_check "an unknown kernel" refuses "lifetimes: resnet50: workspace=mgemn: expected none, im2col, \
winograd or a kernel: unknown kernel 'mgemn' (did you mean 'mgemm'?)" resnet50:workspace=mgemn
tap_check "no kernel at all" refuses "workspace=: expected none, im2col" resnet50:workspace=
tap_check "a list of lifetimes has no convolutions" refuses "unknown parameter 'workspace'" \
    some.csv:workspace=im2col

# Each buffer of a network, explained, has the steps that the instance has.
explained_as_written()
{
    tap_exits 0 "$arenabench" lifetimes "$1" && cp out all.csv || return 1
    sed 1d all.csv | while IFS=, read -r id lower upper _; do
        "$arenabench" lifetimes --explain "$id" "$1" | tail -n 1 |
            grep -qF ": lower $lower, upper $upper" || echo "$id"
    done
}
tap_check "explanations agree with the instance" \
    tap_nothing explained_as_written squeezenet1_1:io=both,inplace=nnc,concat=place

# --- summaries ---

tap_check "a summary" sh -c '"$0" lifetimes --summary small.param >out && cat out' "$arenabench"
tap_check "is all there is" tap_same "$(cat out)" "small.param
operators: 4, in 4 steps
values: 5 (inputs: 1, outputs: 1, stored: 0)
buffers: 3, 384 bytes in all
load: 256 bytes, in use at step 1, in which 'lb' (reshape) runs; no plan needs less
width: 2 buffers, alive at step 1, in which 'lb' (reshape) runs

Alive at step 1, the fullest:
buffer  lower  upper  in_use  share
a           0      2     128  50.0%
b           1      3     128  50.0%

The largest buffers, and their share of all bytes:
buffer  lower  upper  size  share
a           0      2   128  33.3%
b           1      3   128  33.3%
c           2      4   128  33.3%"
cat >steps.csv <<'END'
id,lower,upper,size
big,0,2,100
x,3,5,10
y,3,4,20
z,4,6,30
END
tap_check "the fullest step is not the widest" prints \
    "load: 100 bytes, in use at step 0; no plan needs less
width: 2 buffers, alive at step 3
" --summary steps.csv
tap_check "what is alive at the widest" prints "Alive at step 3, the widest:
buffer  lower  upper  in_use  share
y           3      4      20  66.7%
x           3      5      10  33.3%" --summary steps.csv
printf 'id,lower,upper,size\na,0,2,1\nb,0,1,1\nc,3,5,9\nd,3,4,9\n' >twice.csv
tap_check "the fullest is the widest where it can be" prints \
    "width: 2 buffers, alive at step 3" --summary twice.csv
tap_check "ten are the largest" tap_same 10 \
    "$("$arenabench" lifetimes --summary resnet50 | sed '1,/^The largest/d;/^buffer/d' | grep -c .)"
same_figures()
{
    want=$("$arenabench" bounds --format csv "$1" | awk -F, 'NR == 1 {
        for (i = 1; i <= NF; i++) column[$i] = i }
        NR == 2 { print $column["load"], $column["width"] }')
    tap_same "$("$arenabench" lifetimes --summary "$1" | awk '
        $1 == "load:" { load = $2 } $1 == "width:" { print load, $2 }')" "$want"
}
# The first and the last part of a concatenation are there before the one between them: one buffer.
cat >parts.param <<'END'
7767517
9 9
Input   i1 0 1 i1 0=4 1=4 2=2
Input   i2 0 1 i2 0=4 1=4 2=2
Input   i3 0 1 i3 0=4 1=4 2=2
ReLU    la 1 1 i1 a
ReLU    lc 1 1 i2 c
ReLU    lt 1 1 i3 t
Sigmoid lb 1 1 t b
Concat  lx 3 1 a b c x 0=0
ReLU    ly 1 1 x y
END
for spec in parts.param:concat=place resnet50:inplace=megengine densenet121:concat=place lstm_lm some.csv; do
    tap_check "$spec: load and width are those of the bounds" same_figures $spec
done
tap_check "of nothing" prints "buffers: 0, 0 bytes in all" --summary empty.csv

# Its value has another name than the operator.
printf '%s\n' 7767517 '2 2' 'Input in 0 1 in 0=4 1=4 2=1' 'ReLU relu1 1 1 in out' >named.param
tap_check "an operator is no value, but known" refuses \
    "'relu1' is an operator (relu), it reads 'in' and makes 'out'; expected a value" \
    --explain relu1 named.param
tap_done
