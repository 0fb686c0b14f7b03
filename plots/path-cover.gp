# What path-cover saves against the planner that it took the place of.
#
# title: Path-cover against the algorithm before it
# experiment: path-cover
# caption: Left: by how much the peak of path-cover is below that of duration-size, the
#   older algorithm of its article, network by network and for each fusion; the grey line is
#   the article's 40 %, of one network that it does not publish, the black one the median
#   of all marks.  Right: peaks over the load, operators fused, on a logarithmic axis: of
#   path-cover and of the skyline in the order of duration, and of begin and end, of which
#   the article says that they build stairs, too.
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
height = 1.25 + 0.15 * (rows < 6 ? 6 : rows)
eval paper(7.0, height)
set multiplot
set datafile separator comma
array fusion[3] = ['none', 'bn', 'all']

set tmargin at screen 1 - 0.3 / height
set bmargin at screen room_below(16) / height
set yrange [rows + 0.6:0.4]
set ytics scale 0 noenhanced ()
set for [i = 1:rows] ytics add (tick(row_label[i]) i)
unset grid
set grid xtics ytics
dodge(k, count) = 0.2 * (k - (count + 1) / 2.0)

set lmargin at screen 0.205
set rmargin at screen 0.58
set title sprintf('saved against duration-size (median %.0f %%, n = %d)', middle[1], marks[1])
set xlabel 'peak below that of duration-size, per cent'
set xrange [*<-25:75<*]
set arrow 1 from 40, graph 0 to 40, graph 1 nohead linecolor rgb '#999999' linewidth 2 back
set arrow 2 from middle[1], graph 0 to middle[1], graph 1 nohead linecolor rgb '#000000' \
    linewidth 1 back
set arrow 3 from 0, graph 0 to 0, graph 1 nohead linecolor rgb '#444444' linewidth 0.6 back
set key at screen 0.39, 0.0 center bottom vertical maxrows 4 Left reverse samplen 1.5 width -2
plot for [f = 1:3] 'path-cover.csv' \
        using (stringcolumn('fuse') eq fusion[f] ? column('saved') : NaN):(column('line') + dodge(f, 3)) \
        with points linestyle 31 + 3 * f title 'fuse='.fusion[f], \
    keyentry with lines linecolor rgb '#999999' linewidth 2 title 'the article: 40 %'
unset arrow

set lmargin at screen 0.605
set rmargin at screen 0.985
set title 'peaks, fuse=all'
set xlabel 'peak / load'
unset ytics
set ytics scale 0 ('' 1)
set for [i = 2:rows] ytics add ('' i)
set logscale x 2
set xrange [0.97:*]
set xtics (1, 2, 4, 8, 16, 32, 64)
set key at screen 0.79, 0.0 center bottom vertical maxrows 4 Left reverse samplen 1.5 width -3
plot for [c = 1:|contestant|] 'path-cover-orders.csv' \
        using (stringcolumn('contestant') eq contestant[c] ? column('ratio') : NaN):(column('line') + dodge(c, 4)) \
        with points linestyle style(contestant[c], number[c]) title contestant[c]
unset multiplot
