# What the clique rows do for the exact model.
#
# title: Model size against GLPK's time
# experiment: formulations
# caption: The time that GLPK takes against the number of overlapping pairs of buffers (one binary
#   variable each), both on logarithmic axes, with clique rows (glpk) and without (plain big-M,
#   glpk:model=bigm). The key says how many of its runs each proves. Runs that needed no model,
#   because the plan they start from reaches the load, are left out. Runs that were cut by a limit
#   stand in the grey strip above, without a time, one line for each formulation.
# query:
#   select contestant, number, workload_label as instance, n, pairs, time_s,
#          outcome = 'optimal' as solved,
#          row_number() over (partition by contestant, outcome = 'optimal' order by pairs, seq) % 3
#            as rank
#     from result
#    where experiment = 'formulations' and solver = 'glpk'
#      and (nodes > 0 or outcome <> 'optimal') and outcome not in ('skipped', 'invalid')
#    order by contestant, pairs, seq
# arrays:
#   select contestant, min(number) as number,
#          case contestant when 'glpk' then 'clique rows'
#            when 'glpk:model=bigm' then 'plain big-M' else contestant end
#            || printf(': %d of %d', sum(outcome = 'optimal'), count(*)) as label
#     from result
#    where experiment = 'formulations' and solver = 'glpk'
#      and (nodes > 0 or outcome <> 'optimal') and outcome not in ('skipped', 'invalid')
#    group by contestant order by min(number)
# arrays:
#   select max(time_limit_s) as time_limit, printf('cut at %g s', max(time_limit_s)) as limit_label,
#          coalesce(0.5 * min(case when outcome = 'optimal' then time_s end), 1e-4) as first_s,
#          max(1, 0.7 * min(case when n > 0 then pairs end)) as least_pairs, 1.4 * max(pairs) as most_pairs
#     from result
#    where experiment = 'formulations' and solver = 'glpk'
#      and (nodes > 0 or outcome <> 'optimal') and outcome not in ('skipped', 'invalid')

load 'style.gp'
height = 2.9
eval paper(3.32, height)
set datafile separator comma
set multiplot
set lmargin at screen 0.19
set rmargin at screen 0.97
set tmargin at screen 1 - 1.05 / height
set bmargin at screen 0.45 / height
set logscale xy
set format y '10^{%L}'
set xlabel 'overlapping pairs of buffers'
set ylabel 'time, s'
set xtics (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
set xrange [least_pairs[1]:most_pairs[1]]
set yrange [first_s[1]:time_limit[1]]
set key at screen 0.15, 0.99 left top vertical maxcols 1 Left reverse samplen 1 noenhanced
of(c, solved) = column('number') == number[c] && column('solved') == solved
plot for [c = 1:|contestant|] 'formulations.csv' \
        using 'pairs':(of(c, 1) ? column('time_s') : NaN) \
        with points linestyle style(contestant[c], number[c]) title label[c]

# What was cut has no time: a line for each formulation, and no axis.
unset key
set tmargin at screen 1 - 0.62 / height
set bmargin at screen 1 - 0.95 / height
set title limit_label[1]
unset logscale y
set yrange [0:|contestant| + 1]
unset ytics
unset ylabel
unset xlabel
set format x ''
set border 0
set xtics scale 0
set object 1 rectangle from graph 0, graph 0 to graph 1, graph 1 behind \
    fillcolor rgb '#f0f0f0' fillstyle solid noborder
plot for [c = 1:|contestant|] 'formulations.csv' \
        using 'pairs':(of(c, 0) ? |contestant| + 1 - c : NaN) \
        with points linestyle style(contestant[c], number[c]) notitle
unset multiplot
