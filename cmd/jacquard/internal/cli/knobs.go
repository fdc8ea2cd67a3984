package cli

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"jacquard/libcuda/driver"
)

// knobFlags are flags made from the driver's table of knobs: each knob is a flag of the
// tool and an environment variable of the library.
type knobFlags struct {
	knobs  []driver.Knob
	values map[string]*knobValue
	cmd    *cobra.Command
}

// knobValue is the value of such a flag. Whether it is a good one is found out when the knobs of the environment are.
type knobValue struct {
	text string
	knob driver.KnobType
}

func (v *knobValue) String() string        { return v.text }
func (v *knobValue) Set(text string) error { v.text = text; return nil }

// Type returns what stands for the value in help.
func (v *knobValue) Type() string {
	return [...]string{
		driver.KnobChoice: "WORD", driver.KnobChoices: "WORD,...", driver.KnobCount: "N", driver.KnobCrosscheck: "LIBRARY", driver.KnobPath: "FILE",
		driver.KnobPolicy: "POLICY", driver.KnobRecord: "FILE", driver.KnobStats: "WORD|FILE", driver.KnobTrace: "FILE",
	}[v.knob]
}

// addKnobs gives c a flag for each knob except those named.
func addKnobs(c *cobra.Command, except ...string) *knobFlags {
	f := &knobFlags{values: map[string]*knobValue{}, cmd: c}
	for _, k := range driver.Knobs() {
		if slices.Contains(except, k.Name) {
			continue
		}
		f.knobs = append(f.knobs, k)
		help := k.Help
		if len(k.Values) > 0 {
			help += " One of " + list(k.Values) + "."
		}
		help += " (default " + defaultOf(k) + ", or $" + k.Env + ")"
		f.values[k.Name] = &knobValue{knob: k.Type}
		c.Flags().VarPF(f.values[k.Name], k.Name, "", help).Annotations = map[string][]string{isKnob: {k.Env}}
		if len(k.Values) > 0 {
			err := c.RegisterFlagCompletionFunc(k.Name, cobra.FixedCompletions(k.Values, cobra.ShellCompDirectiveNoFileComp))
			if err != nil {
				panic("cli: " + err.Error())
			}
		}
	}
	return f
}

// onlyKnobs gives c a flag for each knob named, and no other.
func onlyKnobs(c *cobra.Command, names ...string) *knobFlags {
	var except []string
	for _, k := range driver.Knobs() {
		if !slices.Contains(names, k.Name) {
			except = append(except, k.Name)
		}
	}
	return addKnobs(c, except...)
}

func defaultOf(k driver.Knob) string {
	if k.Default == "" {
		return "none"
	}
	return k.Default
}

// check reports the first flag, or variable of the environment where no flag is given,
// whose value its knob does not know.
func (f *knobFlags) check(lookup func(string) (string, bool)) error {
	for _, k := range f.knobs {
		value, _ := lookup(k.Env)
		given := f.cmd.Flags().Changed(k.Name)
		if given {
			value = f.values[k.Name].text
		}
		if value == "" && !given {
			continue
		}
		err := k.Check(value)
		var bad *driver.KnobError
		if given && errors.As(err, &bad) {
			return usagef("--%s: unknown value %q: %s", bad.Knob, bad.Value, bad.Want)
		}
		if err != nil {
			return usagef("%w", err)
		}
	}
	return nil
}

// environment returns the variables that set the library's knobs as the flags say.
func (f *knobFlags) environment() []string {
	var env []string
	for _, k := range f.knobs {
		if f.cmd.Flags().Changed(k.Name) {
			env = append(env, k.Env+"="+f.values[k.Name].text)
		}
	}
	return env
}

// settings returns the knobs as the flags set them, and as lookup, an environment, does
// where a flag is not given.
func (f *knobFlags) settings(lookup func(string) (string, bool)) driver.Settings {
	given := map[string]string{}
	for _, k := range f.knobs {
		if f.cmd.Flags().Changed(k.Name) {
			given[k.Env] = f.values[k.Name].text
		}
	}
	return driver.SettingsFrom(func(name string) (string, bool) {
		if v, ok := given[name]; ok {
			return v, true
		}
		return lookup(name)
	})
}
