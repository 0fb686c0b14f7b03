# How long each planner takes.
#
# title: Running time of each planner
# shape: plan
# caption: Wall clock of planning, on a logarithmic axis: the bar reaches from the first to the
#   third quartile of the runs, the line from the fastest to the slowest, the tick is the median.
#   Planners stand in the order of their medians, the fastest first. A circle: a limit cut some of
#   the runs.
# query:
#   select row_number() over (order by median(time_s), number) as line, contestant, min(time_s) as least,
#          quantile(time_s, 0.25) as low, median(time_s) as middle,
#          quantile(time_s, 0.75) as high, max(time_s) as most,
#          max(outcome in ('timeout', 'memout')) as cut
#     from result
#    where experiment = ?1 and outcome not in ('skipped', 'invalid') and time_s > 0
#    group by contestant order by 1
# arrays:
#   select contestant as row_label from result
#    where experiment = ?1 and outcome not in ('skipped', 'invalid') and time_s > 0
#    group by contestant order by median(time_s), number

load 'style.gp'
rows = |row_label|
room_left = room_for_names(24)
room_right = 0.22
room_above = 0.08
eval panels(1, 1, 0.135 * rows)
eval panel(1)
eval name_rows(1)
set logscale x
set format x '10^{%T}'
set xlabel 'time, s'
set yrange [rows + 0.6:0.4]
unset grid
set grid xtics
unset key
plot 'time.csv' using 'least':'line':(column('most') - column('least')):(0) with vectors nohead \
        linecolor rgb '#888888' linewidth 0.8, \
    '' using 'middle':'line':'low':'high':(column('line') - 0.3):(column('line') + 0.3) \
        with boxxyerror fillstyle solid border linecolor rgb '#0072B2' fillcolor rgb '#a6cbe3', \
    '' using 'middle':(column('line') - 0.3):(0):(0.6) with vectors nohead linecolor rgb '#000000' linewidth 1.4, \
    '' using (column('cut') == 1 ? column('most') : NaN):'line' with points pointtype 6 \
        pointsize 0.5 linecolor rgb '#D55E00'
unset multiplot
