#include "gl.h"

// OpenGL has no call that sets an error, so a call that must fail sets the error.

// raise_operation asks for the size of no buffer.
static void raise_operation(const struct gl *gl)
{
	int before = 0, size;
	gl->GetIntegerv(GL_ARRAY_BUFFER_BINDING, &before);
	gl->BindBuffer(GL_ARRAY_BUFFER, 0);
	gl->GetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &size);
	gl->BindBuffer(GL_ARRAY_BUFFER, (GLuint)before);
}

// raise_framebuffer copies from a framebuffer that has nothing attached.
static void raise_framebuffer(const struct gl *gl)
{
	int before = 0;
	GLuint framebuffer = 0;
	gl->GetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &before);
	gl->GenFramebuffers(1, &framebuffer);
	gl->BindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
	gl->BlitFramebuffer(0, 0, 1, 1, 0, 0, 1, 1, GL_COLOR_BUFFER_BIT, GL_NEAREST);
	gl->BindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)before);
	gl->DeleteFramebuffers(1, &framebuffer);
}

// raise_memory makes a buffer that is too large for any memory.
static void raise_memory(const struct gl *gl)
{
	int before = 0;
	GLuint buffer = 0;
	gl->GetIntegerv(GL_ARRAY_BUFFER_BINDING, &before);
	gl->GenBuffers(1, &buffer);
	gl->BindBuffer(GL_ARRAY_BUFFER, buffer);
	gl->BufferData(GL_ARRAY_BUFFER, PTRDIFF_MAX, NULL, GL_STREAM_COPY);
	gl->BindBuffer(GL_ARRAY_BUFFER, (GLuint)before);
	gl->DeleteBuffers(1, &buffer);
}

void jacquard_gl_raise(const struct gl *gl, GLenum error)
{
	switch (error) {
	case GL_INVALID_ENUM:
		gl->Enable(0);
		break;
	case GL_INVALID_VALUE:
		gl->GenTextures(-1, NULL);
		break;
	case GL_INVALID_OPERATION:
		raise_operation(gl);
		break;
	case GL_INVALID_FRAMEBUFFER_OPERATION:
		raise_framebuffer(gl);
		break;
	case GL_OUT_OF_MEMORY:
		raise_memory(gl);
		break;
	}
}
