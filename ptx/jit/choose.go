package jit

import (
	"jacquard/cubin"
	"jacquard/ptx/load"
	"jacquard/tesla"
)

// Choice names the part of a module that a device takes.
type Choice struct {
	Arch    tesla.Arch // of the device
	Force   bool       // PTX alone
	Disable bool       // machine code alone
	Later   bool       // also PTX for architectures after Arch
	// Exact prefers PTX to machine code for an earlier architecture.
	Exact bool
}

// Choose returns the entry of a module that a device runs: machine code if there is some, otherwise
// the PTX for the latest architecture not above the device's, otherwise that for the earliest above
// it. The error is a [*cubin.NoCodeError].
func Choose(c *cubin.Contents, o Choice) (*cubin.Entry, error) {
	code, err := c.Select(o.Arch)
	ptx := bestPTX(c, o)
	switch {
	case o.Disable && o.Force:
		code, ptx = nil, nil
	case o.Disable:
		ptx = nil
	case o.Force:
		code = nil
	}
	switch {
	case code == nil && ptx == nil && err == nil:
		return nil, &cubin.NoCodeError{Arch: o.Arch, Found: c.Entries}
	case code == nil && ptx == nil:
		return nil, err
	case code == nil:
		return ptx, nil
	case ptx != nil && o.Exact && code.Arch != 0 && code.Arch != number(o.Arch):
		return ptx, nil
	}
	return code, nil
}

// bestPTX returns the PTX that fits best, nil if none does.
func bestPTX(c *cubin.Contents, o Choice) *cubin.Entry {
	e := load.Latest(c, o.Arch)
	if e != nil && e.Arch > number(o.Arch) && !o.Later {
		return nil
	}
	return e
}

// number returns the number of an architecture: 13 for sm_13.
func number(a tesla.Arch) int { return 10 + int(a) }
