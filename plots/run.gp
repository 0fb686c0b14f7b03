# Memory against latency of networks that are run, by planner, kernel, fusing and sharing.
#
# title: Bytes against latency of networks that run
# experiment: run
# shape: run
# caption: Memory that a run takes beside weights (planned arena, room for changes of layout,
#   the kernels' workspace) against its median latency; bars are the 95 % intervals. A network a
#   panel, of more than six the first six. Marks are planners; small: nothing fused, middle: all
#   fused, large: fused and shared (aliases, in place by nnc's rule, parts of concatenations made
#   in their place). A line joins the three of a planner with a kernel, whose name stands at its largest
#   mark. The grey stairs are the Pareto front: no run is both
#   smaller and faster. The outputs of every run shown are, byte for byte, those of a run with each value
#   in memory of its own. Planning is not timed; runs follow each other, so what the machine does
#   meanwhile falls on some of them alone.
# query:
#   with panel as (
#     select network, row_number() over (order by min(seq)) as panel from execution_run
#      where experiment = ?1 and measured and place < 4 group by network order by min(seq) limit 6)
#   select panel, contestant, kernel, place, 1e3 * time_s as ms, 1e3 * coalesce(low_s, time_s) as low_ms,
#          1e3 * coalesce(high_s, time_s) as high_ms, paid_bytes / 1048576.0 as mib
#     from execution_run join panel using (network)
#    where experiment = ?1 and measured and place < 4
#    order by panel, contestant, kernel, place
# query front:
#   with panel as (
#     select network, row_number() over (order by min(seq)) as panel from execution_run
#      where experiment = ?1 and measured and place < 4 group by network order by min(seq) limit 6),
#   shown as (
#     select panel, time_s, paid_bytes from execution_run r join panel p using (network)
#      where experiment = ?1 and measured and place < 4)
#   select distinct a.panel, 1e3 * a.time_s as ms, a.paid_bytes / 1048576.0 as mib from shown a
#    where not exists (select 1 from shown b where b.panel = a.panel and b.time_s <= a.time_s
#       and b.paid_bytes <= a.paid_bytes
#       and (b.time_s < a.time_s or b.paid_bytes < a.paid_bytes))
#    order by 1, 2
# query labels:
#   with panel as (
#     select network, row_number() over (order by min(seq)) as panel from execution_run
#      where experiment = ?1 and measured and place < 4 group by network order by min(seq) limit 6),
#   last as (
#     select panel, kernel, 1e3 * time_s as ms, paid_bytes / 1048576.0 as mib,
#            row_number() over (partition by panel, kernel order by place desc, paid_bytes, time_s desc)
#              as n, min(seq) over (partition by kernel) as first
#       from execution_run join panel using (network)
#      where experiment = ?1 and measured and place < 4)
#   select panel, replace(kernel, 'im2col-', '') as label, ms, mib,
#          dense_rank() over (order by first) as nth
#     from last where n = 1 order by panel, first
# arrays:
#   select network as panel_title from execution_run
#    where experiment = ?1 and measured and place < 4 group by network order by min(seq) limit 6
# arrays:
#   select contestant from execution_run where experiment = ?1 and measured and place < 4
#    group by contestant order by min(seq)
# arrays:
#   select kernel from execution_run where experiment = ?1 and measured and place < 4
#    group by kernel order by min(seq)

