package stats

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"jacquard/observe/table"
	"jacquard/simt"
	"jacquard/simt/source"
	"jacquard/tesla"
)

// Run holds the counters of one process's launches.
type Run struct {
	Program string   // the executable, or the kernel's file; "" if unknown
	Devices []string // models that the driver showed
	Policy  string   // divergence policy of launches that name no other; "" if all do
	Workers int      // host cores that might take part; 0 means all
	SIMD    string   // vector instructions asked for; "" means the best available

	Kernels  []*Kernel // by first launch
	Launches []*Launch // in the order of their ends
	Policies []string  // of the launches read, by first launch

	// Damage says that the file's end is missing or overwritten; nil if the file is complete.
	// Everything before the damage is present.
	Damage *FormatError
}

// Kernel is a launched kernel. Two kernels of one name may have different code.
type Kernel struct {
	Number    int // index in Run.Kernels
	Name      string
	Arch      tesla.Arch // of the decoded code
	Registers int        // 32-bit registers per thread
	Shared    int        // bytes per block: header, parameters, static arrays
	Local     int        // bytes per thread
	Code      []tesla.Instruction
	PCs       []uint32 // byte addresses of Code
	// Hash identifies architecture and code; it does not depend on the name.
	Hash string
	// Source has the lines that Code is made of; nil if they are not known.
	Source source.Table
}

// Launch is one launch with its counters.
type Launch struct {
	Number int // from 0, in the order in which the launches under its policy began
	Kernel *Kernel
	Policy string // divergence policy
	Device string // the model
	Shared int    // bytes of dynamic shared memory
	Error  string // why it faulted or was refused; "" if it completed
	// InStep says where the kernel relies on the lanes of a warp running in lockstep; "" if
	// unknown.
	InStep string
	// Overrun is the first access beyond an allocation into its slack; "" if there is none.
	Overrun string

	// Stats are the counters. InStep and Overrun are nil here, and ByInstruction is empty or as
	// long as Kernel.Code.
	Stats simt.Stats
}

// Columns returns the leading columns of a row about the launch.
func (l *Launch) Columns() table.Lead {
	return table.New(l.Policy, l.Device, l.Kernel.Arch.String(), l.Kernel.Name, l.Number, l.Stats.Grid, l.Stats.Block)
}

// Describe returns the part of a kernel that files keep.
func Describe(k *simt.Kernel) *Kernel {
	d := &Kernel{Name: k.Name, Arch: k.Arch, Registers: k.Registers, Shared: k.Shared, Local: k.Local, Code: k.Code}
	d.index()
	d.Source = source.New(d.PCs, k.Source)
	return d
}

// index derives PCs and Hash from architecture and code.
func (k *Kernel) index() {
	sum := sha256.New()
	sum.Write([]byte(k.Arch.String()))
	pc := uint32(0)
	k.PCs = make([]uint32, len(k.Code))
	for i := range k.Code {
		k.PCs[i] = pc
		in := &k.Code[i]
		pc += uint32(in.Size)
		for _, w := range in.Raw[:in.Size/4] {
			sum.Write(binary.BigEndian.AppendUint32(nil, w))
		}
	}
	k.Hash = hex.EncodeToString(sum.Sum(nil)[:hashBytes])
}

// hashBytes suffices to distinguish kernels. Forgery is no concern.
const hashBytes = 8

// FormatError reports a file that holds no statistics, or is damaged.
type FormatError struct {
	Offset int64 // bytes from the start of the file, approximately
	Reason string
}

// Error gives the reason and the offset.
func (e *FormatError) Error() string {
	return fmt.Sprintf("statistics: offset %#x: %s", e.Offset, e.Reason)
}
