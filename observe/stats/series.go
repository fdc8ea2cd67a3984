package stats

import "maps"

// Series reads several files as one: the numbers of their launches go on from file to file, for
// each policy. The zero value begins a series.
type Series struct{ next map[string]int }

// LoadEach reads the next file as the function LoadEach does.
func (s *Series) LoadEach(path string, each func(*Launch) error) (*Run, error) {
	before := maps.Clone(s.next)
	if s.next == nil {
		s.next = map[string]int{}
	}
	return LoadEach(path, func(l *Launch) error {
		l.Number += before[l.Policy]
		s.next[l.Policy] = max(s.next[l.Policy], l.Number+1)
		return each(l)
	})
}
