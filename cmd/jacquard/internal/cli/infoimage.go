package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"jacquard/cubin"
	"jacquard/internal/plain"
	"jacquard/study/audit"
)

// imageInfo describes an image.
type imageInfo struct {
	File      string         `json:"file"`
	Container string         `json:"container"`
	Target    string         `json:"target,omitempty"` // of PTX
	Arch      string         `json:"arch"`
	Device    string         `json:"device"` // architecture as which it is judged
	Kernels   []kernelInfo   `json:"kernels"`
	Constants []variableInfo `json:"constants,omitempty"`
	Globals   []variableInfo `json:"globals,omitempty"`
	Samplers  []samplerInfo  `json:"samplers,omitempty"`
}

type kernelInfo struct {
	Name         string           `json:"name"`
	Registers    int              `json:"registers"`
	Shared       int              `json:"shared"`
	Local        int              `json:"local"`
	Barriers     int              `json:"barriers"`
	Bytes        int              `json:"bytes"`
	Instructions int              `json:"instructions"`
	Params       []paramInfo      `json:"parameters,omitempty"`
	Operations   []audit.Count    `json:"operations"`
	Evidence     []audit.Evidence `json:"evidence"`
	Problems     []audit.Problem  `json:"problems,omitempty"`
}

type variableInfo struct {
	Name        string `json:"name"`
	Offset      *int   `json:"offset,omitempty"` // of a constant, in bank 0
	Slots       []int  `json:"slots,omitempty"`  // of a global: offsets in bank 14 of words with its address
	Bytes       int    `json:"bytes"`
	Initialised bool   `json:"initialised"`
}

// samplerInfo is a texture reference: one unit for all kernels, or a unit per kernel.
type samplerInfo struct {
	Name  string     `json:"name"`
	Unit  *int       `json:"unit,omitempty"`
	Units []unitInfo `json:"units,omitempty"`
}

type unitInfo struct {
	Kernel string `json:"kernel"`
	Unit   int    `json:"unit"`
}

// describeImage describes an image, judged as a device of an architecture or, for "", as the
// image's own architecture.
func describeImage(file *carried, image *carriedImage, as string) (*imageInfo, error) {
	img, arch, err := file.readAs(as, image)
	if err != nil {
		return nil, err
	}
	path := file.name(image)
	info := &imageInfo{File: path, Container: image.container().String(), Arch: img.Arch.String(), Device: arch.String(), Kernels: []kernelInfo{}}
	if image.ptx != nil {
		info.Target = image.ptx.Target()
	}
	declared := image.declaredParams()
	for i := range img.Kernels {
		k := &img.Kernels[i]
		a, err := audit.Kernel(arch, k)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		info.Kernels = append(info.Kernels, kernelInfo{
			Name: k.Name, Registers: k.Registers, Shared: k.Shared, Local: k.Local, Barriers: k.Barriers,
			Bytes: 4 * len(k.Code), Params: describeParams(k, declared[k.Name]), Instructions: a.Instructions, Operations: a.Operations, Evidence: a.Evidence, Problems: a.Problems,
		})
	}
	for _, v := range img.Constants {
		info.Constants = append(info.Constants, variableInfo{v.Name, &v.Offset, nil, v.Bytes, v.Init != nil})
	}
	for _, g := range img.Globals {
		v := variableInfo{Name: g.Name, Bytes: g.Bytes, Initialised: g.Init != nil}
		for _, s := range g.Slots {
			v.Slots = append(v.Slots, s.Offset)
		}
		info.Globals = append(info.Globals, v)
	}
	for i := range img.Samplers {
		info.Samplers = append(info.Samplers, sampler(img, i))
	}
	return info, nil
}

// sampler describes a texture reference.
func sampler(img *cubin.Image, number int) samplerInfo {
	info := samplerInfo{Name: img.Samplers[number].Name}
	if unit := img.Samplers[number].Unit; unit >= 0 {
		info.Unit = &unit
		return info
	}
	for _, k := range img.Kernels {
		for _, t := range k.Textures {
			if t.Sampler == number {
				info.Units = append(info.Units, unitInfo{k.Name, t.Unit})
			}
		}
	}
	return info
}

