# What runtimes ship, on every kind of instance, a row each.
#
# title: Runtimes and compilers
# experiment: field
# caption: What runtimes and compilers ship: peak over the optimum (over the best proven bound where
#   the optimum is open), the geometric mean over the instances of a family, whose number stands above.
#   A runtime with several planners, whose number stands behind its name, has one row: on each family
#   that of its planners that comes nearest there. 1 without decimals: the optimum on every
#   instance. A circle: there is no plan for some instances of the family, which do not count.
# page: its columns of numbers, one for each family, need that width
# query:
#   with member as (
#     select f.*, case when instr(f.solver, '-') > 0
#                      then substr(f.solver, 1, instr(f.solver, '-') - 1) else f.solver end as runtime
#       from field_result f join solver s on s.name = f.solver
#      where f.experiment = 'field' and s.shipped and f.ratio is not null),
#   one as (
#     select runtime, contestant, family, place, exp(avg(ln(ratio))) as ratio,
#            count(distinct checksum) as solved
#       from member group by runtime, contestant, family),
#   cell as (
#     select runtime, family, place, min(ratio) as ratio, solved from one group by runtime, family),
#   total as (
#     select family, count(distinct checksum) as instances from field_result where experiment = 'field' group by family),
#   row as (
#     select runtime, row_number() over (
#              order by count(*) < (select count(*) from total), avg(ln(ratio)), runtime) as line
#       from cell group by runtime)
#   select r.line, dense_rank() over (order by c.place, c.family) as panel, c.ratio,
#          case when c.ratio = 1 then '1' when c.ratio < 9.995 then printf('%.2f', c.ratio)
#               else printf('%.3g', c.ratio) end as label,
#          min(ln(c.ratio), ln(2)) / ln(2) as shade, c.solved < t.instances as partial
#     from cell c join total t using (family) join row r using (runtime)
#    order by 2, 1
# arrays:
#   with member as (
#     select f.*, case when instr(f.solver, '-') > 0
#                      then substr(f.solver, 1, instr(f.solver, '-') - 1) else f.solver end as runtime
#       from field_result f join solver s on s.name = f.solver
#      where f.experiment = 'field' and s.shipped and f.ratio is not null),
#   one as (
#     select runtime, contestant, family, place, exp(avg(ln(ratio))) as ratio,
#            count(distinct checksum) as solved
#       from member group by runtime, contestant, family),
#   cell as (
#     select runtime, family, place, min(ratio) as ratio, solved from one group by runtime, family),
#   total as (
#     select family, count(distinct checksum) as instances from field_result where experiment = 'field' group by family)
#   select iif(m.members > 1, c.runtime || ' (' || m.members || ')', m.first) as row_label
#     from cell c
#     join (select runtime, count(distinct contestant) as members, min(contestant) as first
#             from one group by runtime) m using (runtime)
#    group by c.runtime
#    order by count(*) < (select count(*) from total), avg(ln(c.ratio)), c.runtime
# arrays:
#   select family || ' (' || count(distinct checksum) || ')' as column_label
#     from field_result where experiment = 'field' group by family order by place, family

load 'style.gp'
rows = |row_label|
columns = |column_label|
room_left = room_names
room_right = 0.52
room_above = 0.82
room_below = 0.1
eval panels(1, 1, 0.14 * rows)
eval panel(1)
eval name_rows(1)
@cells
set xrange [0.5:columns + 0.5]
set for [i = 1:columns] label 100 + i column_label[i] noenhanced at first i - 0.2, screen edge_top(1) + 0.06 / height \
    left rotate by 40
@blues
plot 'runtimes.csv' using 'panel':'line':(0.5):(0.5):'shade' with boxxyerror fillstyle solid \
        border linecolor rgb '#ffffff' fillcolor palette, \
    '' using 'panel':'line':'label':(ink(column('shade'))) with labels textcolor rgb variable, \
    '' using (column('partial') == 1 ? column('panel') + 0.38 : NaN):'line':(ink(column('shade'))) \
        with points pointtype 6 pointsize 0.35 linecolor rgb variable
unset multiplot
