# Threads.
#
# title: Speed-up by threads
# experiment: blocking
# caption: Time with one thread over the time with so many, a point a layer and instruction
#   set, sorted from left to right, for each kernel that was run with several; line: the median. Dashed: as many times as there
#   are threads. Only numbers of threads that the machine has processors for.
# query:
#   select dense_rank() over (order by a.kernel) as kernel, a.threads, b.time_s / a.time_s as speed_up,
#          row_number() over (partition by a.kernel, a.threads order by b.time_s / a.time_s) * 1.0
#            / count(*) over (partition by a.kernel, a.threads) as spot
#     from conv_run a
#     join conv_run b using (experiment, workload, isa, kernel, params) join layer l using (workload)
#    where a.experiment = 'blocking' and a.measured and b.measured and a.threads > 1
#      and b.threads = 1 and a.role in ('chosen', 'peer')
#    order by a.kernel, a.threads, speed_up
# query medians:
#   select dense_rank() over (order by kernel) as kernel, threads, median(ratio) as speed_up
#     from (select a.kernel, a.threads, b.time_s / a.time_s as ratio
#             from conv_run a join conv_run b using (experiment, workload, isa, kernel, params)
#            where a.experiment = 'blocking' and a.measured and b.measured and a.threads > 1
#              and b.threads = 1 and a.role in ('chosen', 'peer')
#            union all
#           select distinct kernel, 1, 1.0 from conv_run
#            where experiment = 'blocking' and measured and threads > 1 and role in ('chosen', 'peer'))
#    group by kernel, threads order by kernel, threads
# arrays:
#   select kernel as kernel_name from conv_run
#    where experiment = 'blocking' and measured and threads > 1 and role in ('chosen', 'peer')
#    group by kernel order by kernel
# arrays:
#   select max(threads) as most from conv_run
#    where experiment = 'blocking' and measured and role in ('chosen', 'peer')

load 'style.gp'
@narrow
set datafile separator comma
set xrange [0.6:most[1] + 0.45]
set yrange [0:most[1] + 0.4]
set xtics 1
set xlabel 'threads'
set ylabel 'speed-up over one thread'
set key left top Left reverse samplen 3 noenhanced
plot x with lines dashtype 2 linecolor rgb '#777777' notitle, \
    for [k = 1:|kernel_name|] 'blocking-threads.csv' \
        using (column('kernel') == k ? column('threads') + 0.7 * (column('spot') - 0.5) : NaN):'speed_up' \
        with points pointtype marker[k] pointsize 0.25 linecolor rgb okabe[k + 1] notitle, \
    for [k = 1:|kernel_name|] 'blocking-threads-medians.csv' \
        using (column('kernel') == k ? column('threads') : NaN):'speed_up' \
        with linespoints linewidth 1.6 pointtype marker[k] linecolor rgb okabe[k + 1] title kernel_name[k]
