/* Kernels work on buffers and images of OpenGL, by the calls of CUDA 1.0 to 2.3 and by those since
 * 3.0. Without OpenGL the program prints the reason and ends with 77. */
#include <cuda.h>
#include <cudaGL.h>
#include <string.h>

#include "check.h"
#include "opengl.h"

#if CUDA_VERSION >= 3020
typedef size_t bytes_t;
#else
typedef unsigned int bytes_t;
#endif

#define NO_OPENGL 219 /* CUDA_ERROR_INVALID_GRAPHICS_CONTEXT, of 6.0 and later headers */

static CUfunction increment;

/* add_one adds 1 to a word of device memory. */
static void add_one(CUdeviceptr at)
{
	unsigned int address = (unsigned int)at;

	OK(cuParamSetv(increment, 0, &address, sizeof address));
	OK(cuParamSetSize(increment, 4));
	OK(cuFuncSetBlockShape(increment, 1, 1, 1));
	OK(cuLaunch(increment));
}

static int state(unsigned name)
{
	int value = -1;

	gl_GetIntegerv(name, &value);
	return value;
}

/* content returns the first word of a buffer. */
static unsigned content(unsigned buffer)
{
	unsigned word = 0;

	gl_BindBuffer(ARRAY_BUFFER, buffer);
	gl_GetBufferSubData(ARRAY_BUFFER, 0, 4, &word);
	gl_BindBuffer(ARRAY_BUFFER, 0);
	return word;
}

static unsigned make_buffer(unsigned first)
{
	unsigned words[64] = {0}, buffer = 0;

	words[0] = first;
	gl_GenBuffers(1, &buffer);
	gl_BindBuffer(ARRAY_BUFFER, buffer);
	gl_BufferData(ARRAY_BUFFER, sizeof words, words, STATIC_DRAW);
	return buffer;
}

static void buffers(void)
{
	unsigned both[2], deleted;
	CUgraphicsResource resources[2], gone;
	CUdeviceptr at;
	bytes_t size = 0;

	both[0] = make_buffer(10);
	both[1] = make_buffer(20);
	OK(cuGLInit());
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuGLRegisterBufferObject(1000));
	OK(cuGLRegisterBufferObject(both[0]));
	REQUIRE(state(ARRAY_BUFFER_BINDING) == (int)both[1]);
	OK(cuGLMapBufferObject(&at, &size, both[0]));
	REQUIRE(size == 256);
	EXPECT(CUDA_ERROR_ALREADY_MAPPED, cuGLMapBufferObject(&at, &size, both[0]));
	add_one(at);
	OK(cuGLUnmapBufferObject(both[0]));
	EXPECT(CUDA_ERROR_NOT_MAPPED, cuGLUnmapBufferObject(both[0]));
	REQUIRE(content(both[0]) == 11);
	OK(cuGLSetBufferObjectMapFlags(both[0], CU_GL_MAP_RESOURCE_FLAGS_READ_ONLY));
	OK(cuGLMapBufferObjectAsync(&at, &size, both[0], NULL));
	add_one(at);
	OK(cuGLUnmapBufferObjectAsync(both[0], NULL));
	REQUIRE(content(both[0]) == 11);
	OK(cuGLUnregisterBufferObject(both[0]));

	EXPECT(CUDA_ERROR_INVALID_HANDLE, cuGraphicsGLRegisterBuffer(&resources[0], 1000, 0));
	OK(cuGraphicsGLRegisterBuffer(&resources[0], both[0], CU_GRAPHICS_REGISTER_FLAGS_NONE));
	OK(cuGraphicsGLRegisterBuffer(&resources[1], both[1], CU_GRAPHICS_REGISTER_FLAGS_NONE));
	OK(cuGraphicsMapResources(2, resources, NULL));
	OK(cuGraphicsResourceGetMappedPointer(&at, &size, resources[1]));
	add_one(at);
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuGraphicsMapResources(1, NULL, NULL));
	OK(cuGraphicsUnmapResources(2, resources, NULL));
	REQUIRE(content(both[0]) == 11 && content(both[1]) == 21);

	/* Without OpenGL's context, and on a buffer that is gone. */
	REQUIRE(eglMakeCurrent(display, NULL, NULL, NULL));
	EXPECT(NO_OPENGL, cuGraphicsMapResources(2, resources, NULL));
	REQUIRE(eglMakeCurrent(display, NULL, NULL, context));
	deleted = make_buffer(0);
	OK(cuGraphicsGLRegisterBuffer(&gone, deleted, 0));
	gl_DeleteBuffers(1, &deleted);
	EXPECT(CUDA_ERROR_MAP_FAILED, cuGraphicsMapResources(1, &gone, NULL));
	OK(cuGraphicsUnregisterResource(gone));
	OK(cuGraphicsUnregisterResource(resources[0]));
	OK(cuGraphicsUnregisterResource(resources[1]));
	REQUIRE(gl_GetError() == 0);
}

