package knobs

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"jacquard/simt"
	"jacquard/simt/check"
)

// Values are the parsed values of the knobs.
type Values struct {
	Outputs          // of this process
	Models  []string // of the devices, by ordinal
	Check   Check
	Log     LogLevel
	Order   simt.Order
	Policy  string
	Host    simt.Host
	Digest  bool
	Memory
	BoardPTX bool   // PTX for architectures after the device's is refused
	Summary  string // a file, "" for none
	Progress string // a file, "" for none
	Watchdog uint64
	InStep   simt.InStep
	Workers  int
}

// Memory says how device memory lies.
type Memory struct {
	Exact   bool   // allocations have no slack
	Packed  bool   // allocations lie one after the other
	Padding uint64 // unmapped bytes around each allocation, at the least; not with Packed
}

// Check says which mistakes of a program to look for.
type Check struct {
	check.Set
	Report string // the file for what is found; "" for standard error
}

// ProgressOff is the value of the progress knob that writes and shows nothing.
const ProgressOff = "off"

// LogLevel says how much the driver logs.
type LogLevel int

// The levels; each includes the ones before it.
const (
	LogOff LogLevel = iota
	LogError
	LogInfo
)

// maxWorkers is more workers than a launch can use.
const maxWorkers = 1 << 10

// Padding is at most this, a quarter of all addresses.
const maxPadding = 1 << 30

// memory returns how device memory lies.
func (s *Settings) memory() (m Memory, err error) {
	m.Exact, m.Packed = s.Memory == "exact", s.Memory == "packed"
	if m.Padding, err = strconv.ParseUint(s.Padding, 10, 64); err != nil {
		return m, err
	}
	switch {
	case m.Padding > maxPadding:
		return m, &Error{Knob: "padding", Env: Prefix + "PADDING", Value: s.Padding, Want: fmt.Sprintf("want at most %d", maxPadding)}
	case m.Packed && m.Padding > 0:
		return m, errors.New("JACQUARD_PADDING: packed memory has none: choose JACQUARD_MEMORY=exact or board")
	}
	return m, nil
}

// wantsExact reports whether the kind of memory that is chosen, if none is given, is exact.
func (s *Settings) wantsExact() bool {
	kinds, _ := check.ParseSet(s.Check) // its mistakes are reported elsewhere
	return kinds.Has(check.KindMemory) || s.Padding != "" && s.Padding != "0"
}

// Parse checks and parses all knobs; an empty text is the knob's default.
func (s Settings) Parse() (v Values, err error) {
	if s.Memory == "" && s.wantsExact() {
		s.Memory = "exact"
	}
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
	host := simt.Host{Engine: s.Engine, SIMD: s.Simd}
	if err := simt.CheckEngine(host); err != nil {
		return v, fmt.Errorf("JACQUARD_ENGINE: %w", err)
	}
	v = Values{
		Models:   strings.Split(s.Device, ","),
		Host:     host,
		Log:      map[string]LogLevel{"off": LogOff, "error": LogError, "info": LogInfo}[s.Log],
		Policy:   s.Policy,
		Digest:   s.Digest == "on",
		BoardPTX: s.PTX == "board",
		Summary:  s.Summary,
		Check:    Check{Report: s.CheckReport},
		InStep:   map[string]simt.InStep{"auto": simt.InStepAuto, "on": simt.InStepOn, "off": simt.InStepOff}[s.Warpsync],
	}
	if s.Progress != ProgressOff {
		v.Progress = s.Progress
	}
	if v.Check.Set, err = check.ParseSet(s.Check); err != nil {
		return v, err
	}
	if v.Order, err = simt.ParseOrder(s.Order); err != nil {
		return v, err
	}
	if v.Outputs, err = s.Outputs(); err != nil {
		return v, err
	}
	v.Outputs = v.Outputs.OfProcess()
	if v.Memory, err = s.memory(); err != nil {
		return v, err
	}
	if v.Watchdog, err = strconv.ParseUint(s.Watchdog, 10, 64); err != nil {
		return v, err
	}
	workers, err := strconv.ParseUint(s.Workers, 10, 64)
	v.Workers = int(min(workers, maxWorkers))
	return v, err
}
