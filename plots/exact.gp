# What exact solvers prove, and how long it takes.
#
# title: Solved share and time of exact solvers
# experiment: exact
# caption: First: the share of the instances whose optimum a solver proves within a time: the
#   higher and the further left, the better. Second: the time of each proof against the number of
#   overlapping pairs of buffers, both on logarithmic axes. The grey strip above it has, without a
#   time, the instances that a solver does not prove within the limit, one line for each solver;
#   those that it does not take on are left out there. Times are wall clock of the planning.
# query:
#   with run_of as (
#     select contestant, number, workload_label as instance, pairs, seq,
#            max(time_s, 1e-5) as time_s, outcome = 'optimal' as solved
#       from result where experiment = 'exact' and outcome <> 'invalid' and arena),
#   total as (select contestant, count(*) as instances from run_of group by contestant),
#   rank as (
#     select *, row_number() over (partition by contestant, solved order by time_s, seq) as place
#       from run_of)
#   select r.contestant, number, instance, pairs, time_s, solved,
#          case when solved then place * 1.0 / instances end as share,
#          place % 7 as band
#     from rank r join total using (contestant)
#    union all
#   select contestant, min(number), 'limit', null, max(time_limit_s), 2,
#          sum(outcome = 'optimal') * 1.0 / count(*), 0
#     from result where experiment = 'exact' and outcome <> 'invalid' and arena
#    group by contestant
#    order by number, solved, time_s
# arrays:
#   select contestant, min(number) as number,
#          contestant || printf(': %d of %d', sum(outcome = 'optimal'), count(*)) as label
#     from result where experiment = 'exact' and outcome <> 'invalid' and arena
#    group by contestant order by min(number)
# arrays:
#   select max(time_limit_s) as time_limit, printf('not proven in %g s', max(time_limit_s)) as limit_label,
#          max(1e-5, coalesce(0.5 * min(case when outcome = 'optimal' then time_s end), 0)) as first_s
#     from result where experiment = 'exact' and outcome not in ('skipped', 'invalid')
# arrays:
#   select max(1, 0.6 * min(pairs)) as least_pairs, 1.6 * max(pairs) as most_pairs
#     from result where experiment = 'exact' and outcome <> 'invalid' and arena

load 'style.gp'
strip = 0.1 * |contestant| + 0.12
longest = 8
do for [c = 1:|contestant|] { longest = strlen(label[c]) > longest ? strlen(label[c]) : longest }
room_above = 0.24
room_beside = 0.7
room_key = room_for_key(|contestant|, longest)
eval panels(2, either(2, 1), 1.8 + either(0, strip))
limit = time_limit[1]
of(c, solved) = column('number') == number[c] && column('solved') == solved

eval panel(1)
set logscale x
set format x '10^{%L}'
set xrange [first_s[1]:limit]
set yrange [0:1]
set ytics 0.2
set xlabel 'time, s'
set ylabel 'share of instances proven'
@key_below
plot for [c = 1:|contestant|] 'exact.csv' \
        using (column('number') == number[c] && column('solved') > 0 ? column('time_s') : NaN):'share' \
        with steps linestyle style(contestant[c], number[c]) dashtype 1 notitle, \
    for [c = 1:|contestant|] '' using (of(c, 1) && int(column('band')) % 3 == c % 3 ? column('time_s') : NaN):'share' \
        with points linestyle style(contestant[c], number[c]) notitle, \
    for [c = 1:|contestant|] keyentry with linespoints \
        linestyle style(contestant[c], number[c]) dashtype 1 title label[c] noenhanced
unset key

eval margins(edge_left(2), edge_right(2), edge_top(2) - (0.1 + strip) / height, edge_bottom(2))
set logscale xy
set format y '10^{%L}'
set ytics auto
set xrange [least_pairs[1]:most_pairs[1]]
set yrange [first_s[1]:limit]
set xlabel 'overlapping pairs of buffers'
set ylabel 'time of the proof, s'
plot for [c = 1:|contestant|] 'exact.csv' \
        using 'pairs':(of(c, 1) ? column('time_s') : NaN) \
        with points linestyle style(contestant[c], number[c]) notitle

# What was cut has no time: a line for each solver, and no axis.
eval margins(edge_left(2), edge_right(2), edge_top(2), edge_top(2) - strip / height)
set title limit_label[1]
unset logscale y
set yrange [0:|contestant| + 1]
unset ytics
unset ylabel
unset xlabel
set format x ''
set border 0
set xtics scale 0
set object 1 rectangle from graph 0, graph 0 to graph 1, graph 1 behind \
    fillcolor rgb '#f0f0f0' fillstyle solid noborder
plot for [c = 1:|contestant|] 'exact.csv' \
        using 'pairs':(of(c, 0) ? |contestant| + 1 - c : NaN) \
        with points linestyle style(contestant[c], number[c]) notitle
unset multiplot
