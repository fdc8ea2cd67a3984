#include "gl.h"

// write_storage copies to the bound buffer through another buffer. A buffer of glBufferStorage may
// refuse data from memory, but not from another buffer.
static void write_storage(const struct gl *gl, const struct gl_request *request)
{
	int before = 0;
	GLuint other = 0;
	ptrdiff_t size = (ptrdiff_t)request->size;
	gl->GetIntegerv(GL_COPY_READ_BUFFER, &before);
	gl->GenBuffers(1, &other);
	gl->BindBuffer(GL_COPY_READ_BUFFER, other);
	gl->BufferData(GL_COPY_READ_BUFFER, size, request->memory, GL_STREAM_COPY);
	gl->CopyBufferSubData(GL_COPY_READ_BUFFER, GL_ARRAY_BUFFER, 0, 0, size);
	gl->BindBuffer(GL_COPY_READ_BUFFER, (GLuint)before);
	gl->DeleteBuffers(1, &other);
}

// move copies all of the bound buffer.
static CUresult move(const struct gl *gl, const struct gl_request *request)
{
	int size = 0;
	gl->GetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &size);
	if ((uint64_t)size != request->size)
		return CUDA_ERROR_UNKNOWN; // the program has given it another size
	if (request->operation == GL_READ) {
		gl->GetBufferSubData(GL_ARRAY_BUFFER, 0, size, request->memory);
		return 0;
	}
	gl->BufferSubData(GL_ARRAY_BUFFER, 0, size, request->memory);
	GLenum error = gl->GetError();
	if (error == GL_INVALID_OPERATION && gl->CopyBufferSubData) {
		write_storage(gl, request);
		return 0;
	}
	return error == GL_NO_ERROR ? 0 : CUDA_ERROR_UNKNOWN;
}

CUresult jacquard_gl_buffer(const struct gl *gl, struct gl_request *request)
{
	CUresult answer = 0;
	int before = 0, size = 0;
	if (!gl->IsBuffer(request->name))
		return CUDA_ERROR_INVALID_HANDLE;
	gl->GetIntegerv(GL_ARRAY_BUFFER_BINDING, &before);
	gl->BindBuffer(GL_ARRAY_BUFFER, request->name);
	if (request->operation == GL_BUFFER) {
		gl->GetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &size);
		request->size = (uint64_t)size;
	} else {
		answer = move(gl, request);
	}
	gl->BindBuffer(GL_ARRAY_BUFFER, (GLuint)before);
	return answer;
}
