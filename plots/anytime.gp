# What more time buys.
#
# title: Gap against time
# experiment: anytime
# shape: plan
# caption: Mean over instances and seeds of the gap of the best plan so far, to the optimum (to
#   the best proven bound where it is open), on an axis that is linear near 0 % and logarithmic
#   beyond. One panel for each family of instances. The first two planners named have a band from
#   the lower to the upper quartile. A curve begins when the planner has a plan for every instance
#   of the family. The seven planners with the least mean gap in the end are in colour, in that
#   order, all others grey. Time is that of planning, in the process. Programs of your own come
#   before all others.
# query:
#   select family, contestant, number, at_s, 100 * avg(gap) as gap,
#          100 * quantile(gap, 0.25) as low, 100 * quantile(gap, 0.75) as high,
#          row_number() over (partition by family, number order by at_s) % 5 = number % 5 as mark
#     from anytime_moment where experiment = ?1
#    group by family, contestant, at_s having count(*) = count(gap)
#    order by family, number, at_s
# arrays:
#   select contestant, number from (
#     select contestant, min(number) as number, family, avg(gap) as gap,
#            count(*) - count(gap) as lacking
#       from anytime_moment
#      where experiment = ?1 and at_s = (select max(at_s) from anytime_moment where experiment = ?1)
#      group by contestant, family)
#    where gap is not null group by contestant order by contestant in own_program desc, sum(lacking), avg(gap), contestant
# arrays:
#   select family as panel, family || printf(', n = %d', count(distinct checksum)) as panel_title
#     from anytime_step where experiment = ?1 group by family order by place, family
# arrays:
#   select min(at_s) as first_s, max(at_s) as last_s from anytime_moment where experiment = ?1 and gap is not null
# arrays:
#   select max(high) as worst from (
#     select 100 * max(avg(gap), quantile(gap, 0.75)) as high
#       from anytime_moment where experiment = ?1
#      group by family, contestant, at_s having count(*) = count(gap))

load 'style.gp'
best = |contestant| < 7 ? |contestant| : 7
others = |contestant| - best
room_inner = 0.25
# What is compared may be one planner with other parameters, so names are whole where there is room.
in_key(text) = strlen(text) <= either(80, 24) ? text : short(text)
longest_in_key = 8
do for [c = 1:best] {
    longest_in_key = strlen(in_key(contestant[c])) > longest_in_key ? strlen(in_key(contestant[c])) : longest_in_key
}
room_key = room_for_key(best + (others > 0), longest_in_key)
x_name = 'time, s'
y_name = 'gap, %'
eval panels(|panel|, either(3, 2), 1.15)
@key_below
set logscale x
set xrange [first_s[1]:last_s[1]]
set xtics 1e-3, 100
set format x '10^{%T}'
set nonlinear y via log10(1 + y) inverse 10**y - 1
set yrange [0:worst[1] > 0.5 ? 1.05 * worst[1] : 0.5]
set ytics (0, 1, 3, 10, 30, 100, 300)
shown(p, c) = c <= |contestant| && stringcolumn('family') eq panel[p] && column('number') == number[c]
of(p, c) = shown(p, c) ? column('at_s') : NaN
marked(p, c) = shown(p, c) && column('mark') == 1 ? column('at_s') : NaN
do for [p = 1:|panel|] {
    eval panel(p)
    eval name_axes(p)
    set title panel_title[p] noenhanced
    plot for [c = (best < 2 ? best : 2):1:-1] 'anytime.csv' using (of(p, c)):'low':'high' \
            with filledcurves fillstyle transparent solid 0.2 noborder \
            linecolor rgb okabe[(style(contestant[c], number[c]) - 1) % 7 + 1] notitle, \
        for [c = best + 1:|contestant|] '' using (of(p, c)):'gap' \
            with lines linecolor rgb '#bbbbbb' linewidth 0.8 notitle, \
        for [c = best:1:-1] '' using (of(p, c)):'gap' \
            with lines linestyle style(contestant[c], number[c]) dashtype 1 notitle, \
        for [c = best:1:-1] '' using (marked(p, c)):'gap' \
            with points linestyle style(contestant[c], number[c]) notitle, \
        for [c = 1:best] keyentry with linespoints \
            linestyle style(contestant[c], number[c]) dashtype 1 title in_key(contestant[c]), \
        keyentry with lines \
            linecolor rgb '#bbbbbb' linewidth 0.8 title others > 0 ? sprintf('%d others', others) : ''
    unset key
}
unset multiplot
