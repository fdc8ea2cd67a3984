package ptx

// field is a field of Instr that modifiers set.
type field uint8

const (
	noField field = iota // of a word that is accepted and dropped
	fieldType
	fieldFrom
	fieldFrom2
	fieldRound
	fieldVector
	fieldMods
	fieldSpace
	fieldGeom
	fieldCmp
	fieldBool
	fieldAtom
	fieldMode
	fieldOrder
	fieldScope
	fieldCache
	numFields
)

// fields has the words of every field: the word at i stands for the value i, or for the flag 1<<i
// of Mods.
var fields = [numFields]struct {
	name  string // before a colon in the table
	words []string
}{
	fieldType:   {"type", typeNames[:]},
	fieldRound:  {"round", roundNames[:]},
	fieldVector: {"vector", []string{"", "", "v2", "", "v4", "", "", "", "v8"}},
	fieldMods:   {"mods", modNames[:]},
	fieldSpace:  {"space", spaceNames[:]},
	fieldGeom:   {"geom", geomNames[:]},
	fieldCmp:    {"cmp", cmpNames[:]},
	fieldBool:   {"bool", boolNames[:]},
	fieldAtom:   {"atom", atomNames[:]},
	fieldMode:   {"mode", modeNames[:]},
	fieldOrder:  {"order", orderNames[:]},
	fieldScope:  {"scope", scopeNames[:]},
	fieldCache:  {"cache", cacheNames[:]},
}

// synonyms are words with the meaning of another word.
var synonyms = map[string]string{
	"shared::cta": "shared", "param::entry": "param", "param::func": "param",
	"popc": "add", // bar.red.popc counts
	"gpu":  "gl",  // fence.gpu is the scope of membar.gl
}

// meaning is the meaning of a word: a value of a field.
type meaning struct {
	field field
	value uint8
}

// meaningOf returns the meaning of a word of a slot. The field is noField if nothing has it.
func meaningOf(word, fieldName string) meaning {
	for f := range numFields {
		if fieldName != "" && fields[f].name != fieldName {
			continue
		}
		for i, text := range fields[f].words {
			if text == word && word != "" {
				return meaning{f, uint8(i)}
			}
		}
	}
	if other, ok := synonyms[word]; ok {
		return meaningOf(other, fieldName)
	}
	return meaning{}
}

// get returns the value of a field: 0 without one.
func (ins *Instr) get(f field) uint8 {
	switch f {
	case fieldType:
		return uint8(ins.Type)
	case fieldFrom:
		return uint8(ins.From)
	case fieldFrom2:
		return uint8(ins.From2)
	case fieldRound:
		return uint8(ins.Round)
	case fieldVector:
		if ins.Vector > 1 {
			return uint8(ins.Vector)
		}
	case fieldSpace:
		return uint8(ins.Space)
	case fieldGeom:
		return uint8(ins.Geom)
	case fieldCmp:
		return uint8(ins.Cmp)
	case fieldBool:
		return uint8(ins.Bool)
	case fieldAtom:
		return uint8(ins.Atom)
	case fieldMode:
		return uint8(ins.Mode)
	case fieldOrder:
		return uint8(ins.Order)
	case fieldScope:
		return uint8(ins.Scope)
	case fieldCache:
		return uint8(ins.Cache)
	}
	return 0
}

// has reports whether the instruction has the modifier.
func (ins *Instr) has(m meaning) bool {
	if m.field == fieldMods {
		return ins.Mods&(1<<m.value) != 0
	}
	return m.field != noField && ins.get(m.field) == m.value
}

// set adds a modifier. It reports false if the field has a value already.
func (ins *Instr) set(m meaning) bool {
	switch {
	case m.field == noField:
		return true
	case m.field == fieldMods:
		flag := Mods(1) << m.value
		fresh := ins.Mods&flag == 0
		ins.Mods |= flag
		return fresh
	case m.field == fieldType && ins.From != NoType:
		m.field = fieldFrom2
	case m.field == fieldType && ins.Type != NoType:
		m.field = fieldFrom
	}
	if ins.get(m.field) != 0 {
		return false
	}
	ins.put(m)
	return true
}

func (ins *Instr) put(m meaning) {
	switch m.field {
	case fieldType:
		ins.Type = Type(m.value)
	case fieldFrom:
		ins.From = Type(m.value)
	case fieldFrom2:
		ins.From2 = Type(m.value)
	case fieldRound:
		ins.Round = Round(m.value)
	case fieldVector:
		ins.Vector = int(m.value)
	case fieldSpace:
		ins.Space = Space(m.value)
	case fieldGeom:
		ins.Geom = Geom(m.value)
	case fieldCmp:
		ins.Cmp = Cmp(m.value)
	case fieldBool:
		ins.Bool = BoolOp(m.value)
	case fieldAtom:
		ins.Atom = AtomOp(m.value)
	case fieldMode:
		ins.Mode = Mode(m.value)
	case fieldOrder:
		ins.Order = Order(m.value)
	case fieldScope:
		ins.Scope = MemScope(m.value)
	case fieldCache:
		ins.Cache = CacheOp(m.value)
	}
}
