package vector

import "jacquard/simt/engine/translate/x86"

// cold is out-of-line code and the state of the registers at the jump to it.
type cold struct {
	entry, back x86.Label
	vectors     uint32
	masks       uint8
	mode        Mode
	code        func()
}

// Cold jumps to out-of-line code if the condition holds; the code then jumps back. FlushCold emits
// the code, with the registers that are in use at the call of Cold. The code may take as many
// vector registers as spare says: the caller frees them with Spare before it sets the flags.
func (b *Builder) Cold(c x86.Cond, spare int, code func()) {
	there := cold{
		entry: b.a.NewLabel(), back: b.a.NewLabel(),
		vectors: b.vectors, masks: b.masks, mode: b.mode, code: code,
	}
	others := ^b.vectors // free registers, less the spare ones
	for range spare {
		if others == 0 {
			panic("vector: out-of-line code without spare registers")
		}
		others &= others - 1
	}
	there.vectors |= others
	b.a.Jcc(c, there.entry)
	b.a.Bind(there.back)
	b.cold = append(b.cold, there)
}

// FlushCold emits the out-of-line code of all calls of Cold since the last flush. The caller makes
// sure that nothing falls through to it, and states the mode of what follows.
func (b *Builder) FlushCold() {
	vectors, masks, low, evict := b.vectors, b.masks, b.low, b.Evict
	b.Evict = nil
	for i := 0; i < len(b.cold); i++ {
		c := b.cold[i]
		b.a.Bind(c.entry)
		b.vectors, b.masks, b.mode = c.vectors, c.masks, c.mode
		c.code()
		if b.mode != c.mode {
			b.Mode(c.mode)
		}
		b.a.Jmp(c.back)
	}
	b.cold = b.cold[:0]
	b.flushRoutines()
	b.vectors, b.masks, b.low, b.Evict = vectors, masks, low, evict
	b.mode = 0
}
