package bind

// Report is the examination of a program before it runs.
type Report struct {
	Program string `json:"program"` // path
	// Kind is "64-bit x86-64 program", "script for /bin/sh", ...
	Kind string `json:"kind"`
	// Shared is set for a library, or a module that a program loads.
	Shared bool     `json:"shared,omitempty"`
	Needed []string `json:"needed,omitempty"` // libraries it links
	Opens  []string `json:"opens,omitempty"`  // names of libcuda in its data, for dlopen
	// Runtime is the CUDA runtime: a library's name, or "static".
	Runtime string `json:"runtime,omitempty"`
	// RuntimeFile is the runtime library that the loader picks under jacquard exec.
	RuntimeFile string   `json:"runtimeFile,omitempty"`
	Functions   int      `json:"functions,omitempty"` // of libcuda that it links
	Missing     []string `json:"missing,omitempty"`   // functions that the simulator lacks
	Absent      []Absent `json:"absent,omitempty"`    // libraries that the loader does not find
	// Code lists the targets of the device code in it: sm_13, or compute_13 for PTX.
	Code      []string `json:"code,omitempty"`
	Simulator string   `json:"simulator"` // path of the simulator's libcuda.so.1
	// LibraryPath is the LD_LIBRARY_PATH of jacquard exec: the simulator's folder, the previous
	// value, and the folder of the simulator's runtime libraries if the program needs one of them.
	LibraryPath string `json:"libraryPath"`
	// Now is the libcuda that the loader would pick today.
	Now   string   `json:"now,omitempty"`
	Notes []string `json:"notes,omitempty"` // worth knowing
	// Problems say why it cannot run on the simulator, and how to fix that.
	Problems []string `json:"problems,omitempty"`
	Verdict  Verdict  `json:"verdict"`
}

// Verdict is the conclusion of a Report.
type Verdict string

// The verdicts.
const (
	Runs   Verdict = "runs"   // binds to the simulator under jacquard exec
	MayRun Verdict = "may"    // no trace of libcuda in it; a child or module may use it
	Cannot Verdict = "cannot" // see Problems
)

// Conclusion returns the verdict in words.
func (r *Report) Conclusion() string {
	switch {
	case !r.Shared || r.Verdict == MayRun:
		return r.Verdict.Sentence()
	case r.Verdict == Runs:
		return "binds to the simulator in a program that runs under jacquard exec"
	default:
		return "cannot be loaded on the simulator"
	}
}

// Sentence returns the verdict on a program in words.
func (v Verdict) Sentence() string {
	switch v {
	case Runs:
		return "runs on the simulator under jacquard exec"
	case MayRun:
		return "no trace of libcuda in it: it uses the simulator only if something that it loads or starts asks for libcuda"
	default:
		return "cannot run on the simulator"
	}
}
