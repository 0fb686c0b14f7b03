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
    ' path-cover:choice=best ggml static-runtime'. \
    ' onednn triton onert vela-hill-climb dsa-solver glow nntrainer'. \
    ' tinygrad vela-greedy openvino bfc pytorch-caching buddy size-classes '
style_count = 112
# 63 styles have a colour and one of these marks that no other has; those after them have other marks.
array later[6] = [10, 3, 2, 14, 1, 15]
mark_of(i) = i <= 63 ? marker[(i - 1) % 9 + 1] : later[(i - 64) % 6 + 1]
style(label, number) = (at = strstrt(known, ' '.label.' ')) > 0 \
    ? words(known[1:at]) + 1 : words(known) + (number - 1) % (style_count - words(known)) + 1
do for [i = 1:style_count] {
    set style line i linecolor rgb okabe[(i - 1) % 7 + 1] dashtype dashes[(i - 1) % 4 + 1] \
        linewidth 1.2 pointtype mark_of(i) \
        pointsize (format eq 'svg' ? 0.6 : 0.45) * (mark_of(i) < 4 ? 1.6 : 1)
}

# Before a script is run, report also sets `width`: page, both columns of a page of two
# (7 in), or column, one of them: 240 points of TeX.  `either` is for what differs.
in_column = width eq 'column'
either(page, column) = in_column ? column : page
inches = either(7.0, 3.32)

# Both in inches; the text is of 8 pt in all formats (cairo's terminals take a point for 4/3 of
# one).
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

# For what has no room for 8 points, in a column only.
small = in_column ? sprintf("font ',%d'", format eq 'svg' ? 14 : 7) : ''

# "% h", the default, starts labels with a blank.
set format '%g'

# --- panels ---
# The rooms around panels, in inches, which a script changes before `eval panels(...)`:
room_left = 0.64    # the labels of an y axis
room_right = 0.1
room_above = 0.3    # a title, above each row of panels
room_below = 0.47   # ticks and name of the x axis, below each row ...
room_inner = 0      # ... but the last, where it is not 0
room_beside = 0.15  # between panels that stand beside each other
room_key = 0        # below all

# COUNT panels, each TALL inches high and at most ACROSS of them beside each other.
# `more_panels` puts others below them, in the lowest MORE inches of a picture that has room for
# them in room_key.
room_top = 0
# Panels are as high as the key below them, or gnuplot makes another column of it.
key_lines = 0
lay_out(count, across_at_most, tall) = (panel_count = count, \
    panel_tall = tall > 0.15 * key_lines ? tall : 0.15 * key_lines, \
    across = count < across_at_most ? count : across_at_most, \
    down = (count + across - 1) / across, \
    room_inner = room_inner > 0 ? room_inner : room_below, \
    panel_wide = (inches - room_left - room_right - (across - 1) * room_beside) / across, \
    down * (room_above + panel_tall) + (down - 1) * room_inner + room_below + room_key)
panels(count, across_at_most, tall) = (height = lay_out(count, across_at_most, tall), \
    paper(inches, height).'; set multiplot; set datafile separator comma')
more_panels(more, count, across_at_most, tall) = (room_top = height - more, \
    lay_out(count, across_at_most, tall), '')

# Where panel P stands: edges as shares of the picture.
leftmost(p) = (p - 1) % across == 0
lowest(p) = p + across > panel_count
edge_left(p) = (room_left + (p - 1) % across * (panel_wide + room_beside)) / inches
edge_right(p) = edge_left(p) + panel_wide / inches
edge_top(p) = 1 - (room_top + room_above + (p - 1) / across * (room_above + panel_tall + room_inner)) / height
edge_bottom(p) = edge_top(p) - panel_tall / height
margins(left, right, top, bottom) = sprintf('set lmargin at screen %.5f; set rmargin at screen %.5f; ' \
    .'set tmargin at screen %.5f; set bmargin at screen %.5f', left, right, top, bottom)
panel(p) = margins(edge_left(p), edge_right(p), edge_top(p), edge_bottom(p))
# Panels of common axes: only the lowest have x_name and only the leftmost y_name.
x_name = ''
y_name = ''
y_format = '%g'
name_axes(p) = 'set xlabel '.(lowest(p) ? 'x_name' : "''").'; set ylabel '.(leftmost(p) ? 'y_name' : "''") \
    .'; set format y '.(leftmost(p) ? 'y_format' : "''")

