/*
 * cudaGL.h: the driver's calls for buffers and images that a program shares with OpenGL.
 *
 * OpenGL's own header comes first if the program includes it; the types are the same.
 */
#ifndef CUDAGL_H
#define CUDAGL_H

#include "cuda.h"

#ifndef GL_VERSION
typedef unsigned int GLuint;
typedef unsigned int GLenum;
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CUGLDeviceList_enum {
	CU_GL_DEVICE_LIST_ALL = 0x01,
	CU_GL_DEVICE_LIST_CURRENT_FRAME = 0x02,
	CU_GL_DEVICE_LIST_NEXT_FRAME = 0x03
} CUGLDeviceList;

typedef enum CUGLmap_flags_enum {
	CU_GL_MAP_RESOURCE_FLAGS_NONE = 0x00,
	CU_GL_MAP_RESOURCE_FLAGS_READ_ONLY = 0x01,
	CU_GL_MAP_RESOURCE_FLAGS_WRITE_DISCARD = 0x02
} CUGLmap_flags;

CUresult CUDAAPI cuGLInit(void);
CUresult CUDAAPI cuGLCtxCreate(CUcontext *pCtx, unsigned int Flags, CUdevice device);
CUresult CUDAAPI cuGLGetDevices(unsigned int *pCudaDeviceCount, CUdevice *pCudaDevices,
                                unsigned int cudaDeviceCount, CUGLDeviceList deviceList);

CUresult CUDAAPI cuGraphicsGLRegisterBuffer(CUgraphicsResource *pCudaResource, GLuint buffer,
                                            unsigned int Flags);
CUresult CUDAAPI cuGraphicsGLRegisterImage(CUgraphicsResource *pCudaResource, GLuint image,
                                           GLenum target, unsigned int Flags);

CUresult CUDAAPI cuGLRegisterBufferObject(GLuint buffer);
CUresult CUDAAPI cuGLMapBufferObject(CUdeviceptr *dptr, size_t *size, GLuint buffer);
CUresult CUDAAPI cuGLMapBufferObjectAsync(CUdeviceptr *dptr, size_t *size, GLuint buffer,
                                          CUstream hStream);
CUresult CUDAAPI cuGLUnmapBufferObject(GLuint buffer);
CUresult CUDAAPI cuGLUnmapBufferObjectAsync(GLuint buffer, CUstream hStream);
CUresult CUDAAPI cuGLUnregisterBufferObject(GLuint buffer);
CUresult CUDAAPI cuGLSetBufferObjectMapFlags(GLuint buffer, unsigned int Flags);

#ifdef __cplusplus
}
#endif

#endif
