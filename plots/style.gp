# The style that all figures share.  Before a script is run, report sets
# `format` (pdf, png, svg or tex) and `name`, and runs gnuplot in a folder that
# holds NAME.csv, the script and this file.  The picture goes to standard output; of tex
# the lines go to NAME-tex.pdf and the texts, which LaTeX sets, to NAME-tex.tex.

load name.'-arrays.gp'

# Okabe and Ito's colours without the yellow, which is too light for lines.
array okabe[7] = ['#000000', '#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9']
array marker[9] = [7, 5, 9, 11, 13, 4, 6, 8, 12]
array hollow[4] = [6, 4, 8, 10]
array dashes[4] = [1, 2, 4, 5]

# Each contestant keeps its line style in all figures.  The names below stand in seven
# columns, one a colour, so that those that meet in a figure of few differ in it; those of
# one column have marks of their own.  A contestant with other parameters takes a style
# after these, by its number.
known = \
    ' glpk supermalloc branch-and-bound section-first minimalloc model-ilp glpk:model=bigm'. \
    ' annealing greedy-by-size path-cover duration-size squeaky-wheel tabu-search telamalloc'. \
    ' naive portfolio first-fit-by-size iree megengine-best-fit xla-search tvm-hill-climb'. \
    ' tflite-arena nnc tvm-conflicts tflm megengine-interval-move onnxruntime xnnpack'. \
    ' tvm-size megengine-pushdown idealloc omni somas sekiyama kierstead'. \
    ' executorch inductor relax linear first-fit-by-start xla-area xla-spatial'. \
    ' xla-temporal tflite-gpu-best tflite-gpu-breadth tflite-gpu-equality tflite-gpu-in-order'. \
    ' tflite-gpu-min-cost-flow tflite-gpu-size-distance path-cover:choice=last'. \
    ' path-cover:choice=best '
style_count = 112
style(label, number) = (at = strstrt(known, ' '.label.' ')) > 0 \
    ? words(known[1:at]) + 1 : words(known) + (number - 1) % (style_count - words(known)) + 1
do for [i = 1:style_count] {
    set style line i linecolor rgb okabe[(i - 1) % 7 + 1] dashtype dashes[(i - 1) % 4 + 1] \
        linewidth 1.2 pointtype marker[(i - 1) % 9 + 1] \
        pointsize (format eq 'svg' ? 0.6 : 0.45)
}

# The two widths of a two-column page: one column (3.3 in), both (7 in).
# HEIGHT is in inches; the text is of 8 pt in all three formats (cairo's terminals take a
# point for 4/3 of one).
terminal(width, height) = format eq 'pdf' ? \
    sprintf("pdfcairo enhanced color font 'DejaVu Sans,8' fontscale 0.75 size %gin,%gin linewidth 1.1 dashlength 0.7 pointscale 0.7", width, height) : \
    format eq 'png' ? \
    sprintf("pngcairo enhanced color font 'DejaVu Sans,8' fontscale 2.1875 size %d,%d linewidth 2.0 pointscale 2.1", \
            210 * width, 210 * height) : \
    format eq 'tex' ? \
    sprintf("cairolatex pdf input color colortext font ',8' size %gin,%gin linewidth 2.0 dashlength 0.7 pointscale 0.7", width, height) : \
    sprintf("svg enhanced font 'DejaVu Sans,16' size %d,%d linewidth 1.2 background '#ffffff'", \
            144 * width, 144 * height)
paper(width, height) = sprintf("set terminal %s", terminal(width, height)). \
    (format eq 'tex' ? "; set output name.'-tex.tex'" : '')
narrow = 'eval paper(3.3, 2.6)'

set border 3 linecolor rgb '#444444' linewidth 0.8
set tics nomirror out scale 0.5 textcolor rgb '#000000'
set grid linecolor rgb '#dddddd' linewidth 0.6 dashtype 1
set key noenhanced
set title offset 0, -0.6
set xlabel offset 0, 0.3
set encoding utf8

# The two ends of a name that is longer than those of our planners: a command of one's own.
short(text) = strlen(text) <= 24 ? text : text[1:9].'…'.text[strlen(text) - 9:*]

# A text as a tick's label, which is a format there: a program of one's own may have a %.
tick(text) = (percent = strstrt(text, '%')) == 0 ? text : text[1:percent].'%'.tick(text[percent + 1:*])

# "% h", the default, starts labels with a blank.
set format '%g'

# A key for contestant[] below the panels of a wide figure, in four columns, and
# the room that it and the x axis take, in inches.
key_rows(count) = ceil(count / 4.0)
key_below = "set key at screen 0.5, 0.0 center bottom vertical maxrows key_rows(|contestant|) Left reverse samplen 1.8 width -3 spacing 1.05"
room_below(count) = 0.56 + 0.14 * key_rows(count)
