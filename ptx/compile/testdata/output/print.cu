// print0.ptx and print2.ptx: clang-14 -x cuda --cuda-gpu-arch=sm_20 --cuda-device-only -nocudainc
// -nocudalib -S, with -O0 and -O2.
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
extern "C" __device__ int vprintf(const char*, const char*);
extern "C" __device__ int printf(const char*, ...);
__device__ __attribute__((noinline)) int down(int n){ printf("down %d\n", n); return n? down(n-1)+1 : 0;}
extern "C" __global__ void k(const int*in,int*out){
 int t; asm("mov.u32 %0, %%tid.x;" : "=r"(t));
 int r=0;
 if (t%5==0) r+=printf("thread %d has %x, %s and %lld of %c%%\n", t, in[t], t&1?"odd":"even", (long long)in[t]<<20, 'a'+t%26);
 for(int i=0;i<t%3;i++) r+=printf("%d: %u\n", t, i);
 if(t==7) r+=printf("alone\n");
 if(t==9) r+=down(3);
 out[t]=r+1;
}
