# Code size against speed.
#
# title: Kernel instances that suffice
# experiment: blocking
# caption: The fewest tiles with which every dense layer stays within x per cent of the time of
#   its best setting, for each instruction set, one thread. A tile is counted with its form, its
#   c_o and its w_o; GLPK solves the choice as an integer program. Filled: proven to be the
#   fewest; hollow: the best found.
# query:
#   select c.isa, c.percent, c.instances, c.layers, c."of", c.proven
#     from cover c where c.experiment = 'blocking'
#    order by c.isa like 'avx512%', c.isa like 'avx2%', c.isa, c.percent
# arrays:
#   select isa as isa_name, printf('%s (%d layers, %d instances)', isa, max(layers), max("of")) as isa_title
#     from cover where experiment = 'blocking' group by isa
#    order by isa like 'avx512%', isa like 'avx2%', isa

load 'style.gp'
eval paper(3.32, 2.9)
set datafile separator comma
set nonlinear x via log10(1 + x) inverse 10**x - 1
set xtics (0, 1, 2, 3, 5, 10, 20, 50)
set xrange [0:50]
set yrange [0:*]
set xlabel 'allowed loss, %'
set ylabel 'instances'
# Above the panel, where no curve is, however many instances the first one needs.
set key above left Left reverse samplen 2 maxcols 1
plot for [i = 1:|isa_name|] 'blocking-cover.csv' \
        using (stringcolumn('isa') eq isa_name[i] ? column('percent') : NaN):'instances' \
        with steps linecolor rgb okabe[i + 1] linewidth 1.4 notitle, \
    for [i = 1:|isa_name|] '' \
        using (stringcolumn('isa') eq isa_name[i] ? column('percent') : NaN):'instances':(column('proven') == 1 ? marker[i] : hollow[i]) \
        with points pointtype variable pointsize 0.6 linecolor rgb okabe[i + 1] notitle, \
    for [i = 1:|isa_name|] keyentry with linespoints pointtype marker[i] pointsize 0.6 linecolor rgb okabe[i + 1] title isa_title[i]
