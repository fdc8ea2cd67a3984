#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __constant__ __attribute__((constant))
extern "C" __device__ int printf(const char*, ...);
extern "C" __device__ void __assertfail(const char*, const char*, unsigned, const char*, unsigned long) __attribute__((noreturn));
#define assert(x) ((x) ? (void)0 : __assertfail(#x, __FILE__, __LINE__, __func__, 1))
__constant__ const char word[] = "constant";
extern "C" __global__ void say(int*out, int n){
 int t; asm("mov.u32 %0, %%tid.x;" : "=r"(t));
 out[t]=printf("thread %2d of %d: %s, %c, %#llx%%\n", t, n, t ? "words" : word, 'a'+t, 1ull<<(32+t));
}
extern "C" __global__ void check(int*out, int n){
 int t; asm("mov.u32 %0, %%tid.x;" : "=r"(t));
 if(t==0) printf("before\n");
 assert(t < n);
 out[t]=7;
}
