package ptx

import (
	"strings"
	"sync"
)

// language is the table, made ready for use.
type language struct {
	ops   map[string]Op
	forms [numOps][]*form
	words map[string]int // numbers of the words
	// accepts holds the meanings of each word by operation. A word takes its second meaning if the
	// field of the first is set already, as in bar.warp.sync.
	accepts [numOps][]candidates
}

// candidates are the meanings of a word with an operation.
type candidates struct {
	n        int8
	meanings [2]meaning
}

// theLanguage makes the language when it is first needed.
var theLanguage = sync.OnceValue(newLanguage)

func newLanguage() *language {
	l := &language{ops: map[string]Op{"barrier": OpBar}, words: map[string]int{}}
	for op, text := range opNames {
		if text != "" {
			l.ops[text] = Op(op)
		}
	}
	for line := range strings.Lines(strings.TrimSpace(table)) {
		head, rest, _ := strings.Cut(strings.TrimSpace(line), ";")
		args, since, _ := strings.Cut(rest, ";")
		op, mods, _ := strings.Cut(strings.TrimSpace(head), " ")
		l.forms[l.ops[op]] = append(l.forms[l.ops[op]], newForm(l.ops[op], mods, args, since))
	}
	l.number()
	for op := range l.forms {
		l.accepts[op] = make([]candidates, len(l.words))
		for _, f := range l.forms[op] {
			l.accept(f)
		}
	}
	return l
}

// number gives every word of the table a number.
func (l *language) number() {
	for _, forms := range l.forms {
		for _, f := range forms {
			for _, s := range f.slots {
				for _, w := range s.words {
					if _, ok := l.words[w.text]; !ok {
						l.words[w.text] = len(l.words)
					}
				}
			}
		}
	}
}

// accept notes the words of a form.
func (l *language) accept(f *form) {
	for _, s := range f.slots {
		for _, w := range s.words {
			c := &l.accepts[f.op][l.words[w.text]]
			m := w.meaning
			if m.field == fieldFrom || m.field == fieldFrom2 {
				m.field = fieldType
			}
			known := c.n > 0 && c.meanings[0] == m || c.n > 1 && c.meanings[1] == m
			if !known && int(c.n) < len(c.meanings) {
				c.meanings[c.n] = m
				c.n++
			}
		}
	}
}

// wordsOf returns all modifiers of an operation, in the order of the table.
func (l *language) wordsOf(op Op) []string {
	var all []string
	seen := map[string]bool{}
	for _, f := range l.forms[op] {
		for _, s := range f.slots {
			for _, w := range s.words {
				if !seen[w.text] {
					seen[w.text] = true
					all = append(all, "."+w.text)
				}
			}
		}
	}
	return all
}

// typesOf returns the first types of an operation. It returns nil if one of its forms has none.
func (l *language) typesOf(op Op) []string {
	var all []string
	seen := map[Type]bool{}
	for _, f := range l.forms[op] {
		if f.allowed[fieldType]&1 != 0 {
			return nil
		}
		for t := Pred; int(t) < len(typeNames); t++ {
			if f.allowed[fieldType]>>t&1 != 0 && !seen[t] {
				seen[t] = true
				all = append(all, "."+t.String())
			}
		}
	}
	return all
}
