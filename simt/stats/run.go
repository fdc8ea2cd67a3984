package stats

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"jacquard/simt"
	"jacquard/tesla"
)

// Run is what the launches of one process counted.
type Run struct {
	Program string   // the executable, or the kernel's file; "" if unknown
	Devices []string // the models that the driver showed
	Policy  string   // divergence policy
	Workers int      // host cores that might take part; 0 is all
	SIMD    string   // vector instructions asked for; "" is the best there are

	Kernels  []*Kernel // by first launch
	Launches []*Launch // in the order of their ends

	// Damage says that the file's end is missing or overwritten; nil if it is whole. What stands
	// before is here all the same.
	Damage *FormatError
}

// Kernel is a kernel that was launched. Two with the same name may have different code.
type Kernel struct {
	Number    int // place in Run.Kernels
	Name      string
	Arch      tesla.Arch // that its code was decoded for
	Registers int        // 32-bit registers a thread
	Shared    int        // bytes a block: header, parameters, static arrays
	Local     int        // bytes a thread
	Code      []tesla.Instruction
	PCs       []uint32 // byte addresses of Code
	Hash      string   // of architecture and code: the same for the same code, whatever its name
}

// Launch is one launch with what it counted.
type Launch struct {
	Number  int // from 0, in the order of the launches' ends
	Kernel  *Kernel
	Device  string // the model
	Shared  int    // bytes of dynamic shared memory
	Error   string // why it faulted or was refused, "" if it came to its end
	InStep  string // where the kernel relies on the lanes of a warp running in step; "" if that is unknown
	Overrun string // the first access beyond an allocation into its slack; "" if there is none

	// Stats are what it counted. InStep and Overrun are nil here, and ByInstruction is empty or as
	// long as Kernel.Code.
	Stats simt.Stats
}

// Describe returns what a file keeps of a kernel.
func Describe(k *simt.Kernel) *Kernel {
	d := &Kernel{Name: k.Name, Arch: k.Arch, Registers: k.Registers, Shared: k.Shared, Local: k.Local, Code: k.Code}
	d.index()
	return d
}

// index sets what follows from architecture and code.
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

// hashBytes are enough to tell kernels apart. Forgery is no concern.
const hashBytes = 8

// FormatError is a file that holds no statistics, or is damaged.
type FormatError struct {
	Offset int64 // in bytes: about where it is wrong
	Reason string
}

// Error gives the reason and the offset.
func (e *FormatError) Error() string {
	return fmt.Sprintf("statistics: offset %#x: %s", e.Offset, e.Reason)
}
