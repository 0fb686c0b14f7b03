# How tight the bounds on path-cover's peak are.
#
# title: Bounds on path-cover's peak
# experiment: bound
# caption: How many networks, with nothing and with all fused, and how many random DAGs have a
#   peak or a bound of at most x times the load, on a logarithmic axis. Shown are path-cover's
#   peak (the largest over its choices of the group, for the bounds hold for each) and the bounds
#   width x max_size, (W + 1) max_size (serial orders) and 2 W max_size, where W is the fewest
#   directed paths that cover every edge of the network. A network on which the conditions of a
#   bound do not hold does not count for that bound. The table of the experiment has the networks
#   one by one.
# query:
#   with bounds as (
#     select w.kind = 'generator' as drawn, q.column1 as place, q.column2 as quantity,
#            case q.column1 when 1 then r.peak when 2 then w.width_bound
#              when 3 then w.w1_bound else w.w2_bound end * 1.0 / w.load as ratio
#       from (select workload, max(peak) as peak from result
#              where experiment = 'bound' and solver = 'path-cover' and usable
#              group by workload) r
#       join workload w on w.id = r.workload and w.load > 0
#       join (values (1, 'peak of path-cover'), (2, 'width × max_size'),
#                    (3, '(W + 1) max_size'), (4, '2 W max_size')) q
#      where case q.column1 when 1 then 1 when 3 then w.w1_applicable else w.applicable end
#        and (w.kind = 'network' and w.params in ('', 'fuse=all')
#             or w.kind = 'generator' and w.applicable and w.w1_applicable)),
#   known as (select * from bounds where ratio is not null)
#   select drawn, quantity, ratio, share,
#          row_number() over (partition by drawn, quantity order by share) % 3 = 0 as mark from (
#     select distinct drawn, place, quantity, ratio,
#            cume_dist() over (partition by drawn, quantity order by ratio) as share
#       from known
#      union all
#     select distinct drawn, place, quantity,
#            min(ratio) over (partition by drawn, quantity), 0.0 from known)
#    order by drawn, place, share
# arrays:
#   select w.kind = 'generator' as panel, iif(w.kind = 'generator', 'random DAGs', 'networks')
#          || ' (n = ' || count(distinct w.id) || ')' as panel_title
#     from result r join workload w on w.id = r.workload and w.load > 0
#    where r.experiment = 'bound' and r.solver = 'path-cover' and r.usable
#      and (w.kind = 'network' and w.params in ('', 'fuse=all')
#           or w.kind = 'generator' and w.applicable and w.w1_applicable)
#    group by 1 order by 1

load 'style.gp'
array quantity[4] = ['peak of path-cover', 'width × max_size', '(W + 1) max_size', '2 W max_size']
panels = |panel|
room_beside = 0.4
room_key = room_for_key(4, 19)
eval panels(panels, either(panels, 1), either(2.0, 1.5))
@key_below
set logscale x 2
set xlabel 'peak or bound / load'
set xrange [0.95:*]
set yrange [0:1.03]
set ytics 0.2
of(q, p) = stringcolumn('quantity') eq quantity[q] && column('drawn') == panel[p] ? column('ratio') : NaN
do for [p = 1:panels] {
    eval panel(p)
    set title panel_title[p]
    set ylabel (leftmost(p) ? 'share' : '')
    plot for [q = 1:4] 'bound.csv' using (of(q, p)):'share' with steps linestyle q dashtype 1 notitle, \
        for [q = 1:4] '' using (column('mark') == 1 ? of(q, p) : NaN):'share' \
            with points linestyle q notitle, \
        for [q = 1:4] keyentry with linespoints linestyle q dashtype 1 title quantity[q]
    unset key
}
unset multiplot
