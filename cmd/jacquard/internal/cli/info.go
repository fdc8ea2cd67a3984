package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"jacquard/decoder"
	"jacquard/internal/plain"
	"jacquard/observe/flowchart"
	"jacquard/simt/cfg"
	"jacquard/tesla"
)

type infoFlags struct {
	arch      string
	opcodes   bool
	exactness bool
	json      bool
	cfg       string
	memory    int
}

func newInfo() *cobra.Command {
	var f infoFlags
	c := &cobra.Command{
		Use:   "info FILE",
		Short: "Describe a cubin, fat binary, program or bundle",
		Long: `Describe a cubin: its architecture, kernels with their resources, variables and
texture references. Count the instructions that are verified on hardware, documented,
unverified, not supported, and illegal on the architecture. Of a fat binary, and of a program,
library, object file or archive (of Linux or Windows) that carries one, list the images, with
member and section, and describe each image for sm_10 .. sm_13. Of a bundle of jacquard record,
list the launches.

With --cfg, also draw the control flow of every kernel: blocks with their instructions, the
targets of branches, breaks, returns and calls, loops, and where lanes that part meet again. A
name that ends in .svg gives a picture, one that ends in .dot input for Graphviz.`,
		Example: `  jacquard info vecadd.cubin
  jacquard info --opcodes --arch sm_13 vecadd.cubin
  jacquard info --exactness vecadd.cubin
  jacquard info --json vecadd.cubin
  jacquard info --cfg vecadd.svg vecadd.cubin
  jacquard info program`,
		Args: arguments(1, 1, "one file"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := apart(args, output{"--cfg", f.cfg}); err != nil {
				return err
			}
			if isBundle(args[0]) {
				if err := without(c, "a bundle", "arch", "cfg", "exactness", "opcodes"); err != nil {
					return err
				}
				bundle, err := describeBundle(args[0], f.memory)
				if err != nil {
					return err
				}
				return f.show(c.OutOrStdout(), bundle)
			}
			file, err := openFile(args[0], f.arch)
			if err != nil {
				return err
			}
			if err := without(c, "a file that is no bundle", "memory"); err != nil {
				return err
			}
			if f.cfg != "" {
				if err := drawKernels(c.OutOrStdout(), file, &f); err != nil {
					return err
				}
			}
			if !file.plain() {
				files, broken := describeImages(file, f.arch)
				return cmp.Or(f.show(c.OutOrStdout(), files), broken)
			}
			images, err := file.machineCode()
			if err != nil {
				return err
			}
			image, err := describeImage(file, &images[0], f.arch)
			if err != nil {
				return err
			}
			return f.show(c.OutOrStdout(), image)
		},
	}
	c.Flags().StringVar(&f.arch, "arch", "", "judge the code as a device of `ARCH` would: sm_10, sm_11, sm_12 or sm_13 (default: the file's own)")
	c.Flags().BoolVar(&f.opcodes, "opcodes", false, "count the operations of each kernel")
	c.Flags().BoolVar(&f.exactness, "exactness", false, "list by operation how certain each kernel's instructions are, and why")
	c.Flags().BoolVar(&f.json, "json", false, "print one JSON object")
	c.Flags().IntVar(&f.memory, "memory", 0, "of a bundle: "+memoryHelp)
	c.Flags().StringVar(&f.cfg, "cfg", "", "draw the control flow of the kernels into this `FILE`, a .svg or .dot")
	return c
}

// description is the content of a file, for people or as JSON.
type description interface {
	print(out io.Writer, f *infoFlags) error
}

func (f *infoFlags) show(out io.Writer, d description) error {
	if f.json {
		return json.NewEncoder(out).Encode(d)
	}
	return d.print(out, f)
}

// carriedInfo describes a file with images inside.
type carriedInfo struct {
	File   string             `json:"file"`
	Kind   string             `json:"container"`
	Images []carriedImageInfo `json:"images"`
}

type carriedImageInfo struct {
	Number      int        `json:"number"`
	Container   string     `json:"container"`
	Target      string     `json:"target"`
	Stored      int        `json:"stored"` // bytes
	Compression string     `json:"compression"`
	Member      string     `json:"member,omitempty"`  // of the archive
	Section     string     `json:"section,omitempty"` // of the program
	Offset      int64      `json:"offset"`            // of the fat binary in the file
	Source      string     `json:"source,omitempty"`
	Error       string     `json:"error,omitempty"` // of a broken image
	Image       *imageInfo `json:"image,omitempty"` // if it is for sm_10 .. sm_13
}

// describeImages lists the images of a file, and describes the images for sm_10 .. sm_13. Its
// error is the last broken image's; the description is whole all the same.
func describeImages(file *carried, arch string) (*carriedInfo, error) {
	info := &carriedInfo{File: file.path, Kind: file.kind}
	var broken error
	for i := range file.images {
		image := &file.images[i]
		line := carriedImageInfo{
			Number: image.number, Container: image.Container.String(), Target: image.Target(), Stored: image.Stored(),
			Compression: image.Compression.String(), Member: image.module.Member, Section: image.module.Section, Offset: image.module.Offset, Source: image.Source,
		}
		if image.Runs(tesla.SM13) {
			var err error
			if line.Image, err = describeImage(file, image, arch); err != nil {
				broken, line.Error = err, err.Error()
			}
		}
		info.Images = append(info.Images, line)
	}
	return info, broken
}

// place names where in the file the image lies: the member of an archive, and the section.
func (i *carriedImageInfo) place() string {
	if i.Member == "" || i.Section == "" {
		return cmp.Or(i.Member, i.Section)
	}
	return i.Member + ":" + i.Section
}

func (i *carriedInfo) print(out io.Writer, f *infoFlags) error {
	plain.Fprintf(out, "%s: %s with %d images\n", i.File, i.Kind, len(i.Images))
	w := newTable(out)
	fmt.Fprintln(w, "image\tkind\tfor\tbytes\tcompression\tsection\tsource")
	for _, l := range i.Images {
		plain.Fprintf(w, "%d\t%s\t%s\t%d\t%s\t%s\t%s\n", l.Number, l.Container, l.Target, l.Stored, l.Compression, cmp.Or(l.place(), "-"), cmp.Or(l.Source, "-"))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, l := range i.Images {
		if l.Image == nil {
			continue
		}
		fmt.Fprintln(out)
		if err := l.Image.print(out, f); err != nil {
			return err
		}
	}
	return nil
}

// drawing returns the writer of flow charts for a file of this name.
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
func drawKernels(out io.Writer, file *carried, f *infoFlags) error {
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
		img, arch, err := file.readAs(f.arch, &images[i])
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
	return writeText(out, f.cfg, func(w io.Writer) error { return draw(w, kernels) })
}
