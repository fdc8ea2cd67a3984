package driver

import (
	"jacquard/cubin"
	"jacquard/simt"
)

// maxParams is the largest size of a kernel's parameters in bytes, for kernels that this project's
// compiler made: see [cubin.SharedParams].
const maxParams = 4096

// function is a kernel of a module, with the launch settings that calls leave in it.
type function struct {
	module *module
	body   // the module's code

	block  [3]int // zero before FuncSetBlockShape
	shared uint32 // dynamic, bytes
	params [maxParams]byte
	size   int // bytes of params in use

	stats *simt.Stats // of an earlier launch, for reuse; may be nil
}

func (f *function) context() *context { return f.module.ctx }

// FuncGetAttribute returns a property of f.
func (t *Thread) FuncGetAttribute(a FuncAttribute, f Function) (int, error) {
	value := 0
	err := t.function(f, func(c *context, f *function) error {
		switch a {
		case FuncMaxThreadsPerBlock:
			value = f.maxThreads()
		case FuncSharedSizeBytes:
			value = f.kernel.Shared
		case FuncConstSizeBytes:
			// Unverified: the module's __constant__ variables and the kernel's own pool.
			value = len(f.module.data.Banks[0])
			for _, s := range f.kernel.Segments {
				value += s.Bytes
			}
		case FuncLocalSizeBytes:
			value = f.kernel.Local
		case FuncNumRegs:
			value = f.kernel.Registers
		case FuncPTXVersion:
			// Host code asks this to follow the device's: it is the __CUDA_ARCH__ of the source. A text
			// cubin does not record it; there the machine's version stands in.
			value = f.module.virtual
		case FuncBinaryVersion:
			value = targetOf(f.module.image.Arch)
		default:
			return ErrInvalidValue
		}
		return nil
	})
	return value, err
}

// FuncSetBlockShape sets the threads of a block for the next launches.
func (t *Thread) FuncSetBlockShape(f Function, x, y, z int) error {
	return t.function(f, func(c *context, f *function) error {
		block := [3]int{x, y, z}
		if c.device.model.arch.Limits().CheckShape([2]int{1, 1}, block) != nil {
			return ErrInvalidValue
		}
		f.block = block
		return nil
	})
}

// FuncSetSharedSize sets the bytes of dynamic shared memory for the next launches; they check it.
func (t *Thread) FuncSetSharedSize(f Function, bytes uint32) error {
	return t.function(f, func(_ *context, f *function) error {
		f.shared = bytes
		return nil
	})
}

// ParamSetSize sets the bytes of parameters for the next launches.
func (t *Thread) ParamSetSize(f Function, bytes uint32) error {
	return t.function(f, func(_ *context, f *function) error {
		if int64(bytes) > int64(f.mostParams()) {
			return ErrInvalidValue
		}
		f.size = int(bytes)
		return nil
	})
}

// ParamSeti puts a word at offset of the parameters; ParamSetf does so with the bits of a float.
func (t *Thread) ParamSeti(f Function, offset int, v uint32) error {
	return t.ParamSetv(f, offset, []byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24)})
}

// ParamSetv puts data at offset of the parameters.
func (t *Thread) ParamSetv(f Function, offset int, data []byte) error {
	return t.function(f, func(_ *context, f *function) error {
		if most := f.mostParams(); offset < 0 || offset > most || len(data) > most-offset {
			return ErrInvalidValue
		}
		copy(f.params[offset:], data)
		return nil
	})
}

// mostParams returns how many bytes of parameters the kernel takes at most.
func (f *function) mostParams() int {
	if f.kernel.ParamBytes() > cubin.SharedParams {
		return maxParams
	}
	return cubin.SharedParams
}

// passed returns a launch's parameters if they fit in shared memory. Otherwise it writes them to
// constant memory: one launch of a context runs at a time.
func (f *function) passed() []byte {
	if f.kernel.ParamBytes() <= cubin.SharedParams {
		return f.params[:f.size]
	}
	copy(f.module.data.Variables[cubin.ParamVariable].Bytes, f.params[:f.size])
	return nil
}

// ParamSetTexRef only checks its arguments: the module fixes the unit of a texture reference, and
// unit must be ParamTRDefault.
func (t *Thread) ParamSetTexRef(f Function, unit int, ref TexRef) error {
	return t.function(f, func(c *context, f *function) error {
		if unit != ParamTRDefault {
			return ErrInvalidValue
		}
		_, err := find[*texref](c, uintptr(ref))
		return err
	})
}

// function calls do with the function f of the current context.
func (t *Thread) function(f Function, do func(*context, *function) error) error {
	return owned(t, uintptr(f), do)
}

// maxThreads returns the largest block that the register file and the API allow.
func (f *function) maxThreads() int {
	limits := f.module.ctx.device.model.arch.Limits()
	threads := limits.ThreadsPerBlock
	for threads > 0 && limits.BlocksPerWave(threads, f.kernel.Registers, f.kernel.Shared) == 0 {
		threads -= 32
	}
	if bound := f.bound(); bound > 0 {
		threads = min(threads, bound)
	}
	return threads
}

// bound returns the largest block that the kernel was compiled for, 0 if its image gives none.
func (f *function) bound() int {
	most := f.kernel.MaxThreads
	return most[0] * most[1] * most[2]
}
