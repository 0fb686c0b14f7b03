# Memory beside the tensors.
#
# title: Workspace of each method
# experiment: blocking
# caption: Share of the layers on which a method needs at most so many bytes beside input, output
#   and packed weights, of the layers that it can do, on the widest instruction set. A curve
#   begins with the layers for which the method needs none; methods that need none on any layer
#   are named below the axis. The workspace of libxsmm is the copy of the input with zeros around
#   it, and its scratch; that of XNNPACK its table of pointers; that of im2col the matrix.
# query:
#   with need as (
#     select r.kernel, r.workload, max(r.workspace_bytes) as bytes
#       from conv_run r join best_isa using (experiment, isa)
#      where r.experiment = 'blocking' and r.measured and r.threads = 1
#        and r.role in ('chosen', 'peer')
#      group by r.kernel, r.workload)
#   select kernel, bytes, share from (
#     select distinct kernel, bytes, cume_dist() over (partition by kernel order by bytes) as share
#       from need
#      union all
#     select kernel, 0, 0.0 from need group by kernel having min(bytes) > 0)
#    order by kernel, share
# arrays:
#   select r.kernel as method, printf('%s (most: %.3g %s)', r.kernel,
#            max(r.workspace_bytes) / iif(max(r.workspace_bytes) < 1048576, 1024.0, 1048576.0),
#            iif(max(r.workspace_bytes) < 1048576, 'KiB', 'MiB')) as method_title
#     from conv_run r join best_isa using (experiment, isa) left join kernel k on k.name = r.kernel
#    where r.experiment = 'blocking' and r.measured and r.threads = 1 and r.role in ('chosen', 'peer')
#    group by r.kernel having max(r.workspace_bytes) > 0 order by min(k.place)
# arrays:
#   select coalesce('none on any layer: ' || group_concat(kernel, ', '), '') as without from (
#     select r.kernel from conv_run r join best_isa using (experiment, isa)
#      where r.experiment = 'blocking' and r.measured and r.threads = 1 and r.role in ('chosen', 'peer')
#      group by r.kernel having max(r.workspace_bytes) = 0 order by r.kernel)

load 'style.gp'
methods = |method|
least = 512
room_left = 0.62
room_right = 0.2
room_above = 0.15
longest = 8
do for [m = 1:methods] { longest = strlen(method_title[m]) > longest ? strlen(method_title[m]) : longest }
room_below = 0.75
room_key = room_for_key(methods, longest)
eval panels(1, 1, either(2.25, 2.0))
eval panel(1)
set label 1 without[1] noenhanced at screen 0.5, screen edge_bottom(1) - 0.6 / height center
@key_below
set key samplen 3 noenhanced
set logscale x 2
set xrange [least:*]
set xlabel 'workspace'
set ylabel 'share of the layers it can do' offset 1, 0
if (in_column) { set xtics ('1 KiB' 1024, '32 KiB' 32768, '1 MiB' 1048576, '32 MiB' 33554432) } \
else { set xtics ('1 KiB' 1024, '4 KiB' 4096, '16 KiB' 16384, '64 KiB' 65536, '256 KiB' 262144, '1 MiB' 1048576, '4 MiB' 4194304, '16 MiB' 16777216, '64 MiB' 67108864, '256 MiB' 268435456) }
set yrange [0:1.03]
# What needs nothing stands at the left end; of equal curves the thinner one lies on top.
at(m) = stringcolumn('kernel') eq method[m] ? (column('bytes') > least ? column('bytes') : least) : NaN
plot for [m = 1:methods] 'blocking-workspace.csv' using (at(m)):'share' \
        with steps linewidth 3.0 - 0.3 * m dashtype dashes[(m - 1) % 4 + 1] linecolor rgb okabe[m + 1] \
        title method_title[m]
unset multiplot
