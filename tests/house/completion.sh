#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What bash offers where a command of arenabench is not written to its end.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
arenabench=${top_builddir:?}/arenabench

command -v bash >/dev/null || tap_skip_all "bash is not here"
# By a name without blanks: a path may have some, which bash would have quoted.
cd "$tap_scratch" || exit 99
ln -s "$arenabench" arenabench
cat >"$tap_scratch/ask" <<'END'
. "$1/doc/completions/arenabench"
compopt() { :; } # which works inside of a completion alone
COMP_LINE=$2 COMP_POINT=${#2}
read -r -a COMP_WORDS <<<"$2"
_arenabench
printf '%s\n' "${COMPREPLY[@]}"
END

# What is offered for a line, sorted, with blanks between.
offered()
{
    bash "$tap_scratch/ask" "$top_srcdir" "./arenabench $1" | sort | tr '\n' ' '
}

offers()
{
    offered "$1" | tr ' ' '\n' | grep -qxF -e "$2" || {
        echo "not offered: $2, but: $(offered "$1")"
        return 1
    }
}

tap_check "commands" tap_same "$(offered '')" "$({
    "$arenabench" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
    printf '%s\n' help --help --version
} | sort | tr '\n' ' ')"
tap_check "the beginning of one" tap_same "$(offered co)" "compare conv "
tap_check "options" tap_same "$(offered 'solve resnet50 --so')" "--solver "
tap_check "the tables of list" tap_same "$(offered 'list ')" \
    "$("$arenabench" list --help | sed -n '1s/.* //p' | tr '|' '\n' | sort | tr '\n' ' ')"
tap_check "networks" offers "compare resn" resnet50
tap_check "generators" offers "bounds unif" uniform
tap_check "experiments" offers "sweep any" anytime
tap_check "parameters of a network: bash breaks words at the colon" offers "compare resnet50:fu" fuse=
tap_check "solvers" offers "solve x.csv --solver greedy" greedy-by-size
tap_check "sets of them" offers "compare x.csv --solvers @heu" @heuristics
tap_check "the next of a list" offers "compare x.csv --solvers naive,greedy" naive,greedy-by-size
tap_check "their parameters" offers "compare x.csv --solvers naive,path-cover:ch" choice=
tap_check "and the one after one with parameters" \
    offers "compare x.csv --solvers path-cover:choice=last,nai" last,naive
tap_check "words of options" tap_same "$(offered 'compare x.csv --format ')" "csv json text "
tap_check "widths" tap_same "$(offered 'report results --width ')" "column page "
for word in given gap time name; do
    tap_check "--sort $word is one" "$arenabench" compare uniform:n=3 --solvers naive --sort "$word"
    tap_check "and offered" offers "compare x --sort " "$word"
done
tap_done