/* increment_buffer adds 1 to the first word of a buffer. */
static void increment_buffer(unsigned buffer)
{
	CUgraphicsResource resource;
	CUdeviceptr at;
	bytes_t size = 0;

	OK(cuGraphicsGLRegisterBuffer(&resource, buffer, 0));
	OK(cuGraphicsMapResources(1, &resource, NULL));
	OK(cuGraphicsResourceGetMappedPointer(&at, &size, resource));
	REQUIRE(size == 256);
	add_one(at);
	OK(cuGraphicsUnmapResources(1, &resource, NULL));
	OK(cuGraphicsUnregisterResource(resource));
}

/* The program's own mapping of a buffer keeps others away, unless it is for good. */
static void mapped_buffers(void)
{
	unsigned words[64] = {40}, buffer = make_buffer(30), other = make_buffer(0), *memory;
	CUgraphicsResource resource;

	gl_BindBuffer(ARRAY_BUFFER, buffer);
	OK(cuGraphicsGLRegisterBuffer(&resource, buffer, 0));
	REQUIRE(gl_MapBuffer(ARRAY_BUFFER, WRITE_ONLY) != NULL);
	EXPECT(CUDA_ERROR_MAP_FAILED, cuGraphicsMapResources(1, &resource, NULL));
	REQUIRE(gl_UnmapBuffer(ARRAY_BUFFER) && gl_GetError() == 0);
	OK(cuGraphicsUnregisterResource(resource));

	/* Storage that takes nothing from memory. */
	if (!find(&gl_BufferStorage, eglGetProcAddress("glBufferStorage")) ||
	    !find(&gl_MapBufferRange, eglGetProcAddress("glMapBufferRange")))
		return;
	gl_GenBuffers(1, &buffer);
	gl_BindBuffer(ARRAY_BUFFER, buffer);
	gl_BufferStorage(ARRAY_BUFFER, sizeof words, words, MAP_READ | MAP_PERSISTENT);
	if (gl_GetError() != 0)
		return; /* older than OpenGL 4.4 */
	gl_BindBuffer(COPY_READ_BUFFER, other);
	increment_buffer(buffer);
	REQUIRE(content(buffer) == 41);
	gl_BindBuffer(ARRAY_BUFFER, buffer);
	memory = gl_MapBufferRange(ARRAY_BUFFER, 0, sizeof words, MAP_READ | MAP_PERSISTENT);
	REQUIRE(memory != NULL);
	increment_buffer(buffer);
	gl_Finish();
	REQUIRE(memory[0] == 42);
	REQUIRE(state(COPY_READ_BUFFER) == (int)other && gl_GetError() == 0);
}

/* mapped maps a resource and returns one of its arrays. */
static CUarray mapped(CUgraphicsResource *resource, unsigned index, unsigned level)
{
	CUarray array;

	OK(cuGraphicsMapResources(1, resource, NULL));
	OK(cuGraphicsSubResourceGetMappedArray(&array, *resource, index, level));
	return array;
}

