/* OpenGL for a test program, which needs no header of OpenGL and does not link it: a context of EGL
 * without a surface, from a library that only this program's handle knows. */
#ifndef OPENGL_H
#define OPENGL_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PLATFORM_SURFACELESS 0x31dd
#define OPENGL_API 0x30a2
#define NONE 0x3038
#define MAJOR_VERSION 0x3098
#define MINOR_VERSION 0x30fb
#define PROFILE 0x30fd
#define CORE 1
#define INVALID_ENUM 0x500
#define INVALID_VALUE 0x501
#define INVALID_OPERATION 0x502
#define OUT_OF_MEMORY 0x505
#define INVALID_FRAMEBUFFER_OPERATION 0x506
#define ARRAY_BUFFER 0x8892
#define PIXEL_PACK_BUFFER 0x88eb
#define PIXEL_UNPACK_BUFFER 0x88ec
#define ARRAY_BUFFER_BINDING 0x8894
#define PIXEL_PACK_BUFFER_BINDING 0x88ed
#define PIXEL_UNPACK_BUFFER_BINDING 0x88ef
#define COPY_READ_BUFFER 0x8f36
#define STATIC_DRAW 0x88e4
#define WRITE_ONLY 0x88b9
#define TEXTURE_1D 0x0de0
#define TEXTURE_2D 0x0de1
#define TEXTURE_3D 0x806f
#define TEXTURE_CUBE_MAP 0x8513
#define TEXTURE_FACE 0x8515
#define TEXTURE_2D_ARRAY 0x8c1a
#define TEXTURE_BINDING_2D 0x8069
#define RENDERBUFFER 0x8d41
#define FRAMEBUFFER 0x8d40
#define FRAMEBUFFER_BINDING 0x8ca6
#define COLOR_ATTACHMENT0 0x8ce0
#define COLOR_BUFFER_BIT 0x4000
#define SCISSOR_TEST 0x0c11
#define PACK_ALIGNMENT 0x0d05
#define UNPACK_ALIGNMENT 0x0cf5
#define UNPACK_ROW_LENGTH 0x0cf2
#define MAP_COLOR 0x0d10
#define RED_SCALE 0x0d14
#define RED_BIAS 0x0d15
#define GREEN_SCALE 0x0d18
#define BLUE_BIAS 0x0d1b
#define ALPHA_SCALE 0x0d1c
#define MAP_READ 1
#define MAP_WRITE 2
#define MAP_PERSISTENT 0x40
#define UNSIGNED_BYTE 0x1401
#define SHORT 0x1402
#define FLOAT 0x1406
#define RGB 0x1907
#define RGBA 0x1908
#define RG_INTEGER 0x8228
#define RED 0x1903
#define RGBA8 0x8058
#define R32F 0x822e
#define RGBA32F 0x8814
#define RG16I 0x8239

#define GL_CALLS(F) \
	F(unsigned, GetError, (void)) \
	F(void, GetIntegerv, (unsigned, int *)) \
	F(void, GetFloatv, (unsigned, float *)) \
	F(void, GenBuffers, (int, unsigned *)) \
	F(void, DeleteBuffers, (int, const unsigned *)) \
	F(void, BindBuffer, (unsigned, unsigned)) \
	F(void, BufferData, (unsigned, ptrdiff_t, const void *, unsigned)) \
	F(void, GetBufferSubData, (unsigned, ptrdiff_t, ptrdiff_t, void *)) \
	F(void *, MapBuffer, (unsigned, unsigned)) \
	F(unsigned char, UnmapBuffer, (unsigned)) \
	F(void, GenTextures, (int, unsigned *)) \
	F(void, BindTexture, (unsigned, unsigned)) \
	F(void, PixelStorei, (unsigned, int)) \
	F(void, PixelTransferf, (unsigned, float)) \
	F(void, TexImage2D, (unsigned, int, int, int, int, int, unsigned, unsigned, const void *)) \
	F(void, TexImage3D, (unsigned, int, int, int, int, int, int, unsigned, unsigned, const void *)) \
	F(void, GetTexImage, (unsigned, int, unsigned, unsigned, void *)) \
	F(void, GenRenderbuffers, (int, unsigned *)) \
	F(void, BindRenderbuffer, (unsigned, unsigned)) \
	F(void, RenderbufferStorage, (unsigned, unsigned, int, int)) \
	F(void, GenFramebuffers, (int, unsigned *)) \
	F(void, BindFramebuffer, (unsigned, unsigned)) \
	F(void, FramebufferRenderbuffer, (unsigned, unsigned, unsigned, unsigned)) \
	F(void, ClearColor, (float, float, float, float)) \
	F(void, Clear, (unsigned)) \
	F(void, Finish, (void)) \
	F(void, Enable, (unsigned)) \
	F(void, Scissor, (int, int, int, int)) \
	F(void, ReadPixels, (int, int, int, int, unsigned, unsigned, void *))

