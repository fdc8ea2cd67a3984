// clang0.ptx and clang2.ptx: clang-14 -x cuda --cuda-gpu-arch=sm_20 --cuda-device-only -nocudainc
// -nocudalib -S, with -O0 and -O2.
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
__device__ __attribute__((noinline)) int fib(int n){ if(n<2) return n; return fib(n-1)+fib(n-2);}
__device__ __attribute__((noinline)) bool odd(unsigned n);
__device__ __attribute__((noinline)) bool even(unsigned n){ return n==0 ? true : odd(n-1);}
__device__ __attribute__((noinline)) bool odd(unsigned n){ return n==0 ? false : even(n-1);}
__device__ __attribute__((noinline)) int ack(int m,int n){ if(m==0) return n+1; if(n==0) return ack(m-1,1); return ack(m-1,ack(m,n-1)); }
__device__ __attribute__((noinline)) void quick(int*a,int lo,int hi){ if(lo>=hi) return; int p=a[hi],i=lo; for(int j=lo;j<hi;j++) if(a[j]<p){int t=a[i];a[i]=a[j];a[j]=t;i++;} int t=a[i];a[i]=a[hi];a[hi]=t; quick(a,lo,i-1); quick(a,i+1,hi);}
typedef int (*op)(int,int);
__device__ int plus(int a,int b){return a+b;}
__device__ int times(int a,int b){return a*b;}
__device__ int deepop(int a,int b){return fib(a&7)+b;}
__device__ op table[3]={plus,times,deepop};
struct A { __device__ virtual int f(int x){return x+1;} };
struct B : A { int k; __device__ int f(int x) override {return k*x+ A::f(x);} };
__device__ __attribute__((noinline)) int walk(A*a,int n){ if(n<=0) return 0; return a->f(n)+walk(a,n-1);}
extern "C" __global__ void k(const int*in,int*out){
 int t; asm("mov.u32 %0, %%tid.x;" : "=r"(t));
 int s=0;
 s+=fib(t%9);
 s=s*3+even(t);
 s=s*5+ack(t%3,t%4);
 int a[6]; for(int i=0;i<6;i++) a[i]=(in[t]>>i*3)&31;
 quick(a,0,5); for(int i=0;i<6;i++) s=s*7+a[i];
 op o=table[t%3]; s=s*3+o(t,s);
 A x; B y; y.k=t; A*q= t&1 ? &x : (A*)&y;
 s=s*3+walk(q,t%5);
 out[t]=s;
}
