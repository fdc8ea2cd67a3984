# Builds the runtime libraries, libcudart of releases 2, 3, 4 and 10.0. The root Makefile includes
# this file; paths start there.

.PHONY: runtime runtime32

RUNTIMEDIR ?= build/runtime/lib64
RUNTIMEDIR32 ?= build/runtime/lib

# Exported functions are those that the headers declare. A loaded library stays: threads end, and
# callbacks come, after the plugin is gone that asked for it. The static library is one object whose
# other names are its own.
RUNTIMEFLAGS = -std=gnu11 -O2 -Wall -Wextra -fPIC -fvisibility=hidden -Itoolkit/include \
	'-DCUDARTAPI=__attribute__((visibility("default")))'

# $(1) is the release, $(2) the end of the library's name.
define build-runtime
	$${CC:-cc} $(RUNTIMEARCH) $(RUNTIMEFLAGS) -DCUDART_VERSION=$(1) -shared libcuda/runtime/*.c -Wl,-soname,libcudart.so.$(2) \
		-Wl,-z,defs,-z,nodelete -o $@/libcudart.so.$(2) -ldl -lpthread

endef

runtime: $(RUNTIMEDIR) ## build/runtime/lib64: libcudart of releases 2, 3, 4 and 10.0

$(RUNTIMEDIR): cc FORCE
	mkdir -p $@
	$(call build-runtime,2030,2)
	$(call build-runtime,3020,3)
	$(call build-runtime,4020,4)
	$(call build-runtime,10000,10.0)
	ln -sf libcudart.so.10.0 $@/libcudart.so
	$${CC:-cc} $(RUNTIMEFLAGS) -DCUDART_VERSION=10000 -r -nostdlib libcuda/runtime/*.c -o $@/cudart.o
	objcopy --localize-hidden $@/cudart.o
	rm -f $@/libcudart_static.a
	ar rcs $@/libcudart_static.a $@/cudart.o
	rm $@/cudart.o

runtime32: $(RUNTIMEDIR32) ## build/runtime/lib: libcudart of releases 2, 3 and 4 for 32-bit programs

$(RUNTIMEDIR32): RUNTIMEARCH = -m32
$(RUNTIMEDIR32): FORCE
	@.ci/cc -m32
	mkdir -p $@
	$(call build-runtime,2030,2)
	$(call build-runtime,3020,3)
	$(call build-runtime,4020,4)
