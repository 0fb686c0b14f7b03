# What path-cover saves against the planner that it took the place of.
#
# title: Path-cover against the algorithm before it
# experiment: path-cover
# caption: First: by how much the peak of path-cover is below that of duration-size, the older
#   algorithm of its article, for each network and each fusion. The article says 40 %, of one
#   network that it does not publish; the median is that of all marks. Second: peaks over the
#   load, all operators fused, on a logarithmic axis: of path-cover, and of placing buffers in the
#   order of their duration, of their begin and of their end, which the article says build stairs,
#   too.
# query:
#   select n.network, n.line, n.fuse, 100 * (1 - n.peak * 1.0 / d.peak) as saved
#     from network_result n
#     join network_result d on d.experiment = n.experiment and d.workload = n.workload
#      and d.contestant = 'duration-size' and d.usable and d.peak > 0
#    where n.experiment = 'path-cover' and n.plain and n.usable and n.contestant = 'path-cover'
#    order by n.line, n.fuse = 'all', n.fuse = 'bn'
# query orders:
#   select network, line, contestant, number, peak * 1.0 / load as ratio
#     from network_result
#    where experiment = 'path-cover' and plain and usable and fuse = 'all' and load > 0
#    order by number, line
# arrays:
#   select contestant, min(number) as number from network_result
#    where experiment = 'path-cover' and plain and usable
#    group by contestant order by min(number)
# arrays:
#   select network as row_label from network_result
#    where experiment = 'path-cover' and plain
#    group by line order by line
# arrays:
#   select median(100 * (1 - n.peak * 1.0 / d.peak)) as middle, count(*) as marks
#     from network_result n
#     join network_result d on d.experiment = n.experiment and d.workload = n.workload
#      and d.contestant = 'duration-size' and d.usable and d.peak > 0
#    where n.experiment = 'path-cover' and n.plain and n.usable and n.contestant = 'path-cover'

load 'style.gp'
rows = |row_label|
array fusion[3] = ['none', 'bn', 'all']
room_left = room_for_names(either(55, 22))
room_beside = either(0.2, 0.12)
room_below = either(0.47, 0.6)
room_key = either(0.62, 1.4)
eval panels(2, 2, 0.19 * rows)
@rows_below_each_other
set pointsize 0.4
dodge(k, count) = (k - (count + 1) / 2.0) * 0.84 / count
split(text, rest) = text.either(' ', "\n").rest

eval panel(1)
eval name_rows(1)
set title 'peak saved'
set xlabel split('peak below that', 'of duration-size, %')
set xrange [*<-25:75<*]
set xtics either(20, 40)
set arrow 1 from 40, graph 0 to 40, graph 1 nohead linecolor rgb '#999999' linewidth 2 back
set arrow 2 from middle[1], graph 0 to middle[1], graph 1 nohead linecolor rgb '#000000' back
set arrow 3 from 0, graph 0 to 0, graph 1 nohead linecolor rgb '#444444' linewidth 0.6 back
eval key_at(either(0.5 * (edge_left(1) + edge_right(1)), 0.5), either(0.02, 0.72), either(3, 5))
plot for [f = 1:3] 'path-cover.csv' \
        using (stringcolumn('fuse') eq fusion[f] ? column('saved') : NaN):(column('line') + dodge(f, 3)) \
        with points linestyle 31 + 3 * f title 'fuse='.fusion[f], \
    keyentry with lines linecolor rgb '#999999' linewidth 2 title 'the article: 40 %', \
    keyentry with lines linecolor rgb '#000000' title sprintf('median of %d: %.0f %%', marks[1], middle[1])
unset arrow 1
unset arrow 2
unset arrow 3

eval panel(2)
eval name_rows(2)
set title 'peaks, fuse=all'
set xlabel 'peak / load'
set logscale x 2
set xrange [0.9:*]
if (in_column) { set xtics (1, 4, 16, 64) } else { set xtics (1, 2, 4, 8, 16, 32, 64) }
eval key_at(either(0.5 * (edge_left(2) + edge_right(2)), 0.5), 0.02, 4)
plot for [c = 1:|contestant|] 'path-cover-orders.csv' \
        using (stringcolumn('contestant') eq contestant[c] ? column('ratio') : NaN): \
            (column('line') + dodge(c, |contestant|)) \
        with points linestyle style(contestant[c], number[c]) title short(contestant[c])
unset multiplot
