# What a recording had in use, and up to where, event by event; below the share of the addresses up
# to there that was in use.  For `trace`.

load 'style.gp'
eval paper(7.0, 4.0)
set datafile separator comma
set xrange [0:events]
highest = top > best ? top : best
set multiplot
set lmargin at screen 0.09
set rmargin at screen 0.955
set tmargin at screen 0.92
set bmargin at screen 0.42
set title title noenhanced
set yrange [0:highest > 0 ? highest * 1.28 : 1]
set ylabel unit
set xtics format ''
set key top right horizontal samplen 3 noenhanced
plot 'trace.csv' using 'event':'alive' with fillsteps fillstyle solid 0.35 noborder \
        linecolor rgb '#56B4E9' title 'in use', \
    'trace.csv' using 'event':'top' with steps linecolor rgb '#D55E00' linewidth 1.2 \
        title 'highest address in use', \
    (strlen(planner) > 0 ? best : NaN) with lines linecolor rgb '#009E73' dashtype 2 linewidth 1.5 \
        title (strlen(planner) > 0 ? 'static plan ('.planner.')' : '')
unset title
set tmargin at screen 0.37
set bmargin at screen 0.115
set yrange [0:1.05]
set ytics 0.5
set ylabel "in use of\nthe addresses"
set xlabel 'event'
set xtics format '%.0f'
unset key
plot 'trace.csv' using 'event':'used' with steps linecolor rgb '#0072B2' linewidth 1.2
unset multiplot
