# Building and testing the shared library; the root Makefile includes this file. Paths are from the root.

GO ?= go
LIBDIR ?= build/lib
LIBDIR32 ?= build/lib32

.PHONY: lib lib32 lib-test

# go build knows what is out of date, so the targets always run it. The header it writes is not for users.
define build-library
	CGO_ENABLED=1 $(GO) build -trimpath -buildmode=c-shared \
		-ldflags='-extldflags "-Wl,-soname,libcuda.so.1 -Wl,--version-script=$(CURDIR)/libcuda/libcuda.map"' \
		-o $@/libcuda.so.1 ./libcuda
	rm -f $@/libcuda.so.h
	ln -sf libcuda.so.1 $@/libcuda.so
endef

lib: $(LIBDIR)

$(LIBDIR): cc FORCE
	$(build-library)

lib32: $(LIBDIR32) ## build/lib32/libcuda.so.1, for 32-bit programs

$(LIBDIR32): export GOARCH = 386
$(LIBDIR32): FORCE
	@.ci/cc -m32
	$(build-library)

# Builds its own copies of the library and runs the C programs of testdata/c against them.
lib-test:
	$(GO) test ./libcuda/...