/* With sizes that are no multiple of 4 bytes, and with state of OpenGL that would move the pixels. */
static void textures(void)
{
	static unsigned char bytes[6 * 3 * 5 * 4], got[sizeof bytes];
	short shorts[3 * 5 * 2], few[3 * 5 * 2];
	float floats[4 * 2] = {0.5f, 1, 2, -3, 4, 5, 6, 7}, read[4 * 2];
	unsigned texture = 0, other = 0, pixels = make_buffer(0);
	CUgraphicsResource resource;
	CUDA_ARRAY_DESCRIPTOR shape;
	CUarray array;
	size_t i;

	for (i = 0; i < sizeof bytes; i++)
		bytes[i] = (unsigned char)(i * 7);
	for (i = 0; i < 3 * 5 * 2; i++)
		shorts[i] = (short)(i * 1000 - 15000);
	gl_PixelStorei(UNPACK_ALIGNMENT, 1);
	gl_GenTextures(1, &texture);
	gl_BindTexture(TEXTURE_2D, texture);
	gl_TexImage2D(TEXTURE_2D, 0, RG16I, 3, 5, 0, RG_INTEGER, SHORT, shorts);
	gl_GenTextures(1, &other);
	gl_BindTexture(TEXTURE_2D, other);
	gl_TexImage2D(TEXTURE_2D, 0, R32F, 4, 2, 0, RED, FLOAT, floats);
	gl_PixelStorei(UNPACK_ROW_LENGTH, 100);
	gl_PixelStorei(PACK_ALIGNMENT, 8);
	gl_BindBuffer(PIXEL_PACK_BUFFER, pixels);
	gl_BindBuffer(PIXEL_UNPACK_BUFFER, pixels);

	EXPECT(CUDA_ERROR_INVALID_HANDLE, cuGraphicsGLRegisterImage(&resource, 1000, TEXTURE_2D, 0));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuGraphicsGLRegisterImage(&resource, texture, TEXTURE_3D, 0));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuGraphicsGLRegisterImage(&resource, texture, TEXTURE_1D, 0));
	OK(cuGraphicsGLRegisterImage(&resource, texture, TEXTURE_2D, 0));
	array = mapped(&resource, 0, 0);
	OK(cuArrayGetDescriptor(&shape, array));
	REQUIRE(shape.Width == 3 && shape.Height == 5 && shape.Format == CU_AD_FORMAT_SIGNED_INT16 && shape.NumChannels == 2);
	OK(cuMemcpyAtoH(few, array, 0, sizeof few));
	REQUIRE(memcmp(few, shorts, sizeof few) == 0);
	EXPECT(CUDA_ERROR_ARRAY_IS_MAPPED, cuArrayDestroy(array));
	few[29] = -1;
	OK(cuMemcpyHtoA(array, 0, few, sizeof few));
	OK(cuGraphicsUnmapResources(1, &resource, NULL));
	OK(cuGraphicsUnregisterResource(resource));
	REQUIRE(state(TEXTURE_BINDING_2D) == (int)other);
	OK(cuGraphicsGLRegisterImage(&resource, other, TEXTURE_2D, CU_GRAPHICS_REGISTER_FLAGS_READ_ONLY));
	OK(cuMemcpyAtoH(read, mapped(&resource, 0, 0), 0, sizeof read));
	REQUIRE(memcmp(read, floats, sizeof read) == 0);
	OK(cuGraphicsUnmapResources(1, &resource, NULL));

	REQUIRE(gl_GetError() == 0);
	REQUIRE(state(UNPACK_ROW_LENGTH) == 100 && state(PACK_ALIGNMENT) == 8 && state(UNPACK_ALIGNMENT) == 1);
	REQUIRE(state(PIXEL_PACK_BUFFER_BINDING) == (int)pixels && state(PIXEL_UNPACK_BUFFER_BINDING) == (int)pixels);
	gl_PixelStorei(UNPACK_ROW_LENGTH, 0);
	gl_PixelStorei(PACK_ALIGNMENT, 1);
	gl_BindBuffer(PIXEL_PACK_BUFFER, 0);
	gl_BindBuffer(PIXEL_UNPACK_BUFFER, 0);
	memset(shorts, 0, sizeof shorts);
	gl_BindTexture(TEXTURE_2D, texture);
	gl_GetTexImage(TEXTURE_2D, 0, RG_INTEGER, SHORT, shorts);
	REQUIRE(memcmp(few, shorts, sizeof few) == 0);

	/* Slices, layers and faces. */
	gl_GenTextures(1, &texture);
	gl_BindTexture(TEXTURE_3D, texture);
	gl_TexImage3D(TEXTURE_3D, 0, RGBA8, 3, 5, 6, 0, RGBA, UNSIGNED_BYTE, bytes);
	OK(cuGraphicsGLRegisterImage(&resource, texture, TEXTURE_3D, 0));
	OK(cuMemcpyAtoH(got, mapped(&resource, 0, 0), 0, sizeof got));
	REQUIRE(memcmp(got, bytes, sizeof got) == 0);
	OK(cuGraphicsUnmapResources(1, &resource, NULL));
	gl_GenTextures(1, &texture);
	gl_BindTexture(TEXTURE_2D_ARRAY, texture);
	gl_TexImage3D(TEXTURE_2D_ARRAY, 0, RGBA8, 3, 5, 6, 0, RGBA, UNSIGNED_BYTE, NULL);
	OK(cuGraphicsGLRegisterImage(&resource, texture, TEXTURE_2D_ARRAY, 0));
	OK(cuMemcpyHtoA(mapped(&resource, 2, 0), 0, bytes + 2 * 60, 60));
	OK(cuGraphicsUnmapResources(1, &resource, NULL));
	gl_GetTexImage(TEXTURE_2D_ARRAY, 0, RGBA, UNSIGNED_BYTE, got);
	REQUIRE(memcmp(got + 2 * 60, bytes + 2 * 60, 60) == 0);
	gl_GenTextures(1, &texture);
	gl_BindTexture(TEXTURE_CUBE_MAP, texture);
	for (i = 0; i < 6; i++)
		gl_TexImage2D(TEXTURE_FACE + (unsigned)i, 0, RGBA8, 3, 3, 0, RGBA, UNSIGNED_BYTE, bytes + i);
	OK(cuGraphicsGLRegisterImage(&resource, texture, TEXTURE_CUBE_MAP, 0));
	OK(cuMemcpyAtoH(got, mapped(&resource, 4, 0), 0, 36));
	REQUIRE(memcmp(got, bytes + 4, 36) == 0);
	gl_GenTextures(1, &texture);
	gl_BindTexture(TEXTURE_2D, texture);
	gl_TexImage2D(TEXTURE_2D, 0, RGB, 4, 4, 0, RGB, UNSIGNED_BYTE, NULL);
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuGraphicsGLRegisterImage(&resource, texture, TEXTURE_2D, 0));
	REQUIRE(gl_GetError() == 0);
}

