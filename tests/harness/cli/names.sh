#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Names from elsewhere that are orders to a terminal, or quotes and markup to gnuplot, LaTeX and a
# browser: of operators, values, buffers, files, folders and planners.  Each command tells the same
# lines of them as of plain names, and no byte that a terminal obeys.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
arenabench=$(cd "${top_builddir:?}" && pwd)/arenabench
ARENABENCH_DATA=
LC_ALL=C
export ARENABENCH_DATA LC_ALL
cd "$tap_scratch" || exit 99

# --- an ONNX file: x -> Relu -> middle value -> Relu -> y ---

byte()
{
    printf '%b' "\\0$(printf %03o "$1")"
}
# Standard input as field $1 of a message.
field()
{
    part=$(mktemp part.XXXXXX)
    cat >"$part"
    size=$(wc -c <"$part")
    byte $(($1 * 8 + 2))
    if [ "$size" -lt 128 ]; then
        byte "$size"
    else
        byte $((size % 128 + 128))
        byte $((size / 128))
    fi
    cat "$part"
    rm "$part"
}
text()
{
    printf '%s' "$2" | field "$1"
}
# A tensor of 8 floats, whose name is $1.
tensor()
{
    text 1 "$1"
    { { byte 8; byte 1; { byte 8; byte 8; } | field 1 | field 2; } | field 1; } | field 2
}
# relu INPUT OUTPUT NAME
relu()
{
    { text 1 "$1"; text 2 "$2"; text 3 "$3"; text 4 Relu; } | field 1
}
# model OPERATOR VALUE
model()
{
    {
        relu x "$2" "$1"
        relu "$2" y "${1}2"
        text 2 graph
        tensor x | field 11
        tensor y | field 12
    } >graph
    byte 8
    byte 8
    field 7 <graph
    { byte 16; byte 13; } | field 8
}

# A new colour, a title of the window, a line of its own, the start of the line, backspace, C1 as
# UTF-8, an override of the direction and bytes that are no UTF-8.
orders=$(printf '\033[31m\033]0;owned\007\nvalid peak 1\r\b\302\233m\342\200\256\377')

# Bytes that a terminal obeys, or that are no UTF-8.
obeyed()
{
    grep -n -e "[$(printf '\001')-$(printf '\010')$(printf '\013')-$(printf '\037')$(printf '\177')]" \
        -e "$(printf '\302')[$(printf '\200')-$(printf '\237')]" -e "$(printf '\342\200\256')" \
        -e "$(printf '\377')" "$@" /dev/null
}

# shown TEXT STATUS COMMAND...: what COMMAND says in the folder with hostile names, on both outputs,
# is as many lines as in the one with plain names, none of which is an order.
shown()
{
    told=$1
    status=$2
    shift 2
    for kind in plain hostile; do
        # shellcheck disable=SC1090 # is written below
        . "./$kind/names"
        eval "\"\$arenabench\" $*" >"$kind.out" 2>"$kind.err"
        got=$?
        [ $got -eq "$status" ] || {
            echo "exit status $got, expected $status: $*"
            cat "$kind.out" "$kind.err"
            return 1
        }
    done
    if obeyed hostile.out hostile.err; then
        return 1
    fi
    tap_same "$(wc -l <hostile.out) $(wc -l <hostile.err)" "$(wc -l <plain.out) $(wc -l <plain.err)" &&
        cat hostile.out hostile.err | grep -q -F -- "$told"
}

mkdir plain hostile
model op v >plain/model.onnx
model "'op$orders" "v$orders" >"hostile/model$orders.onnx"
cat >plain/names <<'END'
file=plain/model.onnx op=op value=v csv=plain/i.csv plan=plain/p.csv folder=plain/folder
END
cat >hostile/names <<'END'
file=hostile/model$orders.onnx op=\'op$orders value=v$orders csv=hostile/i$orders.csv
plan=hostile/p$orders.csv folder=hostile/folder$orders
END
for kind in plain hostile; do
    # shellcheck disable=SC1090,SC2154 # csv, plan, folder and others are set there
    . "./$kind/names"
    # shellcheck disable=SC2154
    printf 'id,lower,upper,size\na,0,2,10\nb,1,3,5\n' >"$csv"
    # shellcheck disable=SC2154
    printf 'id,offset\na,0\nb,10\n' >"$plan"