// where names the units that read the texture.
func (s *samplerInfo) where() string {
	if s.Unit != nil {
		return fmt.Sprintf("unit %d", *s.Unit)
	}
	var units []string
	for _, u := range s.Units {
		units = append(units, fmt.Sprintf("unit %d in %s", u.Unit, u.Kernel))
	}
	if len(units) == 0 {
		return "in no kernel"
	}
	return strings.Join(units, ", ")
}

func (i *imageInfo) print(out io.Writer, f *infoFlags) error {
	if i.Target != "" {
		plain.Fprintf(out, "%s: %s for %s, compiled for %s\n", i.File, i.Container, i.Target, i.Arch)
	} else {
		plain.Fprintf(out, "%s: %s for %s\n", i.File, i.Container, i.Arch)
	}
	w := newTable(out)
	fmt.Fprintln(w, "kernel\tregisters\tshared\tlocal\tbarriers\tinstructions\tbytes")
	for _, k := range i.Kernels {
		plain.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\n", k.Name, k.Registers, k.Shared, k.Local, k.Barriers, k.Instructions, k.Bytes)
	}
	for _, v := range i.Constants {
		plain.Fprintf(w, "constant %s\t%d bytes at c0[0x%x]\n", v.Name, v.Bytes, *v.Offset)
	}
	for _, v := range i.Globals {
		plain.Fprintf(w, "global %s\t%d bytes%s\n", v.Name, v.Bytes, v.where())
	}
	for _, s := range i.Samplers {
		plain.Fprintf(w, "texture %s\t%s\n", s.Name, s.where())
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, k := range i.Kernels {
		k.print(out, i.Device, f.opcodes)
		if f.exactness {
			if err := k.printEvidence(out); err != nil {
				return err
			}
		}
	}
	return nil
}

// where names the words that hold the address.
func (g *variableInfo) where() string {
	if len(g.Slots) == 0 {
		return ""
	}
	slots := make([]string, len(g.Slots))
	for i, s := range g.Slots {
		slots[i] = fmt.Sprintf("c14[0x%x]", s)
	}
	return ", address in " + strings.Join(slots, ", ")
}

// problemsShown is how many of a kernel's problems are listed; most have one cause.
const problemsShown = 5

// print says what parameters a kernel takes, and how exact its instructions are.
func (k *kernelInfo) print(out io.Writer, device string, opcodes bool) {
	operations := slices.Clone(k.Operations)
	slices.SortStableFunc(operations, func(a, b audit.Count) int { return cmp.Compare(b.Exact(), a.Exact()) })
	var total audit.Count
	var exact []string
	for _, o := range operations {
		total.Verified += o.Verified
		total.Documented += o.Documented
		total.Unverified += o.Unverified
		total.Unsupported += o.Unsupported
		total.Illegal += o.Illegal
		if o.Exact() > 0 {
			exact = append(exact, fmt.Sprintf("%s %d", o.Op, o.Exact()))
		}
	}
	if len(k.Params) > 0 {
		plain.Fprintf(out, "%s takes %s\n", k.Name, paramList(k.Params))
	}
	plain.Fprintf(out, "%s on %s: %d of %d instructions exact (%d verified on hardware, %d documented), %d unverified, %d unsupported, %d illegal\n",
		k.Name, device, total.Exact(), k.Instructions, total.Verified, total.Documented, total.Unverified, total.Unsupported, total.Illegal)
	if opcodes {
		plain.Fprintf(out, "  exact: %s\n", strings.Join(exact, ", "))
	}
	for i, p := range k.Problems {
		if i == problemsShown {
			plain.Fprintf(out, "  and %d more (--json lists all)\n", len(k.Problems)-i)
			break
		}
		plain.Fprintf(out, "  %s at 0x%x: %s (%s)\n", p.Kind, p.PC, p.Text, p.Reason)
	}
}

// printEvidence lists the evidence for a kernel's instructions.
func (k *kernelInfo) printEvidence(out io.Writer) error {
	w := newTable(out)
	fmt.Fprintln(w, "  class\toperation\tinstructions\tevidence")
	for _, e := range k.Evidence {
		plain.Fprintf(w, "  %s\t%s\t%d\t%s\n", e.Class, e.Op, e.Instructions, e.Why)
	}
	return w.Flush()
}
