package cli

import (
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
)

// knobFlags are flags made from the driver's table of knobs: each knob is a flag of the
// tool and an environment variable of the library. A flag prevails over its variable.
type knobFlags struct {
	knobs []knobs.Knob
	flags *pflag.FlagSet
}

// knobValue is the value of such a flag. [knobFlags.check] judges it.
type knobValue struct {
	pflag.Value
	knob knobs.Type
}

// Type returns the word for the value in help.
func (v knobValue) Type() string {
	return [...]string{
		knobs.TypeChoice: "WORD", knobs.TypeChoices: "WORD,...", knobs.TypeCount: "N",
		knobs.TypeCrosscheck: "LIBRARY", knobs.TypePath: "FILE", knobs.TypePolicy: "POLICY",
		knobs.TypeRecord: "FILE", knobs.TypeStats: "WORD|FILE", knobs.TypeTrace: "FILE",
	}[v.knob]
}

// addKnobs gives c a flag for each knob except the named ones. c checks all of them before it
// runs.
func addKnobs(c *cobra.Command, except ...string) *knobFlags {
	return chooseKnobs(c, func(name string) bool { return !slices.Contains(except, name) })
}

// onlyKnobs gives c a flag for each named knob and for no other, with the same check.
func onlyKnobs(c *cobra.Command, names ...string) *knobFlags {
	return chooseKnobs(c, func(name string) bool { return slices.Contains(names, name) })
}

func chooseKnobs(c *cobra.Command, chosen func(name string) bool) *knobFlags {
	f := &knobFlags{flags: c.Flags()}
	for _, k := range knobs.All() {
		if !chosen(k.Name) {
			continue
		}
		f.knobs = append(f.knobs, k)
		help, choice := k.Help, len(k.Values) > 0 && k.Type != knobs.TypePath
		if choice {
			help += " One of " + list(k.Values) + "."
		}
		fallback := k.Default
		if fallback == "" {
			fallback = "none"
		}
		f.flags.String(k.Name, "", help+" (default "+fallback+", or $"+k.Env+")")
		flag := f.flags.Lookup(k.Name)
		flag.Value = knobValue{flag.Value, k.Type}
		flag.Annotations = map[string][]string{isKnob: {k.Env}}
		if choice {
			err := c.RegisterFlagCompletionFunc(k.Name, cobra.FixedCompletions(k.Values, cobra.ShellCompDirectiveNoFileComp))
			if err != nil {
				panic("cli: " + err.Error())
			}
		}
	}
	c.PreRunE = func(*cobra.Command, []string) error {
		for _, line := range knobs.Misspelled(os.Environ()) {
			c.PrintErrln("jacquard:", line)
		}
		return f.check()
	}
	return f
}

// given returns the values of the flags on the command line, by environment variable.
func (f *knobFlags) given() map[string]string {
	values := map[string]string{}
	for _, k := range f.knobs {
		if flag := f.flags.Lookup(k.Name); flag.Changed {
			values[k.Env] = flag.Value.String()
		}
	}
	return values
}

// check reports the first knob whose flag, or else environment variable, has a value that the
// knob does not take.
func (f *knobFlags) check() error {
	values := f.given()
	for _, k := range f.knobs {
		value, given := values[k.Env]
		if !given {
			value = os.Getenv(k.Env)
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

// environment returns the variables that set the library's knobs as the flags do.
func (f *knobFlags) environment() []string {
	var env []string
	for name, value := range f.given() {
		env = append(env, name+"="+value)
	}
	return env
}

// arch returns the architecture of the first device, "" if the word for it is unknown.
func (f *knobFlags) arch() string {
	first, _, _ := strings.Cut(f.settings().Device, ",")
	if arch, ok := driver.ArchOf(first); ok {
		return arch.String()
	}
	return ""
}

// settings returns the knobs as flags and environment set them.
func (f *knobFlags) settings() knobs.Settings {
	values := f.given()
	return knobs.From(func(name string) (string, bool) {
		if value, given := values[name]; given {
			return value, true
		}
		return os.LookupEnv(name)
	})
}