done

# shellcheck disable=SC2016 # names are of the folder that is looked at
{
    escaped='\x1b[31m\x1b]0;owned\x07\nvalid peak 1\r\x08\u009bm\u202e\xff'
    tap_check "the summary" shown "'op$escaped' (relu)" 0 'lifetimes --summary "$file:io=both"'
    tap_check "a value that is explained" shown "'v$escaped'" 0 \
        'lifetimes --explain "$value" "$file:io=both"'
    tap_check "... or is none" shown "'no$escaped'" 2 'lifetimes --explain "no${value#v}" "$file"'
    tap_check "an operator in its place" shown "is an operator (relu)" 2 \
        'lifetimes --explain "$op" "$file"'
    tap_check "bounds" shown "model$escaped.onnx" 0 'bounds "$file:io=both" "$csv"'
    tap_check "fit" shown "model$escaped.onnx" 1 'fit "$file:io=both" --memory fast=1'
    tap_check "hazards" shown "i$escaped.csv" 2 'hazards "$csv" --pairs "$csv"'
    tap_check "trace" shown "i$escaped.csv" 2 'trace "$csv"'
    tap_check "a schedule" shown "model$escaped.onnx" 0 'schedule "$file"'
    tap_check "a run by operator" shown "op$escaped" 0 'run --profile "$file"'
    tap_check "solve" shown "model$escaped.onnx" 0 'solve "$file:io=both" --solver naive'
    tap_check "compare" shown "i$escaped.csv" 0 'compare "$csv" --solvers naive,greedy-by-size'
    tap_check "a planner of one's own" shown "exec:sh no$escaped" 1 \
        'compare "$csv" --solvers "exec:sh no${value#v}"'
    tap_check "a file that is not there" shown "no$escaped.csv" 2 'bounds "no${value#v}.csv"'
    tap_check "a parameter" shown "no$escaped" 2 'bounds "$file:no${value#v}=1"'
    tap_check "an option" shown "no$escaped" 2 'bounds "--no${value#v}" "$file"'
    tap_check "a command" shown "no$escaped" 2 '"no${value#v}"'
    tap_check "a plan that is valid" shown "valid: peak 15" 0 'verify "$csv" "$plan"'
    tap_check "... or can't be read" shown "p$escaped.csv" 2 'verify "$csv" "no$plan"'
    tap_check "a sweep" shown "results in hostile/folder$escaped" 0 \
        'sweep "$file" "$csv" --solvers naive,greedy-by-size --output "$folder"'
    tap_check "its plans" shown "model$escaped.onnx" 0 'plans "$folder"'
    tap_check "the same sweep compared with itself" shown "runs in both" 0 'diff "$folder" "$folder"'
    tap_check "its report" shown "" 0 'report "$folder"'
}
if command -v gnuplot >/dev/null; then
    tap_check "a picture" tap_exits 0 "$arenabench" draw "$csv" "$plan"
    tap_check "... has the name" grep -q -F "<text>hostile/i$escaped.csv, hostile/" out
    tap_check "... and no order" tap_nothing obeyed out
else
    tap_skip "gnuplot is not installed"
fi
# shellcheck disable=SC2154
tap_check "CSV keeps the bytes" grep -q -F "$(printf '\033')[31m" "$folder/adhoc.csv"
if command -v python3 >/dev/null; then
    tap_check "JSON is JSON" sh -c \
        '"$0" bounds "$1" --format json | python3 -c "import json, sys; json.loads(sys.stdin.buffer.read().decode())"' \
        "$arenabench" "$csv"
else
    tap_skip "python3 is not here"
fi
tap_check "no order on the page and in texts" tap_nothing obeyed "$folder/report.html" "$folder"/tables/*.t?? \
    "$folder"/figures/*.txt
tap_done
