package driver

import (
	"jacquard/ptx/jit"
	"jacquard/tesla"
)

// JITOptions are the options of a call that may compile PTX. The zero value has none.
type JITOptions struct {
	// Given are the options as the program lists them. If one is given twice, the first counts.
	// Options that this driver does not know have no effect.
	Given []JITValue
	// InfoLog and ErrorLog are the program's buffers, nil for none. The linker writes to
	// LinkCreate's buffers until LinkDestroy.
	InfoLog, ErrorLog []byte
	// Answer stores the result of an option, if the program has given it. It may be nil.
	Answer func(o JITOption, value uintptr)
}

// JITValue is an option with its value: a number, or the address of a buffer.
type JITValue struct {
	Option JITOption
	Value  uintptr
}

// value returns the value of an option: an unsigned int, even where it stands in a pointer's place.
func (o *JITOptions) value(option JITOption) (value uint32, given bool) {
	for _, v := range o.Given {
		if v.Option == option {
			return uint32(v.Value), true
		}
	}
	return 0, false
}

// Largest values of options that are numbers of a list.
const (
	maxOptimization = 4
	maxFallback     = 1
	maxCacheMode    = 2
)

// jitRequest is what options ask of the compiler.
type jitRequest struct {
	jit.Options
	threads uint32 // per block; 0 if not given
	verbose bool
	exact   bool // PTX rather than machine code for an earlier architecture
}

// request reads options for a context's device. It answers ErrInvalidValue for values that an
// option does not have, and for a target together with threads of a block.
func (o *JITOptions) request(c *context) (r jitRequest, err error) {
	r.Arch = c.device.model.arch
	for option, most := range map[JITOption]uint32{
		JITOptimizationLevel: maxOptimization, JITFallbackStrategy: maxFallback, JITCacheMode: maxCacheMode,
	} {
		if v, _ := o.value(option); v > most {
			return r, ErrInvalidValue
		}
	}
	if v, _ := o.value(JITMaxRegisters); v != 0 {
		r.MaxRegisters = int(min(v, 1<<16))
	}
	target, aimed := o.value(JITTarget)
	threads, bounded := o.value(JITThreadsPerBlock)
	if aimed && bounded && threads != 0 {
		return r, ErrInvalidValue
	}
	if aimed {
		if r.Arch, err = archOf(target); err != nil {
			return r, err
		}
	}
	r.bound(threads)
	lines, _ := o.value(JITGenerateLineInfo)
	debug, _ := o.value(JITGenerateDebugInfo)
	r.Lines = lines != 0 || debug != 0
	verbose, _ := o.value(JITLogVerbose)
	strategy, some := o.value(JITFallbackStrategy)
	r.verbose, r.exact = verbose != 0, some && strategy == 0
	return r, nil
}

// archOf returns the architecture of a target: 13 or, before CUDA 6.0, 3 for sm_13. It answers
// ErrNoBinaryForGPU for later architectures.
func archOf(target uint32) (tesla.Arch, error) {
	switch {
	case target <= uint32(tesla.SM13):
		return tesla.Arch(target), nil
	case 10 <= target && target <= 10+uint32(tesla.SM13):
		return tesla.Arch(target - 10), nil
	}
	return 0, ErrNoBinaryForGPU
}

// bound limits the registers so that a block of so many threads can be launched, as far as a block
// can be that large.
func (r *jitRequest) bound(threads uint32) {
	if threads == 0 {
		return
	}
	limits := r.Arch.Limits()
	r.threads = min(threads, uint32(limits.ThreadsPerBlock))
	most := limits.MostRegisters(int(r.threads), 0)
	if r.MaxRegisters == 0 || r.MaxRegisters > most {
		r.MaxRegisters = most
	}
}
