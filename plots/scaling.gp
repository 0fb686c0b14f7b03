# What planners cost as instances grow.
#
# title: Time and memory against the number of buffers
# experiment: scaling
# caption: Median wall clock of planning on one core, sizes uniform (left) and heavy-tailed
#   (middle), and resident memory beside that of naive, which only stacks (right, sizes
#   uniform; of 10,000 buffers and more, for the system counts in steps of up to 256 KiB),
#   on chains with skips of width at most 64. Grey lines rise with n. The table
#   of exponents has the fits.
# query:
#   select law, contestant, number, n, time_s, extra_bytes
#     from scaling_result where time_s > 0 order by law desc, number, n
# arrays:
#   select contestant, min(number) as number from scaling_result
#    group by contestant order by min(number)
# arrays:
#   select min(n) as least_n, max(n) as most_n, min(time_s) as least_s, max(time_s) as most_s from scaling_result
#    where time_s > 0

load 'style.gp'
height = 2.5 + room_below(|contestant|)
eval paper(7.0, height)
set multiplot
set datafile separator comma
set tmargin at screen 1 - 0.3 / height
set bmargin at screen room_below(|contestant|) / height
@key_below

set logscale xy
set xrange [0.8 * least_n[1]:1.25 * most_n[1]]
set format x '10^{%T}'
set xlabel 'buffers n'
left = 0.075
panel_width = 0.25
edge(p) = left + (p - 1) * (panel_width + 0.035)
array law[2] = ['uniform', 'heavy']
array name_of[2] = ['uniform sizes', 'heavy-tailed sizes']
set format y '10^{%T}'
set yrange [0.6 * least_s[1]:1.6 * most_s[1]]
set ylabel 'time, s'
do for [p = 1:2] {
    set lmargin at screen edge(p)
    set rmargin at screen edge(p) + panel_width
    set title name_of[p]
    if (p == 2) { set ylabel; set format y ''; unset key }
    plot for [k = -3:6] least_s[1] * 10**k * x / least_n[1] with lines \
            linecolor rgb '#cccccc' linewidth 0.6 notitle, \
        for [c = 1:|contestant|] 'scaling.csv' \
            using (stringcolumn('law') eq law[p] && column('number') == number[c] \
                ? column('n') : NaN):'time_s' \
            with linespoints linestyle style(contestant[c], number[c]) title contestant[c]
}
unset logscale y
set lmargin at screen edge(3) + 0.055
set rmargin at screen 0.99
set title 'memory, uniform sizes'
set format y '%g'
set ylabel 'bytes a buffer'
set yrange [0:*]
plot for [c = 1:|contestant|] 'scaling.csv' \
        using (stringcolumn('law') eq 'uniform' && column('number') == number[c] \
            && contestant[c] ne 'naive' && column('n') >= 10000 \
            ? column('n') : NaN):(column('extra_bytes') / column('n')) \
        with linespoints linestyle style(contestant[c], number[c])
unset multiplot
