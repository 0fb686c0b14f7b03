#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What every figure keeps to, looked up in what is drawn: a small sweep of each experiment of
# planners and of runs, and each picture of its report.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
tap_whole_tier_only "the figures"

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

# What is wrong with a picture: a width that is not that of one column or two, text outside of it, text below 8 points (16 of the 144 units
# of an inch; a power's exponent may be smaller, and text within a column has 7 points at least), texts on top
# of each other, a line or mark of a colour that is not in
# the palette and no grey, more than seven colours of lines in a panel, and two lines that differ
# in their colours only, which in grey are alike: widths and dashes are the same, and so are the marks
# that have their colours.  gnuplot's terminal writes an element a line; a panel is the letter behind a
# plot's number.
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
            function lightness(text) {
                split(text, part, ",")
                return 0.3 * part[1] + 0.59 * part[2] + 0.11 * part[3]
            }
            function alike(panel, one, other,    difference) {
                difference = lightness(one) - lightness(other)
                return difference < 16 && difference > -16 &&
                    dashes[panel, one] == dashes[panel, other] &&
                    marks[panel, one] == marks[panel, other]
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
            { opened = gsub(/<g /, "&"); depth += opened - gsub(/<\/g>/, "&") }
            # Numbers at marks lie on each other where the marks do.
            plotted && depth < plotted { plotted = 0 }
            /<g id="gnuplot_plot_/ {
                plotted = depth
                panel = $0
                sub(/.*gnuplot_plot_[0-9]*/, "", panel)
                sub(/".*/, "", panel)
            }
            match($0, /stroke-width="[0-9.]*/) { stroke = substr($0, RSTART, RLENGTH) }
            /<path stroke=.rgb/ && panel != "" && /L/ {
                match($0, /rgb\([0-9, ]*\)/)
                line = colour(substr($0, RSTART, RLENGTH))
                if (line != "grey" && !seen[panel, line]++)
                    drawn[panel, ++lines[panel]] = line
                dash = stroke " " (match($0, /stroke-dasharray=.[0-9.,]*/) ? substr($0, RSTART, RLENGTH) : "solid")
                if (index(dashes[panel, line], dash " ") == 0)
                    dashes[panel, line] = dashes[panel, line] dash " "
            }
            /<use xlink:href=.#gpPt/ && panel != "" {
                mark = substr($0, index($0, "#gpPt") + 5)
                sub(/[^0-9].*/, "", mark)
                match($0, /rgb\([0-9, ]*\)/)
                line = colour(substr($0, RSTART, RLENGTH))
                if (index(marks[panel, line], " " mark " ") == 0)
                    marks[panel, line] = marks[panel, line] " " mark " "
            }
            /<g transform="translate\(.*font-size=/ {
                at = $0
                sub(/.*translate\(/, "", at)
                split(at, place, /[,)]/)
                turned = /rotate\((270|-90)\)/
                slanted = /rotate\(/
                match($0, /font-size="[0-9.]*/)
                size = substr($0, RSTART + 11, RLENGTH - 11) + 0
                match($0, /text-anchor="[a-z]*/)
                anchor = substr($0, RSTART + 13, RLENGTH - 13)
                if (size < (width < 500 ? 14 : 16))
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
                    # Narrower than it may be: what only touches is legible.
                    begin = place[1] - (anchor == "middle" ? 0.4 : anchor == "end" ? 0.8 : 0) * wide
                    if (!slanted && text != "" && !(plotted && text ~ /^[0-9]+$/)) {
                        left[++boxes] = begin
                        right[boxes] = begin + 0.8 * wide
                        base[boxes] = place[2]
                        words[boxes] = text
                    }
                    if (place[2] - 0.8 * size < 0 || place[2] > height)
                        wrong("text outside of the picture: " text)
                }
            }
            END {
                for (panel in lines) {
                    if (lines[panel] > 7)
                        wrong(lines[panel] " colours of lines in a panel")
                    for (i = 1; i <= lines[panel]; i++)
                        for (j = i + 1; j <= lines[panel]; j++)
                            if (alike(panel, drawn[panel, i], drawn[panel, j]))
                                wrong("lines that are alike in grey: " drawn[panel, i] " and " drawn[panel, j])
                }
                # A text with a box is drawn twice.
                for (i = 1; i <= boxes; i++)
                    for (j = i + 1; j <= boxes; j++)
                        if (!(words[i] == words[j] && base[i] == base[j] && left[i] == left[j]) && left[i] < right[j] && left[j] < right[i] && base[i] - base[j] < 10 && base[j] - base[i] < 10)
                            wrong("texts on top of each other: " words[i] " and " words[j])
                if (width != 478 && width != 1008)
                    wrong(width / 144 " inches wide, not 3.32 or 7")
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

# Planners that have one colour or mark in one picture and another one in another.
looks()
{
    awk -v planners=" $("$arenabench" list solvers --format csv | sed '1d; s/,.*//' | tr '\n' ' ')" '
        /<g id="gnuplot_plot_/ {
            title = $0
            sub(/.*<title>/, "", title)
            sub(/<.*/, "", title)
            if (index(planners, " " title " ") == 0)
                title = ""
        }
        /rgb\( 68,  68,  68\)/ { title = "" } # an axis
        title != "" && /rgb\([0-9, ]*\)/ && !/<g / {
            match($0, /rgb\([0-9, ]*\)/)
            look = substr($0, RSTART, RLENGTH)
            if (!(title in colour)) {
                colour[title] = look
                where[title] = FILENAME
            } else if (colour[title] != look && !told[title]++)
                print title ": " colour[title] " in " where[title] ", " look " in " FILENAME
        }
        title != "" && /#gpPt/ {
            look = substr($0, index($0, "#gpPt") + 1)
            sub(/[^a-zA-Z0-9].*/, "", look)
            if (!(title in mark))
                mark[title] = look
            else if (mark[title] != look && !told[title]++)
                print title ": mark " mark[title] " and " look " in " FILENAME
        }' "$@"
}

axes()
{
    awk -f "$top_srcdir/tests/harness/report/axes.awk" "$@"
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
command -v gnuplot >/dev/null || tap_skip_all "gnuplot is not installed"
tap_check "every planner has a look of its own in plots/style.gp" tap_nothing without_look
hard='"tight:steps=12,seed={1,2}", "pinwheel:pinwheels=8", "uniform:n=16"'
tap_check "a sweep for gap" swept gap "$hard" '"@heuristics", "branch-and-bound"'
tap_check "... field" swept field "$hard, \"resnet18:train=adam,batch=8\"" '"@heuristics"'
tap_check "... online" swept online "$hard, \"resnet18:train=adam,batch=8\", \"steps:of=resnet18,count=3\"" \
    '"bfc", "bfc:unit=256,region=2MiB", "pytorch-caching", "buddy", "size-classes", "iree", "tflm", "section-first"'
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
tap_check "... streams" swept streams '"{resnet50_two_streams,vit_b_16}:fuse=all,streams={1,2,4}", "{resnet50_two_streams,vit_b_16}:fuse=all,groups={0,1}"' \
    '"first-fit-by-size", "section-first"'
tap_check "... inplace" swept inplace \
    '"resnext50_32x4d:grouped=expand", "resnext50_32x4d:grouped=expand,alias=on,inplace={off,megengine,nnc},concat={copy,place}"' \
    '"greedy-by-size", "path-cover", "megengine-pushdown", "nnc"'
tap_check "... workspace" swept workspace \
    '"{squeezenet1_1,mobilenet_v2}:batch={1,8},fuse=all,alignment=64,workspace={none,mgemm,im2col,winograd}"' \
    '"section-first"'
tap_check "... bound" swept bound \
    '"{resnet18,resnet50_two_streams}:fuse={none,all}", "random-dag:n=20,seed={1..3}"' \
    '"path-cover:choice={first,last,best}"'
tap_check "... suite" swept suite \
    '"tight:seed={2,3,4}", "cuts:n=30,joined=40", "cuts:n=40,unit=16,align=64", "random-dag:n=200,reach=12"' \
    '"greedy-by-size", "section-first", "minimalloc", "supermalloc", "branch-and-bound"'
# Of networks that run: kernels too.
{
    experiment run '"{squeezenet1_1,googlenet,mobilenet_v2}:size=64,fuse={none,all}", "{squeezenet1_1,googlenet,mobilenet_v2}:size=64,fuse=all,alias=on,inplace=nnc,concat=place"' \
        '"naive", "tflite-arena", "xla-search", "section-first"' | sed 's/time_limit_s = 0.2/time_limit_s = 60/'
    echo 'kind = "run"; all_pairs = false; rounds = 6; kernels = ("mgemm", "im2col-openblas", "onednn");'
} >run.cfg
tap_check "... run" "$arenabench" sweep run.cfg --output all
if [ "$(nproc)" -ge 2 ]; then
    {
        experiment regions '"{squeezenet1_1,googlenet}:size=64,groups={1,2,4}"' '"section-first"' |
            sed 's/time_limit_s = 0.2/time_limit_s = 60/'
        echo 'kind = "run"; rounds = 6; kernels = ("mgemm:threads=2,groups=on");'
    } >regions.cfg
    tap_check "... regions" "$arenabench" sweep regions.cfg --output all
else
    tap_skip "one processor"
fi
tap_check "their report" tap_exits 0 "$arenabench" report all
families()
{
    sed 1d "$1" | cut -d, -f1 | LC_ALL=C sort -u | tr '\n' ' '
}
tap_check "... in which a family has one name" tap_same \
    "$(families all/figures/anytime.csv)$(families all/tables/gap.csv)" \
    "pinwheels tight uniform pinwheels tight uniform "
set -- all/figures/*.svg
tap_check "... with the pictures of fourteen experiments" test $# -ge 16
tap_check "no text is cut off or small, no colour strange, no panel crowded" tap_nothing faults "$@"
tap_check "no axis goes on beyond its data" tap_nothing axes "$@"
tap_check "each planner looks the same in all of them" tap_nothing looks "$@"
# The same in a column, of 240 points: of LaTeX, so 239 of PDF.  From here on PDF and PNG files, which take
# two thirds of the time, are looked at in the figure gap alone.
tap_draws_only few "*\"format='svg'\"* | *\"name='gap'\"* | *\"format='tex'\"*"
PATH=$tap_scratch/few:$PATH
cp -r all column
tap_check "their report in a column" tap_exits 0 "$arenabench" report column --width column
page_only=$(sed -n '/^# page:/{s/.*//;F;}' "$top_srcdir"/plots/*.gp | sed 's/.*\/\(.*\)\.gp$/\1/')
columns=
for picture in column/figures/*.svg; do
    figure=${picture##*/}
    case " $(echo "$page_only" | tr '\n' ' ') " in
        *" ${figure%.svg} "*) ;;
        *) columns="$columns $picture" ;;
    esac