static void renderbuffers(void)
{
	unsigned char bytes[3 * 5 * 4], got[3 * 5 * 4];
	unsigned renderbuffer = 0, framebuffer = 0;
	CUgraphicsResource resource;
	size_t i;

	gl_GenRenderbuffers(1, &renderbuffer);
	gl_BindRenderbuffer(RENDERBUFFER, renderbuffer);
	gl_RenderbufferStorage(RENDERBUFFER, RGBA8, 3, 5);
	gl_GenFramebuffers(1, &framebuffer);
	gl_BindFramebuffer(FRAMEBUFFER, framebuffer);
	gl_FramebufferRenderbuffer(FRAMEBUFFER, COLOR_ATTACHMENT0, RENDERBUFFER, renderbuffer);
	gl_ClearColor(1, 0, 1, 0);
	gl_Clear(COLOR_BUFFER_BIT);
	gl_Enable(SCISSOR_TEST);
	gl_Scissor(0, 0, 1, 1);
	OK(cuGraphicsGLRegisterImage(&resource, renderbuffer, RENDERBUFFER, 0));
	OK(cuMemcpyAtoH(bytes, mapped(&resource, 0, 0), 0, sizeof bytes));
	for (i = 0; i < sizeof bytes; i++)
		REQUIRE(bytes[i] == (i % 2 ? 0 : 255));
	for (i = 0; i < sizeof bytes; i++)
		bytes[i] = (unsigned char)(i * 3);
	OK(cuGraphicsUnmapResources(1, &resource, NULL));
	OK(cuMemcpyHtoA(mapped(&resource, 0, 0), 0, bytes, sizeof bytes));
	OK(cuGraphicsUnmapResources(1, &resource, NULL));
	REQUIRE(state(FRAMEBUFFER_BINDING) == (int)framebuffer);
	gl_ReadPixels(0, 0, 3, 5, RGBA, UNSIGNED_BYTE, got);
	REQUIRE(memcmp(got, bytes, sizeof got) == 0);
	REQUIRE(gl_GetError() == 0);
}

