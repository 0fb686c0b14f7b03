# The least cost of a network in several memories against the capacity of the first one: a step where
# more of it saves something, the lower bound where it is not proven, and the corners from which on
# little of the traffic is outside.  For `fit --capacity-curve --draw`.

load 'style.gp'
eval paper(either(7.0, 3.32), either(3.2, 2.4))
set datafile separator comma
set datafile missing ''
set title picture_title noenhanced
set xlabel axis_name noenhanced
set ylabel 'cost'
set xrange [0:*]
set yrange [0:*]
set format y '%.1s%c'
set ytics add ('0' 0)
set key top right
set style fill solid 0.15 noborder
plot 'capacity.csv' using 'capacity':'cost' with fillsteps linecolor rgb okabe[2] notitle, \
    'capacity.csv' using 'capacity':'bound' with steps linecolor rgb okabe[3] dashtype 2 linewidth 1.2 \
        title open ? 'lower bound' : '', \
    'capacity.csv' using 'capacity':'cost' with steps linecolor rgb okabe[2] linewidth 1.5 \
        title open ? 'best found' : 'least', \
    'capacity.csv' using 'capacity':'cost' with points pointtype 7 pointsize 0.3 \
        linecolor rgb okabe[2] notitle, \
    'capacity-corners.csv' using 'capacity':'cost' with points pointtype 6 pointsize 1 linewidth 1.5 \
        linecolor rgb okabe[3] notitle, \
    'capacity-corners.csv' using 'capacity':'cost':'text' with labels left rotate by 90 \
        offset 0.9, 0.7 noenhanced notitle
