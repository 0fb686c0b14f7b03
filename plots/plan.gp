# Plans as time x address, side by side, each buffer in one tint with its outline; a dotted line is
# where an operator begins to write over its input.  Or the memories of a chip, each with the part
# of a plan that lies there.  For `draw` and `fit`.

load 'style.gp'
eval paper(7.0, 3.6)
# Labels do not heed the word for one plot.
set termoption noenhanced
set datafile separator comma
set key off
set xlabel 'step'
set xrange [begin[1]:end[1]]
unset grid
set style fill solid 0.45 noborder
# Numbers on buffers, too, can be read.
set style textbox opaque noborder fillcolor rgb '#40FFFFFF' margins 0.3, 0.2
array tint[6] = [0x56B4E9, 0xE69F00, 0x009E73, 0xCC79A7, 0x0072B2, 0xF0E442]
# VALUE in panel p, of edges those of kind k; NaN elsewhere.
in(p, value) = column('panel') == p ? value : NaN
of(p, k, value) = column('kind') == k ? in(p, value) : NaN
set multiplot layout 1, panels[1]
do for [p = 1:panels[1]] {
    highest = top[p] > line[p] ? top[p] : line[p]
    set yrange [0:highest > 0 ? highest * 1.06 : 1]
    set ylabel 'address, '.unit[p]
    set title title[p]."\n".facts[p] noenhanced
    unset arrow
    unset label
    set arrow from graph 0, first peak[p] to graph 1, first peak[p] nohead front \
        linecolor rgb '#D55E00' linewidth 1.3
    if (line[p] > 0) {
        set arrow from graph 0, first line[p] to graph 1, first line[p] nohead front \
            linecolor rgb '#000000' dashtype 2 linewidth 1.3
    }
    near = line[p] > peak[p] && line[p] - peak[p] < 0.07 * highest
    set label peak_label[p] at graph 0.995, first peak[p] right offset 0, near ? -0.6 : 0.5 front boxed noenhanced \
        textcolor rgb '#D55E00'
    if (line[p] > 0 && abs(line[p] - peak[p]) > 0.07 * highest) {
        set label line_label[p] at graph 0.995, first line[p] right offset 0, 0.5 front boxed noenhanced
    }
    plot 'plan.csv' using (in(p, 0.5 * (column('begin') + column('end')))): \
                (0.5 * (column('low') + column('high'))): \
                'begin':'end':'low':'high':(tint[column('tint')]) \
            with boxxyerror linecolor rgb variable linewidth 0.6, \
        'plan-edges.csv' using (of(p, 1, column('begin'))):'low':(column('end') - column('begin')): \
                (column('high') - column('low')):(tint[column('tint')]) \
            with vectors nohead linecolor rgb variable linewidth 0.5 dashtype 3, \
        'plan-edges.csv' using (of(p, 0, column('begin'))):'low':(column('end') - column('begin')): \
                (column('high') - column('low')):(tint[column('tint')]) \
            with vectors nohead linecolor rgb variable linewidth 0.7, \
        for [size in "5 8 12"] 'plan-labels.csv' using \
                (column('points') == size + 0 ? in(p, 0.5 * (column('begin') + column('end'))) : NaN): \
                (0.5 * (column('low') + column('high'))):'label' \
            with labels noenhanced font sprintf(',%d', (format eq 'svg' ? 2 : 1) * size)
}
unset multiplot
