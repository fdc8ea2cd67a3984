# Builds the shared library. The root Makefile includes this file; paths start there.

GO ?= go
LIBDIR ?= build/lib
LIBDIR32 ?= build/lib32

.PHONY: lib lib32

# Programs load libcuda.so.1, which is C. Its first call loads the simulator, libjacquard.so.1, from
# the same folder. The targets always run go build, which detects outdated files. go build's header
# is not for users.
define build-library
	CGO_ENABLED=1 $(GO) build -trimpath -buildmode=c-shared \
		-ldflags='-extldflags "-Wl,-soname,libjacquard.so.1 -Wl,--version-script=$(CURDIR)/libcuda/libjacquard.map -Wl,--wrap=pthread_create"' \
		-o $@/libjacquard.so.1 ./libcuda
	rm -f $@/libjacquard.so.h
	$${CC:-cc} $(ENTRYFLAGS) -O2 -Wall -Wextra -fPIC -shared -ftls-model=initial-exec libcuda/entry/*.c libcuda/gate.c \
		-Wl,-soname,libcuda.so.1 -Wl,--version-script=libcuda/entry/libcuda.map -Wl,-z,nodelete,-z,defs -o $@/libcuda.so.1 -ldl -lpthread
	ln -sf libcuda.so.1 $@/libcuda.so
endef

lib: $(LIBDIR)

$(LIBDIR): cc FORCE
	$(build-library)

lib32: $(LIBDIR32) ## build/lib32/libcuda.so.1, for 32-bit programs

$(LIBDIR32): export GOARCH = 386
$(LIBDIR32): ENTRYFLAGS = -m32
$(LIBDIR32): FORCE
	@.ci/cc -m32
	$(build-library)
