package trace

import "jacquard/observe/trace/codec"

// The terms of the format; package codec documents them.
type (
	Kernel   = codec.Kernel
	Step     = codec.Step
	Value    = codec.Value
	Slot     = codec.Slot
	SlotKind = codec.SlotKind
)

const (
	Register        = codec.Register
	AddressRegister = codec.AddressRegister
	Condition       = codec.Condition
	Address         = codec.Address
	Data            = codec.Data
)
