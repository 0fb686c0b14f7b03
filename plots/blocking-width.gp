# Rate against the width of the tile, a line for each c_o.
#
# title: Rate against w_o
# experiment: blocking
# caption: Rate of mGEMM's tiles against their width, one line for each number of output channels
#   c_o, on the widest instruction set, one thread; bars are 95 % intervals of the median. Filled:
#   no spilled register; hollow: spilled. Dashed: the effective peak. The layers are those of the
#   heat map.
# query:
#   select panel, vectors, wo, gflops, gflops * time_s / high_s as low,
#          gflops * time_s / low_s as high, spilled > 0 as spills, rounds
#     from (select p.panel, s.*, row_number() over (partition by p.panel, s.vectors, s.wo
#                    order by s.time_s, s.seq) as n
#             from conv_setting s join conv_panel p using (experiment, workload, isa)
#            where s.experiment = 'blocking' and s.role = 'setting' and s.wf = 'reload'
#              and s.tile_rows = 1)
#    where n = 1
#    order by panel, vectors, wo
# arrays:
#   select short as panel_title, effective_peak as roof
#     from conv_panel where experiment = 'blocking' order by panel
# arrays:
#   select distinct s.vectors as vector_count, s.co as channels
#     from conv_setting s join conv_panel p using (experiment, workload, isa)
#    where s.experiment = 'blocking' and s.role = 'setting' order by s.vectors
# arrays:
#   select max(s.wo) as widest, max(p.effective_peak) as highest
#     from conv_setting s join conv_panel p using (experiment, workload, isa)
#    where s.experiment = 'blocking' and s.role = 'setting'

load 'style.gp'
room_inner = 0.22
room_beside = 0.14
room_above = 0.25
room_key = room_for_key(|vector_count|, 12)
x_name = 'w_{o}'
y_name = 'GFLOP/s'
eval panels(|panel_title|, either(4, 2), 1.0)
@key_below
set xrange [0:widest[1] + 1]
set yrange [0:highest[1] * 1.05]
set xtics 4
mine(p, v) = column('panel') == p && column('vectors') == vector_count[v]

do for [p = 1:|panel_title|] {
    eval panel(p)
    eval name_axes(p)
    set title panel_title[p] noenhanced
    set arrow 1 from 0, roof[p] to widest[1] + 1, roof[p] nohead dashtype 2 linecolor rgb '#777777'
    plot for [v = 1:|vector_count|] 'blocking-width.csv' \
            using (mine(p, v) ? column('wo') : NaN):'gflops':'low':'high' \
            with yerrorlines linecolor rgb okabe[v] linewidth 0.9 pointtype 1 pointsize 0 notitle, \
        for [v = 1:|vector_count|] '' \
            using (mine(p, v) && column('spills') == 0 ? column('wo') : NaN):'gflops' \
            with points linecolor rgb okabe[v] pointtype marker[v] pointsize 0.45 notitle, \
        for [v = 1:|vector_count|] '' \
            using (mine(p, v) && column('spills') == 1 ? column('wo') : NaN):'gflops' \
            with points linecolor rgb okabe[v] pointtype hollow[v] pointsize 0.55 notitle, \
        for [v = 1:|vector_count|] keyentry with linespoints linecolor rgb okabe[v] \
            pointtype marker[v] pointsize 0.5 title sprintf('c_o = %d', channels[v])
    unset key
}
unset multiplot
