# What the clique rows do for the exact model.
#
# title: Model size against GLPK's time
# experiment: formulations
# caption: Overlapping pairs of buffers (one binary variable each) against the time that
#   GLPK takes, both on logarithmic axes, with clique rows (glpk) and without
#   (glpk:model=bigm).  Runs that needed no model, because the plan they start from
#   reaches the load, are left out; runs that were cut by a limit stand above the line at
#   the time limit.
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
#          case contestant when 'glpk' then 'clique rows (glpk)'
#            when 'glpk:model=bigm' then 'plain big-M (glpk:model=bigm)' else contestant end
#            || printf(': %d of %d solved', sum(outcome = 'optimal'), count(*)) as label
#     from result
#    where experiment = 'formulations' and solver = 'glpk'
#      and (nodes > 0 or outcome <> 'optimal') and outcome not in ('skipped', 'invalid')
#    group by contestant order by min(number)
# arrays:
#   select max(time_limit_s) as time_limit, printf('%g s limit', max(time_limit_s)) as limit_label
#     from result where experiment = 'formulations'

load 'style.gp'
@narrow
set datafile separator comma
limit = time_limit[1]
set logscale xy
set format y '10^{%L}'
set tmargin at screen 0.84
set xlabel 'overlapping pairs of buffers'
set ylabel 'time, s'
set yrange [*:limit * 4]
set key at screen 0.98, 0.99 right top vertical maxcols 1 Left reverse samplen 1 noenhanced
set arrow 1 from graph 0, first limit to graph 1, first limit nohead \
    linecolor rgb '#666666' dashtype 2 linewidth 1 back
set label 1 limit_label[1] at graph 0.02, first limit offset 0, -0.6 textcolor rgb '#666666'

of(c, solved) = column('number') == number[c] && column('solved') == solved
# Cut runs stand above the line, each contestant in a band of its own.
cut(c) = limit * (1.35 + 0.75 * (c - 1)) * (1 + 0.07 * column('rank'))
plot for [c = 1:|contestant|] 'formulations.csv' \
        using 'pairs':(of(c, 1) ? column('time_s') : NaN) \
        with points linestyle style(contestant[c], number[c]) title label[c], \
    for [c = 1:|contestant|] '' using 'pairs':(of(c, 0) ? cut(c) : NaN) \
        with points linestyle style(contestant[c], number[c]) notitle
