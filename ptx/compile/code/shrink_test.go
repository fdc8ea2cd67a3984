package code_test

import (
	"bytes"
	"errors"
	"slices"

	"jacquard/ptx/compile/code"
	"jacquard/simt/mem"
)

// clone copies a function.
func clone(f *code.Func) *code.Func {
	c := *f
	c.Regs, c.Literals = slices.Clone(f.Regs), slices.Clone(f.Literals)
	c.Blocks = nil
	of := map[*code.Block]*code.Block{}
	for _, b := range f.Blocks {
		k := *b
		k.Code = slices.Clone(b.Code)
		of[b] = &k
		c.Blocks = append(c.Blocks, &k)
	}
	for _, b := range c.Blocks {
		for i, t := range b.End.To {
			b.End.To[i] = of[t]
		}
	}
	return &c
}

// failure returns the error in the machine code of a function, or nil.
func failure(f *code.Func, policies ...string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("panic")
		}
	}()
	space := mem.NewSpace(1 << 20)
	at, err := space.Alloc(threads * slotBytes)
	if err != nil {
		return err
	}
	want, err := evaluate(f, at)
	if err != nil {
		return nil // shrunk too far
	}
	c := clone(f)
	r, err := code.Compile(c)
	if err != nil {
		return err
	}
	for _, p := range policies {
		got, _, err := run(c, r, p, space, at)
		if err != nil {
			return err
		}
		if !bytes.Equal(got, want) {
			return errors.New("memory differs under " + p)
		}
	}
	return nil
}

// shrink removes instructions and ways as long as the function still fails.
func shrink(f *code.Func, policies ...string) *code.Func {
	fails := func(c *code.Func) bool { return code.Verify(clone(c)) == nil && failure(c, policies...) != nil }
	for again := true; again; {
		again = false
		for n := range f.Blocks {
			for size := len(f.Blocks[n].Code); size > 0; size /= 2 {
				for i := len(f.Blocks[n].Code) - size; i >= 0; i -= size {
					c := clone(f)
					c.Blocks[n].Code = slices.Delete(c.Blocks[n].Code, i, i+size)
					if fails(c) {
						f, again = c, true
					}
				}
			}
			for way := range f.Blocks[n].End.To {
				c := clone(f)
				e := &c.Blocks[n].End
				if e.Kind != code.Branch {
					continue
				}
				*e = code.End{Kind: code.Jump, To: [2]*code.Block{e.To[way]}}
				if fails(c) {
					f, again = c, true
				}
			}
		}
	}
	return f
}
