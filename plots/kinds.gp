# Libraries beside mGEMM, a panel a kind of layer: NAME.csv has kind, line, ratio, a row a layer,
# NAME-means.csv their means with intervals and labels; row_label[] names the lines.

rows = |row_label|
height = 0.75 + 0.28 * rows
eval paper(7.0, height)
array kind[3] = ['dense', 'pointwise', 'depthwise']
set multiplot
set datafile separator comma
set tmargin at screen 1 - 0.24 / height
set bmargin at screen 0.47 / height
set logscale x 2
set yrange [rows + 0.5:0.5]
set ytics scale 0 noenhanced ()
unset key
unset grid
set grid xtics
set style textbox opaque noborder fillcolor rgb '#ffffff' margins 0.4, 0.3
set xlabel 'time / time of mGEMM'
do for [i = 1:rows] {
    set arrow i from graph 0, first i + 0.5 to graph 1, first i + 0.5 nohead \
        linecolor rgb '#e4e4e4' linewidth 0.6 back
}
set arrow 100 from 1, graph 0 to 1, graph 1 nohead linewidth 1.2 linecolor rgb '#444444' back
do for [k = 1:3] {
    set lmargin at screen 0.18 + (k - 1) * 0.272
    set rmargin at screen 0.18 + (k - 1) * 0.272 + 0.258
    set title kind[k]
    set xrange [0.3:k == 3 ? 128 : 32]
    if (k == 3) { set xtics (0.5, 1, 2, 4, 16, 64) } \
    else { set xtics (0.5, 1, 2, 4, 8, 16) }
    set ytics ('' 1)
    do for [i = 1:rows] { if (k == 1) { set ytics add (tick(row_label[i]) i) } else { set ytics add ('' i) } }
    plot name.'.csv' using (column('kind') == k ? column('ratio') : NaN):(column('line') + 0.22) \
            with points pointtype 7 pointsize 0.3 linecolor rgb '#56B4E9', \
        name.'-means.csv' using (column('kind') == k ? column('ratio') : NaN):(column('line') + 0.22):'low':'high' \
            with xerrorbars pointtype 5 pointsize 0.45 linewidth 1.6 linecolor rgb '#D55E00', \
        '' using (column('kind') == k ? (k == 3 ? 128 : 32) * 0.95 : NaN):(column('line') - 0.2):'label' \
            with labels right boxed
}
unset multiplot
