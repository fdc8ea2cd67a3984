package translate

import (
	"sync"
	"sync/atomic"

	"jacquard/simt/engine/translate/host"
	"jacquard/simt/engine/translate/hostcode"
	"jacquard/simt/engine/translate/vector"
)

// level is a set of vector instructions.
type level struct {
	name  string
	level vector.Level
}

var levels = map[string]level{
	host.AVX2:   {host.AVX2, vector.AVX2},
	host.AVX512: {host.AVX512, vector.AVX512},
}

// image is one translation of a program. Translated code reads its start and its entries.
type image struct {
	code    *hostcode.Code
	entry   hostcode.Entry
	start   uintptr // the address of entry
	entries []int32 // by instruction: offset of its entry, 0 for none
	acts    []int32 // by control instruction: offset of the code for its other effects, 0 for none
	joins   []int32 // by instruction with a join marker: offset of code after the join, 0 for none
	told    []int32 // by instruction: offset of the code after a hook was told, 0 for none
}

// slot is the place of an image, which is made when the code is hot.
type slot struct {
	made atomic.Pointer[image]
	heat atomic.Int64 // instructions that the interpreter executed
	once sync.Once
}

// Code is hot after hotIssues issues of each instruction, on average, and hotSteps more: by then
// the interpreter has taken about as long as a translation.
const (
	hotIssues = 8
	hotSteps  = 1000
)

// image returns a translation, or nil if the code is not hot or the host refuses executable memory.
func (c *Code) image(v variant) *image {
	s := &c.slots[v.number()]
	if img := s.made.Load(); img != nil {
		return img
	}
	if s.heat.Load() < c.hot {
		return nil
	}
	s.once.Do(func() {
		text, img := translate(c.level.level, c.p, v)
		code, err := hostcode.Load(text)
		if err != nil {
			return // the interpreter goes on
		}
		img.code, img.entry = code, code.Entry(0)
		img.start = img.entry.Address()
		s.made.Store(&img)
	})
	return s.made.Load()
}

// warm adds to the heat of a translation that is not made yet.
func (c *Code) warm(v variant, steps uint64) { c.slots[v.number()].heat.Add(int64(steps)) }
