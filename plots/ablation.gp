# What each technique of branch-and-bound buys.
#
# title: Ablation of branch-and-bound
# experiment: ablation
# caption: How many nodes the search visits until the proof, with one technique switched off: a
#   shifted geometric mean (shift 10) over the runs that are proven under every switch. Nodes are
#   counted, so that the clock has no part in it. Placements of the planner's dives are (cheaper)
#   nodes, too: with the planner off there are fewer, but no good plan before the proof. First:
#   instances whose optimum is the load, where a packing has to be found. Second: those whose
#   bounds are above the load, where capacities have to be refuted. The dashed line is the search
#   with all techniques; the numbers at the right say how many of all runs were proven within the
#   limit.
# query:
#   with mean as (
#     select side, contestant, shifted_geometric_mean(case when shared then nodes end, 10) as nodes,
#            sum(outcome = 'optimal') as proven, count(*) as runs
#       from ablation_result group by side, contestant)
#   select side, place, contestant, nodes, printf('%d/%d', proven, runs) as label
#     from mean
#     join (select contestant, row_number() over (order by contestant <> 'branch-and-bound',
#                    shifted_geometric_mean(case when shared then nodes end, 10), contestant) as place
#             from ablation_result group by contestant) using (contestant)
#    order by side, place
# arrays:
#   select case contestant when 'branch-and-bound' then 'all on'
#            else replace(replace(contestant, 'branch-and-bound:', ''), '=', ' ') end as row_label
#     from ablation_result group by contestant
#    order by contestant <> 'branch-and-bound',
#             shifted_geometric_mean(case when shared then nodes end, 10), contestant
# arrays:
#   select side as panel,
#          case side when 'finding' then 'optimum = load' else 'bound above the load' end
#            || printf(': %d of %d instances', count(distinct case when shared then checksum end),
#                      count(distinct checksum)) as panel_title,
#          coalesce(shifted_geometric_mean(
#            case when contestant = 'branch-and-bound' and shared then nodes end, 10), 1) as all_on
#     from ablation_result group by side order by side
# arrays:
#   select coalesce(0.7 * min(max(nodes, 1)), 1) as least, coalesce(1.4 * max(nodes), 10) as most from (
#     select shifted_geometric_mean(case when shared then nodes end, 10) as nodes
#       from ablation_result group by side, contestant)

load 'style.gp'
room_left = room_names
room_right = 0.54
room_beside = 0.64
eval panels(|panel|, either(|panel|, 1), 0.17 * |row_label|)
@rows_below_each_other
set logscale x
set xrange [least[1]:most[1]]
set xtics (1, 3, 10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000, 300000, 1000000)
set xlabel 'nodes to the proof'
unset key
do for [p = 1:|panel|] {
    eval panel(p)
    eval name_rows(p)
    set title panel_title[p] noenhanced
    set arrow 1 from first all_on[p], graph 0 to first all_on[p], graph 1 nohead \
        linecolor rgb '#666666' dashtype 2 linewidth 1 back
    of(p) = stringcolumn('side') eq panel[p] ? column('nodes') : NaN
    plot 'ablation.csv' using (all_on[p]):'place':(of(p) - all_on[p]):(0) \
            with vectors nohead linecolor rgb okabe[2], \
        '' using (of(p)):'place' with points pointtype 7 pointsize 0.6 linecolor rgb okabe[2], \
        '' using (stringcolumn('side') eq panel[p] ? most[1] : NaN):'place':'label' \
            with labels left offset 0.5, 0 textcolor rgb '#444444'
}
unset multiplot
