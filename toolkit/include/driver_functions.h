/* driver_functions.h: make_cudaPos and its like, for the structures of driver_types.h. */
#ifndef __DRIVER_FUNCTIONS_H__
#define __DRIVER_FUNCTIONS_H__

#include "driver_types.h"

static __inline__ struct cudaPitchedPtr make_cudaPitchedPtr(void *__d, size_t __p, size_t __xsz,
                                                            size_t __ysz) {
	struct cudaPitchedPtr __s;
	__s.ptr = __d;
	__s.pitch = __p;
	__s.xsize = __xsz;
	__s.ysize = __ysz;
	return __s;
}

static __inline__ struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
	struct cudaPos __p;
	__p.x = x;
	__p.y = y;
	__p.z = z;
	return __p;
}

static __inline__ struct cudaExtent make_cudaExtent(size_t __w, size_t __h, size_t __d) {
	struct cudaExtent __e;
	__e.width = __w;
	__e.height = __h;
	__e.depth = __d;
	return __e;
}

#endif
