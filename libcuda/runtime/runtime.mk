# Builds the runtime libraries, libcudart of all releases that served these devices, and 10.0. The
# root Makefile includes this file; paths start there.

.PHONY: runtime runtime32

RUNTIMEDIR ?= build/runtime/lib64
RUNTIMEDIR32 ?= build/runtime/lib

# CUDART_VERSION:END-OF-NAME; libcuda/api has the same list. There is no 32-bit library of 10.0.
RUNTIMES32 := 2000:2.0 2030:2 3020:3 4020:4 5000:5.0 5050:5.5 6000:6.0 6050:6.5
RUNTIMES := $(RUNTIMES32) 10000:10.0

# Exported functions are those that the headers declare. A loaded library stays: threads end, and
# callbacks come, after the plugin is gone that asked for it. A library calls its own functions, also
# where another runtime is loaded. The static library is one object whose other names are its own.
RUNTIMEFLAGS = -std=gnu11 -O2 -Wall -Wextra -fPIC -fvisibility=hidden -Itoolkit/include \
	'-DCUDARTAPI=__attribute__((visibility("default")))'
RUNTIMELINK = -shared -Wl,-z,defs -Wl,-z,nodelete -Wl,-Bsymbolic
RUNTIMECC = $${CC:-cc} $(RUNTIMEARCH)

# $(1) is VERSION:END.
define build-runtime
	$(RUNTIMECC) $(RUNTIMEFLAGS) -DCUDART_VERSION=$(firstword $(subst :, ,$(1))) libcuda/runtime/*.c $(RUNTIMELINK) \
		-Wl,-soname,libcudart.so.$(lastword $(subst :, ,$(1))) -o $@/libcudart.so.$(lastword $(subst :, ,$(1))) -ldl -lpthread

endef

# The library without a number chooses one of the others. Programs that link it record the last.
# $(1) are all others.
define build-runtime-choice
	rm -f $@/libcudart.so
	$(RUNTIMECC) $(RUNTIMEFLAGS) libcuda/runtime/choice/*.c $(RUNTIMELINK) \
		-Wl,-soname,libcudart.so.$(lastword $(subst :, ,$(1))) -o $@/libcudart.so -ldl
endef

runtime: $(RUNTIMEDIR) ## build/runtime/lib64: libcudart of releases 2.0 to 6.5, and 10.0

$(RUNTIMEDIR): cc FORCE
	mkdir -p $@
	$(foreach r,$(RUNTIMES),$(call build-runtime,$(r)))
	$(call build-runtime-choice,$(RUNTIMES))
	$(RUNTIMECC) $(RUNTIMEFLAGS) -DCUDART_VERSION=10000 -r -nostdlib libcuda/runtime/*.c -o $@/cudart.o
	objcopy --localize-hidden $@/cudart.o
	rm -f $@/libcudart_static.a
	ar rcs $@/libcudart_static.a $@/cudart.o
	rm $@/cudart.o

runtime32: $(RUNTIMEDIR32) ## build/runtime/lib: libcudart of releases 2.0 to 6.5 for 32-bit programs

$(RUNTIMEDIR32): RUNTIMEARCH = -m32
$(RUNTIMEDIR32): FORCE
	@.ci/cc -m32
	mkdir -p $@
	$(foreach r,$(RUNTIMES32),$(call build-runtime,$(r)))
	$(call build-runtime-choice,$(RUNTIMES32))
