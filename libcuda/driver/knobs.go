package driver

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"jacquard/libcuda/bundle"
	"jacquard/simt"
	"jacquard/simt/trace"
)

// KnobType says what values a knob takes.
type KnobType uint8

// The types of knob.
const (
	KnobChoice     KnobType = iota // one of the knob's Values
	KnobChoices                    // several of them, separated by commas
	KnobCount                      // a decimal number, 0 or more
	KnobCrosscheck                 // a library, with options behind a colon: see ParseCrosscheck
	KnobPath                       // a file
	KnobPolicy                     // one of simt.Policies, with options of its own behind a colon
	KnobRecord                     // a file, with options behind a colon: see bundle.ParsePath
	KnobStats                      // one of the knob's Values, or where statistics go: see stats.ParseTarget
	KnobTrace                      // a file, with options behind a colon: see trace.ParsePath
)

// Knob is one thing a user can set: a flag of the tool and an environment variable.
type Knob struct {
	Name    string // also the flag's
	Env     string // the environment variable's
	Type    KnobType
	Default string
	Values  []string // of a choice
	Help    string   // one sentence
}

// Knobs returns all knobs by name.
func Knobs() []Knob {
	list := slices.Clone(knobs[:])
	for i := range list {
		if k := &list[i]; k.Type == KnobPolicy {
			k.Values = simt.Policies()
		}
	}
	return list
}

// Check says what is wrong with value, in one line that lists the good values.
func (k *Knob) Check(value string) error {
	switch k.Type {
	case KnobChoice:
		if !slices.Contains(k.Values, value) {
			return k.bad(value, "want "+list(k.Values))
		}
	case KnobChoices:
		for _, v := range strings.Split(value, ",") {
			if !slices.Contains(k.Values, v) {
				return k.bad(v, "want "+list(k.Values)+", or several with commas between")
			}
		}
	case KnobPolicy:
		if want := simt.WantPolicy(value); want != "" {
			return k.bad(value, "want "+want)
		}
	case KnobCrosscheck:
		_, err := ParseCrosscheck(value)
		var bad *CrosscheckError
		if errors.As(err, &bad) {
			return k.bad(value, bad.Text+": want "+bad.Want)
		}
	case KnobRecord:
		_, _, err := bundle.ParsePath(value)
		var bad *bundle.OptionError
		if errors.As(err, &bad) {
			return k.bad(value, bad.Text+": want "+bad.Want)
		}
	case KnobStats:
		if _, err := readStatsKnob(value); err != nil {
			return k.bad(value, "want "+wantStats(k.Values))
		}
	case KnobTrace:
		_, _, err := trace.ParsePath(value)
		var bad *trace.OptionError
		if errors.As(err, &bad) {
			return k.bad(value, bad.Text+": want "+bad.Want)
		}
	case KnobCount:
		if _, err := strconv.ParseUint(value, 10, 64); err != nil {
			return k.bad(value, "want a number, 0 or more")
		}
	}
	return nil
}

func (k *Knob) bad(value, want string) error {
	return &KnobError{Knob: k.Name, Env: k.Env, Value: value, Want: want}
}

// KnobError is a value that a knob does not know.
type KnobError struct {
	Knob, Env, Value string
	Want             string // the good values, in words
}

// Error names the environment variable and the good values.
func (e *KnobError) Error() string {
	return fmt.Sprintf("%s: unknown value %q: %s", e.Env, e.Value, e.Want)
}

func list(values []string) string {
	if len(values) < 2 {
		return strings.Join(values, "")
	}
	last := len(values) - 1
	return strings.Join(values[:last], ", ") + " or " + values[last]
}

// SettingsFrom reads the knobs from an environment: lookup is os.LookupEnv or one like it.
func SettingsFrom(lookup func(string) (string, bool)) Settings {
	var s Settings
	for _, k := range knobs {
		*s.field(k.Name), _ = lookup(k.Env)
	}
	return s
}

// settings are the knobs' values, understood.
type settings struct {
	models   []*model
	log      logLevel
	policy   string
	simd     string
	digest   bool
	exact    bool // allocations have no slack
	stats    statsKnob
	summary  string
	watchdog uint64
	inStep   simt.InStep
	workers  int
	record   fileKnob[bundle.Options]
	trace    fileKnob[trace.Options]
}

// maxWorkers is more cores than a launch can use.
const maxWorkers = 1 << 10

// parse checks all knobs and reads them.
func (s Settings) parse() (settings, error) {
	for _, k := range knobs {
		value := s.field(k.Name)
		if *value == "" {
			*value = k.Default
		}
		if *value == "" {
			continue
		}
		if err := k.Check(*value); err != nil {
			return settings{}, err
		}
	}
	if err := simt.CheckSIMD(s.Simd); err != nil {
		return settings{}, fmt.Errorf("JACQUARD_SIMD: %w", err)
	}
	parsed := settings{
		simd:    s.Simd,
		log:     map[string]logLevel{"off": logOff, "error": logError, "info": logInfo}[s.Log],
		policy:  s.Policy,
		digest:  s.Digest == "on",
		exact:   s.Memory == "exact",
		summary: s.Summary,
		inStep:  map[string]simt.InStep{"auto": simt.InStepAuto, "on": simt.InStepOn, "off": simt.InStepOff}[s.Warpsync],
	}
	for _, key := range strings.Split(s.Device, ",") {
		parsed.models = append(parsed.models, modelOf(key))
	}
	var err error
	if parsed.stats, err = readStatsKnob(s.Stats); err != nil {
		return parsed, err
	}
	if parsed.trace, err = readFileKnob(s.Trace, trace.ParsePath); err != nil {
		return parsed, err
	}
	if parsed.record, err = readFileKnob(s.Record, bundle.ParsePath); err != nil {
		return parsed, err
	}
	if parsed.watchdog, err = strconv.ParseUint(s.Watchdog, 10, 64); err != nil {
		return parsed, err
	}
	workers, err := strconv.ParseUint(s.Workers, 10, 64)
	parsed.workers = int(min(workers, maxWorkers))
	return parsed, err
}
