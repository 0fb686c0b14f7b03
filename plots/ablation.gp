# What each technique of branch-and-bound buys.
#
# title: Ablation of branch-and-bound
# experiment: ablation
# caption: Time to the proof with one technique switched off, as a shifted geometric mean
#   over instances and seeds (shift 1 ms; runs without a proof count with the time limit).
#   Left: instances whose optimum is the load, where a packing has to be found; right: those
#   whose bounds are above it, where capacities have to be refuted. The dashed line is
#   the search with all techniques; beside each point stands how many runs were proven.
# query:
#   with side_of as (
#     select *, case when bound > load then 'refuting' else 'finding' end as side,
#            case when outcome = 'optimal' then time_s else time_limit_s end as spent
#       from result
#      where experiment = 'ablation' and outcome not in ('skipped', 'invalid')),
#   mean as (
#     select side, contestant, exp(avg(ln(spent + 0.001))) - 0.001 as time_s,
#            sum(outcome = 'optimal') as proven, count(*) as runs
#       from side_of group by side, contestant),
#   place as (
#     select contestant, row_number() over (order by contestant <> 'branch-and-bound',
#              exp(avg(ln(spent + 0.001))), contestant) as place
#       from side_of group by contestant)
#   select side, place, contestant, time_s, printf('%d/%d', proven, runs) as label
#     from mean join place using (contestant)
#    order by side, place
# arrays:
#   with side_of as (
#     select *, case when outcome = 'optimal' then time_s else time_limit_s end as spent
#       from result
#      where experiment = 'ablation' and outcome not in ('skipped', 'invalid'))
#   select case contestant when 'branch-and-bound' then 'all on'
#            else replace(replace(contestant, 'branch-and-bound:', ''), '=', ' ') end as variant
#     from side_of group by contestant
#    order by contestant <> 'branch-and-bound', exp(avg(ln(spent + 0.001))), contestant
# arrays:
#   with side_of as (
#     select *, case when bound > load then 'refuting' else 'finding' end as side,
#            case when outcome = 'optimal' then time_s else time_limit_s end as spent
#       from result
#      where experiment = 'ablation' and outcome not in ('skipped', 'invalid'))
#   select side as panel,
#          case side when 'finding' then 'optimum = load' else 'bound above the load' end
#            || printf(', %d instances', count(distinct checksum)) as panel_title,
#          exp(avg(case when contestant = 'branch-and-bound' then ln(spent + 0.001) end)) - 0.001
#            as all_on
#     from side_of group by side order by side

load 'style.gp'
height = 0.75 + 0.16 * |variant|
eval paper(7.0, height)
set multiplot
set datafile separator comma
set tmargin at screen 1 - 0.25 / height
set bmargin at screen 0.42 / height
panels = |panel|
left = 0.14
right = 0.985
space = 0.06
panel_width = (right - left - (panels - 1) * space) / panels
set logscale x
set format x '10^{%L}'
set xlabel 'time to the proof, s (shifted geometric mean)'
set yrange [|variant| + 0.6:0.4]
unset key
do for [p = 1:panels] {
    set lmargin at screen left + (p - 1) * (panel_width + space)
    set rmargin at screen left + (p - 1) * (panel_width + space) + panel_width
    set title panel_title[p] noenhanced
    set ytics ()
    do for [i = 1:|variant|] { set ytics add ((p == 1 ? variant[i] : '') i) }
    set arrow 1 from first all_on[p], graph 0 to first all_on[p], graph 1 nohead \
        linecolor rgb '#666666' dashtype 2 linewidth 1 back
    # Labels stand on the side of a point that is away from the line.
    at(below) = stringcolumn('side') eq panel[p] && (column('time_s') < all_on[p]) == below \
        ? column('time_s') : NaN
    plot 'ablation.csv' using (all_on[p]):'place':(stringcolumn('side') eq panel[p] \
                ? column('time_s') - all_on[p] : NaN):(0) \
            with vectors nohead linecolor rgb okabe[2], \
        for [below = 0:1] '' using (at(below)):'place' with points linestyle 2, \
        '' using (at(0)):'place':'label' with labels left offset 0.8, 0 textcolor rgb '#666666', \
        '' using (at(1)):'place':'label' with labels right offset -0.8, 0 textcolor rgb '#666666'
}
unset multiplot