done
widths()
{
    # shellcheck disable=SC2086 # their names have no blanks
    grep -L 'viewBox="0 0 478 ' $columns
}
tap_check "... every other picture is as wide as a column" tap_nothing widths
# shellcheck disable=SC2086
tap_check "... no text is cut off, small or on top of another" tap_nothing faults $columns
# shellcheck disable=SC2086
tap_check "... no axis goes on beyond its data" tap_nothing axes $columns
tap_check "... and planners look as they do on the page" tap_nothing looks "$@" column/figures/*.svg
png_width()
{
    od -An -tu1 -j16 -N4 "$1" | awk '{ print (($1 * 256 + $2) * 256 + $3) * 256 + $4 }'
}
tap_check "... its PNG file has 210 pixels an inch" tap_same "$(png_width column/figures/gap.png)" 697
if command -v pdfinfo >/dev/null; then
    tap_check "... its PDF file 239 points" tap_same \
        "$(pdfinfo column/figures/gap.pdf | sed -n 's/^Page size: *\([0-9]*\).*/\1/p')" 239
else
    tap_skip "pdfinfo is not here"
fi

# Other times, as of a machine that does something else beside: what holds of a picture does not
# hang on them.
if command -v sqlite3 >/dev/null; then
    for number in 1 2; do
        cp -r all other
        sqlite3 other/results.db "create temp table slower as
                select id, 0.2 + 6 * power((id * 7919 + $number * 104729) % 1009 / 1009.0, 2) as by from task;
            update task set row_checksum = null, time_s = time_s * (select by from slower s where s.id = task.id);
            update execution set row_checksum = null, low_s = low_s * (select by from slower where id = task),
                high_s = high_s * (select by from slower where id = task),
                serial_s = serial_s * (select 1 + by / 4 from slower where id = task);
            update measurement set row_checksum = null, at_s = at_s * (select by from slower where id = task)"
        tap_check "other times ($number): a report" "$arenabench" report other
        tap_check "... whose text is whole" tap_nothing faults other/figures/*.svg
        tap_check "... whose axes end with their data" tap_nothing axes other/figures/*.svg
        tap_check "... in which planners look the same" tap_nothing looks other/figures/*.svg
        rm -r other
    done
else
    tap_skip "sqlite3 is not here"
fi
if command -v pdffonts >/dev/null; then
    tap_check "the fonts of the PDF files are in them" tap_nothing unembedded all/figures/*.pdf
else
    tap_skip "pdffonts is not here"
fi

# One of the six instances is none of the suite.
tap_check "the table of the suite has its instances alone" tap_same \
    "$(sed 1d all/tables/suite.csv | awk -F, '$2 == "branch-and-bound" { print $1, $3 }' | sort | tr '\n' ' ')" \
    "aligned 1 all 5 network 1 pieces 1 tight 2 "

# Of one's own: names as long as a command is, and the longest of our own.
cp "$top_srcdir/tests/support/stack.awk" .
cat >own.cfg <<'END'
name = "own"; title = "own"; memory_limit_mib = 1024; figures = ["gap", "time", "memory", "field-profile"];
quick: { workloads = ("uniform:n=12,high=1000,seed={1,2}", "resnet18"); seeds = [1];
    solvers = ("naive", "greedy-by-size", "megengine-interval-move", "exec:awk -f ./././././stack.awk -v which=one",
               "exec:awk -f ./././././stack.awk -v which=two"); time_limit_s = 2; budget_s = 10; };
END
tap_check "a sweep of a program" tap_exits 0 "$arenabench" sweep own.cfg --output own
tap_check "... its report" tap_exits 0 "$arenabench" report own
tap_check "... has no text that is cut off" tap_nothing faults own/figures/*.svg
tap_check "... and names all" tap_same "$(sed -n 's/.*<text>\([^<]*\)<.*/\1/p' own/figures/*memory.svg |
    grep -c -e '^greedy-by-size$' -e '^exec:.*which=one$' -e '^exec:.*which=two$')" 3

