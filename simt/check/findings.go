package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Set is some of the kinds. The zero Set has none.
type Set uint8

// SetOf returns the set of kinds.
func SetOf(kinds ...Kind) (s Set) {
	for i, k := range Kinds() {
		if slices.Contains(kinds, k) {
			s |= 1 << i
		}
	}
	return s
}

// All is the set of all kinds, OfLaunch that of the kinds that a launch shows without the calls of its
// program.
var (
	All      = SetOf(Kinds()...)
	OfLaunch = SetOf(KindMemory, KindRace, KindInit, KindSync)
)

// Has reports whether k is in the set.
func (s Set) Has(k Kind) bool { return s&SetOf(k) != 0 }

// Kinds returns the kinds of the set, in the order of Kinds.
func (s Set) Kinds() []Kind {
	return slices.DeleteFunc(Kinds(), func(k Kind) bool { return !s.Has(k) })
}

// String returns the words that ParseSet reads.
func (s Set) String() string {
	switch s {
	case 0:
		return "off"
	case All:
		return "all"
	}
	var words []string
	for _, k := range s.Kinds() {
		words = append(words, string(k))
	}
	return strings.Join(words, ",")
}

// ParseSet reads kinds with commas between, "all" or "off".
func ParseSet(text string) (s Set, err error) {
	for word := range strings.SplitSeq(text, ",") {
		switch k := Kind(word); {
		case word == "off":
		case word == "all":
			s |= All
		case slices.Contains(Kinds(), k):
			s |= SetOf(k)
		default:
			return 0, fmt.Errorf("unknown kind %q", word)
		}
	}
	return s, nil
}

// Findings collects findings. Several goroutines may add to it. Findings that are alike become one:
// those of a kind, what, space, level and kernel at the same places. The zero value is empty.
type Findings struct {
	mu   sync.Mutex
	list map[string]*Finding
}

// Add takes a finding in, and returns the finding that it became part of, with the counts of both.
// first reports that no finding like it was there. The example of a lower launch is kept, or else
// the earlier one.
func (l *Findings) Add(f Finding) (sum Finding, first bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := f.Key()
	have := l.list[key]
	switch {
	case have == nil:
		if l.list == nil {
			l.list = map[string]*Finding{}
		}
		l.list[key] = &f
		return f, true
	case f.Launch < have.Launch:
		f.Count += have.Count
		*have = f
	default:
		have.Count += f.Count
	}
	return *have, false
}

// List returns the findings by launch, kind and place. Those of no launch come last.
func (l *Findings) List() []Finding {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := make([]Finding, 0, len(l.list))
	for _, f := range l.list {
		list = append(list, *f)
	}
	slices.SortFunc(list, compare)
	return list
}

// Key returns a text that is the same for two findings if they are one mistake: kind, what, space,
// level, kernel and places are alike.
func (f *Finding) Key() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\x00%s\x00%s\x00%d\x00%s", f.Kind, f.What, f.Space, f.Level, f.Kernel)
	f.At.key(&b)
	for i := range f.With {
		f.With[i].key(&b)
	}
	return b.String()
}

// key writes what tells the place of a site from others.
func (s *Site) key(b *strings.Builder) {
	fmt.Fprintf(b, "\x01%s\x00%s", s.Role, s.Call)
	if s.Device != nil {
		fmt.Fprintf(b, "\x00%x", s.Device.PC)
	}
	for _, f := range s.Stack {
		fmt.Fprintf(b, "\x02%s\x00%s\x00%d\x00%s", f.Function, f.File, f.Line, f.Module)
	}
}

// compare orders findings: by launch, kind, place, and then by all else that tells them apart.
func compare(a, b Finding) int {
	kinds := Kinds()
	return cmp.Or(
		cmp.Compare(uint(a.Launch), uint(b.Launch)), // -1 is the last
		cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)),
		a.At.compare(&b.At),
		strings.Compare(a.Key(), b.Key()),
	)
}

// compare orders places: by pc, or else by line.
func (s *Site) compare(o *Site) int {
	pc := func(s *Site) int64 {
		if s.Device == nil {
			return -1
		}
		return int64(s.Device.PC)
	}
	f, _ := s.User()
	g, _ := o.User()
	return cmp.Or(cmp.Compare(pc(s), pc(o)), strings.Compare(f.File, g.File), cmp.Compare(f.Line, g.Line))
}
