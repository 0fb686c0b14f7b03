# Threads.
#
# title: Speed-up by threads
# experiment: blocking
# caption: Speed-up over one thread, over all layers and instruction sets, for each kernel that
#   was run with several numbers of threads. The mark is the median, the box reaches from the
#   lower to the upper quartile, the line from the least to the most. On the dashed line the
#   speed-up is the number of threads. Only numbers of threads that the machine has processors for
#   are shown.
# query:
#   select dense_rank() over (order by kernel) as kernel, threads, quantile(ratio, 0) as least,
#          quantile(ratio, 0.25) as low, median(ratio) as middle, quantile(ratio, 0.75) as high,
#          quantile(ratio, 1) as most
#     from (select a.kernel, a.threads, b.time_s / a.time_s as ratio
#             from conv_run a
#             join conv_run b using (experiment, workload, isa, kernel, params)
#            where a.experiment = 'blocking' and a.measured and b.measured and a.threads > 1
#              and b.threads = 1 and a.role in ('chosen', 'peer'))
#    group by kernel, threads order by 1, 2
# arrays:
#   select kernel as kernel_name from conv_run
#    where experiment = 'blocking' and measured and threads > 1 and role in ('chosen', 'peer')
#    group by kernel order by kernel
# arrays:
#   select max(threads) as most from conv_run
#    where experiment = 'blocking' and measured and role in ('chosen', 'peer')

load 'style.gp'
eval paper(3.32, 2.6)
set datafile separator comma
kernels = |kernel_name|
set xrange [0.6:most[1] + 0.45]
set yrange [0:*]
set xtics 1
set xlabel 'threads'
set ylabel 'speed-up over one thread'
set key left top Left reverse samplen 3 noenhanced
set boxwidth 0.3 / kernels
set style fill solid 0.25 border
# Several kernels stand beside each other.
beside(k) = column('kernel') == k ? column('threads') + (k - (kernels + 1) / 2.0) * 0.4 / kernels : NaN
plot x with lines dashtype 2 linecolor rgb '#777777' notitle, \
    for [k = 1:kernels] 'blocking-threads.csv' using (beside(k)):'low':'least':'most':'high' \
        with candlesticks whiskerbars 0.6 linecolor rgb okabe[k + 1] notitle, \
    for [k = 1:kernels] '' using (beside(k)):'middle' \
        with points pointtype marker[k] pointsize 0.7 linecolor rgb okabe[k + 1] title kernel_name[k]