/* Calls of OpenGL 4.4, which not every context has. */
#define GL_STORAGE_CALLS(F) \
	F(void, BufferStorage, (unsigned, ptrdiff_t, const void *, unsigned)) \
	F(void *, MapBufferRange, (unsigned, ptrdiff_t, ptrdiff_t, unsigned))

#define EGL_CALLS(F) \
	F(void *, eglGetProcAddress, (const char *)) \
	F(void *, eglGetPlatformDisplay, (unsigned, void *, const intptr_t *)) \
	F(unsigned, eglInitialize, (void *, int *, int *)) \
	F(unsigned, eglBindAPI, (unsigned)) \
	F(void *, eglCreateContext, (void *, void *, void *, const int *)) \
	F(unsigned, eglMakeCurrent, (void *, void *, void *, void *))

#define DECLARE_GL(result, name, parameters) static result (*gl_##name) parameters;
#define DECLARE_EGL(result, name, parameters) static result (*name) parameters;
GL_CALLS(DECLARE_GL)
GL_STORAGE_CALLS(DECLARE_GL)
EGL_CALLS(DECLARE_EGL)

static void *display, *context;

/* find stores a function in place, whose type the compiler must not look at. */
static int find(void *place, void *function)
{
	memcpy(place, &function, sizeof function);
	return function != NULL;
}

/* start_core makes a context of OpenGL's core profile current; it answers 0 if there is none. */
static int start_core(void)
{
	static const int attributes[] = {MAJOR_VERSION, 3, MINOR_VERSION, 2, PROFILE, CORE, NONE};
	void *core = eglCreateContext(display, NULL, NULL, attributes);

	return core && eglMakeCurrent(display, NULL, NULL, core);
}

/* start_opengl makes a context of desktop OpenGL current, or tells why not. */
static const char *start_opengl(void)
{
	void *egl = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
	int found = 1;

	if (!egl)
		return "no libEGL.so.1 (Debian: libegl1)";
#define FIND_EGL(result, name, parameters) found &= find(&name, dlsym(egl, #name));
	EGL_CALLS(FIND_EGL)
	if (!found)
		return "libEGL.so.1 is older than EGL 1.5";
	display = eglGetPlatformDisplay(PLATFORM_SURFACELESS, NULL, NULL);
	if (!display || !eglInitialize(display, NULL, NULL) || !eglBindAPI(OPENGL_API))
		return "EGL has no display without a surface (Debian: libgl1-mesa-dri)";
	context = eglCreateContext(display, NULL, NULL, NULL);
	if (!context || !eglMakeCurrent(display, NULL, NULL, context))
		return "EGL makes no context";
#define FIND_GL(result, name, parameters) found &= find(&gl_##name, eglGetProcAddress("gl" #name));
	GL_CALLS(FIND_GL)
	return found ? NULL : "it is older than OpenGL 3.0";
}

#endif
