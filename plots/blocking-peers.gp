# mGEMM beside the libraries, layer by layer.
#
# title: Speed-up over libraries
# experiment: blocking
# caption: Time of a library over that of mGEMM with the layer's best setting, both from
#   the same final in interleaved rounds, widest instruction set, one thread; bars are the
#   95 % intervals of the library's median. Right of 1 mGEMM is faster. A layer is named by
#   its channels in and out, its filter, and behind @ the height of its input. Weights are packed before; im2col, and
#   the zeros around libxsmm's input, are timed. Behind each name the geometric means over the layers it
#   can do: dense; pointwise; depthwise. XNNPACK (interface of 2022) takes NHWC only and chooses
#   its instruction set itself. Its AVX-512 tile is 7 pixels x 16 channels, and on one thread it
#   reads all weights of a layer again for each 7 pixels: near its best while they fit into the
#   second-level cache, at a third of that where they do not (512 to 512 channels, 3x3).
# query:
#   select p.line, p.peer, p.ratio, p.ratio_low, p.ratio_high
#     from conv_peer p join best_isa using (experiment, isa)
#    where p.experiment = 'blocking' order by p.line, p.place
# arrays:
#   select l.short as row_label
#     from conv_layer b join layer l using (workload) join best_isa using (experiment, isa)
#    where b.experiment = 'blocking' order by b.line
# arrays:
#   select peer as peer_name, peer || ': ' || group_concat(mean, '; ') as peer_title
#     from (select peer, min(place) as place, kind_place, printf('%.2f', shifted_geometric_mean(ratio, 0)) as mean
#             from conv_peer join best_isa using (experiment, isa)
#            where experiment = 'blocking' group by peer, kind_place order by 2, peer, kind_place)
#    group by peer order by min(place)

load 'style.gp'
rows = |row_label|
peers = |peer_name|
height = 1.1 + 0.16 * rows
eval paper(7.0, height)
set datafile separator comma
set lmargin at screen 0.21
set rmargin at screen 0.98
set bmargin at screen 0.95 / height
set key at screen 0.5, 0.0 center bottom vertical maxrows 3 Left reverse samplen 2 width -2 noenhanced
set logscale x 2
# All that was timed is drawn: im2col is behind by an order of magnitude on depthwise layers.
set xrange [*<0.7:2<*] noextend
set xtics (0.25, 0.35, 0.5, 0.7, 1, 1.4, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)
set yrange [rows + 0.6:0.4]
set ytics scale 0 noenhanced ()
set for [i = 1:rows] ytics add (tick(row_label[i]) i)
unset grid
set grid xtics
set for [i = 1:rows - 1] arrow i from graph 0, first i + 0.5 to graph 1, first i + 0.5 \
    nohead linecolor rgb '#e4e4e4' linewidth 0.6 back
set arrow rows from 1, graph 0 to 1, graph 1 nohead linewidth 1.2 linecolor rgb '#444444' back
set xlabel 'time of the library / time of mGEMM'
dodge(p) = (p - (peers + 1) / 2.0) * 0.7 / peers
plot for [p = 1:peers] 'blocking-peers.csv' \
    using (stringcolumn('peer') eq peer_name[p] ? column('ratio') : NaN):(column('line') + dodge(p)):'ratio_low':'ratio_high' \
    with xerrorbars pointtype marker[p] pointsize 0.5 linecolor rgb okabe[p + 1] title peer_title[p]
