# What planners cost as instances grow.
#
# title: Time and memory against the number of buffers
# experiment: scaling
# caption: Median wall clock of planning on one core on chains with skips of width at most 64,
#   sizes uniform (first) and heavy-tailed (second), and resident memory beside that of naive,
#   which only stacks (third, sizes uniform; of 10,000 buffers and more, for the system counts in
#   steps of up to 256 KiB). Grey lines rise with n. The table of exponents has the fits.
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
room_beside = 0.64
room_key = room_for_key(|contestant|, longest_contestant)
eval panels(3, either(3, 1), either(2.2, 1.7))
@key_below

set logscale xy
set xrange [0.8 * least_n[1]:1.25 * most_n[1]]
set format x '10^{%T}'
set xlabel 'buffers n'
array law[2] = ['uniform', 'heavy']
array name_of[2] = ['uniform sizes', 'heavy-tailed sizes']
set format y '10^{%T}'
set yrange [0.6 * least_s[1]:1.6 * most_s[1]]
set ylabel 'time, s'
do for [p = 1:2] {
    eval panel(p)
    set title name_of[p]
    plot for [k = -3:6] least_s[1] * 10**k * x / least_n[1] with lines \
            linecolor rgb '#cccccc' linewidth 0.6 notitle, \
        for [c = 1:|contestant|] 'scaling.csv' \
            using (stringcolumn('law') eq law[p] && column('number') == number[c] \
                ? column('n') : NaN):'time_s' \
            with linespoints linestyle style(contestant[c], number[c]) title short(contestant[c])
    unset key
}
unset logscale y
eval panel(3)
set title 'memory, uniform sizes'
set format y '%g'
set ylabel 'bytes per buffer'
set yrange [0:*]
plot for [c = 1:|contestant|] 'scaling.csv' \
        using (stringcolumn('law') eq 'uniform' && column('number') == number[c] \
            && contestant[c] ne 'naive' && column('n') >= 10000 \
            ? column('n') : NaN):(column('extra_bytes') / column('n')) \
        with linespoints linestyle style(contestant[c], number[c])
unset multiplot
