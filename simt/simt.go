package simt

import (
	"jacquard/simt/check"
	"jacquard/simt/count"
	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/simt/schedule"
	"jacquard/simt/watch"
)

// Code and launches.
type (
	Kernel      = program.Kernel
	Modes       = program.Modes
	Program     = schedule.Program
	Effects     = program.Effects
	Plan        = program.Plan
	Refusal     = program.Refusal
	Launch      = schedule.Launch
	LaunchError = program.LaunchError
	Limits      = schedule.Limits
	Pool        = schedule.Pool
)

// Statistics.
type (
	Stats            = count.Stats
	InstructionStats = count.InstructionStats
	MemoryStats      = count.MemoryStats
	Operands         = count.Operands
	Outcomes         = count.Outcomes
	Arbiter          = count.Arbiter
	Executed         = count.Executed
)

// Slots is the number of groups of eight lanes: see count.Slots.
const Slots = count.Slots

// Listeners.
type (
	Observer      = watch.Observer
	BlockObserver = watch.BlockObserver
	Block         = watch.Block
	Issue         = watch.Issue
	WarpIssue     = watch.WarpIssue
	Recorder      = watch.Recorder
	BlockRecorder = watch.BlockRecorder
	Stretch       = watch.Stretch
)

// What a kernel does wrong, or as no board would tell.
type (
	Fault      = machine.Fault
	FaultKind  = machine.FaultKind
	Overrun    = machine.Overrun
	Dependence = check.Dependence
	InStep     = schedule.InStep
)

// Whether to look for code that relies on lanes running in step.
const (
	InStepAuto = schedule.InStepAuto
	InStepOn   = schedule.InStepOn
	InStepOff  = schedule.InStepOff
)

// The kinds of fault. The driver turns each into a CUDA error in one table.
const (
	FaultIllegalInstruction = machine.FaultIllegalInstruction
	FaultIllegalAddress     = machine.FaultIllegalAddress
	FaultMisaligned         = machine.FaultMisaligned
	FaultInvalidPC          = machine.FaultInvalidPC
	FaultStack              = machine.FaultStack
	FaultTrap               = machine.FaultTrap
	FaultBarrier            = machine.FaultBarrier
	FaultLivelock           = machine.FaultLivelock
	FaultWatchdog           = machine.FaultWatchdog
	FaultInterrupt          = machine.FaultInterrupt
	FaultUnsupported        = machine.FaultUnsupported
	FaultInternal           = machine.FaultInternal
)
