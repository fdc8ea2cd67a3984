#include "gl.h"

// move copies all of the bound buffer.
static CUresult move(const struct gl *gl, const struct gl_request *request)
{
	int mapped = 0, size = 0;
	gl->GetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_MAPPED, &mapped);
	gl->GetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &size);
	if (mapped || (uint64_t)size != request->size)
		return CUDA_ERROR_UNKNOWN; // OpenGL would refuse it
	if (request->operation == GL_READ)
		gl->GetBufferSubData(GL_ARRAY_BUFFER, 0, size, request->memory);
	else
		gl->BufferSubData(GL_ARRAY_BUFFER, 0, size, request->memory);
	return 0;
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
