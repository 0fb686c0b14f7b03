#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The conv command: its table, its messages, its exit statuses.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
tap_command='conv --rounds 1'
. "$top_srcdir/tests/support/command.sh"

# skips TEXT ARGUMENT...: status 2 with TEXT among its messages, and a table without a row.
skips()
{
    text=$1
    shift
    exits 2 "$@" && has "$text" err && tap_same "$(wc -l <out)" 1
}

# field NAME: that column of the last row of the CSV table in out.
field()
{
    # A layer's own name has commas in it, and so have parameters.
    sed 's/"[^"]*"/text/g' out | awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
        END { print $at }'
}

header=layer,kernel,isa,threads,co,wo,gflops,peak_share,effective_share,max_error,workspace_bytes
header=$header,packed_bytes,time_s,ci,wf,hfil,rows,cco,order
header=$header,tune,predicted_gflops,settings,timed,model_regret,pack_s,convert_s,cci,low_s,high_s,fastest

"$arenabench" list kernels >kernels
tap_check "one layer" exits 0 c=9,h=11,w=12,k=20,r=3,s=3,pad=1 --isa generic --format csv
tap_check "the columns" tap_same "$(sed 1q out)" "$header"
tap_check "no workspace" tap_same "$(field workspace_bytes)" 0
tap_check "the error is small" awk "BEGIN { exit !($(field max_error) < 1e-4) }"
tap_check "the rate is there" awk "BEGIN { exit !($(field gflops) > 0) }"
tap_check "packing is timed" awk "BEGIN { exit !($(field pack_s) > 0) }"
tap_check "converting too" awk "BEGIN { exit !($(field convert_s) > 0) }"
tap_check "nothing was tuned" tap_same "$(field tune)$(field settings)$(field model_regret)" ""
tap_check "the peak is measured" awk "BEGIN { exit !($(field peak_share) > 0) }"
tap_check "parameters from options" exits 0 c=8,h=9,w=9,k=8,r=3,s=3 --isa generic --co 8 --wo 3 \
    --hfil outside --order co-tile --rows 1 --cco 16 --wf keep --ci 4 --format csv
tap_check "are those in the table" tap_same \
    "$(field co) $(field wo) $(field hfil) $(field rows) $(field cco) $(field wf) $(field ci)" \
    "8 3 outside 1 16 keep 4"
tap_check "parameters after the name" exits 0 c=8,h=9,w=9,k=8,r=3,s=3 --isa generic \
    --kernel mgemm:co=4,wo=5 --format csv
tap_check "are those in the table" tap_same "$(field co) $(field wo)" "4 5"
tap_check "strides and padding as pairs" exits 0 c=3,h=20,w=9,k=5,r=3,s=3,stride=2x1,pad=0x3
tap_check "all instruction sets" exits 0 c=8,h=9,w=9,k=8,r=3,s=3 --isa all
ARENABENCH_ISA=generic
export ARENABENCH_ISA
tap_check "ARENABENCH_ISA" exits 0 c=8,h=9,w=9,k=8,r=3,s=3 --format csv
tap_check "is followed" tap_same "$(field isa)" generic
unset ARENABENCH_ISA
printf '# some\n\nfirst c=3,h=8,w=8,k=4,r=3,s=3 # of two\nsecond c=4,h=8,w=8,k=4,r=1,s=1\n' >my.layers
tap_check "a list of one's own" exits 0 my.layers --format csv
tap_check "has its names" tap_same "$(cut -d, -f1 out | tr '\n' ' ')" "layer first second "
tap_check "a layer of a network" exits 0 squeezenet1_1:layer=fire2/squeeze1x1 --format csv
tiny=c=4,h=5,w=6,k=4,r=1,s=1
tap_check "parameters from the model" exits 0 $tiny --isa generic --tune model --format csv
tap_check "it says so" tap_same "$(field tune)$(field timed)$(field model_regret)" model
tap_check "with its prediction" awk "BEGIN { exit !($(field predicted_gflops) > 0) }"
tap_check "from the first few" exits 0 $tiny --isa generic --tune top:2 --format csv
tap_check "two were timed, and what mgemm takes by itself" tap_same \
    "$(field tune) $(field timed)" "top 3"
