package mem

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/tesla"
)

// TestNoAllocations asserts that accesses without a violation do not allocate.
func TestNoAllocations(t *testing.T) {
	space := NewSpace(1 << 20)
	at, err := space.Alloc(1024)
	require.NoError(t, err)
	second, err := space.Alloc(1024)
	require.NoError(t, err)
	var shared Shared
	shared.Reset(1024)
	local := make(Local, LocalRows(1024))
	var regs [8]lane.Row
	inTwo := *rowOf(func(i int) uint32 { return []uint32{at, second}[i%2] })
	global, low := *from(at, 16), *from(0, 16)

	for name, f := range map[string]func() *Violation{
		"global load": func() *Violation {
			return space.Load(&Data{&regs[0], &regs[1], &regs[2], &regs[3]}, &global, lane.All, tesla.B128, nil)
		},
		"global store":       func() *Violation { return space.Store(&Data{&regs[0]}, &global, 0xff, tesla.B32, nil) },
		"in two allocations": func() *Violation { return space.Load(&Data{&regs[0]}, &inTwo, lane.All, tesla.B32, nil) },
		"atomic": func() *Violation {
			return space.Atomic(tesla.AtomAdd, tesla.U32, &inTwo, &Data{&regs[0]}, nil, lane.All, &Data{&regs[1]})
		},
		"shared load":  func() *Violation { return shared.Load(&Data{&regs[0]}, &low, lane.All, tesla.U16, nil) },
		"shared store": func() *Violation { return shared.Store(&Data{&regs[0]}, &low, lane.All, tesla.U16, nil) },
		"lock":         func() *Violation { _, v := shared.LoadLock(&regs[0], &low, lane.All, nil); return v },
		"unlock":       func() *Violation { return shared.StoreUnlock(&regs[0], &low, lane.All, nil) },
		"next block":   func() *Violation { shared.Reset(1024); return nil },
		"local load":   func() *Violation { return local.Load(&Data{&regs[0]}, &low, lane.All, tesla.S8, nil) },
		"local store":  func() *Violation { return local.Store(&Data{&regs[0]}, &low, lane.All, tesla.S8, nil) },
		"const":        func() *Violation { return Const(nil).Load(&Data{&regs[0]}, &low, lane.All, tesla.B32, nil) },
		"fence":        func() *Violation { return FencePage{}.Load(&Data{&regs[0]}, &low, lane.All, tesla.B32, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			require.Zero(t, testing.AllocsPerRun(100, func() {
				if f() != nil {
					panic("refused")
				}
			}))
		})
	}
}
