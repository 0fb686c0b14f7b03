#include <config.h>
#include "lib/network.h"
#include "lib/schedule.h"
void network_free(struct network *network)
{
    (void)network;
}
void schedule_free(struct schedule *schedule)
{
    (void)schedule;
}
