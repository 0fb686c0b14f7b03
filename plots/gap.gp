# How far each planner is from the optimum, as a distribution over instances.
#
# title: Gap of each planner
# experiment: gap
# shape: plan
# caption: Share of instances on which a planner's gap is at most x, on an axis that is linear
#   near 0 % and logarithmic beyond. There is one panel for the instances on which some heuristic
#   other than section-first reaches the load, which is then the optimum; one for those on which
#   none does and the optimum is proven; and, where there are any, one for those whose optimum is
#   open, with the gap to the best lower bound. The seven planners with the least mean gap where
#   no heuristic reaches the load are in colour, named in the order of that mean (the second is
#   thick, so that the first can lie upon it), all others grey (the table of gaps has them).
#   Bounds and peaks from other runs count (optima.csv). A curve that ends below 1 belongs to a
#   planner that gave no plan on the rest. Programs of your own come before all others.
# query:
#   with tried as (
#     select group_of, contestant, number, count(*) as n
#       from result
#      where experiment = ?1 and arena and outcome not in ('skipped', 'invalid')
#      group by group_of, contestant),
#   point as (
#     select group_of, contestant, number, gap_bound as gap,
#            count(*) over (partition by group_of, contestant order by gap_bound) as below
#       from result
#      where experiment = ?1 and usable and gap_bound is not null),
#   step as (select distinct * from point),
#   widest as (select group_of, max(gap) as gap from point group by group_of),
#   curve as (
#     select group_of, contestant, number, 0.0 as gap, 0 as below, 0 as place from tried
#      union all
#     select group_of, contestant, number, gap, below,
#            row_number() over (partition by group_of, contestant order by gap)
#       from step
#      union all
#     select t.group_of, t.contestant, t.number, w.gap, max(p.below), 1000000000
#       from tried t join widest w using (group_of) join point p using (group_of, contestant)
#      group by t.group_of, t.contestant)
#   select c.group_of, c.contestant, c.number, c.gap, c.below * 1.0 / t.n as share, t.n as instances,
#          c.place > 0 and c.place < 1000000000 and (c.place = 1 or c.place % 4 = c.number % 4) as mark
#     from curve c join tried t using (group_of, contestant)
#    order by c.group_of, c.number, c.place
# arrays:
#   select contestant, min(number) as number from result
#    where experiment = ?1 and arena and outcome not in ('skipped', 'invalid')
#    group by contestant
#    order by contestant in own_program desc, count(gap_bound) filter (where group_of <> 'easy') desc,
#             avg(gap_bound) filter (where group_of <> 'easy'), avg(gap_bound), contestant
# arrays:
#   select group_of as panel,
#          case group_of
#            when 'easy' then 'a heuristic reaches the load'
#            when 'hard' then 'none does, optimum proven'
#            else 'none does, optimum open' end
#            || printf('%sn = %d', char(10), count(distinct checksum)) as panel_title,
#          case group_of when 'open' then 'gap to the lower bound, %' else 'gap, %' end as panel_axis
#     from result where experiment = ?1 and arena
#    group by group_of order by group_of = 'open', group_of
# arrays:
#   select count(distinct contestant) as owned from result
#    where experiment = ?1 and contestant in own_program
# arrays:
#   select 100 * max(gap_bound) as widest from result where experiment = ?1 and usable

load 'style.gp'
panels = |panel|
best = |contestant| < 7 ? |contestant| : 7
room_above = 0.42
room_key = room_for_key(best + (|contestant| > best), longest_contestant)
y_name = 'share of instances'
eval panels(panels, either(panels, 1), either(2.0, 1.5))
@key_below
set key samplen 2

# Linear up to about 1 %, logarithmic beyond.
set nonlinear x via log10(1 + x) inverse 10**x - 1
set xtics (0, 1, 3, 10, 30, 100, 300, 1000, 3000)
# What is at 0 % from the start, and at 1 until the end, lies beside the frame, not on it.
set xrange [-0.08:widest[1] > 1 ? widest[1] : 1]
set yrange [0:1.04]
set ytics 0.2

in_panel(p, c) = c <= |contestant| && stringcolumn('group_of') eq panel[p] \
    && column('number') == number[c]

do for [p = 1:panels] {
    eval panel(p)
    eval name_axes(p)
    set title panel_title[p] noenhanced
    set xlabel panel_axis[p]
    plot for [c = best + 1:|contestant|] 'gap.csv' \
            using (in_panel(p, c) ? 100 * column('gap') : NaN):'share' \
            with steps linecolor rgb '#bbbbbb' linewidth 0.8 notitle, \
        for [c = best:1:-1] 'gap.csv' \
            using (in_panel(p, c) ? 100 * column('gap') : NaN):'share' \
            with steps linestyle style(contestant[c], number[c]) dashtype 1 \
            linewidth (c == owned[1] + 2 ? 3.2 : 1.2) notitle, \
        for [c = best:1:-1] 'gap.csv' \
            using (in_panel(p, c) && column('mark') == 1 ? 100 * column('gap') : NaN):'share' \
            with points linestyle style(contestant[c], number[c]) notitle, \
        for [c = 1:best] keyentry with linespoints \
            linestyle style(contestant[c], number[c]) dashtype 1 title short(contestant[c]), \
        keyentry with lines \
            linecolor rgb '#bbbbbb' linewidth 0.8 title |contestant| > best ? sprintf('%d others', |contestant| - best) : ''
    unset key
}
unset multiplot
