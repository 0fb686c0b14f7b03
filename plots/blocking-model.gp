# The paper's model and the predictor against what was measured.
#
# title: Model against measurement
# experiment: blocking
# caption: Each point is a setting on a layer, on the widest instruction set, one thread. Share of
#   the layer's best rate against the paper's memory operations per multiply-accumulate M, over
#   the least of the layer (first panel), and against the time that the predictor gives, over its
#   least (second). Hollow: registers are spilled. rho is Spearman's rank correlation with the
#   measured time, over all points, with its 95 % interval (Fieller, Hartley and Pearson): 1 where
#   a model ranks perfectly. The third panel has rho for each layer, sorted: the share of layers
#   on which it is at most x.
# query:
#   select least_m as paper, least_p as predictor, 1 / (1 + loss) as share, spilled > 0 as spills
#     from (select s.*, s.model_m / min(s.model_m) over w as least_m,
#                  s.predicted_s / min(s.predicted_s) over w as least_p
#             from conv_setting s join best_isa using (experiment, isa)
#            where s.experiment = 'blocking' and s.role = 'setting' and s.predicted_s is not null
#           window w as (partition by s.workload))
#    order by workload, seq
# query layers:
#   select q.model, q.rho, cume_dist() over (partition by q.model order by q.rho) as share
#     from (select 1 as model, spearman(model_m, time_s) as rho
#             from conv_setting join best_isa using (experiment, isa)
#            where experiment = 'blocking' and role = 'setting' and predicted_s is not null
#            group by workload
#            union all
#           select 2, spearman(case when spilled = 0 then model_m end, time_s)
#             from conv_setting join best_isa using (experiment, isa)
#            where experiment = 'blocking' and role = 'setting' and predicted_s is not null
#            group by workload
#            union all
#           select 3, spearman(predicted_s, time_s)
#             from conv_setting join best_isa using (experiment, isa)
#            where experiment = 'blocking' and role = 'setting' and predicted_s is not null
#            group by workload) q
#    where q.rho is not null
#    order by q.model, q.rho
# arrays:
#   select printf('rho = %.2f [%.2f, %.2f]', spearman(least_m, loss), spearman_low(least_m, loss),
#                 spearman_high(least_m, loss)) as rho_paper,
#          printf('rho = %.2f [%.2f, %.2f]', spearman(least_p, loss), spearman_low(least_p, loss),
#                 spearman_high(least_p, loss)) as rho_predictor, count(*) as points
#     from (select s.loss, s.model_m / min(s.model_m) over w as least_m,
#                  s.predicted_s / min(s.predicted_s) over w as least_p
#             from conv_setting s join best_isa using (experiment, isa)
#            where s.experiment = 'blocking' and s.role = 'setting' and s.predicted_s is not null
#           window w as (partition by s.workload))

load 'style.gp'
array model_name[3] = ["the paper's M", 'M, spill-free', 'the predictor']
array axis[2] = ['paper', 'predictor']
array axis_name[2] = ['M over the least M of the layer', 'predicted time over the least']
array rho[2] = [rho_paper[1], rho_predictor[1]]
room_left = 0.62
room_beside = 0.55
room_right = 0.08
eval panels(3, either(3, 1), either(1.9, 1.5))
set logscale x
set yrange [0:1.05]
set xtics (1, 2, 3, 5, 8, 12, 20)
unset key
set ylabel 'share of the best rate'
do for [m = 1:2] {
    eval panel(m)
    set xrange [0.95:*] noextend
    set title rho[m]
    set xlabel axis_name[m]
    plot 'blocking-model.csv' using (column('spills') == 0 ? column(axis[m]) : NaN):'share' \
            with points pointtype 7 pointsize 0.25 linecolor rgb '#0072B2', \
        '' using (column('spills') == 1 ? column(axis[m]) : NaN):'share' \
            with points pointtype 6 pointsize 0.35 linecolor rgb '#D55E00'
}
unset logscale x
eval panel(3)
set ylabel 'share of layers'
set title 'layer by layer'
set xlabel "Spearman's rho"
set xrange [*<0:1]
set xtics 0.5
set yrange [0:1]
set key at graph 0.01, 0.98 left top Left reverse samplen 1 width -2
plot for [m = 1:3] 'blocking-model-layers.csv' \
    using (column('model') == m ? column('rho') : NaN):'share' with steps \
    linewidth 1.6 linecolor rgb okabe[m + 1] dashtype dashes[m] title model_name[m]
unset multiplot