tap_check "the regret is there" awk "BEGIN { exit !($(field model_regret) >= 0) }"
tap_check "which is said" grep -q 'timed 3 of .* settings' err
tap_check "from all settings, in batches" exits 0 $tiny --isa generic --tune sweep --format csv
tap_check "all were timed" tap_same "$(field timed)" "$(field settings)"
tap_check "more than one batch" test "$(field settings)" -gt 12
tap_check "beside every kernel" exits 0 $tiny --isa generic --tune model --kernel all --format csv
tap_check "the peers are not tuned" tap_same "$(awk -F, '{ print $2 $(NF - 10) }' out | grep -c 'model$')" 1
tap_check "a depthwise layer" exits 0 c=8,h=9,w=9,k=8,r=3,s=3,groups=8 --isa generic --tune top --format csv
tap_check "has nothing to choose" tap_same "$(field tune)$(field settings)" ""
tap_check "a contestant that can't is skipped" skips 'wf=keep' c=8,h=9,w=9,k=8,r=1,s=1 --wf keep

tap_check "no argument" refuses expected
tap_check "no such network" refuses "unknown" no-such-thing
tap_check "a size is missing" refuses "'k'" c=3,h=8,w=8,r=3,s=3
tap_check "an empty output" refuses "output is empty" c=3,h=2,w=8,k=4,r=3,s=3
tap_check "sizes that overflow" refuses overflow \
    c=3000000000,h=3000000000,w=8,k=4,r=3,s=3
tap_check "more than the machine has" skips "MiB" c=30000,h=300000,w=80,k=4,r=3,s=3
for kernel in $(awk 'NR > 1 && !/ not built in: / { print $1 }' kernels); do
    tap_check "$kernel: more channels than can be counted" skips "skipped" \
        c=1,h=1,w=1,k=9223372036854775807,r=1,s=1 --kernel "$kernel"
    tap_check "$kernel: a row that no memory holds" skips "skipped" \
        c=1,h=1,w=2000000000000,k=1,r=1,s=1 --kernel "$kernel"
done
tap_check "tuning does not plan it either" skips "MiB" c=16,h=100000,w=100000,k=16,r=3,s=3 \
    --tune model
tap_check "strides past the end" exits 0 c=3,h=8,w=8,k=4,r=3,s=3,stride=9223372036854775807
tap_check "padding that overflows" refuses "overflow" c=3,h=8,w=8,k=4,r=3,s=3,pad=9223372036854775807
tap_check "dilation that overflows" refuses "overflow" \
    c=3,h=8,w=8,k=4,r=3,s=3,dilation=9223372036854775807
if grep -q '^SAN_FLAGS = *$' "$top_builddir/Makefile"; then
    # 2 GiB of tensors that the machine has, in a process that may not have them.
    limited()
    {
        # shellcheck disable=SC3045 # POSIX knows only -f; dash and bash know -v
        (ulimit -v 1000000 && skips "skipped: out of memory" c=64,h=2000,w=2000,k=64,r=1,s=1 \
            --isa generic)
    }
    tap_check "an allocation that fails" limited
else
    tap_skip "an allocation that fails: sanitizers need all addresses"
fi
for isa in avx2 avx512; do
    if grep '^mgemm' kernels | grep -q "$isa"; then
        tap_skip "this machine has $isa"
    else
        tap_check "an instruction set that the machine lacks: $isa" refuses "$isa" $tiny --isa $isa
    fi
done
# Its plan sees that the library keeps the instruction set; a row is there if so.
if grep -q '^libxsmm' kernels && grep '^mgemm' kernels | grep -q avx2; then
    tap_check "libxsmm takes AVX2 where there is AVX-512" exits 0 c=16,h=8,w=8,k=16,r=3,s=3 \
        --isa avx2 --kernel libxsmm --format csv
    tap_check "as its row says" tap_same "$(field isa)" avx2
else
    tap_skip "libxsmm is not built in, or this machine has no AVX2"
