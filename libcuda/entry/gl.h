// The program's OpenGL, found at run time: this library neither links it nor needs its headers.
#ifndef JACQUARD_GL_H
#define JACQUARD_GL_H

#include <stddef.h>

#include "../glrequest.h"

// jacquard_gl answers a request with the OpenGL context that is current to the calling thread. It
// restores all state of the context that it changes.
void jacquard_gl(struct gl_request *request);

// The constants of OpenGL that are used here.
enum {
	GL_TEXTURE_2D = 0x0de1,
	GL_TEXTURE_3D = 0x806f,
	GL_TEXTURE_RECTANGLE = 0x84f5,
	GL_TEXTURE_CUBE_MAP = 0x8513,
	GL_TEXTURE_CUBE_MAP_POSITIVE_X = 0x8515,
	GL_TEXTURE_CUBE_MAP_NEGATIVE_Z = 0x851a,
	GL_TEXTURE_2D_ARRAY = 0x8c1a,
	GL_TEXTURE_BINDING_2D = 0x8069,
	GL_TEXTURE_BINDING_3D = 0x806a,
	GL_TEXTURE_BINDING_RECTANGLE = 0x84f6,
	GL_TEXTURE_BINDING_CUBE_MAP = 0x8514,
	GL_TEXTURE_BINDING_2D_ARRAY = 0x8c1d,
	GL_TEXTURE_WIDTH = 0x1000,
	GL_TEXTURE_HEIGHT = 0x1001,
	GL_TEXTURE_INTERNAL_FORMAT = 0x1003,
	GL_TEXTURE_BORDER = 0x1005,
	GL_TEXTURE_DEPTH = 0x8071,

	GL_UNPACK_SWAP_BYTES = 0x0cf0,
	GL_UNPACK_LSB_FIRST = 0x0cf1,
	GL_UNPACK_ROW_LENGTH = 0x0cf2,
	GL_UNPACK_SKIP_ROWS = 0x0cf3,
	GL_UNPACK_SKIP_PIXELS = 0x0cf4,
	GL_UNPACK_ALIGNMENT = 0x0cf5,
	GL_UNPACK_SKIP_IMAGES = 0x806d,
	GL_UNPACK_IMAGE_HEIGHT = 0x806e,
	GL_PACK_SWAP_BYTES = 0x0d00,
	GL_PACK_LSB_FIRST = 0x0d01,
	GL_PACK_ROW_LENGTH = 0x0d02,
	GL_PACK_SKIP_ROWS = 0x0d03,
	GL_PACK_SKIP_PIXELS = 0x0d04,
	GL_PACK_ALIGNMENT = 0x0d05,
	GL_PACK_SKIP_IMAGES = 0x806b,
	GL_PACK_IMAGE_HEIGHT = 0x806c,

	GL_ARRAY_BUFFER = 0x8892,
	GL_ARRAY_BUFFER_BINDING = 0x8894,
	GL_BUFFER_SIZE = 0x8764,
	GL_PIXEL_PACK_BUFFER = 0x88eb,
	GL_PIXEL_PACK_BUFFER_BINDING = 0x88ed,
	GL_PIXEL_UNPACK_BUFFER = 0x88ec,
	GL_PIXEL_UNPACK_BUFFER_BINDING = 0x88ef,

	GL_RENDERBUFFER = 0x8d41,
	GL_RENDERBUFFER_BINDING = 0x8ca7,
	GL_RENDERBUFFER_WIDTH = 0x8d42,
	GL_RENDERBUFFER_HEIGHT = 0x8d43,
	GL_RENDERBUFFER_INTERNAL_FORMAT = 0x8d44,
	GL_RENDERBUFFER_SAMPLES = 0x8cab,
	GL_READ_FRAMEBUFFER = 0x8ca8,
	GL_DRAW_FRAMEBUFFER = 0x8ca9,
	GL_READ_FRAMEBUFFER_BINDING = 0x8caa,
	GL_DRAW_FRAMEBUFFER_BINDING = 0x8ca6,
	GL_COLOR_ATTACHMENT0 = 0x8ce0,
	GL_FRAMEBUFFER_COMPLETE = 0x8cd5,
	GL_COLOR_BUFFER_BIT = 0x4000,
	GL_SCISSOR_TEST = 0x0c11,
	GL_NEAREST = 0x2600,

	GL_COPY_READ_BUFFER = 0x8f36, // the binding has the same number
	GL_STREAM_COPY = 0x88e2,

	GL_CONTEXT_PROFILE_MASK = 0x9126,
	GL_CONTEXT_CORE_PROFILE_BIT = 1,
	GL_MAP_COLOR = 0x0d10,
	GL_RED_SCALE = 0x0d14,
	GL_RED_BIAS = 0x0d15,
	GL_GREEN_SCALE = 0x0d18,
	GL_GREEN_BIAS = 0x0d19,
	GL_BLUE_SCALE = 0x0d1a,
	GL_BLUE_BIAS = 0x0d1b,
	GL_ALPHA_SCALE = 0x0d1c,
	GL_ALPHA_BIAS = 0x0d1d,

