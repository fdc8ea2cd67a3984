package cli

import (
	"fmt"
	"os"

	"jacquard/cubin"
)

// loadCubin reads the cubin at path.
func loadCubin(path string) (*cubin.Image, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	img, err := cubin.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return img, nil
}

// findKernel returns the kernel called name, or an error that lists the ones there are.
func findKernel(img *cubin.Image, path, name string) (*cubin.Kernel, error) {
	if k := img.Kernel(name); k != nil {
		return k, nil
	}
	var names []string
	for _, k := range img.Kernels {
		names = append(names, k.Name)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s holds no kernel", path)
	}
	return nil, fmt.Errorf("%s holds no kernel %q: want %s", path, name, list(names))
}
