package view

import (
	"fmt"
	"io"
	"math/bits"

	"github.com/google/pprof/profile"

	"jacquard/observe/trace"
)

// Profile writes a trace as a profile for go tool pprof. A kernel is a function whose line numbers
// are byte addresses; it calls one function per instruction, named by its disassembly. The samples
// count warp-instructions, active lanes and lanes that executed.
func Profile(out io.Writer, f *trace.File, filter *trace.Filter) error {
	b := profileBuilder{
		p: &profile.Profile{
			SampleType:        []*profile.ValueType{{Type: "warp_instructions", Unit: "count"}, {Type: "active_lanes", Unit: "count"}, {Type: "thread_instructions", Unit: "count"}},
			DefaultSampleType: "warp_instructions",
			PeriodType:        &profile.ValueType{Type: "warp_instructions", Unit: "count"},
			Period:            1,
		},
		kernels: map[*trace.Kernel]*kernelProfile{},
	}
	for s, err := range f.Steps(filter) {
		if err != nil {
			return err
		}
		k := f.Launch(s.Launch).Kernel
		sample := b.kernel(k).sample(s.Index)
		sample.Value[0] += int64(s.Count())
		for i := range s.N {
			sample.Value[1] += int64(bits.OnesCount32(uint32(s.Active[i])))
			sample.Value[2] += int64(bits.OnesCount32(uint32(k.Threads(s, i))))
		}
	}
	if err := b.p.CheckValid(); err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	return b.p.Write(out)
}

// profileBuilder builds the tables of a profile.
type profileBuilder struct {
	p       *profile.Profile
	kernels map[*trace.Kernel]*kernelProfile
}

// kernelProfile is one kernel's part of a profile.
type kernelProfile struct {
	builder  *profileBuilder
	kernel   *trace.Kernel
	mapping  *profile.Mapping
	function *profile.Function
	base     uint64            // of the code, in addresses made up for the profile
	samples  []*profile.Sample // by instruction, nil without issues
}

// kernel returns the part of a kernel, which it makes at the first call.
func (b *profileBuilder) kernel(k *trace.Kernel) *kernelProfile {
	if part := b.kernels[k]; part != nil {
		return part
	}
	id := uint64(len(b.p.Mapping) + 1)
	part := &kernelProfile{builder: b, kernel: k, base: id << 32, samples: make([]*profile.Sample, len(k.Code))}
	part.mapping = &profile.Mapping{ID: id, Start: part.base, Limit: part.base + 1<<32, File: k.Name, HasFunctions: true, HasLineNumbers: true, HasInlineFrames: true}
	b.p.Mapping = append(b.p.Mapping, part.mapping)
	part.function = b.function(k.Name, k.Name)
	b.kernels[k] = part
	return part
}

func (b *profileBuilder) function(name, file string) *profile.Function {
	f := &profile.Function{ID: uint64(len(b.p.Function) + 1), Name: name, SystemName: name, Filename: file}
	b.p.Function = append(b.p.Function, f)
	return f
}

// sample returns the sample of an instruction.
func (k *kernelProfile) sample(index int) *profile.Sample {
	if s := k.samples[index]; s != nil {
		return s
	}
	b, pc := k.builder, k.kernel.PCs[index]
	text := b.function(fmt.Sprintf("%s %04x: %v", k.kernel.Name, pc, k.kernel.Code[index]), k.kernel.Name)
	l := &profile.Location{ID: uint64(len(b.p.Location) + 1), Mapping: k.mapping, Address: k.base + uint64(pc),
		Line: []profile.Line{{Function: text, Line: int64(pc)}, {Function: k.function, Line: int64(pc)}}}
	b.p.Location = append(b.p.Location, l)
	s := &profile.Sample{Location: []*profile.Location{l}, Value: make([]int64, 3),
		Label: map[string][]string{"arch": {k.kernel.Arch.String()}, "op": {k.kernel.Code[index].Op.String()}}}
	b.p.Sample = append(b.p.Sample, s)
	k.samples[index] = s
	return s
}
