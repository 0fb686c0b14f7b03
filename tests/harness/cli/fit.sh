#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# fit: what goes to which memory, what that costs, and what is said where it does not fit.
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
tap_command=fit
. "$top_srcdir/tests/support/command.sh"

cat >three.csv <<'EOF'
id,lower,upper,size,reads,writes,memories
a,0,2,6,60,6,
b,1,3,6,6,6,
c,2,4,8,8,8,slow
EOF
printf 'id,lower,upper,size\nA,0,1,90\nB,1,3,30\nX,0,3,20\n' >pool.csv
two='--memory fast=8,read=1,write=1 --memory slow,read=10,write=10'

# shellcheck disable=SC2086
{
    tap_check "a goes to the fast memory" prints "fast,8,1,6,60,6,66,," three.csv $two --format csv
    tap_check "and b to the slow one, beside c" prints "slow,,2,14,14,14,280,," three.csv $two --format csv
    tap_check "which costs least" prints "all,,3,,74,20,346,346,optimal" three.csv $two --format csv
    tap_check "as a sentence" prints "It fits, and no split costs less; 29.8 % of the traffic is outside of fast." \
        three.csv $two
    tap_check "bytes that the instance says" prints "Traffic: bytes as the instance says." three.csv $two
    tap_check "what programs read" prints '"memory": "fast", "capacity_bytes": 8, "buffers": 1, "peak_bytes": 6' \
        three.csv $two --format json
    tap_check "the offsets are written" quiet '' three.csv $two --format csv --output split.csv
    tap_check "with the memory of each" tap_same "$(cat split.csv)" "id,lower,upper,size,memory,offset
a,0,2,6,fast,0
b,1,3,6,slow,8
c,2,4,8,slow,0"
    tap_check "such a file is judged" prints "all,,3,,74,20,346,346,optimal" three.csv $two --format csv \
        --judge split.csv
    sed 's/^b,1,3,6,slow,8/b,1,3,6,slow,20/; s/^a,0,2,6,fast,0/a,0,2,6,slow,12/' split.csv >dear.csv
    tap_check "a dearer one is no optimum" prints "all,,3,,74,20,940,346,feasible" three.csv $two --format csv \
        --judge dear.csv
    sed 's/slow,8/slow,7/' split.csv >wrong.csv
    tap_check "one that is not valid" fails "wrong.csv is not valid: memory 'slow': " three.csv $two \
        --judge wrong.csv
    sed 's/^c,.*/c,2,4,8,middle,0/' split.csv >middle.csv
    tap_check "a memory that was not given" \
        refuses "middle.csv:4:9: no memory 'middle' was given; expected one of them" three.csv $two \
        --judge middle.csv
    sed 's/^c/d/' split.csv >other.csv
    tap_check "another buffer" refuses "other.csv:4:1: not a split of this instance: it has no buffer 'd'" \
        three.csv $two --judge other.csv
    sed '$d' split.csv >short.csv
    tap_check "a buffer is missing" refuses "short.csv:4:1: the split ends without the buffer 'c'" three.csv $two \
        --judge short.csv
    sed 's/^c,.*/b,1,3,6,slow,8/' split.csv >twice.csv
    tap_check "one stands twice" refuses "twice.csv:4:1: the buffer 'b' is already in line 3" three.csv $two \
        --judge twice.csv
    tap_command=verify
    tap_check "verify judges a split" prints "valid: cost 346, 29.8 % of the traffic outside of fast" three.csv split.csv $two
    tap_check "... and says what is wrong" exits 1 three.csv wrong.csv $two
    tap_check "... of one" refuses "memories are for one split" results $two
    tap_check "... and of no table of optima" refuses "memories are for one split" three.csv split.csv $two \
        --certificate x --optima y
    tap_check "... which has memories" refuses "no column 'memory'" three.csv three.csv $two
    tap_command=draw
    tap_check "one split is drawn" refuses "wrong.csv: one split at a time" three.csv split.csv wrong.csv $two
    tap_check "a split is no page" refuses "there is no page" three.csv split.csv $two --output split.html
    tap_command=fit
    tap_check "nor of fit" refuses "--draw x.html: the name must end in .svg, .png or .pdf" three.csv $two --draw x.html
    tap_check "planners make no files" refuses "--planner compares costs" three.csv $two --planner all --draw x.svg
    tap_check "a curve is no split" refuses "expected no --capacity-curve" three.csv $two --capacity-curve 3 --output x
    if command -v gnuplot >/dev/null; then
        tap_check "a picture" quiet '' three.csv $two --format csv --draw fit.svg
        tap_check "of the curve" quiet '' pool.csv $two --format csv --capacity-curve 5 --draw curve.svg
        tap_check "a picture of the file" sh -c "'$arenabench' draw three.csv split.csv $two >drawn.svg"
        tap_check "is the same" cmp fit.svg drawn.svg
        tap_check "with a memory's peak" grep -q "peak 14 bytes" drawn.svg
        tap_check "and its capacity" grep -q "capacity: 8 bytes" drawn.svg
        tap_check "corners have names" grep -q "Nothing outside" curve.svg
    else
        tap_skip "there is no gnuplot"
    fi
    tap_check "no such file" refuses "none.csv: No such file" three.csv $two --judge none.csv
    tap_check "a curve" prints "capacity,cost,lower_bound,outside,status" three.csv $two --capacity-curve 2 \
        --format csv
}
# shellcheck disable=SC2086
{
    tap_check "planners beside each other" prints "exchange,heuristic,346,0.00,29.79," three.csv $two --format csv \
        --planner all
    tap_check "what is shipped looks at no cost" prints "executorch,shipped,832,140.46,87.23," three.csv $two \
        --format csv --planner executorch
    tap_check "the cheapest first" sh -c "'$arenabench' fit three.csv $two --format csv --planner executorch \
        --planner by-saving | cut -d, -f1 | tr '\n' ' ' | grep -qx 'planner by-saving executorch '"
    tap_check "a planner that is none" refuses \
        "unknown planner for several memories 'bender' (did you mean 'benders'?)" three.csv $two --planner bender
    tap_check "a plan that overlaps is invalid" prints "tvm-size:upstream=on: memory 'fast': buffers " pool.csv \
        --memory fast=100 --memory slow --planner tvm-size:upstream=on --planner tvm-size
}
tap_check "a share of the load" prints "fast,7,1,6,60,6,66,," three.csv --memory fast=50%,read=1,write=1 \
    --memory slow,read=10,write=10 --format csv
