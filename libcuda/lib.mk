# Building and testing the shared library; the root Makefile includes this file. Paths are from the root.

GO ?= go
LIBDIR ?= build/lib

.PHONY: lib lib-test

# go build knows what is out of date, so the target always runs it. The header it writes is not for users.
lib: cc
	CGO_ENABLED=1 $(GO) build -trimpath -buildmode=c-shared \
		-ldflags='-extldflags "-Wl,-soname,libcuda.so.1 -Wl,--version-script=$(CURDIR)/libcuda/libcuda.map"' \
		-o $(LIBDIR)/libcuda.so.1 ./libcuda
	rm -f $(LIBDIR)/libcuda.so.h
	ln -sf libcuda.so.1 $(LIBDIR)/libcuda.so

# Builds its own copy of the library and runs the C programs of testdata/c against it.
lib-test:
	$(GO) test ./libcuda/...
