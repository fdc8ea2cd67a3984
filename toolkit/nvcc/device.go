package nvcc

import (
	"fmt"
	"slices"
	"strings"
)

// device appends the steps of the device half of a CUDA file, up to the phase. It returns the fat
// binary, "" if the phase ends before.
func (p *planner) device(in input) (fatbin string) {
	var images []string
	for _, t := range p.targets {
		t.clang = max(t.clang, in.least)
		text := p.front(in, t)
		images = append(images, p.assemble(in, t, text)...)
		images = append(images, fmt.Sprintf("--image=profile=compute_%d,file=%s", t.clang, text))
	}
	return p.pack(in, images)
}

// text appends the steps of PTX that is an input.
func (p *planner) text(in input) error {
	if p.phase != toCubin && p.phase != toFatbin {
		return fmt.Errorf("%s: PTX becomes machine code alone: use -cubin or -fatbin", in.path)
	}
	var images []string
	for _, t := range p.targets {
		images = append(images, p.assemble(in, t, in.path)...)
	}
	p.pack(in, append(images, "--image=profile=compute_20,file="+in.path))
	return nil
}

// pack appends the step that makes a fat binary of images, unless the phase ends before.
func (p *planner) pack(in input, images []string) (fatbin string) {
	switch p.phase {
	case toPTX, toCubin:
		return ""
	case toFatbin:
		fatbin = p.result(in, ".fatbin")
	default:
		fatbin = p.temporary(in.stem + ".fatbin")
	}
	p.add("fatbinary", slices.Concat([]string{"-64", "--create=" + fatbin, "--ident=" + in.path}, images)...)
	return fatbin
}

// language is the version of PTX of CUDA 10.0.
const language = "+ptx63"

// front appends the steps that make PTX for a target, and returns the text's path.
func (p *planner) front(in input, t target) (text string) {
	stem := in.stem
	if len(p.targets) > 1 {
		stem = fmt.Sprintf("%s.compute_%d", in.stem, t.virtual)
	}
	if p.phase == toPTX {
		text = p.result(in, ".ptx")
	} else {
		text = p.temporary(stem + ".ptx")
	}
	contract, roots := p.math.contract && !p.debug, !p.math.exact(p.math.root, t)
	args := []string{"-x", "cuda", "--cuda-device-only", fmt.Sprintf("--cuda-gpu-arch=sm_%d", t.clang), "-Xclang", "-target-feature", "-Xclang", language}
	args = slices.Concat(args, p.cuda(), p.toolkit.linked(), p.macro(t), p.optimized(), p.math.front(t), p.headers, p.forDevice(), in.respelled, []string{"-w"})
	if contract {
		args = append(args, "-ffp-contract=fast")
	} else {
		args = append(args, "-ffp-contract=off")
	}
	from := in.path
	if in.synchronizes {
		args, from = p.locks(t, stem, args, from)
	}
	if !contract && !roots {
		p.add("clang++", slices.Concat(args, p.math.back(t), []string{"-S", "-o", text, from})...)
		return text
	}
	exact, relaxed := p.temporary(stem+".ll"), p.temporary(stem+".relaxed.ll")
	p.add("clang++", append(args, "-emit-llvm", "-S", "-o", exact, from)...)
	if roots {
		p.add("toolkit", "relax", relaxRoots, exact, relaxed)
	} else {
		p.add("toolkit", "relax", exact, relaxed)
	}
	args = slices.Concat(p.again(t), p.generated(), p.math.back(t))
	p.add("clang++", append(args, "-S", "-o", text, relaxed)...)
	return text
}

// locks appends the steps that keep critical sections in their loops before anything is optimized. It
// returns the options and the file for the step that optimizes.
func (p *planner) locks(t target, stem string, front []string, source string) (args []string, from string) {
	plain, kept := p.temporary(stem+".plain.ll"), p.temporary(stem+".locks.ll")
	p.add("clang++", append(front, "-Xclang", "-disable-llvm-passes", "-fno-discard-value-names", "-emit-llvm", "-S", "-o", plain, source)...)
	p.add("toolkit", locksStep, plain, kept)
	return append(p.again(t), p.optimized()...), kept
}

// again returns the options by which clang takes LLVM's text for a target.
func (p *planner) again(t target) []string {
	args := []string{"-x", "ir", "--target=nvptx64-nvidia-cuda", "-nogpulib", "-Qunused-arguments", "-w"}
	return append(args, "-Xclang", "-target-cpu", "-Xclang", fmt.Sprintf("sm_%d", t.clang), "-Xclang", "-target-feature", "-Xclang", language)
}

// macro sets __CUDA_ARCH__ to the target that the user asked for, where clang has no such target.
func (p *planner) macro(t target) []string {
	if t.clang == t.virtual {
		return nil
	}
	args := []string{"-U__CUDA_ARCH__", fmt.Sprintf("-D__CUDA_ARCH__=%d", 10*t.virtual)}
	if t.clang > firstLater {
		args = append(args, fmt.Sprintf("-D__JACQUARD_TARGET__=%d", 10*t.clang))
	}
	return args
}

// optimized returns options for how much the device half is optimized, whatever -O says: that is the
// host's. Line tables come with the functions that are inlined. With -G, clang describes variables.
func (p *planner) optimized() []string {
	switch {
	case p.debug:
		return []string{"-O0", "-g"}
	case p.lines:
		return []string{"-O2", "-Xclang", "-debug-info-kind=line-tables-only"}
	}
	return []string{"-O2"}
}

// generated returns options for how LLVM's text becomes PTX. With -G, variables stay in memory: even
// here, LLVM would move them to registers, which no debugging information tells.
func (p *planner) generated() []string {
	if p.debug {
		return []string{"-O0"}
	}
	return []string{"-O2", "-Xclang", "-disable-llvm-passes"}
}

// forDevice returns the options of -Xcompiler that matter to the text of a program. The others are
// about the host's machine.
func (p *planner) forDevice() (args []string) {
	for i := 0; i < len(p.forward); i++ {
		a := p.forward[i]
		switch {
		case slices.Contains([]string{"-isystem", "-include", "-iquote", "-D", "-U", "-I"}, a) && i+1 < len(p.forward):
			args = append(args, a, p.forward[i+1])
			i++
		case strings.HasPrefix(a, "-D"), strings.HasPrefix(a, "-U"), strings.HasPrefix(a, "-I"), strings.HasPrefix(a, "-std="), a == "-fopenmp":
			args = append(args, a)
		}
	}
	return args
}

// assemble appends the steps that make machine code of PTX, and returns the images for fatbinary.
func (p *planner) assemble(in input, t target, text string) (images []string) {
	if p.phase == toPTX {
		return nil
	}
	for _, real := range t.real {
		code := p.temporary(fmt.Sprintf("%s.sm_%d.cubin", in.stem, real))
		if p.phase == toCubin {
			code = p.result(in, ".cubin")
		}
		args := []string{"-m64", fmt.Sprintf("--gpu-name=sm_%d", real), "-o", code}
		if t.virtual != t.clang {
			args = append(args, fmt.Sprintf("--virtual-arch=compute_%d", t.virtual))
		}
		s := step{tool: "ptxas", args: slices.Concat(args, p.assembler, []string{text})}
		if in.kind == cuda {
			s.source = in.path
		}
		if t.optional && p.phase != toCubin {
			s.optional = code
		}
		p.steps = append(p.steps, s)
		images = append(images, fmt.Sprintf("--image=profile=sm_%d,file=%s", real, code))
	}
	return images
}
