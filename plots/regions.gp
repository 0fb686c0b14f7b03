# Measured against modelled speed-up of operators side by side.
#
# title: Operators side by side, measured and modelled
# experiment: regions
# shape: run
# caption: Speed-up of a network whose layers are cut into groups, the operators of a group side
#   by side on threads, over one operator after the other on one thread. Up: as measured (medians,
#   both in one process; bars: the 95 % interval). To the right: as the time model has it, from
#   the times of the operators one after the other, with 20 µs per barrier. On the line both are
#   the same. Each colour is a network, the number at a mark is that of groups per layer; of more
#   than seven networks the first seven are shown. The model leaves out that threads share caches
#   and memory, and may share a core.
# query:
#   with net as (
#     select network_name, row_number() over (order by min(seq)) as line
#       from (select *, name as network_name from execution_run) where experiment = ?1 and measured and groups
#      group by network_name order by min(seq) limit 7)
#   select line, group_count as groups, threads, modelled_speed_up as modelled,
#          serial_s / time_s as measured, serial_s / coalesce(high_s, time_s) as low,
#          serial_s / coalesce(low_s, time_s) as high, 1e3 * serial_s as serial_ms
#     from execution_run r join net n on n.network_name = r.name
#    where experiment = ?1 and measured and groups
#    order by line, threads, groups
# arrays:
#   select name as net from execution_run where experiment = ?1 and measured and groups
#    group by name order by min(seq) limit 7

load 'style.gp'
eval paper(3.32, 3.1)
set datafile separator comma
set bmargin at screen 0.27
set key at screen 0.54, 0.01 center bottom vertical maxrows 2 Left reverse samplen 1 width 1
set xlabel 'modelled speed-up'
set ylabel 'measured speed-up' offset 0.8, 0
stats 'regions.csv' using 'modelled' nooutput name 'x'
stats 'regions.csv' using 'low' nooutput name 'l'
stats 'regions.csv' using 'high' nooutput name 'y'
wide = x_max - x_min > 0.05 ? x_max - x_min : 0.05
tall = y_max - l_min > 0.05 ? y_max - l_min : 0.05
set xrange [x_min - 0.08 * wide:x_max + 0.12 * wide]
set yrange [l_min - 0.05 * tall:y_max + 0.05 * tall]
tens(range) = 10 ** floor(log10(range / 3.0))
step(range) = tens(range) * (range / tens(range) > 15 ? 5 : range / tens(range) > 6 ? 2 : 1)
set xtics step(1.2 * wide)
set ytics step(1.1 * tall)
plot x with lines linecolor rgb '#888888' linewidth 0.8 notitle, \
    for [n = 1:|net|] 'regions.csv' using (column('line') == n ? column('modelled') : NaN):'measured':'low':'high' \
        with yerrorbars linecolor rgb okabe[n] linewidth 1 pointtype marker[n] pointsize 0.5 title net[n], \
    'regions.csv' using 'modelled':'measured':'groups' with labels left offset 0.5, 0.4 \
        textcolor rgb '#444444' notitle
