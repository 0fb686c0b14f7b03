# How the bracket narrows.
#
# title: Bounds over time on the hardest instances
# experiment: exact
# caption: Best plan so far (solid, with marks) and best proven bound so far (dotted) of each
#   exact solver, relative to the best bound that any of them proved, on the four instances that
#   took branch-and-bound the longest of those with a plan or a bound at least 1 % from
#   there. Where the two lines of a colour meet the optimum is proven. Lines end with the run.
# query:
#   with event as (
#     select h.panel, r.contestant, r.number, r.task, m.name, max(m.at_s, 1e-5) as at_s,
#            100 * (m.value / r.bound - 1) as percent, m.seq
#       from result r join bracket h using (checksum)
#       join measurement m on m.task = r.task and m.name in ('incumbent', 'bound')
#      where r.experiment = 'exact' and h.panel <= 4 and r.outcome not in ('skipped', 'invalid')
#      union all
#     select h.panel, r.contestant, r.number, r.task, 'incumbent', r.time_s,
#            100 * (r.peak * 1.0 / r.bound - 1), 1000000000
#       from result r join bracket h using (checksum)
#      where r.experiment = 'exact' and h.panel <= 4 and r.usable
#      union all
#     select h.panel, r.contestant, r.number, r.task, 'bound', r.time_s,
#            100 * (r.lower_bound * 1.0 / r.bound - 1), 1000000000
#       from result r join bracket h using (checksum)
#      where r.experiment = 'exact' and h.panel <= 4 and r.usable and r.lower_bound > 0)
#   select panel, contestant, number, name = 'incumbent' as upper, at_s, percent
#     from event order by panel, number, upper, at_s, seq
# arrays:
#   select contestant, min(number) as number
#     from result where experiment = 'exact' and outcome <> 'invalid' and arena
#    group by contestant order by min(number)
# arrays:
#   select name || printf('%s%d buffers', char(10), n) as panel_title
#     from bracket where panel <= 4 order by panel
# arrays:
#   select max(time_limit_s) as time_limit from result where experiment = 'exact'

load 'style.gp'
height = 2.2 + room_below(|contestant| + 2)
eval paper(7.0, height)
set multiplot
set datafile separator comma
set tmargin at screen 1 - 0.42 / height
set bmargin at screen room_below(|contestant| + 2) / height
@key_below
set key maxrows key_rows(|contestant| + 2) width 1

panels = |panel_title|
left = 0.085
right = 0.985
space = 0.03
panel_width = (right - left - (panels - 1) * space) / panels
set logscale x
set xrange [1e-4:time_limit[1] * 1.1]
set format x '10^{%L}'
set xtics 1e-3, 100
set xlabel 'time, s'
set yrange [-25:50]
set ylabel 'above the best bound, %'
in_panel(p, c, upper) = column('panel') == p && column('number') == number[c] \
    && column('upper') == upper
do for [p = 1:panels] {
    set lmargin at screen left + (p - 1) * (panel_width + space)
    set rmargin at screen left + (p - 1) * (panel_width + space) + panel_width
    set title panel_title[p] noenhanced
    if (p > 1) { set ylabel; set format y ''; unset key }
    plot for [c = |contestant|:1:-1] 'exact-bounds.csv' \
            using (in_panel(p, c, 0) ? column('at_s') : NaN):'percent' \
            with steps linestyle style(contestant[c], number[c]) dashtype 3 linewidth 1.8 notitle, \
        for [c = |contestant|:1:-1] '' \
            using (in_panel(p, c, 1) ? column('at_s') : NaN):'percent' \
            with steps linestyle style(contestant[c], number[c]) dashtype 1 notitle, \
        for [c = |contestant|:1:-1] '' \
            using (in_panel(p, c, 1) ? column('at_s') : NaN):'percent' \
            with points linestyle style(contestant[c], number[c]) notitle, \
        for [c = 1:|contestant|] keyentry with linespoints \
            linestyle style(contestant[c], number[c]) dashtype 1 title contestant[c] noenhanced, \
        keyentry with lines linecolor rgb '#666666' dashtype 1 title 'plan', \
        keyentry with lines linecolor rgb '#666666' dashtype 3 linewidth 1.8 title 'bound'
}
unset multiplot
