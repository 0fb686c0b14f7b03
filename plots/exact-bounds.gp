# How the bracket narrows.
#
# title: Bounds over time on the hardest instances
# experiment: exact
# caption: Best plan so far (at or above 0) and best proven bound so far (at or below 0) of each exact
#   solver, relative to the best bound that any of them proved. Shown are the four instances that
#   took branch-and-bound the longest, of those with a plan or a bound at least 1 % from there.
#   Wide lines lie below narrow ones, so that all of those that coincide are seen. A mark
#   stands where a run ends; where both lines of a colour reach 0 the optimum is proven.
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
#   select panel, contestant, number, name = 'incumbent' as upper, at_s, percent,
#          seq = 1000000000 as last
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
solvers = |contestant|
room_above = 0.42
room_inner = 0.3
room_key = room_for_key(solvers, longest_contestant)
x_name = 'time, s'
y_name = 'above the best bound, %'
eval panels(|panel_title|, either(4, 2), 1.75)
@key_below
set logscale x
set xrange [1e-4:time_limit[1] * 1.1]
set format x '10^{%L}'
set xtics 1e-3, 100
set yrange [-25:50]
set xzeroaxis linetype 1 linecolor rgb '#888888' linewidth 0.6
in_panel(p, c, upper) = column('panel') == p && column('number') == number[c] && column('upper') == upper
breadth(c) = 1 + 0.7 * (solvers - c)
do for [p = 1:|panel_title|] {
    eval panel(p)
    eval name_axes(p)
    set title panel_title[p] noenhanced
    plot for [c = 1:solvers] for [upper = 0:1] 'exact-bounds.csv' \
            using (in_panel(p, c, upper) ? column('at_s') : NaN):'percent' \
            with steps linestyle style(contestant[c], number[c]) dashtype 1 linewidth breadth(c) notitle, \
        for [c = 1:solvers] for [upper = 0:1] '' \
            using (in_panel(p, c, upper) && column('last') == 1 ? column('at_s') : NaN):'percent' \
            with points linestyle style(contestant[c], number[c]) notitle, \
        for [c = 1:solvers] keyentry with linespoints linestyle style(contestant[c], number[c]) \
            dashtype 1 title short(contestant[c]) noenhanced
    unset key
}
unset multiplot
