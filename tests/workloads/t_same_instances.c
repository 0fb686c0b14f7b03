/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same name, parameters and seed give the same instance for ever (another one breaks every
 * published result that names a seed), on every machine and with every version of every library:
 * generators, networks, training, loops, rules of sharing and orders, by the checksums that they
 * have.  machines.sh runs this on other processors.  */
#include <config.h>

#include <inttypes.h>

#include "lib/problem/instance.h"
#include "tests/support/tap.h"
#include "workloads/workload.h"

static const struct {
    const char *spec;
    uint64_t checksum;
} golden[] = {
    {"caches", UINT64_C(0x94e23c9227001869)},
    {"caches:grown=on,sequences=3,seed=5", UINT64_C(0x73dc2985d2e0e450)},
    {"caches:layers=6,tokens=40,sequences=3,growth=5,row=96,life=9,seed=4",
     UINT64_C(0xb61d25cced6e45e2)},
    {"chain", UINT64_C(0x8777d7ad0f54a294)},
    {"chain:n=1000,skip=50,length=62,sizes=heavy,high=100000,seed=9", UINT64_C(0xfa8d4f5e22883dfc)},
    {"chain:sizes=equal,seed=4294967295", UINT64_C(0xef9e0525c5950b96)},
    {"chained:seed=7", UINT64_C(0x7db15f9cde65cd35)},
    {"cuts", UINT64_C(0x1362be62016fa83c)},
    {"cuts:n=300,skew=3,pinwheels=50,unit=64,slack=3,align=4096,joined=20,seed=5",
     UINT64_C(0x737800a00aa9bdbf)},
    {"filled:of=chain+short", UINT64_C(0x9d44c88081ebfe82)},
    {"filled:of=nested,keep=70,parts=5,slack=4,seed=3", UINT64_C(0x44c1c9cb7d851e0c)},
    {"gadget", UINT64_C(0xced63e7f094ba69f)},
    {"gadget:repeat=3,scale=1024,shuffle=on,seed=2", UINT64_C(0x8a0905b37285256d)},
    {"heavy", UINT64_C(0xb8cd2f798dd93cba)},
    {"heavy:law=pareto,shape=1.5,n=200,steps=50,seed=3", UINT64_C(0x41064556e6ab8160)},
    {"heavy:n=2000,law=pareto,seed=4", UINT64_C(0xa986d76d1588a026)},
    {"heavy:n=2000,law=pareto,shape=0.3,high=1000000000000,seed=5", UINT64_C(0x778ffb032771cc0d)},
    {"heavy:n=2000,seed=2", UINT64_C(0xef6ffda05c9912cc)},
    {"heavy:n=2000,sigma=9,high=1000000000000,seed=3", UINT64_C(0x3dea48841bf0898a)},
    {"nested", UINT64_C(0x68a2bd2c9601db5a)},
    {"nested:layers=30,low=7,high=900000,saved=50,reach=9,workspaces=90,seed=6",
     UINT64_C(0xf5343a6813615f65)},
    {"overlaid:of=chain+short,n=500", UINT64_C(0x41b85188f8f1f900)},
    {"pinwheel", UINT64_C(0x9ea8caef270160f9)},
    {"pinwheel:pinwheels=100,steps=500,height=9000,drop=3,seed=2", UINT64_C(0xefff8b7b90582a9d)},
    {"planted", UINT64_C(0x8bc862fafb177315)},
    {"planted:n=500,steps=100,height=4096,drop=5,seed=4", UINT64_C(0xa8c90a6873ff9feb)},
    {"power", UINT64_C(0x705391a5aa433894)},
    {"power:n=100,low=3,high=5000,steps=10,seed=5", UINT64_C(0x1ac07093d2e5817a)},
    {"random-dag", UINT64_C(0x58dc52eadab8f8b4)},
    {"random-dag:n=100,seed=2", UINT64_C(0xe50d1f5d91265778)},
    {"random-dag:n=200,reach=20,density=5,sources=20,low=7,high=7,seed=10",
     UINT64_C(0x596dc5896b941509)},
    {"recurrence", UINT64_C(0xa2cf833dca7663f8)},
    {"short", UINT64_C(0xfc113069f94b977c)},
    {"short:n=300,steps=20,life=9,low=5,high=6,seed=6", UINT64_C(0x85f382596d4161ab)},
    {"staircase", UINT64_C(0xf050384707a11ab5)},
    {"staircase:n=9,size=64,shuffle=on,seed=7", UINT64_C(0xcef6a50d66fbb6f6)},
    {"steps:of=alexnet,count=5", UINT64_C(0xdd653873b370b51d)},
    {"steps:of=resnet18:train=sgd,count=7,low=1,high=9,seed=3", UINT64_C(0xc11a16f60ba9d560)},
    {"stretches", UINT64_C(0xaf6d43524a4834e3)},
    {"stretches:n=500,steps=60,life=40,stretches=6,low=9,high=12345678,least=4,align=512,seed=3",
     UINT64_C(0x3fe2f9927417d2a4)},
    {"tight", UINT64_C(0x6a63d3031498cd5d)},
    {"tight:steps=60,cap=300,low=5,high=80,longest=20,n=100,seed=3", UINT64_C(0xfef24f34ba8fe232)},
    {"uniform", UINT64_C(0x77d5e30810fe37e3)},
    {"uniform:n=1000,steps=64,low=1,high=1000000000000,seed=8", UINT64_C(0x4106d4de7bb7a579)},
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