/* pixel_transfer sets what OpenGL makes of values that pass. */
static void pixel_transfer(float map, float scale, float bias)
{
	gl_PixelTransferf(MAP_COLOR, map);
	gl_PixelTransferf(RED_SCALE, scale);
	gl_PixelTransferf(ALPHA_SCALE, scale);
	gl_PixelTransferf(BLUE_BIAS, bias);
}

static float transfer_state(unsigned name)
{
	float value = -1;

	gl_GetFloatv(name, &value);
	return value;
}

/* Values pass as they are, whatever OpenGL would make of them. */
static void transfers(void)
{
	float values[4 * 4], got[4 * 4];
	unsigned texture = 0;
	CUgraphicsResource resource;
	size_t i;

	for (i = 0; i < 16; i++)
		values[i] = (float)i / 16;
	gl_GenTextures(1, &texture);
	gl_BindTexture(TEXTURE_2D, texture);
	gl_TexImage2D(TEXTURE_2D, 0, RGBA32F, 2, 2, 0, RGBA, FLOAT, values);
	OK(cuGraphicsGLRegisterImage(&resource, texture, TEXTURE_2D, 0));
	pixel_transfer(1, 0.5f, 0.25f);
	OK(cuMemcpyAtoH(got, mapped(&resource, 0, 0), 0, 64));
	REQUIRE(memcmp(got, values, 64) == 0);
	OK(cuGraphicsUnmapResources(1, &resource, NULL));
	REQUIRE(transfer_state(MAP_COLOR) == 1 && transfer_state(RED_SCALE) == 0.5f && transfer_state(ALPHA_SCALE) == 0.5f);
	REQUIRE(transfer_state(BLUE_BIAS) == 0.25f && transfer_state(GREEN_SCALE) == 1);
	pixel_transfer(0, 1, 0);
	gl_GetTexImage(TEXTURE_2D, 0, RGBA, FLOAT, got);
	REQUIRE(memcmp(got, values, 64) == 0 && gl_GetError() == 0);
	OK(cuGraphicsUnregisterResource(resource));
}

/* make_error leaves an error of OpenGL behind. */
static void make_error(int error)
{
	unsigned char pixel[4];
	unsigned buffer = 0, framebuffer = 0;

	switch (error) {
	case INVALID_ENUM:
		gl_Enable(1);
		break;
	case INVALID_VALUE:
		gl_Scissor(0, 0, -1, 1);
		break;
	case INVALID_OPERATION:
		gl_BindBuffer(ARRAY_BUFFER, 0);
		gl_UnmapBuffer(ARRAY_BUFFER);
		break;
	case INVALID_FRAMEBUFFER_OPERATION:
		gl_GenFramebuffers(1, &framebuffer);
		gl_BindFramebuffer(FRAMEBUFFER, framebuffer);
		gl_ReadPixels(0, 0, 1, 1, RGBA, UNSIGNED_BYTE, pixel);
		break;
	default:
		gl_GenBuffers(1, &buffer);
		gl_BindBuffer(ARRAY_BUFFER, buffer);
		gl_BufferData(ARRAY_BUFFER, PTRDIFF_MAX, NULL, STATIC_DRAW);
	}
}

