# How far each planner is from the optimum, as a distribution over instances.
#
# title: Gap of each planner
# experiment: gap
# shape: plan
# caption: Share of instances on which a planner's gap is at most x, on an axis
#   that is linear near 0 % and logarithmic beyond.  Left: instances on which some
#   heuristic other than section-first reaches the load, which is then the optimum.
#   Middle: instances on which none does and the optimum is proven.  Right, where there are any: instances
#   whose optimum is open, with the gap to the best lower bound instead, and thin with
#   the gap to the best peak known: the true one lies between.  Bounds and peaks from
#   other runs count (optima.csv).  A curve that ends below 1 belongs to a planner that
#   gave no plan on the rest.
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
#          c.place > 0 and c.place < 1000000000 and c.place % 7 = c.number % 7 as mark
#     from curve c join tried t using (group_of, contestant)
#    order by c.group_of, c.number, c.place
# query bracket:
#   select distinct group_of, number, 0.0 as gap, 0.0 as share from result
#    where experiment = ?1 and usable and group_of = 'open'
#    union all
#   select group_of, number, 100 * gap_upper, below * 1.0 / tried
#     from (select group_of, number, gap_upper,
#                  count(*) over (partition by number order by gap_upper) as below,
#                  (select count(*) from result t where t.experiment = ?1 and t.arena
#                      and t.group_of = 'open' and t.number = r.number
#                      and t.outcome not in ('skipped', 'invalid')) as tried
#             from result r
#            where experiment = ?1 and usable and group_of = 'open' and gap_upper is not null)
#    order by number, gap, share
# arrays:
#   select contestant, min(number) as number from result
#    where experiment = ?1 and arena and outcome not in ('skipped', 'invalid')
#    group by contestant order by min(number)
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
#   select 100 * max(gap_bound) as widest from result where experiment = ?1 and usable

load 'style.gp'
height = 2.2 + room_below(|contestant|)
eval paper(7.0, height)
panels = |panel|
set multiplot

set datafile separator comma
left = 0.075
right = 0.985
space = 0.035
panel_width = (right - left - (panels - 1) * space) / panels
set tmargin at screen 1 - 0.37 / height
set bmargin at screen room_below(|contestant|) / height

# Linear up to about 1 %, logarithmic beyond.
set nonlinear x via log10(1 + x) inverse 10**x - 1
set xtics (0, 1, 3, 10, 30, 100, 300, 1000, 3000)
set xrange [0:widest[1] > 1 ? widest[1] : 1]
set yrange [0:1]
set ytics 0.2
set ylabel 'share of instances'

in_panel(p, c) = stringcolumn('group_of') eq panel[p] && column('number') == number[c]
@key_below

do for [p = 1:panels] {
    set lmargin at screen left + (p - 1) * (panel_width + space)
    set rmargin at screen left + (p - 1) * (panel_width + space) + panel_width
    set title panel_title[p] noenhanced
    set xlabel panel_axis[p]
    if (p > 1) { set ylabel; set format y ''; unset key }
    plot for [c = 1:|contestant|] 'gap.csv' \
            using (in_panel(p, c) ? 100 * column('gap') : NaN):'share' \
            with steps linestyle style(contestant[c], number[c]) notitle, \
        for [c = 1:|contestant|] 'gap.csv' \
            using (in_panel(p, c) && column('mark') == 1 ? 100 * column('gap') : NaN):'share' \
            with points linestyle style(contestant[c], number[c]) notitle, \
        for [c = 1:|contestant|] 'gap-bracket.csv' \
            using (in_panel(p, c) ? column('gap') : NaN):'share' \
            with steps linestyle style(contestant[c], number[c]) linewidth 0.4 notitle, \
        for [c = 1:|contestant|] keyentry with linespoints \
            linestyle style(contestant[c], number[c]) title contestant[c] noenhanced
}
unset multiplot