fi
tap_check "groups that do not divide" refuses "divide" c=3,h=8,w=8,k=4,r=3,s=3,groups=2
tap_check "a stride of zero" refuses "stride" c=3,h=8,w=8,k=4,r=3,s=3,stride=0
tap_check "a padding that is no number" refuses "pad=" c=3,h=8,w=8,k=4,r=3,s=3,pad=ax1
tap_check "a way of tuning" refuses "model, top, top:K or sweep" $tiny --tune best
tap_check "the first none" refuses "top:K" $tiny --tune top:0
tap_check "the first nonsense" refuses "top:K" $tiny --tune top:many
tap_check "parameters given and chosen" refuses "--co can't be given" $tiny --tune model --co 8
tap_check "given after the name and chosen" refuses "not of 'mgemm:co=8'" $tiny --tune model \
    --kernel mgemm:co=8
if grep -q '^onednn .*not built in' kernels; then
    tap_skip "tuning a peer: oneDNN is not built in"
else
    tap_check "tuning a peer" refuses "not of 'onednn'" $tiny --tune top --kernel onednn
fi
tap_check "tuning beside parameters of its own" refuses "not of 'mgemm:co=8'" $tiny --tune model \
    --kernel mgemm --kernel mgemm:co=8
kernels_of()
{
    "$arenabench" conv $tiny --isa generic --rounds 3 "$@" --format csv | sed 's/"[^"]*"/layer/' | cut -d, -f2,5 | tr '\n' ' '
}
tap_check "kernels that are named one by one, as they are called" tap_same \
    "$(kernels_of --kernel mgemm:co=4 --kernel mgemm:co=8)" "kernel,co mgemm:co=4,4 mgemm:co=8,8 "
# A library that configure did not find is known all the same.
"$arenabench" list kernels --format csv | grep ',not built in: ' | cut -d, -f1 >absent
while read -r name; do
    tap_check "$name is not unknown, but not built in" refuses "$name is not built in: " \
        c=3,h=8,w=8,k=4,r=3,s=3 --kernel "$name"
done <absent
tap_check "an unknown kernel" refuses "unknown kernel" c=3,h=8,w=8,k=4,r=3,s=3 --kernel nope
tap_check "a mistyped one" refuses "did you mean 'mgemm'?" c=3,h=8,w=8,k=4,r=3,s=3 --kernel mgem
tap_check "an unknown parameter" refuses "speed" c=3,h=8,w=8,k=4,r=3,s=3 --kernel mgemm:speed=2
tap_check "an unknown instruction set" refuses "instruction set" c=3,h=8,w=8,k=4,r=3,s=3 --isa z80
tap_check "no such layer" refuses "no layer" squeezenet1_1:layer=nope
printf 'first\n' >bad.layers
tap_check "a bad list, with its place" refuses "bad.layers:1" bad.layers
echo 'id,lower,upper,size' >lives.csv
tap_check "lifetimes, with what it takes" refuses "lives.csv:1:20: no column 'c'; expected a header such as c,h,w," \
    lives.csv
: >empty.layers
tap_check "an empty list" refuses "no layers" empty.layers
if script -qec true /dev/null >/dev/null 2>&1; then
    script -qec "'$arenabench' conv c=8,h=6,w=6,k=8,r=3,s=3,pad=1 --kernel all --isa generic --rounds 7" \
        /dev/null 2>/dev/null | tr -d '\r' >shown
    tap_check "at a terminal it says which is the fastest, no more" \
        grep -q '^layer  *kernel  *isa  *threads  *time ms  *gflops  *% of peak  *fastest *$' shown
    tap_check "... of each kernel" grep -qE '^c=8,h=6.* mgemm  *generic  *1  *[0-9.]+  *[0-9.]+  *[0-9.]+' shown
    if grep -q winograd shown; then
        # winograd_last: no direct kernel is below the heading, and above it nothing else.
        winograd_last()
        {
            awk '/^Winograd/ { below = 1 } / x direct *$/ { heads++ }
                 /^c=8.*(onednn-auto|onednn-winograd) / { if (!below) exit 2; rows++; next }
                 /^c=8/ { if (below) exit 3; direct++ }
                 END { exit !(below && heads == 1 && rows > 0 && direct > 0) }' shown &&
                grep -qE '^c=8.* onednn-auto .* [0-9]+[.][0-9][0-9] *$' shown
        }
        tap_check "... Winograd's apart, behind the direct ones" winograd_last
    else
        tap_skip "oneDNN is not built in"
    fi
else
    tap_skip "no pseudo-terminal can be had here"
fi
tap_done
