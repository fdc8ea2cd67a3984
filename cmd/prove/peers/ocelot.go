package main

import (
	"context"
	"os"
	"path/filepath"
)

// ocelot compiles every PTX file of a checkout of gpuocelot.
func ocelot(ctx context.Context, folder string) (all []outcome, err error) {
	paths, err := filesOf(folder, ".ptx")
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		name, _ := filepath.Rel(folder, path)
		all = append(all, tried(filepath.ToSlash(name), text, false))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return all, nil
}