tap_check "a reserved range above it" refuses "memory 'fast', of 7 bytes: a reserved range ends above the capacity" \
    three.csv --memory fast=50%,reserve=0+8 --memory slow
printf '# of a test\nfast=8, # small\n' >bad.chip
printf '# of a test\nfast=8,read=1,write=1 # small\n\n  slow,read=10,write=10\n' >good.chip
tap_check "a chip's memories are those of a file" prints "all,,3,,74,20,346,346,optimal" three.csv --format csv \
    --chip good.chip
tap_check "with a wrong line" refuses "bad.chip:2: memory 'fast=8,': ''" three.csv --chip bad.chip
tap_check "a file that is not there" refuses "none.chip: cannot open" three.csv --chip none.chip
tap_check "a chip that nobody knows" refuses "no chip 'none'; expected ethos-u65" three.csv --chip none
for chip in ethos-u65 npu-energy stm32h743; do
    tap_check "$chip" prints "It fits" pool.csv --chip $chip
done
tap_check "without costs a byte costs 1 outside of the first memory" prints "all,,3,,74,20,16,16,optimal" \
    three.csv --memory fast=12 --memory slow --format csv
tap_check "a network's bytes are counted" prints "bytes as the network's operators read and write them" \
    squeezenet1_1 --memory fast=1MiB --memory slow
tap_check "its curve says where nothing is left outside" \
    prints "Nothing of the traffic outside of fast: from " squeezenet1_1 --memory fast --memory slow \
    --capacity-curve 10