	GL_NO_ERROR = 0,
	GL_INVALID_ENUM = 0x0500,
	GL_INVALID_VALUE = 0x0501,
	GL_INVALID_OPERATION = 0x0502,
	GL_OUT_OF_MEMORY = 0x0505,
	GL_INVALID_FRAMEBUFFER_OPERATION = 0x0506,
};

// GL_FUNCTIONS lists the functions of OpenGL that are used here: result, name, parameters.
#define GL_FUNCTIONS(F) \
	F(GLenum, GetError, (void)) \
	F(void, GetIntegerv, (GLenum, int *)) \
	F(void, GetFloatv, (GLenum, float *)) \
	F(void, Enable, (GLenum)) \
	F(void, Disable, (GLenum)) \
	F(unsigned char, IsEnabled, (GLenum)) \
	F(unsigned char, IsBuffer, (GLuint)) \
	F(void, GenBuffers, (int, GLuint *)) \
	F(void, DeleteBuffers, (int, const GLuint *)) \
	F(void, BindBuffer, (GLenum, GLuint)) \
	F(void, GetBufferParameteriv, (GLenum, GLenum, int *)) \
	F(void, GetBufferSubData, (GLenum, ptrdiff_t, ptrdiff_t, void *)) \
	F(void, BufferData, (GLenum, ptrdiff_t, const void *, GLenum)) \
	F(void, BufferSubData, (GLenum, ptrdiff_t, ptrdiff_t, const void *)) \
	F(unsigned char, IsTexture, (GLuint)) \
	F(void, GenTextures, (int, GLuint *)) \
	F(void, DeleteTextures, (int, const GLuint *)) \
	F(void, BindTexture, (GLenum, GLuint)) \
	F(void, GetTexLevelParameteriv, (GLenum, int, GLenum, int *)) \
	F(void, PixelStorei, (GLenum, int)) \
	F(void, GetTexImage, (GLenum, int, GLenum, GLenum, void *)) \
	F(void, TexImage2D, (GLenum, int, int, int, int, int, GLenum, GLenum, const void *)) \
	F(void, TexSubImage2D, (GLenum, int, int, int, int, int, GLenum, GLenum, const void *)) \
	F(void, TexSubImage3D, (GLenum, int, int, int, int, int, int, int, GLenum, GLenum, const void *)) \
	F(void, ReadPixels, (int, int, int, int, GLenum, GLenum, void *)) \
	F(unsigned char, IsRenderbuffer, (GLuint)) \
	F(void, BindRenderbuffer, (GLenum, GLuint)) \
	F(void, GetRenderbufferParameteriv, (GLenum, GLenum, int *)) \
	F(void, GenFramebuffers, (int, GLuint *)) \
	F(void, DeleteFramebuffers, (int, const GLuint *)) \
	F(void, BindFramebuffer, (GLenum, GLuint)) \
	F(GLenum, CheckFramebufferStatus, (GLenum)) \
	F(void, FramebufferRenderbuffer, (GLenum, GLenum, GLenum, GLuint)) \
	F(void, FramebufferTexture2D, (GLenum, GLenum, GLenum, GLuint, int)) \
	F(void, BlitFramebuffer, (int, int, int, int, int, int, int, int, unsigned int, GLenum))

// GL_SOME_FUNCTIONS lists the functions that only some contexts have: of OpenGL 3.1, and up to 3.0.
#define GL_SOME_FUNCTIONS(F) \
	F(void, CopyBufferSubData, (GLenum, GLenum, ptrdiff_t, ptrdiff_t, ptrdiff_t)) \
	F(void, PixelTransferf, (GLenum, float))

#define GL_MEMBER(result, name, parameters) result (*name) parameters;
struct gl {
	GL_FUNCTIONS(GL_MEMBER)
	GL_SOME_FUNCTIONS(GL_MEMBER) // or NULL
	int legacy; // the context has borders and pixel transfers, which OpenGL 3.1 removed
};
#undef GL_MEMBER

// jacquard_gl_raise makes error the pending one of a context that has none. It cannot raise the
// errors of stacks, because their depth is the program's.
void jacquard_gl_raise(const struct gl *gl, GLenum error);

// jacquard_gl_buffer, jacquard_gl_image and jacquard_gl_renderbuffer answer requests about one kind
// of object.
CUresult jacquard_gl_buffer(const struct gl *gl, struct gl_request *request);
CUresult jacquard_gl_image(const struct gl *gl, struct gl_request *request);
CUresult jacquard_gl_renderbuffer(const struct gl *gl, struct gl_request *request);

// pixel_store is state of the context: the layout of pixels in memory, and OpenGL's changes of
// their values during a copy.
struct pixel_store {
	int values[8];
	int buffer;
	float transfer[9];
};

// jacquard_gl_begin_pixels makes pixels in memory lie without gaps and move unchanged, and
// jacquard_gl_end_pixels restores the former state. With GL_WRITE both concern pixels that go to
// OpenGL, otherwise pixels from OpenGL.
void jacquard_gl_begin_pixels(const struct gl *gl, enum gl_operation operation, struct pixel_store *before);
void jacquard_gl_end_pixels(const struct gl *gl, enum gl_operation operation, const struct pixel_store *before);

#endif
