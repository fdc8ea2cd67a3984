package cli

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"jacquard/libcuda/driver/knobs"
)

// knobFlags are flags made from the driver's table of knobs: each knob is a flag of the
// tool and an environment variable of the library.
type knobFlags struct {
	knobs  []knobs.Knob
	values map[string]*knobValue
	cmd    *cobra.Command
}

// knobValue is the value of such a flag. Whether it is a good one is found out when the knobs of the environment are.
type knobValue struct {
	text string
	knob knobs.Type
}

func (v *knobValue) String() string        { return v.text }
func (v *knobValue) Set(text string) error { v.text = text; return nil }

// Type returns what stands for the value in help.
func (v *knobValue) Type() string {
	return [...]string{
		knobs.TypeChoice: "WORD", knobs.TypeChoices: "WORD,...", knobs.TypeCount: "N", knobs.TypeCrosscheck: "LIBRARY", knobs.TypePath: "FILE",
		knobs.TypePolicy: "POLICY", knobs.TypeRecord: "FILE", knobs.TypeStats: "WORD|FILE", knobs.TypeTrace: "FILE",
	}[v.knob]
}

// addKnobs gives c a flag for each knob except those named.
func addKnobs(c *cobra.Command, except ...string) *knobFlags {
	f := &knobFlags{values: map[string]*knobValue{}, cmd: c}
	for _, k := range knobs.All() {
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
	for _, k := range knobs.All() {
		if !slices.Contains(names, k.Name) {
			except = append(except, k.Name)
		}
	}
	return addKnobs(c, except...)
}

func defaultOf(k knobs.Knob) string {
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
		var bad *knobs.Error
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
func (f *knobFlags) settings(lookup func(string) (string, bool)) knobs.Settings {
	given := map[string]string{}
	for _, k := range f.knobs {
		if f.cmd.Flags().Changed(k.Name) {
			given[k.Env] = f.values[k.Name].text
		}
	}
	return knobs.From(func(name string) (string, bool) {
		if v, ok := given[name]; ok {
			return v, true
		}
		return lookup(name)
	})
}
