package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"jacquard/cubin/plain"
	"jacquard/decoder"
	"jacquard/simt/cfg"
	"jacquard/simt/cfg/flowchart"
)

// drawing returns what draws flow charts into a file of this name.
func drawing(name string) (func(io.Writer, []flowchart.Kernel) error, error) {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".svg":
		return flowchart.WriteSVG, nil
	case ".dot":
		return flowchart.WriteDOT, nil
	}
	return nil, usagef("--cfg %q: want a name that ends in .svg or .dot", name)
}

// drawKernels draws the control flow of every kernel of the file.
func drawKernels(file *carried, f *infoFlags) error {
	draw, err := drawing(f.cfg)
	if err != nil {
		return err
	}
	images, err := file.machineCode()
	if err != nil {
		return err
	}
	var kernels []flowchart.Kernel
	for i := range images {
		img, err := file.read(&images[i])
		if err != nil {
			return err
		}
		arch, err := (&disFlags{arch: f.arch}).archOr(img.Arch)
		if err != nil {
			return err
		}
		for _, k := range img.Kernels {
			graph, err := cfg.New(decoder.Kernel(arch, k.Code))
			if err != nil {
				return fmt.Errorf("%s: kernel %s: %w", file.name(&images[i]), k.Name, err)
			}
			name := k.Name
			if len(images) > 1 {
				name = fmt.Sprintf("%s, image %d for %s", k.Name, images[i].number, images[i].Target())
			}
			kernels = append(kernels, flowchart.Kernel{Name: plain.Text(name), Graph: graph})
		}
	}
	return writeText(f.cfg, file.path, func(w io.Writer) error { return draw(w, kernels) })
}
