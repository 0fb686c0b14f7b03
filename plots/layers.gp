# mGEMM beside the fastest direct library, by kind of layer.
#
# title: Over the fastest direct library
# experiment: layers
# caption: Share of a kind's layers on which the time of the fastest direct library (oneDNN, libxsmm,
#   XNNPACK) over that of mGEMM, as it chooses by itself, is at most x; from the same final in
#   interleaved rounds, widest instruction set, one thread. Right of 1 mGEMM is faster. In the key:
#   how many layers it wins, and the geometric mean. Grouped: several channels a group.
# query:
#   select kind_place as kind, ratio, row_number() over (partition by kind_place order by ratio) * 1.0
#            / count(*) over (partition by kind_place) as share
#     from conv_direct where experiment = 'layers' order by kind_place, ratio
# arrays:
#   select kind_place as kind, kind || printf(': %d of %d, mean %.2f', sum(ratio > 1), count(*),
#            shifted_geometric_mean(ratio, 0)) as kind_title
#     from conv_direct where experiment = 'layers' group by kind_place order by kind_place

load 'style.gp'
room_above = 0.15
room_key = room_for_key(|kind|, 30)
eval panels(1, 1, either(2.4, 2.2))
eval panel(1)
@key_below
set logscale x 2
set xrange [0.3:8]
set xtics (0.35, 0.5, 0.7, 1, 1.4, 2, 4, 8)
set yrange [0:1.03]
set ytics 0.2
set xlabel 'time of the fastest direct library / time of mGEMM'
set ylabel 'share of the layers'
set key samplen 3
set arrow 1 from 1, graph 0 to 1, graph 1 nohead linewidth 1.2 linecolor rgb '#444444' back
plot for [c = 1:|kind|] 'layers.csv' using (column('kind') == kind[c] ? column('ratio') : NaN):'share' \
        with linespoints linestyle kind[c] pointsize 0.4 notitle, \
    for [c = 1:|kind|] keyentry with linespoints linestyle kind[c] title kind_title[c]
unset multiplot
