# The style that all figures share.  Before a script is run, report sets
# `format` (pdf, png or svg) and `name`, and runs gnuplot in a folder that
# holds NAME.csv, the script and this file.  The picture goes to standard output.

load name.'-arrays.gp'

# Okabe and Ito's colours without the yellow, which is too light for lines.
array okabe[7] = ['#000000', '#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9']
array marker[9] = [7, 5, 9, 11, 13, 4, 6, 8, 12]
array hollow[4] = [6, 4, 8, 10]
array dashes[4] = [1, 2, 4, 5]

# Each contestant keeps its line style in all figures: the first 40 belong to
# the names below, in this order; others take one after these, by their number.
# Every seventh has the same colour: those that meet in a figure of few stand apart.
known = ' glpk greedy-by-size path-cover duration-size first-fit-by-size naive'. \
    ' glpk:model=bigm path-cover:choice=last path-cover:choice=best'. \
    ' branch-and-bound section-first minimalloc model-ilp megengine-best-fit'. \
    ' annealing portfolio tvm-conflicts iree squeaky-wheel megengine-interval-move'. \
    ' megengine-pushdown nnc xla-search tflm onnxruntime tflite-arena xnnpack'. \
    ' tvm-hill-climb tvm-size '
style_count = 80
style(label, number) = (at = strstrt(known, ' '.label.' ')) > 0 \
    ? words(known[1:at]) + 1 : 40 + (number - 1) % 40 + 1
do for [i = 1:style_count] {
    set style line i linecolor rgb okabe[(i - 1) % 7 + 1] dashtype dashes[(i - 1) % 4 + 1] \
        linewidth 1.2 pointtype marker[(i - 1) % 9 + 1] \
        pointsize (format eq 'svg' ? 0.6 : 0.45)
}

# The two widths of a two-column page: one column (3.3 in), both (7 in).
# HEIGHT is in inches; figures draw at 7 pt, which stays readable in print.
terminal(width, height) = format eq 'pdf' ? \
    sprintf("pdfcairo enhanced color font 'DejaVu Sans,7' fontscale 0.7 size %gin,%gin linewidth 1.1 dashlength 0.7 pointscale 0.7", width, height) : \
    format eq 'png' ? \
    sprintf("pngcairo enhanced color font 'DejaVu Sans,7' fontscale 2.1 size %d,%d linewidth 2.0 pointscale 2.1", \
            210 * width, 210 * height) : \
    sprintf("svg enhanced font 'DejaVu Sans,13' size %d,%d linewidth 1.2 background '#ffffff'", \
            144 * width, 144 * height)
paper(width, height) = sprintf("set terminal %s", terminal(width, height))
narrow = 'eval paper(3.3, 2.6)'

set border 3 linecolor rgb '#444444' linewidth 0.8
set tics nomirror out scale 0.5 textcolor rgb '#000000'
set grid linecolor rgb '#dddddd' linewidth 0.6 dashtype 1
set key noenhanced
set title offset 0, -0.6
set xlabel offset 0, 0.3
set encoding utf8

# "% h", the default, starts labels with a blank.
set format '%g'

# A key for contestant[] below the panels of a wide figure, in four columns, and
# the room that it and the x axis take, in inches.
key_rows(count) = ceil(count / 4.0)
key_below = "set key at screen 0.5, 0.0 center bottom vertical maxrows key_rows(|contestant|) Left reverse samplen 2.2 width -1 spacing 1.05"
room_below(count) = 0.52 + 0.12 * key_rows(count)
