// What OpenCL C of this folder takes from the standard's headers, by clang's own builtins.
#define get_local_id(d) ((uint)__nvvm_read_ptx_sreg_tid_x())
#define get_group_id(d) ((uint)__nvvm_read_ptx_sreg_ctaid_x())
#define get_local_size(d) ((uint)__nvvm_read_ptx_sreg_ntid_x())
#define get_global_id(d) (get_group_id(d) * get_local_size(d) + get_local_id(d))
#define barrier(what) __syncthreads()

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#define VECTORS(T) \
    typedef T T##2 __attribute__((ext_vector_type(2))); \
    typedef T T##4 __attribute__((ext_vector_type(4))); \
    typedef T T##8 __attribute__((ext_vector_type(8)));

VECTORS(char)
VECTORS(uchar)
VECTORS(short)
VECTORS(ushort)
VECTORS(int)
VECTORS(uint)
VECTORS(long)
VECTORS(ulong)
VECTORS(float)

#define as_uint(v) __builtin_astype(v, uint)
#define as_uchar4(v) __builtin_astype(v, uchar4)
#define as_int4(v) __builtin_astype(v, int4)
#define as_uint4(v) __builtin_astype(v, uint4)
#define as_float(v) __builtin_astype(v, float)
