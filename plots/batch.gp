# The MegEngine article's comparison, each planner with its own rules: fused and not.
#
# title: Peaks with and without fusion
# experiment: batch
# caption: Peak at batch 1; above nothing fused, below all.  Hollow: nothing shared in place.
#   Filled: the rule of the planner's own system (MegEngine's planners: megengine, nnc: nnc,
#   the others: aliases only).  The line is the load without sharing.  nnc's separate
#   buffers are added up.  At batch 128 every size, and with it each of these peaks, is 128
#   times as high: the table of the experiment has both.  The article has TensorFlow Lite (tflite-arena), MegEngine without
#   planning (naive) and with it (megengine-pushdown) at both batches, as pictures without
#   numbers or versions: that planning saves most of the memory is seen here too, that it
#   needs less than TensorFlow Lite only where ResNet-50 is fused.
# query:
#   with own as (
#     select s.*, case when contestant like 'megengine%' then 'megengine'
#                      when contestant like 'nnc%' then 'nnc' else 'off' end as rule,
#            case when base like '%fuse=all%' then 'all' else 'none' end as fuse
#       from shared_result s
#      where experiment = 'batch' and peak is not null and outcome <> 'invalid'
#        and base in (workload_name, workload_name || ':fuse=all'))
#   select workload_name as network, fuse, contestant,
#          dense_rank() over (order by number desc) as line,
#          inplace_of = rule and alias_of = 'on' as own, peak / 1048576.0 as mib
#     from own
#    where (inplace_of = rule and alias_of = 'on') or (inplace_of = 'off' and alias_of = 'off')
#    order by workload_name, fuse desc, number, own
# query loads:
#   select distinct workload_name as network,
#          case when base like '%fuse=all%' then 'all' else 'none' end as fuse,
#          load / 1048576.0 as mib
#     from shared_result
#    where experiment = 'batch' and base in (workload_name, workload_name || ':fuse=all')
#      and inplace_of = 'off' and alias_of = 'off'
#    order by 1, 2 desc
# arrays:
#   select distinct workload_name as net from shared_result where experiment = 'batch'
#    order by workload_name = 'mobilenet_v2', workload_name = 'resnet50'
# arrays:
#   select contestant as row_label from shared_result
#    where experiment = 'batch' and peak is not null group by contestant order by min(number) desc

load 'style.gp'
array fuse[2] = ['none', 'all']
array what[2] = ['nothing fused', 'all fused']
rows = |row_label|
panels = |net|
height = 0.5 + 2 * (0.7 + 0.13 * rows)
eval paper(7.0, height)
set multiplot
set datafile separator comma
left = 0.23
right = 0.985
space = 0.03
panel_width = (right - left - (panels - 1) * space) / panels
panel_height = (1 - 0.3 / height) / 2
set yrange [0.4:rows + 0.6]
unset grid
set grid xtics
set style fill solid
set key at screen 0.55, 0.0 center bottom vertical maxrows 1 Left reverse samplen 2 width 2
shown(i, k) = stringcolumn('network') eq net[i] && stringcolumn('fuse') eq fuse[k]
do for [k = 1:2] {
    top = 1 - (k - 1) * panel_height
    set tmargin at screen top - 0.3 / height
    set bmargin at screen top - panel_height + 0.42 / height
    do for [i = 1:panels] {
        set lmargin at screen left + (i - 1) * (panel_width + space)
        set rmargin at screen left + (i - 1) * (panel_width + space) + panel_width
        set title net[i].', '.what[k] noenhanced
        unset ytics
        if (i == 1) {
            set ytics scale 0 noenhanced ()
            set for [r = 1:rows] ytics add (tick(row_label[r]) r)
        }
        set xlabel 'peak, MiB'
        set logscale x 2
        set xtics (0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256)
        plot 'batch-loads.csv' using (shown(i, k) ? column('mib') : NaN):(0.4):(0):(rows + 0.2) \
                with vectors nohead linecolor rgb '#888888' linewidth 1.0 title 'load', \
            'batch.csv' using (shown(i, k) && column('own') == 0 ? column('mib') : NaN):'line' \
                with points linecolor rgb okabe[2] pointtype 6 pointsize 0.6 \
                title 'nothing shared in place', \
            'batch.csv' using (shown(i, k) && column('own') == 1 ? column('mib') : NaN):'line' \
                with points linecolor rgb okabe[3] pointtype 7 pointsize 0.45 \
                title "the planner's own rule"
        unset key
    }
}
unset multiplot
