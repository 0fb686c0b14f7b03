# Memory against latency of networks that are run, by planner, kernel, fusing and sharing.
#
# title: Bytes against latency of networks that run
# experiment: run
# shape: run
# caption: First block: the median latency of a run, with its 95 % interval. Second block: the
#   memory that the run takes beside weights (planned arena, room for changes of layout, workspace
#   of the kernels), on a logarithmic axis. One column of panels per network (in a narrow picture
#   one row), of more than six the first six; one row per planner and kernel, with three marks
#   below each other: nothing fused, all fused, and all fused and shared (aliases, in place by the
#   rule of nnc, parts of concatenations made in their place). A mark is filled where no run of
#   that network is both smaller and faster (the Pareto front), else hollow. The outputs of every
#   run shown are, byte for byte, those of a run with each value in memory of its own. Planning is
#   not timed; runs follow each other, so what the machine does meanwhile falls on some of them
#   alone.
# query:
#   with panel as (
#     select network, row_number() over (order by min(seq)) as panel from execution_run
#      where experiment = ?1 and measured and place < 4 group by network order by min(seq) limit 6),
#   drawn as (
#     select r.*, p.panel from execution_run r join panel p using (network)
#      where experiment = ?1 and measured and place < 4),
#   pair as (select contestant, kernel, min(seq) as first from drawn group by contestant, kernel),
#   line as (
#     select contestant, kernel, row_number() over (order by of_kernel, first) as line
#       from (select *, min(first) over (partition by kernel) as of_kernel from pair))
#   select panel, line as row, contestant, kernel, place, 1e3 * time_s as ms,
#          1e3 * coalesce(low_s, time_s) as low_ms, 1e3 * coalesce(high_s, time_s) as high_ms,
#          paid_bytes / 1048576.0 as mib,
#          not exists (select 1 from drawn b
#             where b.panel = a.panel and b.time_s <= a.time_s and b.paid_bytes <= a.paid_bytes
#               and (b.time_s < a.time_s or b.paid_bytes < a.paid_bytes)) as front
#     from drawn a join line using (contestant, kernel) order by panel, line, place
# arrays:
#   select network as panel_title from execution_run
#    where experiment = ?1 and measured and place < 4 group by network order by min(seq) limit 6
# arrays:
#   with panel as (
#     select network, row_number() over (order by min(seq)) as panel from execution_run
#      where experiment = ?1 and measured and place < 4 group by network order by min(seq) limit 6),
#   drawn as (
#     select r.*, p.panel from execution_run r join panel p using (network)
#      where experiment = ?1 and measured and place < 4),
#   pair as (select contestant, kernel, min(seq) as first from drawn group by contestant, kernel),
#   line as (
#     select contestant, kernel, row_number() over (order by of_kernel, first) as line
#       from (select *, min(first) over (partition by kernel) as of_kernel from pair))
#   select contestant || ', ' || replace(kernel, 'im2col-', '') as row_label from line order by line

load 'style.gp'
array setting[3] = ['nothing fused', 'all fused', 'fused and shared']
array filled[3] = [5, 7, 9]
array empty[3] = [4, 6, 8]
array tint[3] = [6, 2, 3]
nets = |panel_title|
rows = |row_label|
room_left = room_names
room_beside = either(0.12, 0.1)
room_below = 0.47
room_inner = either(0.5, 0.24)
room_key = room_for_key(4, 38)
eval panels(2 * nets, either(nets, 2), either(0.19, 0.165) * (rows < 4 ? 4 : rows))
@key_below
# At page width a block of panels is a row, in a column a column.
net(p) = in_column ? (p + 1) / 2 : (p - 1) % nets + 1
memory(p) = in_column ? p % 2 == 0 : p > nets
of(p, s) = column('panel') == net(p) && column('place') == s
at(s) = column('row') + (s - 2) * 0.29
# About two ticks in such a range.
tens(range) = 10 ** floor(log10(range / 1.5))
step(range) = tens(range) * (range / tens(range) > either(7, 5) ? 5 : range / tens(range) > either(5, 3) ? 2 : 1)
do for [p = 1:2 * nets] {
    eval panel(p)
    eval name_rows(p)
    value = memory(p) ? 'mib' : 'ms'
    set xlabel (in_column && !lowest(p) ? '' : memory(p) ? 'memory, MiB' : 'latency, ms')
    set title (memory(p) ? '' : panel_title[net(p)]) noenhanced
    unset logscale x
    set xrange [*:*]
    set yrange [*:*]
    stats 'run.csv' using (column('panel') == net(p) ? column(memory(p) ? 'mib' : 'low_ms') : NaN) nooutput name 'l'
    stats 'run.csv' using (column('panel') == net(p) ? column(memory(p) ? 'mib' : 'high_ms') : NaN) nooutput name 'h'
    @rows_below_each_other
    if (memory(p)) {
        set logscale x 2
        set xrange [l_min / 1.15:h_max * 1.15]
        if (h_max / l_min > 64) { set xtics (1, 16, 256, 4096) } \
        else { if (h_max / l_min > 6) { set xtics (1, 4, 16, 64, 256, 1024) } \
        else { set xtics (1, 2, 4, 8, 16, 32, 64, 128, 256, 512) } }
    } else {
        wide = h_max - l_min
        set xrange [l_min - 0.06 * wide:h_max + 0.06 * wide]
        set xtics step(wide)
    }
    plot for [s = 1:3] 'run.csv' using (of(p, s) && !memory(p) ? column('low_ms') : NaN):(at(s)): \
                (column('high_ms') - column('low_ms')):(0) \
            with vectors nohead linecolor rgb okabe[tint[s]] linewidth 0.9 notitle, \
        for [s = 1:3] '' using (of(p, s) && column('front') == 0 ? column(value) : NaN):(at(s)) \
            with points pointtype empty[s] pointsize 0.5 linecolor rgb okabe[tint[s]] notitle, \
        for [s = 1:3] '' using (of(p, s) && column('front') == 1 ? column(value) : NaN):(at(s)) \
            with points pointtype filled[s] pointsize 0.55 linecolor rgb okabe[tint[s]] notitle, \
        for [s = 1:3] keyentry with points pointtype filled[s] pointsize 0.55 linecolor rgb okabe[tint[s]] \
            title setting[s], \
        keyentry with points pointtype 6 pointsize 0.5 linecolor rgb '#888888' \
            title 'hollow: another is smaller and faster'
    unset key
}
unset multiplot