# Names that are quotes, commands, macros, formats and markup to gnuplot or a browser, in each figure that
# can show them.
cat >odd-names <<'END'
'apostrophe
it's
"quote
"two" quotes
a, comma
back\slash\n
`touch ran`
$HOME
a@macro @name
%d percent %
#hash
-dash
_sub^super\_
<b>&amp;
2 3"4,5
END
odd_experiment()
{
    printf 'name = "odd"; title = "odd <b> & \\"x\\""; memory_limit_mib = 1024;\n'
    printf 'figures = ["memory", "gap", "time", "field", "field-profile", "anytime"];\n'
    sed 's/["\\]/\\&/g; s/.*/"&.csv"/; $!s/$/,/; 1s/^/quick: { workloads = (/; $s/$/);/' odd-names
    cat <<'END'
seeds = [1]; time_limit_s = 2; budget_s = 10;
solvers = ("naive", "greedy-by-size", "exec:awk -f stack.awk -v a='it' -v b=\"q, `echo 1`\" # 100% \\n$HOME@x_^");
};
END
}
while IFS= read -r name; do
    printf 'id,lower,upper,size\n%s,0,2,7\nb,1,3,5\nc,2,4,6\n' a >"./$name.csv"
done <odd-names
odd_experiment >odd.cfg
tap_check "a sweep of odd names" tap_exits 0 "$arenabench" sweep odd.cfg --output odd
tap_check "... its report" tap_exits 0 "$arenabench" report odd --latex
tap_check "... draws every figure" test "$(ls odd/figures/*.svg | wc -l)" -eq 6
tap_check "... and runs no command" test ! -e ran
# The texts of a picture that are names of files, sorted.
drawn_names()
{
    sed -n 's/.*<text>\(.*\)<\/text>.*/\1/p' "$1" |
        sed 's/<[^>]*>//g; s/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&amp;/\&/g' | grep '\.csv$' | sort -u
}
tap_check "... with the names as they are" tap_same "$(drawn_names odd/figures/odd-memory.svg)" \
    "$(sed 's/$/.csv/' odd-names | sort)"