load 'style.gp'
array setting[3] = ['nothing fused', 'all fused', 'fused, shared']
array size[3] = [0.35, 0.65, 1.0]
size(s) = size[s] * (format eq 'svg' ? 1.2 : 1.0)
panels = |panel_title|
columns = panels < 3 ? panels : 3
rows = (panels + columns - 1) / columns
free = panels < columns * rows
height = 2.1 * rows + (free ? 0.1 : 0.55)
eval paper(7.0, height)
set multiplot
set datafile separator comma
left = 0.085
right = 0.985
space = 0.06
panel_width = (right - left - (columns - 1) * space) / columns
panel_height = 2.1 / height
set logscale y 2
set xlabel 'latency, ms'
if (free) {
    set key at screen right - 0.5 * panel_width + 0.03, 0.9 * panel_height center top vertical maxrows 9 \
        Left reverse samplen 2 spacing 1.15
} else {
    set key at screen 0.52, 0.0 center bottom vertical maxrows 2 Left reverse samplen 2 width 1
}
in_path(p, c, k) = column('panel') == p && stringcolumn('contestant') eq contestant[c] && \
    stringcolumn('kernel') eq kernel[k]
# About four ticks in such a range.
tens(range) = 10 ** floor(log10(range / 3.0))
step(range) = tens(range) * (range / tens(range) > 15 ? 5 : range / tens(range) > 6 ? 2 : 1)
do for [p = 1:panels] {
    i = (p - 1) % columns
    top = 1 - (p - 1) / columns * panel_height
    set tmargin at screen top - 0.25 / height
    set bmargin at screen top - panel_height + 0.5 / height
    set lmargin at screen left + i * (panel_width + space)
    set rmargin at screen left + i * (panel_width + space) + panel_width
    set title panel_title[p] noenhanced
    # Not by the width of the numbers, as an axis's own label is.
    if (i == 0) {
        set label 1 'MiB beside weights' at screen 0.02, \
            screen top - (0.5 * (2.1 - 0.5 + 0.25)) / height center rotate
    } else { unset label 1 }
    set xrange [*:*]
    set yrange [*:*]
    stats 'run.csv' using (column('panel') == p ? column('high_ms') : NaN) nooutput name 'x'
    stats 'run.csv' using (column('panel') == p ? column('low_ms') : NaN) nooutput name 'l'
    stats 'run.csv' using (column('panel') == p ? column('mib') : NaN) nooutput name 'y'
    set xrange [l_min - 0.05 * (x_max - l_min):x_max + 0.4 * (x_max - l_min)]
    set yrange [y_min * (y_min / y_max) ** 0.2:y_max * (y_max / y_min) ** 0.06]
    # A name at the last mark has room, and the axis ends with its data.
    apart = step(1.45 * (x_max - l_min))
    set xtics apart * floor(l_min / apart), apart, apart * ceil(x_max / apart)
    plot 'run-front.csv' using (column('panel') == p ? column('ms') : NaN):'mib' with steps \
            linecolor rgb '#cccccc' linewidth 4 title 'Pareto front', \
        'run.csv' using (column('panel') == p ? column('low_ms') : NaN):'mib':(column('high_ms') - column('low_ms')):(0) \
            with vectors nohead linecolor rgb '#888888' linewidth 0.6 notitle, \
        for [c = 1:|contestant|] for [k = 1:|kernel|] 'run.csv' \
            using (in_path(p, c, k) ? column('ms') : NaN):'mib' \
            with lines linecolor rgb '#888888' linewidth 0.8 notitle, \
        for [c = 1:|contestant|] 'run.csv' using (column('panel') == p && \
            stringcolumn('contestant') eq contestant[c] ? column('ms') : NaN):'mib':(size(column('place'))) \
            with points linestyle style(contestant[c], c) pointsize variable title contestant[c] noenhanced, \
        for [s = 1:3] NaN with points linecolor rgb '#888888' pointtype 6 pointsize size(s) title setting[s], \
        'run-labels.csv' using (column('panel') == p && column('nth') == 1 ? column('ms') : NaN):'mib':'label' \
            with labels left offset -1.0, -1.0 noenhanced textcolor rgb '#444444' notitle, \
        for [k = 2:|kernel|] '' \
            using (column('panel') == p && column('nth') == k ? column('ms') : NaN):'mib':'label' \
            with labels left offset 0.9, (k % 2 == 0 ? 0.45 : -0.25) noenhanced \
            textcolor rgb '#444444' notitle
    unset key
}
unset multiplot
