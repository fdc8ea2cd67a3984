package jit

import "jacquard/ptx/jit/cache"

// Settings are the user's settings of PTX, in the environment variables of NVIDIA's driver. The
// zero value prefers machine code, compiles PTX without it, and has no cache.
type Settings struct {
	Force   bool // CUDA_FORCE_PTX_JIT=1: machine code is ignored
	Disable bool // CUDA_DISABLE_PTX_JIT=1: nothing is compiled
	Cache   cache.Settings
}

// From reads the settings from an environment: lookup is os.LookupEnv or a function like it.
func From(lookup func(string) (string, bool)) Settings {
	set := func(name string) bool {
		value, _ := lookup(name)
		return value == "1"
	}
	return Settings{
		Force:   set("CUDA_FORCE_PTX_JIT"),
		Disable: set("CUDA_DISABLE_PTX_JIT"),
		Cache:   cache.From(lookup),
	}
}
