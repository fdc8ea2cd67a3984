#include "gl.h"

static uint32_t parameter(const struct gl *gl, GLenum name)
{
	int value = 0;
	gl->GetRenderbufferParameteriv(GL_RENDERBUFFER, name, &value);
	return (uint32_t)value;
}

static void describe(const struct gl *gl, struct gl_request *request)
{
	request->width = parameter(gl, GL_RENDERBUFFER_WIDTH);
	request->height = parameter(gl, GL_RENDERBUFFER_HEIGHT);
	request->depth = 1;
	request->internal_format = parameter(gl, GL_RENDERBUFFER_INTERNAL_FORMAT);
	request->border = 0;
	request->samples = parameter(gl, GL_RENDERBUFFER_SAMPLES);
}

static int is_complete(const struct gl *gl, GLenum framebuffer)
{
	return gl->CheckFramebufferStatus(framebuffer) == GL_FRAMEBUFFER_COMPLETE;
}

// read_pixels copies from the renderbuffer, which is attached to the framebuffer bound for reading.
static CUresult read_pixels(const struct gl *gl, const struct gl_request *request)
{
	struct pixel_store before;
	if (!is_complete(gl, GL_READ_FRAMEBUFFER))
		return CUDA_ERROR_UNKNOWN;
	jacquard_gl_begin_pixels(gl, GL_READ, &before);
	gl->ReadPixels(0, 0, (int)request->width, (int)request->height, request->format, request->type, request->memory);
	jacquard_gl_end_pixels(gl, GL_READ, &before);
	return 0;
}

// write_pixels copies to the renderbuffer, which is attached to the framebuffer bound for drawing.
// OpenGL writes pixels of memory only to textures, so a texture carries the pixels.
static CUresult write_pixels(const struct gl *gl, const struct gl_request *request)
{
	struct pixel_store store;
	int before = 0, width = (int)request->width, height = (int)request->height;
	GLuint texture = 0;
	CUresult answer = CUDA_ERROR_UNKNOWN;
	gl->GetIntegerv(GL_TEXTURE_BINDING_2D, &before);
	gl->GenTextures(1, &texture);
	gl->BindTexture(GL_TEXTURE_2D, texture);
	jacquard_gl_begin_pixels(gl, GL_WRITE, &store);
	gl->TexImage2D(GL_TEXTURE_2D, 0, (int)request->internal_format, width, height, 0, request->format, request->type, request->memory);
	jacquard_gl_end_pixels(gl, GL_WRITE, &store);
	gl->FramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
	if (is_complete(gl, GL_READ_FRAMEBUFFER) && is_complete(gl, GL_DRAW_FRAMEBUFFER)) {
		unsigned char scissors = gl->IsEnabled(GL_SCISSOR_TEST);
		gl->Disable(GL_SCISSOR_TEST);
		gl->BlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
		if (scissors)
			gl->Enable(GL_SCISSOR_TEST);
		answer = 0;
	}
	gl->BindTexture(GL_TEXTURE_2D, (GLuint)before);
	gl->DeleteTextures(1, &texture);
	return answer;
}

// move copies from or to the renderbuffer through framebuffers of our own.
static CUresult move(const struct gl *gl, const struct gl_request *request)
{
	int write = request->operation == GL_WRITE;
	int read_before = 0, draw_before = 0;
	GLuint framebuffers[2] = {0, 0};
	gl->GetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read_before);
	gl->GetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &draw_before);
	gl->GenFramebuffers(2, framebuffers);
	gl->BindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers[0]);
	gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffers[1]);
	gl->FramebufferRenderbuffer(write ? GL_DRAW_FRAMEBUFFER : GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
		GL_RENDERBUFFER, request->name);
	CUresult answer = write ? write_pixels(gl, request) : read_pixels(gl, request);
	gl->BindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)read_before);
	gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)draw_before);
	gl->DeleteFramebuffers(2, framebuffers);
	return answer;
}

CUresult jacquard_gl_renderbuffer(const struct gl *gl, struct gl_request *request)
{
	int before = 0;
	if (!gl->IsRenderbuffer(request->name))
		return CUDA_ERROR_INVALID_HANDLE;
	if (request->operation != GL_IMAGE)
		return move(gl, request);
	gl->GetIntegerv(GL_RENDERBUFFER_BINDING, &before);
	gl->BindRenderbuffer(GL_RENDERBUFFER, request->name);
	describe(gl, request);
	gl->BindRenderbuffer(GL_RENDERBUFFER, (GLuint)before);
	return 0;
}
