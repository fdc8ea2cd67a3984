#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A symbol has up to three names: the name in the source, the name that the compiler registered,
// and the name in the module. Up to release 4.2 the last two are equal. Later compilers register
// textures by their qualified names, ::image or filters::image.

// unqualified returns a name without the :: of the global namespace.
static const char *unqualified(const char *name)
{
	return strncmp(name, "::", 2) == 0 ? name + 2 : name;
}

// runtime_source_name returns a registered name as the source has it. A C++ compiler makes _ZL2sc
// of a static variable sc, which is in no namespace; other variables outside of namespaces keep
// their names.
const char *runtime_source_name(const char *name)
{
	if (strncmp(name, "_ZL", 3) != 0)
		return unqualified(name);
	char *rest;
	unsigned long length = strtoul(name + 3, &rest, 10);
	return rest != name + 3 && strlen(rest) == length ? rest : name;
}

// append adds text to the string in room, and answers 0 if the text does not fit.
static int append(char *room, size_t size, const char *text, size_t length)
{
	size_t used = strlen(room);
	if (length >= size - used)
		return 0;
	memcpy(room + used, text, length);
	room[used + length] = 0;
	return 1;
}

static int append_part(char *room, size_t size, const char *part, size_t length)
{
	char digits[24];
	int n = snprintf(digits, sizeof digits, "%zu", length);
	return length > 0 && append(room, size, digits, (size_t)n) && append(room, size, part, length);
}

// mangle writes the name that C++ compilers give to a variable with a qualified name: an external
// variable, or a static one.
static int mangle(char *room, size_t size, const char *name, int local)
{
	const char *part = unqualified(name), *end;
	int nested = strstr(part, "::") != NULL;
	strcpy(room, nested ? "_ZN" : "_Z");
	if (part[strcspn(part, "<>(), ")] != 0 || (!nested && !local))
		return 0; // of a template, or a name that stays as it is
	for (; (end = strstr(part, "::")) != NULL; part = end + 2)
		if (!append_part(room, size, part, (size_t)(end - part)))
			return 0;
	return (!local || append(room, size, "L", 1)) && append_part(room, size, part, strlen(part)) &&
		(!nested || append(room, size, "E", 1));
}

const char *runtime_module_name(char *room, size_t size, const char *name, int try)
{
	switch (try) {
	case 0:
		return name;
	case 1:
		return unqualified(name);
	case 2:
	case 3:
		return mangle(room, size, name, try == 3) ? room : name;
	default:
		return NULL;
	}
}
