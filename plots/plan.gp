# A plan as time x address, each buffer in one tint with its outline; a dotted line is
# where an operator begins to write over its input.  For `draw`.

load 'style.gp'
eval paper(7.0, 3.6)
set datafile separator comma
set key off
set xlabel 'step'
set ylabel 'address, '.unit[1]
set title title[1] noenhanced
set xrange [begin[1]:end[1]]
top = peak[1] > load[1] ? peak[1] : load[1]
set yrange [0:top > 0 ? top * 1.06 : 1]
unset grid
set style fill solid 0.45 noborder
set arrow from graph 0, first peak[1] to graph 1, first peak[1] nohead front \
    linecolor rgb '#D55E00' linewidth 1.3
set arrow from graph 0, first load[1] to graph 1, first load[1] nohead front \
    linecolor rgb '#000000' dashtype 2 linewidth 1.3
set label peak_label[1] at graph 0.995, first peak[1] right offset 0, 0.5 front noenhanced \
    textcolor rgb '#D55E00'
if (load[1] < 0.93 * peak[1]) {
    set label load_label[1] at graph 0.995, first load[1] right offset 0, 0.5 front noenhanced
}
array tint[6] = [0x56B4E9, 0xE69F00, 0x009E73, 0xCC79A7, 0x0072B2, 0xF0E442]
# The edges of kind k; NaN for others.
of(k, value) = column('kind') == k ? value : NaN
plot 'plan.csv' using (0.5 * (column('begin') + column('end'))): \
            (0.5 * (column('low') + column('high'))): \
            'begin':'end':'low':'high':(tint[column('tint')]) \
        with boxxyerror linecolor rgb variable linewidth 0.6, \
    'plan-edges.csv' using (of(1, column('begin'))):'low':(column('end') - column('begin')): \
            (column('high') - column('low')):(tint[column('tint')]) \
        with vectors nohead linecolor rgb variable linewidth 0.5 dashtype 3, \
    'plan-edges.csv' using (of(0, column('begin'))):'low':(column('end') - column('begin')): \
            (column('high') - column('low')):(tint[column('tint')]) \
        with vectors nohead linecolor rgb variable linewidth 0.7, \
    'plan-labels.csv' using (0.5 * (column('begin') + column('end'))): \
            (0.5 * (column('low') + column('high'))):'label' \
        with labels noenhanced font ',5'
