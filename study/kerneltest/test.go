package kerneltest

import "jacquard/tesla"

// Test is one kernel test.
type Test struct {
	Name       string // also the kernel's name in every build
	Source     string
	Note       string
	Block      [3]int
	Grid       [2]int
	Shared     int // bytes of dynamic shared memory
	ParamBytes int
	Params     []Param
	Builds     []Build // in ascending order of Arch
	Dir        string  // folder of the build's files
}

// Param is one kernel parameter: a value, or a buffer whose device address is passed.
type Param struct {
	Name   string
	Buffer bool
	Offset int    // bytes from the start of the parameters
	Value  []byte // values: little-endian, 1, 2, 4 or 8 bytes

	Init    []byte // buffers: content before the launch
	Expect  []byte // buffers: content after it; equals Init if the kernel must not change it; nil under Any
	Compare Rule
	RTol    float64 // relative and absolute tolerance of Float32 and Float64
	ATol    float64
	Note    string
}

// Size returns the bytes of the parameter in the parameter block.
func (p *Param) Size() int {
	if p.Buffer {
		return addressBytes
	}
	return len(p.Value)
}

// Build is the kernel for one target. A file that ends in .s is assembly, and one that ends in .ptx
// is PTX: its numbers are zero where the test does not give them.
type Build struct {
	Arch         tesla.Arch
	Chipset      string
	File         string // name of the cubin or text in Test.Dir
	Registers    int
	Shared       int
	Local        int
	Barriers     int
	Words        int
	Instructions int
	SameCodeAs   string // another build with the same words; "" if none
}

// Rule says how a buffer is compared.
type Rule uint8

const (
	Exact            Rule = iota // every word
	Unchanged                    // every word, and the expectation is the input
	Float32                      // words are float32: |got - want| <= ATol + RTol*|want|
	Float64                      // pairs of words, low first, are float64: likewise
	ExactBut2Percent             // at most 2 % of the words may differ
	Any                          // nothing is expected
)

var ruleNames = [...]string{"exact", "unchanged", "float32", "float64", "exact_but_2_percent", "any"}

// String returns the rule's name in test.json.
func (r Rule) String() string { return tesla.NameOf(ruleNames[:], "Rule", r) }

const (
	addressBytes = 4 // per device address
)
