# What more time buys.
#
# title: Gap against time
# experiment: anytime
# shape: plan
# caption: Mean over instances and seeds of the gap of the best plan so far, to the optimum
#   (to the best proven bound where it is open), on an axis that is linear near 0 % and
#   logarithmic beyond; a curve begins when the planner has a plan for every instance of the
#   family. Time is that of planning, in the process.
# query:
#   select family, contestant, number, at_s, 100 * avg(gap) as gap
#     from anytime_moment where experiment = ?1
#    group by family, contestant, at_s having count(*) = count(gap)
#    order by family, number, at_s
# arrays:
#   select contestant, min(number) as number from anytime_moment
#    where experiment = ?1 and gap is not null group by contestant order by min(number)
# arrays:
#   select family as panel, family || printf('%sn = %d', char(10), count(distinct checksum))
#            as panel_title
#     from anytime_step where experiment = ?1 group by family order by family
# arrays:
#   select min(at_s) as first_s, max(at_s) as last_s from anytime_moment where experiment = ?1 and gap is not null
# arrays:
#   select max(gap) as worst from (
#     select 100 * avg(gap) as gap from anytime_moment where experiment = ?1
#      group by family, contestant, at_s having count(*) = count(gap))

load 'style.gp'
height = 2.4 + room_below(|contestant|)
eval paper(7.0, height)
set multiplot
set datafile separator comma
set tmargin at screen 1 - 0.37 / height
set bmargin at screen room_below(|contestant|) / height
@key_below

panels = |panel|
left = 0.075
right = 0.985
space = 0.03
panel_width = (right - left - (panels - 1) * space) / panels
set logscale x
set xrange [first_s[1]:last_s[1]]
set format x '10^{%T}'
set xlabel 'time, s'
set nonlinear y via log10(1 + y) inverse 10**y - 1
set yrange [-0.05:1.05 * worst[1]]
set ytics (0, 1, 3, 10, 30, 100, 300)
set ylabel 'gap, %'
do for [p = 1:panels] {
    set lmargin at screen left + (p - 1) * (panel_width + space)
    set rmargin at screen left + (p - 1) * (panel_width + space) + panel_width
    set title panel_title[p] noenhanced
    if (p > 1) { set ylabel; unset key }
    plot for [c = 1:|contestant|] 'anytime.csv' \
            using (stringcolumn('family') eq panel[p] && column('number') == number[c] \
                ? column('at_s') : NaN):'gap' \
            with linespoints linestyle style(contestant[c], number[c]) pointinterval 4 \
            title contestant[c]
}
unset multiplot
