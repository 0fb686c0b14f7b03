#!/bin/sh
# What every figure keeps to, looked up in what is drawn: a small sweep of each experiment of
# planners, and each picture of its report.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"

arenabench=${top_builddir:?}/arenabench
style=$top_srcdir/plots/style.gp
ARENABENCH_DATA=
export ARENABENCH_DATA
LC_ALL=C
export LC_ALL

# The colours that plots/style.gp names, as "r,g,b ".
palette=$(sed -n 's/^array okabe.*\[\(.*\)\]$/\1/p' "$style" | tr -d "', " | tr '#' '\n' |
    while read -r colour; do
        [ -z "$colour" ] || printf '%d,%d,%d ' "0x$(echo "$colour" | cut -c1-2)" \
            "0x$(echo "$colour" | cut -c3-4)" "0x$(echo "$colour" | cut -c5-6)"
    done)

# What is wrong with a picture: text outside of it, text below 8 points (16 of the 144 units
# of an inch; a power's exponent may be smaller), a line or mark of a colour that is not in
# the palette and no grey, and more than seven colours of lines in a panel.  gnuplot's
# terminal writes an element a line; a panel is the letter behind a plot's number.
faults()
{
    for picture in "$@"; do
        awk -v palette=" $palette" -v name="${picture##*/}" '
            function wrong(what) { print name ": " what }
            function colour(text) {
                gsub(/[ rgb()]/, "", text)
                split(text, part, ",")
                if (part[1] == part[2] && part[2] == part[3])
                    return part[1] < 96 ? "0,0,0" : "grey"
                if (index(palette, " " text " ") == 0)
                    wrong("a colour that is not in the palette: " text)
                return text
            }
            # Both ends of a text that is WIDE from POSITION on, within 0 and END.
            function inside(position, wide, end, text) {
                if (anchor == "middle")
                    position -= wide / 2
                else if (anchor == "end")
                    position -= wide
                if (position < 0 || position + wide > end)
                    wrong("text outside of the picture: " text)
            }
            /viewBox=/ { split($0, box, /[" ]+/); width = box[5]; height = box[6] }
            /<g id="gnuplot_plot_/ {
                panel = $0
                sub(/.*gnuplot_plot_[0-9]*/, "", panel)
                sub(/".*/, "", panel)
            }
            /<path stroke=.rgb/ && panel != "" && /L/ {
                match($0, /rgb\([0-9, ]*\)/)
                line = colour(substr($0, RSTART, RLENGTH))
                if (line != "grey" && !seen[panel, line]++)
                    lines[panel]++
            }
            /<g transform="translate\(.*font-size=/ {
                at = $0
                sub(/.*translate\(/, "", at)
                split(at, place, /[,)]/)
                turned = /rotate\((270|-90)\)/
                match($0, /font-size="[0-9.]*/)
                size = substr($0, RSTART + 11, RLENGTH - 11) + 0
                match($0, /text-anchor="[a-z]*/)
                anchor = substr($0, RSTART + 13, RLENGTH - 13)
                if (size < 16)
                    wrong("text of " size / 2 " points")
            }
            /<text>/ {
                text = $0
                gsub(/<[^>]*>|^[ \t]+/, "", text)
                gsub(/&[a-z]*;/, "x", text)
                gsub(/[\200-\277]/, "", text)
                wide = 0.56 * size * length(text)
                texts++
                if (turned) {
                    inside(height - place[2], wide, height, text)
                    if (place[1] - 0.8 * size < 0 || place[1] > width)
                        wrong("text outside of the picture: " text)
                } else {
                    inside(place[1], wide, width, text)
                    if (place[2] - 0.8 * size < 0 || place[2] > height)
                        wrong("text outside of the picture: " text)
                }
            }
            END {
                for (panel in lines)
                    if (lines[panel] > 7)
                        wrong(lines[panel] " colours of lines in a panel")
                if (texts == 0 || width == 0)
                    wrong("no text was found")
            }' "$picture" | sort -u
    done
}

# Each planner has a place in the style that all figures share.
without_look()
{
    known=$(sed -n "/^known =/,/[^\\\\]\$/p" "$style" | tr -d "'.\\\\")
    "$arenabench" list solvers --format csv | sed '1d; s/,.*//' | while read -r solver; do
        case $solver in exec) continue ;; esac
        echo " $known " | tr '\n' ' ' | grep -q " $solver " || echo "$solver"
    done
}

unembedded()
{
    for picture in "$@"; do
        pdffonts "$picture" | awk -v name="${picture##*/}" \
            'NR > 2 && $(NF - 4) != "yes" { print name ": " $1 " is not embedded" }
            END { if (NR < 3) print name ": no font" }'
    done
}

# experiment NAME WORKLOADS SOLVERS: a sweep of a few tasks under the name of a shipped one.
experiment()
{
    figures=$(sed -n 's/^figures = //p' "$top_srcdir/experiments/$1.cfg")
    printf 'name = "%s"; title = "%s"; memory_limit_mib = 1024;\n' "$1" "$1"
    printf 'figures = %s\nquick: { workloads = (%s); solvers = (%s); seeds = [1, 2];\n' \
        "$figures" "$2" "$3"
    printf 'time_limit_s = 0.2; budget_s = 10; };\n'
}

swept()
{
    experiment "$@" >"$1.cfg" && "$arenabench" sweep "$1.cfg" --output all
}

cd "$tap_scratch" || exit 99
if ! command -v gnuplot >/dev/null; then
    tap_skip "gnuplot is not installed"
    tap_done
fi
tap_check "every planner has a look of its own in plots/style.gp" tap_nothing without_look
hard='"tight:steps=12,seed={1,2}", "pinwheel:pinwheels=8", "uniform:n=16"'
tap_check "a sweep for gap" swept gap "$hard" '"@heuristics", "branch-and-bound"'
tap_check "... field" swept field "$hard, \"resnet18:train=adam,batch=8\"" '"@heuristics"'
tap_check "... anytime" swept anytime "$hard" '"@anytime", "section-first", "branch-and-bound"'
tap_check "... exact" swept exact "$hard" \
    '"model-ilp", "glpk:model=bigm", "glpk", "minimalloc", "supermalloc", "branch-and-bound"'
tap_check "... formulations" swept formulations '"uniform:n={12,16,20},seed={11,12}"' \
    '"greedy-by-size", "glpk", "glpk:model=bigm"'
tap_check "... networks" swept networks \
    '"{resnet18,resnet50_two_streams,vit_b_16}:fuse={none,bn,all}"' \
    '"greedy-by-size", "megengine-{best-fit,interval-move,pushdown}", "section-first"'
tap_check "... ties" swept ties '"googlenet:fuse=all", "mobilenet_v2:batch=8,train=adam"' \
    '"@ties:ties={upstream,index,shuffle}"'
tap_check "... alignment" swept alignment \
    '"{shufflenet_v2_x1_0,mobilenet_v3_small}:fuse=all,dtype=i8,align={instance,native}"' '"@native"'
tap_check "... ablation" swept ablation '"tight:seed={1,2,4}"' \
    '"branch-and-bound", "branch-and-bound:{decomposition,learning}=off"'
tap_check "... orders" swept orders \
    '"random-dag:n=20,order={file,dfs,bfs,layers,greedy,optimal},seed={1..3}"' \
    '"greedy-by-size", "path-cover"'
tap_check "... inplace" swept inplace \
    '"resnext50_32x4d:grouped=expand", "resnext50_32x4d:grouped=expand,alias=on,inplace={off,megengine,nnc},concat={copy,place}"' \
    '"greedy-by-size", "path-cover", "megengine-pushdown", "nnc"'
tap_check "... bound" swept bound \
    '"{resnet18,resnet50_two_streams}:fuse={none,all}", "random-dag:n=20,seed={1..3}"' \
    '"path-cover:choice={first,last,best}"'
tap_check "their report" tap_exits 0 "$arenabench" report all
families()
{
    sed 1d "$1" | cut -d, -f1 | LC_ALL=C sort -u | tr '\n' ' '
}
tap_check "... in which a family has one name" tap_same \
    "$(families all/figures/anytime.csv)$(families all/tables/gap.csv)" \
    "pinwheels tight uniform pinwheels tight uniform "
set -- all/figures/*.svg
tap_check "... with the pictures of twelve experiments" test $# -ge 14
tap_check "no text is cut off or small, no colour strange, no panel crowded" tap_nothing faults "$@"
if command -v pdffonts >/dev/null; then
    tap_check "the fonts of the PDF files are in them" tap_nothing unembedded all/figures/*.pdf
else
    tap_skip "pdffonts is not here"
fi

# The look-outs see what they are for.
picture=all/figures/gap.svg
sed 's/>gap, %</>gap, per cent of a very long label that reaches beyond both of the sides of this picture and further, and further</' \
    "$picture" >long.svg
tap_check "a label that is too long is seen" grep -q "text outside of the picture: gap, per" <<END
$(faults long.svg)
END
sed 's/font-size="16.00"/font-size="6.00"/' "$picture" >small.svg
tap_check "... small text" tap_same "$(faults small.svg)" "small.svg: text of 3 points"
sed "s/stroke='rgb(213,  94,   0)'/stroke='rgb(1, 2, 3)'/" "$picture" >strange.svg
tap_check "... a strange colour" tap_same "$(faults strange.svg)" \
    "strange.svg: a colour that is not in the palette: 1,2,3"
awk -v "palette=$palette" '{ print } /<g id="gnuplot_plot_1a"/ && !done++ {
    n = split(palette, colour, " ")
    for (i = 1; i <= n; i++)
        printf "<path stroke=\"rgb(%s)\" d=\"M1,1 L2,2\"/>\n", colour[i]
    print "<path stroke=\"rgb(1,2,3)\" d=\"M1,1 L2,2\"/>" }' "$picture" | sed "s/<path stroke=\"\\(rgb([0-9,]*)\\)\"/<path stroke='\\1'/" >crowded.svg
tap_check "... an eighth colour" grep -q "8 colours of lines in a panel" <<END
$(faults crowded.svg)
END
tap_done
