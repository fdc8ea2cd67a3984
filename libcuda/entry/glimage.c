#include "gl.h"

// The state of pixels in memory, by direction. All values are 0 by default except the alignment,
// which must be 1 for rows without gaps.
static const GLenum pack_names[8] = {
	GL_PACK_ALIGNMENT, GL_PACK_SWAP_BYTES, GL_PACK_LSB_FIRST, GL_PACK_ROW_LENGTH,
	GL_PACK_SKIP_ROWS, GL_PACK_SKIP_PIXELS, GL_PACK_SKIP_IMAGES, GL_PACK_IMAGE_HEIGHT,
};
static const GLenum unpack_names[8] = {
	GL_UNPACK_ALIGNMENT, GL_UNPACK_SWAP_BYTES, GL_UNPACK_LSB_FIRST, GL_UNPACK_ROW_LENGTH,
	GL_UNPACK_SKIP_ROWS, GL_UNPACK_SKIP_PIXELS, GL_UNPACK_SKIP_IMAGES, GL_UNPACK_IMAGE_HEIGHT,
};

// OpenGL's changes of the values of pixels during a copy, in both directions: 0 by default, scales
// 1.
static const struct { GLenum name; float neutral; } transfers[9] = {
	{GL_MAP_COLOR, 0}, {GL_RED_SCALE, 1}, {GL_RED_BIAS, 0}, {GL_GREEN_SCALE, 1}, {GL_GREEN_BIAS, 0},
	{GL_BLUE_SCALE, 1}, {GL_BLUE_BIAS, 0}, {GL_ALPHA_SCALE, 1}, {GL_ALPHA_BIAS, 0},
};

void jacquard_gl_begin_pixels(const struct gl *gl, enum gl_operation operation, struct pixel_store *before)
{
	int write = operation == GL_WRITE;
	const GLenum *names = write ? unpack_names : pack_names;
	for (int i = 0; i < 8; i++) {
		gl->GetIntegerv(names[i], &before->values[i]);
		gl->PixelStorei(names[i], i == 0);
	}
	for (int i = 0; gl->legacy && i < 9; i++) {
		gl->GetFloatv(transfers[i].name, &before->transfer[i]);
		gl->PixelTransferf(transfers[i].name, transfers[i].neutral);
	}
	gl->GetIntegerv(write ? GL_PIXEL_UNPACK_BUFFER_BINDING : GL_PIXEL_PACK_BUFFER_BINDING, &before->buffer);
	gl->BindBuffer(write ? GL_PIXEL_UNPACK_BUFFER : GL_PIXEL_PACK_BUFFER, 0);
}

void jacquard_gl_end_pixels(const struct gl *gl, enum gl_operation operation, const struct pixel_store *before)
{
	int write = operation == GL_WRITE;
	const GLenum *names = write ? unpack_names : pack_names;
	for (int i = 0; i < 8; i++)
		gl->PixelStorei(names[i], before->values[i]);
	for (int i = 0; gl->legacy && i < 9; i++)
		gl->PixelTransferf(transfers[i].name, before->transfer[i]);
	gl->BindBuffer(write ? GL_PIXEL_UNPACK_BUFFER : GL_PIXEL_PACK_BUFFER, (GLuint)before->buffer);
}

// target tells how to bind a kind of texture.
struct target {
	GLenum name, binding;
	int volume; // it has depth: slices or layers
};

static const struct target targets[] = {
	{GL_TEXTURE_2D, GL_TEXTURE_BINDING_2D, 0},
	{GL_TEXTURE_RECTANGLE, GL_TEXTURE_BINDING_RECTANGLE, 0},
	{GL_TEXTURE_CUBE_MAP, GL_TEXTURE_BINDING_CUBE_MAP, 0},
	{GL_TEXTURE_3D, GL_TEXTURE_BINDING_3D, 1},
	{GL_TEXTURE_2D_ARRAY, GL_TEXTURE_BINDING_2D_ARRAY, 1},
};

// target_of returns the target to which a texture is bound: for a face the target of its cube map.
static const struct target *target_of(GLenum name)
{
	if (name >= GL_TEXTURE_CUBE_MAP_POSITIVE_X && name <= GL_TEXTURE_CUBE_MAP_NEGATIVE_Z)
		name = GL_TEXTURE_CUBE_MAP;
	for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
		if (targets[i].name == name)
			return &targets[i];
	return NULL;
}

static uint32_t parameter(const struct gl *gl, const struct gl_request *request, GLenum name)
{
	int value = 0;
	gl->GetTexLevelParameteriv(request->target, (int)request->level, name, &value);
	return (uint32_t)value;
}

static void describe(const struct gl *gl, struct gl_request *request)
{
	request->width = parameter(gl, request, GL_TEXTURE_WIDTH);
	request->height = parameter(gl, request, GL_TEXTURE_HEIGHT);
	request->depth = parameter(gl, request, GL_TEXTURE_DEPTH);
	request->internal_format = parameter(gl, request, GL_TEXTURE_INTERNAL_FORMAT);
	request->border = gl->legacy ? parameter(gl, request, GL_TEXTURE_BORDER) : 0;
	request->samples = 0;
}

static void move(const struct gl *gl, const struct gl_request *request, int volume)
{
	struct pixel_store before;
	int level = (int)request->level, width = (int)request->width, height = (int)request->height;
	jacquard_gl_begin_pixels(gl, request->operation, &before);
	if (request->operation == GL_READ)
		gl->GetTexImage(request->target, level, request->format, request->type, request->memory);
	else if (volume)
		gl->TexSubImage3D(request->target, level, 0, 0, 0, width, height, (int)request->depth,
			request->format, request->type, request->memory);
	else
		gl->TexSubImage2D(request->target, level, 0, 0, width, height, request->format, request->type, request->memory);
	jacquard_gl_end_pixels(gl, request->operation, &before);
}

CUresult jacquard_gl_image(const struct gl *gl, struct gl_request *request)
{
	CUresult answer = 0;
	const struct target *target = target_of(request->target);
	int before = 0, bound = 0;
	if (!gl->IsTexture(request->name))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!target)
		return CUDA_ERROR_INVALID_VALUE;
	gl->GetIntegerv(target->binding, &before);
	gl->BindTexture(target->name, request->name);
	gl->GetIntegerv(target->binding, &bound);
	if ((GLuint)bound != request->name)
		answer = CUDA_ERROR_INVALID_VALUE; // the texture is of another kind
	else if (request->operation == GL_IMAGE)
		describe(gl, request);
	else
		move(gl, request, target->volume);
	gl->BindTexture(target->name, (GLuint)before);
	return answer;
}
