# How tight the bounds on path-cover's peak are.
#
# title: Bounds on path-cover's peak
# experiment: bound
# caption: Over the load, on a logarithmic axis: path-cover's peak (the largest over its choices
#   of the group, for the bounds hold for each) and the bounds
#   width x max_size, (W + 1) max_size (serial orders) and 2 W max_size, where W is the
#   fewest directed paths that cover every edge of the network.  Left: networks;
#   hollow marks, if any, stand where the conditions of the bound do not hold, so that it bounds
#   nothing.  Right: random DAGs that meet the conditions, as distributions.
# query:
#   select network, line, quantity, ratio, holds
#     from (select w.name || case when w.params = '' then '' else ':' || w.params end as network,
#                  dense_rank() over (order by r.first_seq) as line, q.column1 as place,
#                  q.column2 as quantity,
#                  case q.column1 when 1 then r.peak when 2 then w.width_bound
#                    when 3 then w.w1_bound else w.w2_bound end * 1.0 / w.load as ratio,
#                  case q.column1 when 3 then w.w1_applicable when 1 then 1
#                    else w.applicable end as holds
#             from (select workload, min(seq) as first_seq, max(peak) as peak from result
#                    where experiment = 'bound' and solver = 'path-cover' and usable
#                    group by workload) r
#             join workload w on w.id = r.workload and w.kind = 'network' and w.load > 0
#              and w.params in ('', 'fuse=all')
#             join (values (1, 'peak of path-cover'), (2, 'width × max_size'),
#                          (3, '(W + 1) max_size'), (4, '2 W max_size')) q)
#    where ratio is not null
#    order by line, place
# query random:
#   with bounds as (
#     select q.column1 as place, q.column2 as quantity,
#            case q.column1 when 1 then r.peak when 2 then w.width_bound
#              when 3 then w.w1_bound else w.w2_bound end * 1.0 / w.load as ratio
#       from (select workload, max(peak) as peak from result
#              where experiment = 'bound' and solver = 'path-cover' and usable
#              group by workload) r
#       join workload w on w.id = r.workload and w.kind = 'generator' and w.load > 0
#        and w.applicable and w.w1_applicable
#       join (values (1, 'peak of path-cover'), (2, 'width × max_size'),
#                    (3, '(W + 1) max_size'), (4, '2 W max_size')) q)
#   select quantity, ratio, share,
#          row_number() over (partition by quantity order by share) % 3 = 0 as mark from (
#     select distinct place, quantity, ratio,
#            cume_dist() over (partition by quantity order by ratio) as share
#       from bounds
#      union all
#     select distinct place, quantity, min(ratio) over (partition by quantity), 0.0 from bounds)
#    order by place, share
# arrays:
#   select w.name || case when w.params = '' then '' else ':' || w.params end as row_label
#     from result r join workload w on w.id = r.workload and w.kind = 'network' and w.load > 0
#      and w.params in ('', 'fuse=all')
#    where r.experiment = 'bound' and r.solver = 'path-cover' and r.usable
#    group by w.id order by min(r.seq)
# arrays:
#   select 'random DAGs (n = ' || count(distinct w.id) || ')' as random_title,
#          count(distinct w.id) as random_count
#     from result r join workload w on w.id = r.workload and w.kind = 'generator' and w.load > 0
#      and w.applicable and w.w1_applicable
#    where r.experiment = 'bound' and r.solver = 'path-cover' and r.usable

load 'style.gp'
array quantity[4] = ['peak of path-cover', 'width × max_size', '(W + 1) max_size', '2 W max_size']
rows = |row_label|
# Closer together where there are many, so that the picture and its caption fit on a page.
height = 1.0 + (rows < 12 ? 0.145 * 12 : rows < 46 ? 0.145 * rows : 0.118 * rows)
eval paper(7.0, height)
set multiplot
set datafile separator comma

longest = 12
do for [i = 1:rows] { longest = strlen(row_label[i]) > longest ? strlen(row_label[i]) : longest }
left = 0.02 + 0.0094 * longest
middle = random_count[1] > 0 ? 0.66 : 0.985
right = 0.985
set tmargin at screen 1 - 0.3 / height
set bmargin at screen room_below(4) / height
set key at screen 0.5, 0.0 center bottom vertical maxrows 1 Left reverse samplen 2 width -1
set logscale x 2
set xlabel 'peak or bound / load'

set lmargin at screen left
set rmargin at screen middle
set title 'networks'
set xrange [0.95:*]
set yrange [rows + 0.6:0.4]
set ytics scale 0 noenhanced ()
set for [i = 1:rows] ytics add (tick(row_label[i]) i)
unset grid
set grid xtics ytics
# A bound that equals another stands beside it.
dodge(q) = 0.16 * (q - 2.5)
row_of(q, holds) = stringcolumn('quantity') eq quantity[q] && column('holds') == holds \
    ? column('ratio') : NaN
plot for [q = 1:4] 'bound.csv' using (row_of(q, 0)):(column('line') + dodge(q)) \
        with points pointtype hollow[q] pointsize 0.5 linecolor rgb '#999999' notitle, \
    for [q = 1:4] '' using (row_of(q, 1)):(column('line') + dodge(q)) \
        with points linestyle q notitle, \
    for [q = 1:4] keyentry with linespoints linestyle q dashtype 1 title quantity[q]

if (random_count[1] > 0) {
    unset key
    set lmargin at screen middle + 0.075
    set rmargin at screen right
    set title random_title[1]
    unset ytics
    set ytics 0.2 scale 0.5 format '%g'
    set ylabel 'share of DAGs' offset 1, 0
    set yrange [0:1]
    set xrange [0.9:*]
    plot for [q = 1:4] 'bound-random.csv' \
            using (stringcolumn('quantity') eq quantity[q] ? column('ratio') : NaN):'share' \
            with steps linestyle q dashtype 1, \
        for [q = 1:4] '' using (stringcolumn('quantity') eq quantity[q] \
            && column('mark') == 1 \
            ? column('ratio') : NaN):'share' with points linestyle q
}
unset multiplot
