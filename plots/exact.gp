# What exact solvers prove, and how long it takes.
#
# title: Solved share and time of exact solvers
# experiment: exact
# caption: Left: share of the instances whose optimum a solver proves within a time (a
#   cactus plot turned on its side; the higher and the further left, the better). Right:
#   the time of each proof against the overlapping pairs of buffers, both logarithmic;
#   instances that a solver does not prove stand above the line at the time limit, those
#   that it does not take on are left out there. Times are wall clock of the planning.
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
#   select max(time_limit_s) as time_limit, printf('%g s limit', max(time_limit_s)) as limit_label,
#          max(1e-5, 0.5 * min(time_s)) as first_s
#     from result where experiment = 'exact' and outcome = 'optimal'

load 'style.gp'
height = 2.4 + room_below(|contestant|)
eval paper(7.0, height)
set multiplot
set datafile separator comma
set tmargin at screen 1 - 0.12 / height
set bmargin at screen room_below(|contestant|) / height
limit = time_limit[1]
of(c, solved) = column('number') == number[c] && column('solved') == solved

set lmargin at screen 0.075
set rmargin at screen 0.47
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
        with steps linestyle style(contestant[c], number[c]) notitle, \
    for [c = 1:|contestant|] '' using (of(c, 1) && column('band') == c ? column('time_s') : NaN):'share' \
        with points linestyle style(contestant[c], number[c]) notitle, \
    for [c = 1:|contestant|] keyentry with linespoints \
        linestyle style(contestant[c], number[c]) title label[c] noenhanced
unset key

set lmargin at screen 0.565
set rmargin at screen 0.985
set logscale xy
set format y '10^{%L}'
set ytics auto
set xrange [*:*]
set yrange [first_s[1]:limit * 12]
set xlabel 'overlapping pairs of buffers'
set ylabel 'time, s'
set arrow 1 from graph 0, first limit to graph 1, first limit nohead \
    linecolor rgb '#666666' dashtype 2 linewidth 1 back
set label 1 limit_label[1] at graph 0.02, first limit offset 0, -0.6 textcolor rgb '#666666'
cut(c) = limit * 1.4 * 1.5 ** (c - 1)
plot for [c = 1:|contestant|] 'exact.csv' \
        using 'pairs':(of(c, 1) ? column('time_s') : NaN) \
        with points linestyle style(contestant[c], number[c]) notitle, \
    for [c = 1:|contestant|] '' using 'pairs':(of(c, 0) ? cut(c) : NaN) \
        with points linestyle style(contestant[c], number[c]) notitle
unset multiplot
