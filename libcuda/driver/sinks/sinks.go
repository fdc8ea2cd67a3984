package sinks

import (
	"jacquard/cubin"
	"jacquard/simt"
	"jacquard/simt/mem/texture"
)

// Sink is told of every launch. Launches of one context come one after the other; launches of
// different contexts may come at once.
type Sink interface {
	// Begin is called before a launch and may attach a recorder to it. The caller calls end when
	// the kernel has run or was refused.
	Begin(*Launch) (end func())
}

// Ender is a Sink that is told of the end of the process, and marks its file as complete.
type Ender interface{ End() }

// Launch is a launch as sinks see it. Its memory is the device's, and must not be changed.
type Launch struct {
	Number   int     // from 0, in the order in which launches of the process begin; refused ones count
	Context  uintptr // handle
	Module   uintptr // handle
	Code     uintptr // handle of Kernel's code: Module, or the code of a ModuleFitted
	Device   string  // the model
	Kernel   *cubin.Kernel
	Request  simt.Launch // with all memory of the context
	Textures []Binding   // by texture unit

	// Known at the end.
	Stats  *simt.Stats // nil if the launch was refused
	Result string      // the name of the CUresult
	Err    error       // the reason, unless the launch succeeded
}

// refused reports whether no device runs the launch. Traces and bundles have no such launches, because
// their readers refuse them.
func (l *Launch) refused() bool { return l.Request.Check() != nil }

// Binding is a texture reference at a launch, with the numbers of the C interface.
type Binding struct {
	Name     string // the reference in its module; "" for a unit without one
	Texture  texture.Texture
	Array    uintptr // handle of the array, if Texture.Kind is texture.Array
	Format   uint32  // as the program set it
	Channels int
	Flags    uint32
	Filter   uint32
	Modes    [3]uint32
}

// Log receives a sink's messages about its file.
type Log interface {
	Error(format string, args ...any)
	Info(format string, args ...any)
	Once(format string, args ...any) // an error, unless it logged the same line before
	Note(format string, args ...any) // news at the level of errors that is no error
	Lost(err error)                  // once: a file broke off
}

// opened logs that the file at path receives what. A path other than asked is logged as a note:
// another process writes the file asked for, or a process of this run wrote it.
func opened(log Log, what, asked, path string) {
	if path == asked {
		log.Info("%s %s", what, path)
		return
	}
	log.Note("another process has %s: %s %s", asked, what, path)
}
