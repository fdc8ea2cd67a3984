package knobs

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"jacquard/libcuda/bundle"
	"jacquard/simt"
	"jacquard/simt/stats"
	"jacquard/simt/trace"
)

// Values are the parsed values of the knobs.
type Values struct {
	Models   []string // of the devices, by ordinal
	Log      LogLevel
	Policy   string
	SIMD     string
	Digest   bool
	Exact    bool // allocations have no slack
	Stats    Stats
	Summary  string // a file, "" for none
	Watchdog uint64
	InStep   simt.InStep
	Workers  int
	Record   File[bundle.Options]
	Trace    File[trace.Options]
}

// LogLevel says how much the driver logs.
type LogLevel int

// The levels; each includes the ones before it.
const (
	LogOff LogLevel = iota
	LogError
	LogInfo
)

// Stats is the value of the stats knob.
type Stats struct {
	Count bool
	Write bool         // to To
	To    stats.Target // where statistics go
}

// File is the value of a knob that names a file to write and options of writing it.
type File[O any] struct {
	Path    string // "" for none
	Options O
}

// maxWorkers is more workers than a launch can use.
const maxWorkers = 1 << 10

// Parse checks and parses all knobs; an empty text is the knob's default.
func (s Settings) Parse() (v Values, err error) {
	for _, k := range knobs {
		value := s.field(k.Name)
		if *value == "" {
			*value = k.Default
		}
		if *value == "" {
			continue
		}
		if err := k.Check(*value); err != nil {
			return v, err
		}
	}
	if err := simt.CheckSIMD(s.Simd); err != nil {
		return v, fmt.Errorf("JACQUARD_SIMD: %w", err)
	}
	v = Values{
		Models:  strings.Split(s.Device, ","),
		SIMD:    s.Simd,
		Log:     map[string]LogLevel{"off": LogOff, "error": LogError, "info": LogInfo}[s.Log],
		Policy:  s.Policy,
		Digest:  s.Digest == "on",
		Exact:   s.Memory == "exact",
		Summary: s.Summary,
		InStep:  map[string]simt.InStep{"auto": simt.InStepAuto, "on": simt.InStepOn, "off": simt.InStepOff}[s.Warpsync],
	}
	if v.Stats, err = parseStats(s.Stats); err != nil {
		return v, err
	}
	if v.Trace, err = parseFile(s.Trace, trace.ParsePath); err != nil {
		return v, err
	}
	if v.Record, err = parseFile(s.Record, bundle.ParsePath); err != nil {
		return v, err
	}
	if v.Watchdog, err = strconv.ParseUint(s.Watchdog, 10, 64); err != nil {
		return v, err
	}
	workers, err := strconv.ParseUint(s.Workers, 10, 64)
	v.Workers = int(min(workers, maxWorkers))
	return v, err
}

// parseStats parses the stats knob: on, off or a target.
func parseStats(value string) (s Stats, err error) {
	switch value {
	case "on":
		s.Count = true
	case "off":
	default:
		s.Count, s.Write = true, true
		s.To, err = stats.ParseTarget(value)
		s.To.Path = ofProcess(s.To.Path)
	}
	return s, err
}

// parseFile parses a knob that names a file.
func parseFile[O any](value string, parse func(string) (string, O, error)) (f File[O], err error) {
	if value == "" {
		return f, nil
	}
	f.Path, f.Options, err = parse(value)
	f.Path = ofProcess(f.Path)
	return f, err
}

// ofProcess replaces %p in a path by the process's number, so that each process of a program writes
// a file of its own.
func ofProcess(path string) string { return strings.ReplaceAll(path, "%p", strconv.Itoa(os.Getpid())) }
