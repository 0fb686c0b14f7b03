/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same name, parameters and seed give the same instance for ever, on every machine and with
 * every version of every library: generators, networks, training, loops, rules of sharing and
 * orders, by the checksums that they have.  machines.sh runs this on other processors.  */
#include <config.h>

#include <inttypes.h>

#include "lib/problem/instance.h"
#include "tests/support/tap.h"
#include "workloads/workload.h"

static const struct {
    const char *spec;
    uint64_t checksum;
} golden[] = {
    {"caches:layers=4,tokens=20,seed=2", UINT64_C(0xb17af87648a0c615)},
    {"chain:n=300,seed=2", UINT64_C(0x930d32987f6d8202)},
    {"chained:n=300,seed=2", UINT64_C(0xb3a728c1dbd5db91)},
    {"cuts:n=200,pinwheels=40,seed=2", UINT64_C(0xee905bd0da18af04)},
    {"filled:of=chain+short,seed=2", UINT64_C(0xdc3c5c7a95e3ca2b)},
    {"gadget:repeat=2,shuffle=on,seed=2", UINT64_C(0xcc0ec8df46830d16)},
    {"heavy:n=2000,seed=2", UINT64_C(0xef6ffda05c9912cc)},
    {"heavy:n=2000,sigma=9,high=1000000000000,seed=3", UINT64_C(0x3dea48841bf0898a)},
    {"heavy:n=2000,law=pareto,seed=4", UINT64_C(0xa986d76d1588a026)},
    {"heavy:n=2000,law=pareto,shape=0.3,high=1000000000000,seed=5", UINT64_C(0x778ffb032771cc0d)},
    {"nested:seed=2", UINT64_C(0x42da28a1a506874d)},
    {"overlaid:of=chain+short,n=300,seed=2", UINT64_C(0x9e9355a55a201fce)},
    {"pinwheel:seed=2", UINT64_C(0x9d9f23d239ee5337)},
    {"planted:n=300,steps=100,height=4096,seed=2", UINT64_C(0xb40fdfaeb6f7be52)},
    {"power:n=300,seed=2", UINT64_C(0x9cc8de68cee663ba)},
    {"random-dag:n=100,seed=2", UINT64_C(0xe50d1f5d91265778)},
    {"recurrence", UINT64_C(0xa2cf833dca7663f8)},
    {"short:n=300,seed=2", UINT64_C(0xbfecf90c7d0d00b9)},
    {"staircase:n=9,shuffle=on,seed=2", UINT64_C(0x2a6309352ade36a7)},
    {"stretches:n=300,seed=2", UINT64_C(0x3f4ee2c166f0820a)},
    {"tight:n=60,seed=2", UINT64_C(0xc8fde83c6861959c)},
    {"uniform:n=1000,seed=2", UINT64_C(0xacaa55f14ef14493)},
    {"uniform:n=300,low=1,high=1000000000000,seed=4294967295", UINT64_C(0x3caebd00d8c39b18)},
    {"alexnet:batch=3", UINT64_C(0x6f5f453420164fb0)},
    {"densenet121", UINT64_C(0x5f0ae486d51957bf)},
    {"efficientnet_b0", UINT64_C(0xd18a61e80ed6f729)},
    {"googlenet:fuse=all", UINT64_C(0x311ba76589b33d70)},
    {"inception_v3:dtype=f16", UINT64_C(0x0c0a1f04c68370a7)},
    {"mobilenet_v1:dtype=i8", UINT64_C(0x209eb1a7116ec020)},
    {"mobilenet_v2", UINT64_C(0xacfd9fd0ae74785b)},
    {"mobilenet_v3_large", UINT64_C(0xc7b68f1471e7fc1f)},
    {"resnet50:batch=8", UINT64_C(0x171ed2c72d079ca4)},
    {"resnext50_32x4d:grouped=expand", UINT64_C(0xe92b2387366929f9)},
    {"shufflenet_v2_x1_0", UINT64_C(0x0675a7f0fdfcf390)},
    {"squeezenet1_0:head=softmax", UINT64_C(0x1e1bc25433a5f008)},
    {"bert_base", UINT64_C(0xf13e1ac6d58d36af)},
    {"unet", UINT64_C(0x5d2a5d09e9509760)},
    {"vgg16:weights=on", UINT64_C(0xc181489d0e0cf33f)},
    {"xception:concat=place", UINT64_C(0x8c81e0025c4db0ce)},
    {"yolov3-tiny", UINT64_C(0xbb0173813ac637f5)},
    {"lstm_lm", UINT64_C(0xb24ad6beab89f727)},
    {"resnet18:train=sgd", UINT64_C(0x286391450844f3cb)},
    {"mobilenet_v2:train=adam,checkpoint=sqrt,update=ready", UINT64_C(0x953f5eea89436b01)},
    {"squeezenet1_1:inplace=megengine", UINT64_C(0xdd436cc9668e9fba)},
    {"googlenet:order=dfs", UINT64_C(0x20c0d26a62113ba2)},
    {"googlenet:groups=4", UINT64_C(0x2885166e7d89be61)},
    {"inception_v3:order=greedy", UINT64_C(0x2eb533639694fa63)},
    {"resnet50:alignment=64,io=both", UINT64_C(0x90452e0d33f46ead)},
};

static void check(const char *spec, uint64_t checksum)
{
    struct error error = {""};
    struct instance *instance = NULL;
    struct workload workload;
    uint64_t now = 0;

    if (workload_parse(&workload, spec, &error)) {
        instance = workload_instance(&workload, &error);
        workload_clear(&workload);
    }
    if (instance != NULL)
        now = instance_checksum(instance);
    instance_free(instance);
    if (!ok(now == checksum, "%s", spec))
        tap_diag("{\"%s\", UINT64_C(0x%016" PRIx64 ")}, %s", spec, now, error.text);
}

int main(void)
{
    for (size_t i = 0; i < sizeof golden / sizeof golden[0]; i++)
        check(golden[i].spec, golden[i].checksum);
    return tap_done();
}
