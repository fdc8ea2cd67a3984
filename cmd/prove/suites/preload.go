package main

import (
	"context"
	"embed"
	"os"
	"path/filepath"
)

// hostSources are sources and headers of our own that some programs need beside theirs.
//
//go:embed host
var hostSources embed.FS

// unpack writes one of them into the working folder, and returns its path.
func (s *setup) unpack(name string) (string, error) {
	data, err := hostSources.ReadFile("host/" + name)
	if err != nil {
		return "", err
	}
	path := filepath.Join(s.work, "host", name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return "", err
	}
	return path, os.WriteFile(path, data, 0o666)
}

// preload makes a library for LD_PRELOAD of one of the sources, and returns its path.
func (s *setup) preload(ctx context.Context, name string) (string, error) {
	source, err := s.unpack(name + ".c")
	if err != nil {
		return "", err
	}
	library := filepath.Join(s.work, "host", name+".so")
	args := []string{"-shared", "-fPIC", "-o", library, source, "-ldl"}
	return library, compile(ctx, s.work, hostCompiler("CC", "cc"), args)
}
