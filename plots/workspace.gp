# What it costs in memory that convolutions need a workspace.
#
# title: Peak with the workspaces of convolutions
# experiment: workspace
# caption: Peak of the best plan with the workspaces of a method, all layers fused, on a
#   logarithmic axis. The grey bar (none) is the peak without workspaces. im2col (the columns of
#   one image at a time) and winograd (the tiles of F(4 x 4, 3 x 3) of one image at a time) are
#   formulas; the others are kernels, which were asked layer by layer what they need on one thread
#   of the machine that planned. Layers that a method does not do have no workspace: for winograd
#   and onednn-winograd all but those of 3 x 3 with stride 1 in one group. A workspace lives for
#   the step of its layer, so it costs nothing where another step is fuller.
# query:
#   with best as (
#     select workload_name as network, batch_of as batch, workspace_of as method,
#            min(peak) / 1048576.0 as mib, min(seq) as seq
#       from workspace_result
#      where experiment = 'workspace' and usable and batch_of in (1, 8)
#        and workload_params like '%fuse=all%'
#      group by 1, 2, 3),
#   line as (
#     select network, row_number() over (order by min(seq)) as line from best group by network)
#   select network, line, batch, method, mib from best join line using (network)
#    order by line, batch, method
# arrays:
#   select workload_name as row_label from workspace_result
#    where experiment = 'workspace' and usable and batch_of in (1, 8)
#      and workload_params like '%fuse=all%'
#    group by 1 order by min(seq)
# arrays:
#   select m.column1 as method, m.column2 as look
#     from (values ('mgemm', 1), ('onednn', 2), ('libxsmm', 3), ('onednn-winograd', 4),
#                  ('winograd', 5), ('im2col', 6)) m
#    where m.column1 in (select workspace_of from workspace_result
#                         where experiment = 'workspace' and usable)
#    order by m.column2

load 'style.gp'
array batch[2] = [1, 8]
array shape[6] = [6, 9, 11, 13, 5, 7]
array colour[6] = [1, 4, 7, 5, 2, 3]
rows = |row_label|
methods = |method|
room_left = room_names
room_beside = 0.2
room_key = room_for_key(methods + 1, 17)
x_name = either('peak of the best plan, MiB', 'best peak, MiB')
eval panels(2, 2, 0.24 * rows)
@key_below
@rows_below_each_other
set logscale x 2
if (in_column) { set xtics (1, 4, 16, 64, 256, 1024, 4096) } \
else { set xtics (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096) }
dodge(m) = (m - (methods + 1) / 2.0) * 0.75 / methods
shown(p, name) = stringcolumn('method') eq name && column('batch') == batch[p]
do for [p = 1:2] {
    eval panel(p)
    eval name_axes(p)
    eval name_rows(p)
    set title sprintf('batch %d', batch[p])
    plot 'workspace.csv' \
            using (shown(p, 'none') ? column('mib') : NaN):(column('line') - 0.42):(0):(0.84) \
            with vectors nohead linecolor rgb '#888888' linewidth 1.6 title 'none', \
        for [m = 1:methods] '' \
            using (shown(p, method[m]) ? column('mib') : NaN):(column('line') + dodge(m)) \
            with points pointtype shape[look[m]] pointsize (format eq 'svg' ? 0.65 : 0.5) \
            linecolor rgb okabe[colour[look[m]]] title method[m]
    unset key
}
unset multiplot
