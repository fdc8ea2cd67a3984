#include "runtime.h"

#if CUDART_VERSION >= 3000

static CUgraphicsResource resource_of(cudaGraphicsResource_t resource)
{
	return (CUgraphicsResource)resource;
}

cudaError_t runtime_GraphicsUnregisterResource(cudaGraphicsResource_t resource)
{
	return runtime_result(driver.cuGraphicsUnregisterResource(resource_of(resource)));
}

cudaError_t runtime_GraphicsResourceSetMapFlags(cudaGraphicsResource_t resource, unsigned int flags)
{
	return runtime_result(driver.cuGraphicsResourceSetMapFlags(resource_of(resource), flags));
}

cudaError_t runtime_GraphicsMapResources(int count, cudaGraphicsResource_t *resources, cudaStream_t stream)
{
	if (count < 0)
		return cudaErrorInvalidValue;
	return runtime_result(driver.cuGraphicsMapResources((unsigned int)count, (CUgraphicsResource *)resources,
		stream_of(stream)));
}

cudaError_t runtime_GraphicsUnmapResources(int count, cudaGraphicsResource_t *resources, cudaStream_t stream)
{
	if (count < 0)
		return cudaErrorInvalidValue;
	return runtime_result(driver.cuGraphicsUnmapResources((unsigned int)count, (CUgraphicsResource *)resources,
		stream_of(stream)));
}

cudaError_t runtime_GraphicsResourceGetMappedPointer(void **devPtr, size_t *size, cudaGraphicsResource_t resource)
{
	CUdeviceptr address;
	size_t bytes;
	CUresult result = driver.cuGraphicsResourceGetMappedPointer(&address, &bytes, resource_of(resource));
	if (result != CUDA_SUCCESS)
		return runtime_result(result);
	void *pointer = (void *)(uintptr_t)address;
	cudaError_t error = runtime_write(devPtr, &pointer, sizeof pointer);
	return error != cudaSuccess ? error : runtime_write(size, &bytes, sizeof bytes);
}

cudaError_t runtime_GraphicsSubResourceGetMappedArray(cudaArray_t *array, cudaGraphicsResource_t resource,
	unsigned int arrayIndex, unsigned int mipLevel)
{
	return runtime_result(driver.cuGraphicsSubResourceGetMappedArray((CUarray *)array, resource_of(resource),
		arrayIndex, mipLevel));
}

cudaError_t runtime_GraphicsGLRegisterBuffer(struct cudaGraphicsResource **resource, GLuint buffer, unsigned int flags)
{
	return runtime_result(driver.cuGraphicsGLRegisterBuffer((CUgraphicsResource *)resource, buffer, flags));
}

cudaError_t runtime_GraphicsGLRegisterImage(struct cudaGraphicsResource **resource, GLuint image, GLenum target,
	unsigned int flags)
{
	return runtime_result(driver.cuGraphicsGLRegisterImage((CUgraphicsResource *)resource, image, target, flags));
}

#endif

#if CUDART_VERSION >= 4010
cudaError_t runtime_GLGetDevices(unsigned int *pCudaDeviceCount, int *pCudaDevices, unsigned int cudaDeviceCount,
	enum cudaGLDeviceList deviceList)
{
	return runtime_result(driver.cuGLGetDevices(pCudaDeviceCount, pCudaDevices, cudaDeviceCount, (int)deviceList));
}
#endif

// runtime_GLSetGLDevice only chooses the device: every context of the simulator shares with OpenGL.
cudaError_t runtime_GLSetGLDevice(int device)
{
	return runtime_SetDevice(device);
}

cudaError_t runtime_GLRegisterBufferObject(GLuint bufObj)
{
	return runtime_result(driver.cuGLRegisterBufferObject(bufObj));
}

cudaError_t runtime_GLUnregisterBufferObject(GLuint bufObj)
{
	return runtime_result(driver.cuGLUnregisterBufferObject(bufObj));
}

// mapped gives the address of a mapped buffer to the program.
static cudaError_t mapped(void **devPtr, CUdeviceptr address, CUresult result)
{
	void *pointer = (void *)(uintptr_t)address;
	return result != CUDA_SUCCESS ? runtime_result(result) : runtime_write(devPtr, &pointer, sizeof pointer);
}

cudaError_t runtime_GLMapBufferObject(void **devPtr, GLuint bufObj)
{
	CUdeviceptr address = 0;
	size_t size;
	CUresult result = driver.cuGLMapBufferObject(&address, &size, bufObj);
	return mapped(devPtr, address, result);
}

cudaError_t runtime_GLUnmapBufferObject(GLuint bufObj)
{
	return runtime_result(driver.cuGLUnmapBufferObject(bufObj));
}

cudaError_t runtime_GLSetBufferObjectMapFlags(GLuint bufObj, unsigned int flags)
{
	return runtime_result(driver.cuGLSetBufferObjectMapFlags(bufObj, flags));
}

cudaError_t runtime_GLMapBufferObjectAsync(void **devPtr, GLuint bufObj, cudaStream_t stream)
{
	CUdeviceptr address = 0;
	size_t size;
	CUresult result = driver.cuGLMapBufferObjectAsync(&address, &size, bufObj, stream_of(stream));
	return mapped(devPtr, address, result);
}

cudaError_t runtime_GLUnmapBufferObjectAsync(GLuint bufObj, cudaStream_t stream)
{
	return runtime_result(driver.cuGLUnmapBufferObjectAsync(bufObj, stream_of(stream)));
}
