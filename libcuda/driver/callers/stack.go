package callers

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"jacquard/simt/check"
)

// Process is the present process. Several goroutines may use it. The zero value is ready for use.
type Process struct {
	mu    sync.Mutex
	maps  []mapping
	files map[string]*file
}

// Call is a call of the program that has come to the driver.
type Call struct {
	Name  string        // the function that the program called; "<<<>>>" is a launch; "" is not known
	Stack []check.Frame // of the program, innermost first
	Own   bool          // the program called the driver itself, not a runtime library

	behind []uintptr // return addresses, from the program's innermost on
}

// place is what is known of a return address.
type place struct {
	pc     uintptr
	module string
	symbol string
	frames []check.Frame // with lines
}

// Resolve finds out which call the return addresses on a stack belong to, innermost first.
func (p *Process) Resolve(pcs []uintptr) Call {
	p.mu.Lock()
	defer p.mu.Unlock()
	places := make([]place, len(pcs))
	for i, pc := range pcs {
		places[i] = p.place(pc)
	}
	first, call := entry(places)
	call.behind = slices.Clone(pcs[first:])
	for _, at := range places[first:] {
		frames, stubs := at.stack()
		if stubs && len(call.Stack) == 0 {
			call.Name = Launch
		}
		call.Stack = append(call.Stack, frames...)
	}
	for n := len(call.Stack); n > 0 && (call.Stack[n-1].Function == "" || beginsPrograms(&call.Stack[n-1])); n-- {
		call.Stack = call.Stack[:n-1]
	}
	return call
}

// stub is in the names of the functions that compilers make for launches.
const stub = "__device_stub__"

// Launch is the name of a call that is a launch.
const Launch = "<<<>>>"

// place looks a return address up. The call stands before it.
func (p *Process) place(pc uintptr) place {
	at := place{pc: pc}
	m, ok := p.find(pc - 1)
	if !ok {
		return at
	}
	at.module = m.path
	f := p.file(m.path)
	if address, ok := f.address(uint64(pc-1-m.first) + m.offset); ok {
		at.symbol, at.frames = f.symbol(address), f.frames(address)
	}
	return at
}

// stack returns the frames of a place. Those of the functions that a launch calls are left out; stubs
// tells whether there are any.
func (at *place) stack() (list []check.Frame, stubs bool) {
	if strings.Contains(at.symbol, stub) {
		return nil, true
	}
	if len(at.frames) == 0 {
		return []check.Frame{{Function: at.symbol, Module: at.module}}, false
	}
	list = slices.DeleteFunc(slices.Clone(at.frames), func(f check.Frame) bool { return strings.Contains(f.Function, stub) })
	for i := range list {
		list[i].Module, list[i].System = at.module, IsSystem(list[i].File)
	}
	return list, len(list) < len(at.frames)
}

var (
	entryName = regexp.MustCompile(`^(__)?cu(da)?[A-Z]\w*$`)
	innerName = regexp.MustCompile(`^runtime_\w+$`) // of a runtime library that is part of the program
	version   = regexp.MustCompile(`_v\d$`)
)

// entry returns the index of the program's innermost place, and the call that was made there. The
// places before it are the driver's and the runtime library's, which may be a part of the program:
// they have no lines, and the outermost function among them has a call's name.
func entry(places []place) (first int, call Call) {
	call.Own = true
	for i, at := range places {
		if len(at.frames) > 0 {
			break
		}
		library := isLibrary(at.module)
		if library || entryName.MatchString(at.symbol) || innerName.MatchString(at.symbol) {
			first = i + 1
		}
		if entryName.MatchString(at.symbol) {
			call.Name = version.ReplaceAllString(at.symbol, "")
			call.Own = !strings.HasPrefix(strings.TrimPrefix(at.symbol, "__"), "cuda")
		}
		if library && strings.HasPrefix(path.Base(at.module), "libcudart") {
			call.Own = false
		}
	}
	return first, call
}

// isLibrary reports whether a file of code is the driver's or a runtime library.
func isLibrary(module string) bool {
	base := path.Base(module)
	return strings.HasPrefix(base, "libcuda.so") || strings.HasPrefix(base, "libcudart")
}

// beginsPrograms reports whether a frame is of the code that calls main or a thread's function.
func beginsPrograms(f *check.Frame) bool {
	base := path.Base(f.Module)
	return f.File == "" && (strings.HasPrefix(base, "libc.so") || strings.HasPrefix(base, "libc-") ||
		strings.HasPrefix(base, "libpthread") || f.Function == "_start")
}

// headers are the files of the toolkit that have functions of the host.
var headers = regexp.MustCompile(`/include/((crt|jacquard)/.*|cuda\w*\.h|cuComplex\.h|channel_descriptor\.h|vector_types\.h|\w+_functions\.h|cu(blas|fft|rand|sparse)\w*\.h)$`)

// IsSystem reports whether a source file is of the toolkit or the system, not the user's.
func IsSystem(file string) bool {
	return strings.HasPrefix(file, "/usr/") || headers.MatchString(path.Clean(file))
}
