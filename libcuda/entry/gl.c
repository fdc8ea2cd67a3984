#define _GNU_SOURCE
#include "gl.h"

#include <dlfcn.h>
#include <stdio.h>

// A program's OpenGL is in its global scope, or in a library that it has loaded for itself alone.
static const char *const libraries[] = {"libGL.so.1", "libOpenGL.so.0", "libGLX.so.0", "libEGL.so.1", "libOSMesa.so.8"};

// The libraries that make contexts: each has a function that returns the calling thread's current
// context, or NULL, and a function that looks up functions of OpenGL.
static const struct { const char *current, *lookup; } makers[] = {
	{"glXGetCurrentContext", "glXGetProcAddressARB"},
	{"eglGetCurrentContext", "eglGetProcAddress"},
	{"OSMesaGetCurrentContext", "OSMesaGetProcAddress"},
};

typedef void *lookup_function(const char *name);

// symbol returns a function that the process has loaded, or NULL, and loads no library.
static void *symbol(const char *name)
{
	void *found = dlsym(RTLD_DEFAULT, name);
	for (size_t i = 0; !found && i < sizeof libraries / sizeof libraries[0]; i++) {
		void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);
		if (library) {
			found = dlsym(library, name);
			dlclose(library);
		}
	}
	return found;
}

// current_lookup returns the lookup function of the library that made the current context, or NULL
// if there is no context.
static lookup_function *current_lookup(void)
{
	for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++) {
		void *(*current)(void) = (void *(*)(void))symbol(makers[i].current);
		if (current && current())
			return (lookup_function *)symbol(makers[i].lookup);
	}
	return NULL;
}

// find returns the function of OpenGL called gl and name, by its name in OpenGL's core or in the
// extension that became the core, or NULL.
static void *find(lookup_function *lookup, const char *name)
{
	static const char *const endings[] = {"", "ARB", "EXT"};
	void *found = NULL;
	for (size_t i = 0; !found && i < sizeof endings / sizeof endings[0]; i++) {
		char full[64];
		snprintf(full, sizeof full, "gl%s%s", name, endings[i]);
		found = lookup(full);
		if (!found)
			found = symbol(full); // before EGL 1.5, eglGetProcAddress knew extensions only
	}
	return found;
}

// find_all finds all functions, and tells whether none is missing.
static int find_all(lookup_function *lookup, struct gl *gl)
{
#define FIND(result, name, parameters) \
	gl->name = (result (*) parameters)find(lookup, #name); \
	if (!gl->name) \
		return 0;
	GL_FUNCTIONS(FIND)
#undef FIND
#define FIND(result, name, parameters) gl->name = (result (*) parameters)find(lookup, #name);
	GL_SOME_FUNCTIONS(FIND)
#undef FIND
	return 1;
}

// is_legacy tells whether the context has the features that OpenGL 3.1 removed, and clears the
// context's error. is_legacy makes no call that is an error in a core profile, because programs may
// have a callback for errors.
static int is_legacy(const struct gl *gl)
{
	int profile = 0; // before OpenGL 3.2 it is unknown
	float scale;
	gl->GetIntegerv(GL_CONTEXT_PROFILE_MASK, &profile);
	if (profile & GL_CONTEXT_CORE_PROFILE_BIT || !gl->PixelTransferf)
		return 0;
	gl->GetError();
	gl->GetFloatv(GL_RED_SCALE, &scale);
	return gl->GetError() == GL_NO_ERROR;
}

// serve answers a request about an object. OpenGL's pending error stays as without the request; an
// error of the request's own calls becomes the answer.
static void serve(struct gl *gl, struct gl_request *request)
{
	GLenum before = gl->GetError();
	gl->legacy = is_legacy(gl);
	if (request->target == GL_ARRAY_BUFFER)
		request->answer = jacquard_gl_buffer(gl, request);
	else if (request->target == GL_RENDERBUFFER)
		request->answer = jacquard_gl_renderbuffer(gl, request);
	else
		request->answer = jacquard_gl_image(gl, request);
	if (gl->GetError() != GL_NO_ERROR && request->answer == 0)
		request->answer = CUDA_ERROR_UNKNOWN;
	jacquard_gl_raise(gl, before);
}

void jacquard_gl(struct gl_request *request)
{
	struct gl gl;
	lookup_function *lookup = current_lookup();
	if (!lookup)
		request->answer = CUDA_ERROR_INVALID_GRAPHICS_CONTEXT;
	else if (request->operation == GL_CURRENT)
		request->answer = 0;
	else if (!find_all(lookup, &gl))
		request->answer = CUDA_ERROR_UNKNOWN; // older than OpenGL 3.0
	else
		serve(&gl, request);
}
