package options

// Kind says what follows an option.
type Kind uint8

// The kinds of options.
const (
	Flag   Kind = iota // nothing, or "=true" and "=false"
	Bool               // "true" or "false", as Value
	Value              // one value, after "=" or as the next argument
	List               // as Value, but it may be given often; each is a list with commas
	Joined             // as Value, or the value follows without a separator: -O2, -Idir
)

// Option is one option of a tool.
type Option struct {
	Long  string // the name in full, without dashes
	Short string // a second name; "" for none
	Kind  Kind
	Value string // name of the value in the help
	Help  string
}

// Table lists the options of a tool. No name may stand twice.
type Table []Option

// Given is one option on a command line, or an input file.
type Given struct {
	Name  string // the long name; "" for an input
	Value string // "true" of a Flag, "true" or "false" of a Bool; the path of an input
}

// Input reports whether g is an input file.
func (g Given) Input() bool { return g.Name == "" }

// On reports whether g is true: a Flag always is.
func (g Given) On() bool { return g.Value == "true" }

// find returns the option with a name, nil if there is none.
func (t Table) find(name string) *Option {
	for i := range t {
		if o := &t[i]; o.Long == name || o.Short != "" && o.Short == name {
			return o
		}
	}
	return nil
}

// joined returns the Joined option that an argument begins with, and its value; nil if there is
// none. The longest name counts.
func (t Table) joined(argument string) (best *Option, value string) {
	length := 0
	for i := range t {
		o := &t[i]
		n := len(o.Short)
		if o.Kind == Joined && n > length && len(argument) > n && argument[:n] == o.Short {
			best, value, length = o, argument[n:], n
		}
	}
	return best, value
}
