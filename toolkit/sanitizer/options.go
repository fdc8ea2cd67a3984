package sanitizer

import "jacquard/toolkit/options"

// The names of the tools.
const (
	Sanitizer = "compute-sanitizer"
	Memcheck  = "cuda-memcheck"
)

// common are the options of both tools that have an effect.
var common = options.Table{
	{Long: "tool", Kind: options.Value, Value: "memcheck|racecheck|initcheck|synccheck", Help: "what to look for; memcheck unless it is given"},
	{Long: "leak-check", Kind: options.Value, Value: "full|no", Help: "memcheck: report what is left at the end; no unless it is given"},
	{Long: "report-api-errors", Kind: options.Value, Value: "all|extended|explicit|yes|no", Help: "memcheck: report calls that fail unseen; all words but no mean the same"},
	{Long: "error-exitcode", Kind: options.Value, Value: "N", Help: "the exit status if the program succeeds and has errors; 0 unless it is given"},
	{Long: "log-file", Kind: options.Value, Value: "FILE", Help: "write the report to a file, not to standard output"},
	{Long: "print-limit", Kind: options.Value, Value: "N", Help: "print N findings at most; 0 prints all; 100 unless it is given"},
	{Long: "padding", Kind: options.Value, Value: "N", Help: "keep N bytes before and behind each allocation unmapped; a page unless it is given"},
	{Long: "racecheck-report", Kind: options.Value, Value: "analysis", Help: "racecheck: by place, and nothing else"},
	{Long: "racecheck-detect-level", Kind: options.Value, Value: "warn|error", Help: "racecheck: error leaves out what the lock step of a warp orders"},
	{Long: "suppressions", Kind: options.Value, Value: "FILE", Help: "leave out findings that the file knows"},
	{Long: "destroy-on-device-error", Kind: options.Value, Value: "context", Help: "an error of a kernel ends the context"},
}

// filters are the options of compute-sanitizer for kernels.
var filters = options.Table{
	{Long: "kernel-name", Short: "kernel-regex", Kind: options.Value, Value: "kne=NAME|kns=PART|regex=RE,...", Help: "only these kernels"},
	{Long: "kernel-name-exclude", Short: "kernel-regex-exclude", Kind: options.Value, Value: "kne=NAME|kns=PART|regex=RE,...", Help: "not these kernels"},
	{Long: "require-cuda-init", Kind: options.Value, Value: "yes", Help: "a program that never uses CUDA is an error"},
}

// filter is the option of cuda-memcheck for kernels.
var filter = options.Table{
	{Long: "filter", Short: "f", Kind: options.Value, Value: "kne=NAME|kns=PART,...", Help: "only these kernels"},
}

// idle are options without effect: what they choose is always done here, or is of no use without a
// board.
var idle = []string{
	"binary-patching", "check-api-memory-access", "check-device-heap", "check-exit-code", "demangle", "force-blocking-launches",
	"language", "show-backtrace", "target-processes", "num-callers-device", "num-callers-host", "launch-timeout",
}

// refused are options that cannot be carried out, with what to do instead.
var refused = map[string]string{
	"save":                "jacquard check --json writes a report to a file",
	"read":                "jacquard check --json writes a report to a file",
	"xml":                 "jacquard check writes --json, --sarif and --junit",
	"track-unused-memory": "jacquard check has no such kind of finding",
	"launch-skip":         "--kernel-name chooses kernels",
	"launch-count":        "--kernel-name chooses kernels",
	"print-level":         "--racecheck-detect-level chooses levels",
	"prefix":              "lines begin with =========",
}

// toolOf returns the description of a tool.
func toolOf(name string) *options.Tool {
	t := &options.Tool{Name: name, Title: "Jacquard's, in the place of NVIDIA's " + name,
		Usage: name + " runs a program on the simulator and reports its mistakes: " + name + " [options] PROGRAM [arguments]"}
	t.Table = append(t.Table, common...)
	if name == Sanitizer {
		t.Table = append(t.Table, filters...)
	} else {
		t.Table = append(t.Table, filter...)
	}
	for _, o := range idle {
		t.Table = append(t.Table, options.Option{Long: o, Kind: options.Value, Value: "WORD", Help: "without effect"})
	}
	for o, instead := range sorted(refused) {
		t.Table = append(t.Table, options.Option{Long: o, Kind: options.Joined, Value: "WORD", Help: "not supported: " + instead})
	}
	return t
}
