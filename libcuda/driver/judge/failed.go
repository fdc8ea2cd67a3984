package judge

import (
	"fmt"

	"jacquard/libcuda/driver/callers"
	"jacquard/simt/check"
)

// failedCall is a call of the runtime library that failed. The code behind the call does not look at
// the result; the program may ask for the last error later.
type failedCall struct {
	site        *Call
	name, error string // names of the function and the error
}

// explain says that a finding tells why a thread's call fails, so that it is no unchecked one.
func (t *Thread) explain(j *Judge) {
	j.mu.Lock()
	defer j.mu.Unlock()
	t.explained = true
}

// explains reports whether a finding told why the thread's last call failed, and forgets it.
func (t *Thread) explains(j *Judge) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	was := t.explained
	t.explained = false
	return was
}

// driverFailed reports a call of the driver that fails, if the program made it and does not look.
func (t *Thread) driverFailed(j *Judge, s *Call, failure string) {
	if !j.judges(check.KindAPI) {
		return
	}
	if call := j.resolve(s); call.Own && !t.explains(j) && !call.Looked() {
		j.unchecked(failedCall{s, call.Name, failure})
	}
}

// RuntimeFailed says that a call of a runtime library fails, with the names of the function and of
// the error. It is called within that call.
func (j *Judge) RuntimeFailed(t *Thread, call, failure string) {
	s := j.Call(t)
	if s == nil || t.explains(j) || !j.judges(check.KindAPI) {
		return
	}
	at := j.resolve(s)
	if at.Name == "" {
		at.Name = call
	}
	if failure == "cudaErrorInvalidMemcpyDirection" {
		j.found(s, "copy", wrongKind("the kind of the copy is none that "+call+" has"))
		return
	}
	if at.Looked() {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	t.unseen = append(t.unseen, failedCall{s, call, failure})
}

// ErrorAsked says that the program asks a runtime library for the thread's last error. j may be nil.
func (t *Thread) ErrorAsked(j *Judge) {
	if j == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	t.unseen = nil
}

// unchecked reports a call that failed.
func (j *Judge) unchecked(f failedCall) {
	name := f.name
	if at := j.resolve(f.site); at.Name != "" {
		name = at.Name
	}
	if name == callers.Launch {
		name = "a launch"
	}
	j.found(f.site, "call", check.Finding{
		Kind: check.KindAPI, What: "unchecked",
		Text:   fmt.Sprintf("%s fails with %s, and the program does not look", name, f.error),
		Advice: "Compare the result with success, or ask for the last error behind the call.",
	})
}

// Kinds reports a copy within the device, or between device memory and host memory, whose pointers
// are not what the copy takes them for. device are the pointers that it takes for the device's; host
// is the other, 0 if there is none. holds reports whether device memory lies at an address. A copy
// with a wrong device pointer fails.
func (j *Judge) Kinds(t *Thread, device []uint64, host uintptr, fails bool, holds func(addr uint32) bool) {
	if !j.judges(check.KindAPI) {
		return
	}
	text := ""
	for _, p := range device {
		if fails && (p != uint64(uint32(p)) || !holds(uint32(p))) && callers.Readable(uintptr(p)) {
			text = fmt.Sprintf("the copy takes 0x%x for device memory, and it is the host's", p)
		}
	}
	if addr := uint32(host); host != 0 && uintptr(addr) == host && holds(addr) && !callers.Readable(host) {
		text = fmt.Sprintf("the copy takes 0x%x for memory of the host, and it is the device's", host)
	}
	if text != "" {
		t.explain(j)
		j.found(j.Call(t), "copy", wrongKind(text))
	}
}

// wrongKind is the finding of a copy whose kind is not that of its pointers.
func wrongKind(text string) check.Finding {
	return check.Finding{
		Kind: check.KindAPI, What: "copy-kind", Text: text,
		Advice: "Give the copy the kind that its source and its destination have.",
	}
}
