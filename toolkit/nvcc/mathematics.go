package nvcc

import "fmt"

// mathematics says how the device computes. The architecture decides a nil choice.
type mathematics struct {
	fast, contract      bool
	flush, divide, root *bool
}

// exact decides a choice between speed and exactness. NVIDIA's compiler was exact for later devices
// alone, unless it was told.
func (m mathematics) exact(choice *bool, t target) bool {
	if choice != nil {
		return *choice
	}
	return t.virtual >= firstLater && !m.fast
}

// front returns the options of clang's front end.
func (m mathematics) front(t target) (args []string) {
	if m.fast {
		args = append(args, "-fcuda-approx-transcendentals")
	}
	if m.flush != nil && *m.flush || m.flush == nil && !m.exact(nil, t) {
		args = append(args, "-fgpu-flush-denormals-to-zero")
	}
	return args
}

// back returns the options of LLVM's code generator.
func (m mathematics) back(t target) (args []string) {
	if !m.exact(m.divide, t) {
		level := 1 // div.full
		if m.fast {
			level = 0 // div.approx
		}
		args = append(args, "-mllvm", fmt.Sprintf("-nvptx-prec-divf32=%d", level))
	}
	return args
}
