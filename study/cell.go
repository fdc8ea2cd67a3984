package study

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"jacquard/libcuda/driver/knobs"
)

// Kind is the kind of a cell's subject.
type Kind string

// The kinds.
const (
	Program Kind = "program" // by jacquard exec
	Kernel  Kind = "kernel"  // by jacquard run
	Test    Kind = "test"    // by jacquard run --test
	Bundle  Kind = "bundle"  // by jacquard replay
)

// Cell is one run of a study, with all its parameters.
type Cell struct {
	Name        string            `json:"name"`    // stable: it follows from the fields below, but Limit
	Subject     string            `json:"subject"` // description for people
	Kind        Kind              `json:"kind"`
	File        string            `json:"file"` // from the folder of the study
	Options     []string          `json:"options,omitempty"`
	Arguments   []string          `json:"arguments,omitempty"`
	Build       string            `json:"build,omitempty"`    // of a test: the architecture
	Launches    string            `json:"launches,omitempty"` // of a bundle: FROM-TO; "" for all
	Knobs       map[string]string `json:"knobs,omitempty"`    // by name
	Environment map[string]string `json:"environment,omitempty"`
	Passes      Passes            `json:"passes,omitzero"`
	Keep        Keep              `json:"keep,omitzero"`
	Limit       float64           `json:"limit,omitempty"` // seconds; 0 is no limit
}

// Passes says when a cell passes.
type Passes struct {
	Status int    `json:"status,omitempty"` // the exit status
	Text   string `json:"text,omitempty"`   // that the output has; "" is any
}

// name returns the name of the cell: subject and policy for people, and a digest of all fields that
// affect results.
func (c *Cell) name() string {
	of := *c
	of.Name, of.Limit = "", 0
	text, err := json.Marshal(&of)
	if err != nil {
		panic("study: " + err.Error()) // texts alone
	}
	sum := sha256.Sum256(text)
	parts := []string{slug(c.Subject)}
	if policy := c.Knobs["policy"]; policy != "" {
		parts = append(parts, slug(policy))
	}
	return strings.Join(append(parts, hex.EncodeToString(sum[:digestBytes])), ".")
}

// digestBytes make it unlikely (10^-7) that any two of a million cells share a name.
const digestBytes = 8

// Digest returns the last part of the name.
func (c *Cell) Digest() string { return Digest(c.Name) }

// Digest returns the last part of a cell's name.
func Digest(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// slug returns a text as a part of a file name.
func slug(text string) string {
	const most = 40
	s := strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '_' || r == '+' || r == '=' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z') {
			return r
		}
		return '-'
	}, text)
	return s[:min(len(s), most)]
}

// Command returns the arguments of jacquard that run the cell. library is the folder of the
// simulator's library; "" is the one beside the tool.
func (c *Cell) Command(library string) []string {
	var command []string
	switch c.Kind {
	case Program:
		command = []string{"exec", "-q"}
		if library != "" {
			command = append(command, "--lib", library)
		}
		return slices.Concat(command, []string{"--", c.File}, c.Options, c.Arguments)
	case Test:
		command = []string{"run", "--test", "--arch", c.Build}
	case Bundle:
		command = []string{"replay", "--json"}
		if c.Launches != "" {
			command = append(command, "--launches", c.Launches)
		}
	default:
		command = []string{"run"}
	}
	return slices.Concat(command, []string{c.File}, c.Options, c.Arguments)
}

// Variables returns the environment variables of the cell, sorted.
func (c *Cell) Variables() []string {
	var list []string
	for _, k := range knobs.All() {
		if value, ok := c.Knobs[k.Name]; ok {
			list = append(list, k.Env+"="+value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Environment)) {
		list = append(list, name+"="+c.Environment[name])
	}
	return list
}

// Line returns the command that runs the cell by itself in the folder of the study, for a shell.
func (c *Cell) Line() string {
	return Quote(slices.Concat(c.Variables(), []string{"jacquard"}, c.Command("")))
}

// Quote joins words so that a shell takes them apart again.
func Quote(words []string) string {
	const safe = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./,:@%"
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = w
		if w == "" || strings.Trim(w, safe) != "" {
			quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}
