# Memory beside the tensors.
#
# title: Workspace of each method
# experiment: blocking
# caption: Bytes that a method needs beside input, output and packed weights, layer by
#   layer, on the widest instruction set; no mark: none. Methods that need none on any layer are
#   named below the axis. libxsmm: the copy of the input
#   with its zeros around it, and its scratch; XNNPACK: its table of pointers; im2col:
#   the matrix.
# query:
#   select b.line, r.kernel, r.workspace_bytes as bytes
#     from conv_run r join conv_layer b using (experiment, workload, isa)
#     join best_isa using (experiment, isa)
#    where r.experiment = 'blocking' and r.measured and r.threads = 1
#      and r.role in ('chosen', 'peer') and r.workspace_bytes > 0
#    order by b.line, r.kernel
# arrays:
#   select l.short as row_label, l.input_bytes as input_bytes
#     from conv_layer b join layer l using (workload) join best_isa using (experiment, isa)
#    where b.experiment = 'blocking' order by b.line
# arrays:
#   select r.kernel as method, printf('%s (most: %.2f MiB)', r.kernel, max(r.workspace_bytes) / 1048576.0) as method_title
#     from conv_run r join best_isa using (experiment, isa) left join kernel k on k.name = r.kernel
#    where r.experiment = 'blocking' and r.measured and r.threads = 1 and r.role in ('chosen', 'peer')
#    group by r.kernel having max(r.workspace_bytes) > 0 order by min(k.place)
# arrays:
#   select coalesce('none on any layer: ' || group_concat(kernel, ', '), '') as without from (
#     select r.kernel from conv_run r join best_isa using (experiment, isa)
#      where r.experiment = 'blocking' and r.measured and r.threads = 1 and r.role in ('chosen', 'peer')
#      group by r.kernel having max(r.workspace_bytes) = 0 order by r.kernel)

load 'style.gp'
rows = |row_label|
methods = |method|
height = 1.35 + 0.16 * rows
eval paper(7.0, height)
set datafile separator comma
set lmargin at screen 0.21
set rmargin at screen 0.96
set bmargin at screen 1.2 / height
set label 1 without[1] noenhanced at screen 0.6, screen 0.72 / height center
set key at screen 0.5, 0.0 center bottom vertical maxrows 3 Left reverse samplen 2 width -2 noenhanced
set logscale x 2
set xrange [512:*]
set xlabel 'bytes'
set xtics ('1 KiB' 1024, '4 KiB' 4096, '16 KiB' 16384, '64 KiB' 65536, '256 KiB' 262144, '1 MiB' 1048576, '4 MiB' 4194304, '16 MiB' 16777216, '64 MiB' 67108864, '256 MiB' 268435456)
set yrange [rows + 0.6:0.4]
set ytics scale 0 noenhanced ()
set for [i = 1:rows] ytics add (tick(row_label[i]) i)
unset grid
set grid xtics
set for [i = 1:rows - 1] arrow i from graph 0, first i + 0.5 to graph 1, first i + 0.5 \
    nohead linecolor rgb '#e4e4e4' linewidth 0.6 back
dodge(m) = (m - (methods + 1) / 2.0) * 0.7 / methods
plot for [m = 1:methods] 'blocking-workspace.csv' \
    using (stringcolumn('kernel') eq method[m] ? column('bytes') : NaN):(column('line') + dodge(m)) \
    with points pointtype marker[m] pointsize 0.55 linecolor rgb okabe[m + 1] title method_title[m]
