# What the order of the operators costs.
#
# title: Orders of the operators
# experiment: orders
# caption: Share of random graphs of operators on which the load of an order (first), or the best
#   peak that a planner reaches in it (second), is at most x times the smallest load of all
#   orders, which order=optimal has.
# query:
#   with best as (
#     select family, min(load) as least from scheduled_result
#      where experiment = 'orders' and order_of = 'optimal' group by family),
#   ratios as (
#     select s.order_of, q.column1 as quantity,
#            case q.column1 when 'load' then s.load else min(s.peak) end * 1.0 / b.least as ratio
#       from scheduled_result s
#       join best b using (family)
#       join (values ('load'), ('peak')) q
#      where s.experiment = 'orders' and s.usable and s.workload_kind = 'generator'
#      group by s.workload, q.column1)
#   select quantity, order_of, ratio, share,
#          row_number() over (partition by quantity, order_of order by share) % 4 as mark from (
#     select distinct quantity, order_of, ratio,
#            cume_dist() over (partition by quantity, order_of order by ratio) as share
#       from ratios
#      union all
#     select distinct quantity, order_of, min(ratio) over (partition by quantity, order_of), 0.0
#       from ratios)
#    order by quantity, order_of, share
# arrays:
#   select count(distinct family) as graphs from scheduled_result
#    where experiment = 'orders' and usable and workload_kind = 'generator'

load 'style.gp'
array kind[6] = ['optimal', 'greedy', 'dfs', 'file', 'bfs', 'layers']
array panel[2] = ['load', 'peak']
array panel_title[2] = [sprintf('load (%d random graphs)', graphs[1]), \
    either('best peak of greedy-by-size and path-cover', 'best peak of two planners')]
room_beside = 0.4
room_key = room_for_key(6, 14)
eval panels(2, either(2, 1), either(1.7, 1.5))
@key_below
set yrange [0:1.02]
set ytics 0.2
set xrange [0.97:*]
of(p, k) = stringcolumn('quantity') eq panel[p] && stringcolumn('order_of') eq kind[k]
do for [p = 1:2] {
    eval panel(p)
    set title panel_title[p]
    set xlabel panel[p].' / smallest load of all orders'
    set ylabel (leftmost(p) ? 'share of graphs' : '')
    plot for [k = 1:6] 'orders.csv' using (of(p, k) ? column('ratio') : NaN):'share' \
            with steps linestyle k dashtype 1 notitle, \
        for [k = 1:6] '' using (of(p, k) && int(column('mark')) == k % 4 ? column('ratio') : NaN): \
            'share' with points linestyle k notitle, \
        for [k = 1:6] keyentry with linespoints linestyle k dashtype 1 title 'order='.kind[k]
    unset key
}
unset multiplot