# b and c can't be together beside the reserved byte, nor c and d: so one of them is outside.
printf 'id,lower,upper,size,reads\nb,0,2,6,100\nc,0,2,8,100\nd,0,2,7,50\n' >cuts.csv
held='--memory fast=19,reserve=5+1 --memory slow,read=1'
# shellcheck disable=SC2086
{
    tap_check "a bound has a certificate" quiet '' cuts.csv $held --format csv --output held.csv --certificate held.cuts
    tap_check "of sets that can't be together" grep -q "^1,fast,19,c" held.cuts
    tap_command=verify
    tap_check "which is checked" prints "certificate: no split costs less than 100; this one is optimal" cuts.csv \
        held.csv $held --certificate held.cuts
    head -1 held.cuts >none.cuts
    tap_check "without them less is proven" prints "certificate: no split costs less than 50
checked: 0 sets" cuts.csv held.csv $held --certificate none.cuts
    printf 'cut,memory,capacity,id\n1,fast,19,b\n1,fast,19,d\n' >false.cuts
    tap_check "a false one is refused" exits 1 cuts.csv held.csv $held --certificate false.cuts
    tap_check "with the reason" has "refused: cut 1: its buffers can be together in memory 'fast'" out
    sed 's/,19,/,18,/' held.cuts >small.cuts
    tap_check "one of a smaller memory, too" exits 1 cuts.csv held.csv $held --certificate small.cuts
    printf 'cut,memory,capacity,id\n1,fast,19,x\n' >bad.cuts
    tap_check "a buffer that there is not" refuses "bad.cuts:2:11: no buffer 'x'" cuts.csv held.csv $held \
        --certificate bad.cuts
    tap_command=fit
    tap_check "moves have none" refuses "--certificate is of the split" cuts.csv $held --moves --certificate x
}
cat >moves.csv <<'EOF'
id,lower,upper,size,accesses
a,0,10,10,0+1+2+8+9
b,3,7,10,3+4+5+6
EOF
sed '1s/size,/size,reads,writes,/; s/,10,0+/,10,14,4,0+/; s/,10,3+/,10,6,2,3+/' moves.csv >shared.csv
room='--memory fast=10,read=1,write=1 --memory slow,read=10,write=10'
# shellcheck disable=SC2086
{
    tap_check "what stays" prints "stays,450,450,0,0,optimal" moves.csv $room --moves --format csv
    tap_check "and what moves" prints "moves,310,310,2,20,optimal" moves.csv $room --moves --format csv
    tap_check "... saves" prints "Moves save 31.1 %." moves.csv $room --moves
    tap_check "accesses are bytes of the buffer" prints "all,,2,,70,20,450,450,optimal" moves.csv $room --format csv
    tap_check "or share those that are said" prints "stays,98,98,0,0,optimal" shared.csv $room --moves --format csv
    tap_check "a buffer that is used twice does not move" prints "Moves save nothing." pool.csv $room --moves
    tap_check "one thing at a time" refuses "--moves: expected no --capacity-curve" moves.csv $room --moves \
        --capacity-curve 3
    tap_check "stays are written" quiet '' moves.csv $room --moves --format csv --output stays.csv
    tap_check "... each with its steps, memory and offset" tap_same "$(grep -v slow stays.csv)" \
        "id,lower,upper,size,memory,offset
a@0,0,3,10,fast,0
a@8,8,10,10,fast,0
b@3,3,7,10,fast,0"
    if command -v gnuplot >/dev/null; then
        tap_check "and drawn" quiet '' moves.csv $room --moves --format csv --draw stays.svg
        tap_check "... with their names" grep -q "a@8" stays.svg
    else
        tap_skip "there is no gnuplot"
    fi
}
tap_check "accesses are kept" tap_same "$("$arenabench" lifetimes moves.csv)" "$(cat moves.csv)"
tap_command=lifetimes
for wrong in 1+2/11 0+/11 0+x/13 0++3/13 +0/11 0+12/13 0+3+3/15; do
    sed "2s/0+.*/${wrong%/*}/" moves.csv >bad.csv
    tap_check "accesses ${wrong%/*}" refuses "bad.csv:2:${wrong#*/}: " bad.csv
done
tap_command=fit

tap_check "a buffer that is too large is named" \
    fails "fit: three.csv does not fit: buffer 'c' of 8 bytes is larger than each memory that it may lie in" \
    three.csv --memory slow=7
tap_check "a step at which there are too many bytes" \
    fails "at one step 14 bytes are in use, and all memories together have 13" three.csv --memory slow=13
tap_check "and nothing is written" test ! -e none.csv
tap_check "a memory that nobody gave" \
    refuses "buffers may lie in a memory 'slow'; expected it among those given (--memory)" \
    three.csv --memory fast=8
tap_check "no memory" refuses "fit: no memory; expected --chip NAME, or --memory NAME=CAPACITY" three.csv
tap_check "two of one name" refuses "there is a memory 'slow' already" three.csv --memory slow --memory slow=3
tap_check "a capacity that is none" refuses "memory 'slow=4XB': the capacity '4XB'; expected bytes" \
    three.csv --memory slow=4XB
sed 's/60,6,$/60,-6,/' three.csv >negative.csv
tap_check "bytes below 0" refuses "negative.csv:2:12: " negative.csv --memory slow
sed 's/60,6,$/60,6,slow+/' three.csv >names.csv
tap_check "a memory without a name" refuses "names.csv:2:14: expected names of up to 32 memories" \
    names.csv --memory slow
printf 'id,lower,upper,size,offset\na,0,2,6,0\n' >fixed.csv
tap_check "fixed offsets" refuses "fixed offsets, which do not say in which memory" fixed.csv:fixed=on --memory slow
tap_check "columns of several memories are kept" tap_same "$("$arenabench" lifetimes three.csv)" "$(cat three.csv)"
tap_done