# --- rows with names ---
# row_label[], in a column with its two ends alone where it is long, and the room that it needs.
whole(text, most) = strlen(text) <= most ? text : text[1:most / 2 - 1].'…'.text[strlen(text) - most / 2 + 1:*]
# Where rows are as high as row_tall says, which is where a page has room for all, such a name goes on below its colon instead.
in_two_lines = 0
row_name(i) = !in_two_lines || strlen(row_label[i]) <= most_of_name || (colon = strstrt(row_label[i], ':')) == 0 \
    ? tick(whole(row_label[i], most_of_name)) \
    : tick(whole(row_label[i][1:colon], most_of_name))."\n".tick(whole(row_label[i][colon + 1:*], most_of_name))
row_tall(tall) = (in_two_lines = in_column && longest_row > most_of_name && row_count < 28) \
    && tall < 0.28 ? 0.28 : tall
longest_row = 6
row_count = 0
if (exists('row_label')) {
    row_count = |row_label|
    do for [i = 1:|row_label|] {
        longest_row = strlen(row_label[i]) > longest_row ? strlen(row_label[i]) : longest_row
    }
}
room_for_names(most) = (most_of_name = most, 0.13 + either(0.0665, 0.07) * (longest_row < most ? longest_row : most))
room_names = room_for_names(either(55, 22))
# Rows from above, a hair line between them; `name_rows(p)` has names at the leftmost panels.
rows_below_each_other = "set yrange [|row_label| + 0.6:0.4]; unset grid; set grid xtics; " \
    ."set for [i = 1:|row_label| - 1] arrow 100 + i from graph 0, first i + 0.5 to graph 1, " \
    ."first i + 0.5 nohead linecolor rgb '#e4e4e4' linewidth 0.6 back"
name_rows(p) = leftmost(p) ? "set ytics scale 0 noenhanced textcolor rgb '#000000' (); " \
    ."set for [i = 1:|row_label|] ytics add (row_name(i) i)" : 'unset ytics'

# A table of tinted cells, its rows named: no axes.
cells = "set yrange [|row_label| + 0.5:0.5]; unset grid; unset key; unset border; unset colorbox; " \
    ."set tics scale 0; unset xtics"
ink(shade) = shade > 0.75 ? 0xffffff : 0x000000
blues = "set palette defined (0 '#ffffff', 0.15 '#d6e6f4', 0.5 '#6aaed6', 1 '#08519c'); set cbrange [0:1]"

# --- keys ---
# Below all panels, COUNT texts of at most CHARACTERS: room_for_key is the room, key_below sets it.
# key_at sets one of so many rows elsewhere, INCHES above the lower edge; key_under below panel P.
# gnuplot gives a column of a key that much: more, and it leaves some texts out.
key_across(wide, characters) = (fit = int(wide / (0.34 + 0.066 * characters)), fit < 1 ? 1 : fit)
key_rows(count, wide, characters) = (count + key_across(wide, characters) - 1) / key_across(wide, characters)
room_for_key(count, characters) = 0.09 + 0.14 * (key_lines = key_rows(count, inches, characters))
# Rows are 0.14 inches apart in all formats.
key_look = 'vertical Left reverse spacing '.(format eq 'svg' ? '0.84' : format eq 'tex' ? '1.35' : '1.05')
key_at(x, above, rows) = sprintf('set key at screen %.5f, %.5f center bottom samplen 1.6 width -1 %s maxrows %d', \
    x, above / height, key_look, rows)
key_under(p, rows) = key_at(0.5 * (edge_left(p) + edge_right(p)), \
    edge_bottom(p) * height - (lowest(p) ? room_below : room_inner) + 0.02, rows)
key_below = sprintf('set key at screen 0.5, 0.0 center bottom samplen 1.6 width -1 %s maxrows key_lines', key_look)
longest_contestant = 8
if (exists('contestant')) {
    do for [c = 1:|contestant|] {
        longest_contestant = strlen(short(contestant[c])) > longest_contestant \
            ? strlen(short(contestant[c])) : longest_contestant
    }
}
