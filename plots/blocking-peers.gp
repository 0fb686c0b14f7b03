# mGEMM beside the libraries, layer by layer.
#
# title: Speed-up over libraries
# experiment: blocking
# caption: Time of a library over that of mGEMM with the layer's best setting, both from the same
#   final in interleaved rounds, widest instruction set, one thread. One panel per kind of layer
#   and one point per layer; bar: the geometric mean with its bootstrap interval. Right of 1 mGEMM
#   is faster. The lowest rows, onednn-auto and onednn-winograd, may use Winograd's algorithm, which
#   multiplies less and rounds otherwise: what stands above them is direct beside direct. The table of the experiment has the layers one by one. Packing of weights is not
#   timed; im2col, and the zeros around the input of libxsmm, are. XNNPACK (interface of 2022)
#   takes NHWC only and chooses its instruction set itself. Its AVX-512 tile is 7 pixels x 16
#   channels, and on one thread it reads all weights of a layer again for every 7 pixels: it is
#   near its best while they fit into the second-level cache, and at a third of that where they do
#   not (512 to 512 channels, 3x3).
# query:
#   select p.kind_place as kind, dense_rank() over (order by p.winograd, p.place, p.peer) as line, p.ratio
#     from conv_peer p join best_isa using (experiment, isa)
#    where p.experiment = 'blocking' order by kind, line, ratio
# query means:
#   select kind, line, shifted_geometric_mean(ratio, 0) as ratio, geometric_low(ratio) as low,
#          geometric_high(ratio) as high,
#          printf('%.2f [%.2f to %.2f] n = %d', shifted_geometric_mean(ratio, 0),
#                 geometric_low(ratio), geometric_high(ratio), count(*)) as label
#     from (select p.kind_place as kind, dense_rank() over (order by p.winograd, p.place, p.peer) as line, p.ratio
#             from conv_peer p join best_isa using (experiment, isa)
#            where p.experiment = 'blocking')
#    group by kind, line order by kind, line
# arrays:
#   select p.peer as row_label
#     from conv_peer p join best_isa using (experiment, isa)
#    where p.experiment = 'blocking' group by p.peer order by min(p.winograd), min(p.place), p.peer

load 'style.gp'
load 'kinds.gp'
