#define _GNU_SOURCE
#include "choice.h"

#include <elf.h>
#include <link.h>
#include <string.h>

// struct tables holds the tables of an object that the loader reads.
struct tables {
	const ElfW(Dyn) *dynamic;
	const char *strings;
	const ElfW(Sym) *symbols;
	const char *jumps, *relocations; // DT_JMPREL, DT_RELA or DT_REL
	size_t jumps_size, relocations_size, record;
};

// address returns the address in an entry. The C library may have added the object's base to the
// address, or not.
static const void *address(const struct dl_phdr_info *object, ElfW(Addr) value)
{
	return (const void *)(value < object->dlpi_addr ? value + object->dlpi_addr : value);
}

static int read_tables(struct tables *t, const struct dl_phdr_info *object)
{
	memset(t, 0, sizeof *t);
	for (int i = 0; i < object->dlpi_phnum; i++)
		if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
			t->dynamic = (const ElfW(Dyn) *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
	for (const ElfW(Dyn) *d = t->dynamic; d != NULL && d->d_tag != DT_NULL; d++)
		switch (d->d_tag) {
		case DT_STRTAB:
			t->strings = address(object, d->d_un.d_ptr);
			break;
		case DT_SYMTAB:
			t->symbols = address(object, d->d_un.d_ptr);
			break;
		case DT_JMPREL:
			t->jumps = address(object, d->d_un.d_ptr);
			break;
		case DT_PLTRELSZ:
			t->jumps_size = d->d_un.d_val;
			break;
		case DT_RELA:
		case DT_REL:
			t->relocations = address(object, d->d_un.d_ptr);
			t->record = d->d_tag == DT_RELA ? sizeof(ElfW(Rela)) : sizeof(ElfW(Rel));
			break;
		case DT_RELASZ:
		case DT_RELSZ:
			t->relocations_size = d->d_un.d_val;
			break;
		case DT_PLTREL:
			t->record = d->d_un.d_val == DT_RELA ? sizeof(ElfW(Rela)) : sizeof(ElfW(Rel));
			break;
		}
	return t->strings != NULL && t->symbols != NULL;
}

static int links(const struct tables *t, const char *library)
{
	for (const ElfW(Dyn) *d = t->dynamic; d->d_tag != DT_NULL; d++) {
		if (d->d_tag != DT_NEEDED)
			continue;
		const char *name = t->strings + d->d_un.d_val, *slash = strrchr(name, '/');
		if (strcmp(slash == NULL ? name : slash + 1, library) == 0)
			return 1;
	}
	return 0;
}

// note notes an import. A process may have other names like those of the runtime.
static void note(const char *name)
{
	for (size_t i = 0; i < entry_count; i++)
		if (strcmp(entries[i].name, name) == 0)
			entries[i].imported = 1;
}

// add notes the functions that relocations name: each import has one. An object may lack functions
// that it imports weakly.
static void add(const struct tables *t, const char *records, size_t size)
{
	for (; records != NULL && size >= t->record; records += t->record, size -= t->record) {
		// The first two fields are equal with an addend and without.
		const ElfW(Rel) *r = (const ElfW(Rel) *)records;
#if __SIZEOF_POINTER__ == 8
		const ElfW(Sym) *symbol = &t->symbols[ELF64_R_SYM(r->r_info)];
#else
		const ElfW(Sym) *symbol = &t->symbols[ELF32_R_SYM(r->r_info)];
#endif
		const char *name = t->strings + symbol->st_name;
		if (symbol->st_shndx == SHN_UNDEF && ELF64_ST_BIND(symbol->st_info) != STB_WEAK &&
		    (strncmp(name, "cuda", 4) == 0 || strncmp(name, "__cuda", 6) == 0))
			note(name);
	}
}

struct search {
	const char *library;
	size_t objects; // that link it
};

static int visit(struct dl_phdr_info *object, size_t size, void *data)
{
	struct search *s = data;
	struct tables t;
	(void)size;
	if (!read_tables(&t, object) || !links(&t, s->library))
		return 0;
	s->objects++;
	if (t.record != 0) {
		add(&t, t.jumps, t.jumps_size);
		add(&t, t.relocations, t.relocations_size);
	}
	return 0;
}

size_t find_imports(const char *library)
{
	struct search s = {library, 0};
	dl_iterate_phdr(visit, &s);
	return s.objects;
}
