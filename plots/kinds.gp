# Libraries beside mGEMM, one panel per kind of layer: NAME.csv has kind, line, ratio, one row per layer,
# NAME-means.csv their means with intervals and labels; row_label[] names the lines.

rows = |row_label|
room_left = room_names
room_beside = either(0.1, 0.08)
room_above = 0.24
room_inner = 0.26
x_name = 'time / time of mGEMM'
eval panels(3, either(3, 1), 0.28 * rows)
array kind[3] = ['dense', 'pointwise', 'depthwise']
@rows_below_each_other
set logscale x 2
unset key
set style textbox opaque noborder fillcolor rgb '#ffffff' margins 0.4, 0.3
set arrow 1 from 1, graph 0 to 1, graph 1 nohead linewidth 1.2 linecolor rgb '#444444' back
do for [k = 1:3] {
    eval panel(k)
    eval name_axes(k)
    eval name_rows(k)
    set title kind[k]
    set xrange [0.3:k == 3 ? 128 : 32]
    if (k == 3) { set xtics (0.5, 1, 2, 4, 16, 64) } else { set xtics (0.5, 1, 2, 4, 8, 16) }
    plot name.'.csv' using (column('kind') == k ? column('ratio') : NaN):(column('line') + 0.22) \
            with points pointtype 7 pointsize 0.3 linecolor rgb '#56B4E9', \
        name.'-means.csv' using (column('kind') == k ? column('ratio') : NaN):(column('line') + 0.22):'low':'high' \
            with xerrorbars pointtype 5 pointsize 0.45 linewidth 1.6 linecolor rgb '#D55E00', \
        '' using (column('kind') == k ? (k == 3 ? 128 : 32) * 0.95 : NaN):(column('line') - 0.2):'label' \
            with labels right boxed
}
unset multiplot