tap_check "... and the program" grep -q '<text>exec:awk …n$HOME@x_^<' odd/figures/odd-memory.svg
tap_check "... its name and titles whole" grep -q '<text>exec:.*`echo 1`" # 100% \\n$HOME@x_^<' odd/figures/odd-anytime.svg
tap_check "... no control character" tap_nothing grep -l "[$(printf '\001')-$(printf '\010')]" odd/figures/*.svg

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

# A picture as gnuplot writes it: five ticks, 100 apart, and two curves that end at X.
drawn()
{
    printf '%s\n' '<svg viewBox="0 0 478 300">' '<g stroke-width="1.00">'
    echo "	<path stroke='rgb( 68,  68,  68)'  d='M20.00,10.00 L20.00,200.00 L430.00,200.00 M430.00,10.00 M20.00,10.00  '/></g>"
    for x in 20 120 220 320 420; do
        echo "	<path stroke='rgb( 68,  68,  68)'  d='M$x.00,200.00 L$x.00,206.00  '/>	<g transform=\"translate($x.00,220.00)\" font-size=\"16.00\" text-anchor=\"middle\">"
        echo "		<text>$((x / 10))</text>"
        echo '	</g>'
    done
    for colour in "213,  94,   0" "$2"; do
        echo "	<g id=\"gnuplot_plot_1a\" ><title>iree</title>"
        echo "	<path stroke='rgb($colour)'  d='M20.00,100.00 L$1.00,50.00  '/>	</g>"
    done
    echo '</svg>'
}
drawn 400 '0, 0, 0' >good.svg
tap_check "a picture without faults has none" tap_nothing faults good.svg
tap_check "... its axis neither" tap_nothing axes good.svg
drawn 330 '0, 0, 0' >one.svg
tap_check "a label beyond the data is allowed" tap_nothing axes one.svg
drawn 230 '0, 0, 0' >beyond.svg
tap_check "... two are seen" tap_same "$(axes beyond.svg)" \
    "beyond.svg: the x axis ends at 42, 2 labels beyond the data"
sed 's/M20.00,100.00/M230.00,100.00/' good.svg >below.svg
tap_check "... and below" tap_same "$(axes below.svg)" \
    "below.svg: the x axis begins at 2, 3 labels below the data"
drawn 400 '0, 158, 115' >alike.svg
tap_check "lines that are alike in grey are seen" tap_same "$(faults alike.svg)" \
    "alike.svg: lines that are alike in grey: 213,94,0 and 0,158,115"
sed '/0, 158, 115/s/ d=/ stroke-dasharray="4,4" d=/' alike.svg >dashed.svg
tap_check "... unless one is dashed" tap_nothing faults dashed.svg
sed 's/0 0 478 300/0 0 600 300/' good.svg >wide.svg
tap_check "a strange width" tap_same "$(faults wide.svg)" "wide.svg: 4.16667 inches wide, not 3.32 or 7"
tap_check "a planner of two looks" tap_same "$(looks one.svg)" \
    "iree: rgb(213,  94,   0) in one.svg, rgb(0, 0, 0) in one.svg"
tap_done
