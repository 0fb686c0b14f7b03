# Memory beside the tensors.
#
# title: Workspace of each method
# experiment: blocking
# caption: Bytes that a method needs beside input, output and packed weights, layer by
#   layer, on the widest instruction set; on the left, below the axis' beginning: none. libxsmm: the copy of the input
#   with its zeros around it, and its scratch; XNNPACK: its table of pointers; im2col:
#   the matrix.
# query:
#   select b.line, r.kernel, max(r.workspace_bytes, 512) as bytes
#     from conv_run r join conv_layer b using (experiment, workload, isa)
#     join best_isa using (experiment, isa)
#    where r.experiment = 'blocking' and r.measured and r.threads = 1
#      and r.role in ('chosen', 'peer')
#    order by b.line, r.kernel
# arrays:
#   select l.short as row_label, l.input_bytes as input_bytes
#     from conv_layer b join layer l using (workload) join best_isa using (experiment, isa)
#    where b.experiment = 'blocking' order by b.line
# arrays:
#   select r.kernel as method, printf('%s (most: %.2f MiB)', r.kernel, max(r.workspace_bytes) / 1048576.0) as method_title
#     from conv_run r join best_isa using (experiment, isa) left join kernel k on k.name = r.kernel
#    where r.experiment = 'blocking' and r.measured and r.threads = 1 and r.role in ('chosen', 'peer')
#    group by r.kernel order by min(k.place)

load 'style.gp'
rows = |row_label|
methods = |method|
height = 0.9 + 0.16 * rows
eval paper(7.0, height)
set datafile separator comma
set lmargin at screen 0.19
set rmargin at screen 0.98
set bmargin at screen 0.75 / height
set key at screen 0.5, 0.0 center bottom vertical maxrows 2 Left reverse samplen 2 width 1 noenhanced
set logscale x 2
set xrange [400:*]
set xtics ('none' 512, '1 KiB' 1024, '16 KiB' 16384, '256 KiB' 262144, '1 MiB' 1048576, '4 MiB' 4194304, '16 MiB' 16777216, '64 MiB' 67108864, '256 MiB' 268435456)
set yrange [rows + 0.6:0.4]
set ytics scale 0 noenhanced
set for [i = 1:rows] ytics add (row_label[i] i)
unset grid
set grid xtics
set for [i = 1:rows - 1] arrow i from graph 0, first i + 0.5 to graph 1, first i + 0.5 \
    nohead linecolor rgb '#e4e4e4' linewidth 0.6 back
dodge(m) = (m - (methods + 1) / 2.0) * 0.7 / methods
plot for [m = 1:methods] 'blocking-workspace.csv' \
    using (stringcolumn('kernel') eq method[m] ? column('bytes') : NaN):(column('line') + dodge(m)) \
    with points pointtype marker[m] pointsize 0.55 linecolor rgb okabe[m] title method_title[m]