/* An error of the program's own calls stays for the program, whatever calls for kernels do. */
static void errors(void)
{
	static const int all[] = {INVALID_ENUM, INVALID_VALUE, INVALID_OPERATION, OUT_OF_MEMORY, INVALID_FRAMEBUFFER_OPERATION};
	unsigned texture = 0, buffer = make_buffer(50), word = 50;
	CUgraphicsResource resource;
	size_t i;

	gl_GenTextures(1, &texture);
	gl_BindTexture(TEXTURE_2D, texture);
	gl_TexImage2D(TEXTURE_2D, 0, RGBA8, 2, 2, 0, RGBA, UNSIGNED_BYTE, NULL);
	for (i = 0; i < sizeof all / sizeof all[0]; i++) {
		make_error(all[i]);
		EXPECT(CUDA_ERROR_INVALID_VALUE, cuGraphicsGLRegisterImage(&resource, texture, TEXTURE_3D, 0));
		increment_buffer(buffer);
		REQUIRE((int)gl_GetError() == all[i] && gl_GetError() == 0);
		REQUIRE(content(buffer) == ++word);
	}
}

/* A context of the core profile lacks what OpenGL 3.1 removed, and knows no name of it. */
static void core_profile(void)
{
	unsigned char bytes[36], got[36];
	unsigned texture = 0;
	CUgraphicsResource resource;
	size_t i;

	if (!start_core())
		return;
	for (i = 0; i < sizeof bytes; i++)
		bytes[i] = (unsigned char)(i * 7);
	gl_GenTextures(1, &texture);
	gl_BindTexture(TEXTURE_2D, texture);
	gl_TexImage2D(TEXTURE_2D, 0, RGBA8, 3, 3, 0, RGBA, UNSIGNED_BYTE, NULL);
	OK(cuGraphicsGLRegisterImage(&resource, texture, TEXTURE_2D, 0));
	REQUIRE(gl_GetError() == 0);
	OK(cuMemcpyHtoA(mapped(&resource, 0, 0), 0, bytes, sizeof bytes));
	OK(cuGraphicsUnmapResources(1, &resource, NULL));
	REQUIRE(gl_GetError() == 0);
	gl_GetTexImage(TEXTURE_2D, 0, RGBA, UNSIGNED_BYTE, got);
	REQUIRE(memcmp(got, bytes, sizeof got) == 0);
	increment_buffer(make_buffer(1));
	REQUIRE(gl_GetError() == 0);
	OK(cuGraphicsUnregisterResource(resource));
}

int main(int argc, char **argv)
{
	CUcontext ctx;
	CUmodule module;
	const char *why;
#if CUDA_VERSION >= 4010
	unsigned count = 0;
	CUdevice devices[2] = {-1, -1};
#endif

	REQUIRE(argc == 2);
	OK(cuInit(0));
#if CUDA_VERSION >= 4010
	EXPECT(NO_OPENGL, cuGLGetDevices(&count, devices, 2, CU_GL_DEVICE_LIST_ALL));
#endif
	why = start_opengl();
	if (why) {
		fprintf(stderr, "needs OpenGL: %s\n", why);
		return 77;
	}
	OK(cuGLCtxCreate(&ctx, 0, 0));
	OK(cuModuleLoad(&module, argv[1]));
	OK(cuModuleGetFunction(&increment, module, "increment"));
#if CUDA_VERSION >= 4010
	OK(cuGLGetDevices(&count, devices, 2, CU_GL_DEVICE_LIST_ALL));
	REQUIRE(count == 1 && devices[0] == 0 && devices[1] == -1);
#endif
	buffers();
	mapped_buffers();
	textures();
	transfers();
	renderbuffers();
	errors();
	core_profile();
	OK(cuCtxDestroy(ctx));
	return passed();
}
