package ptx

import "strconv"

// numbered returns prefix0, prefix1 ... , cut from one string.
func numbered(prefix string, n int) []string {
	text := make([]byte, 0, n*(len(prefix)+4))
	ends := make([]int, n)
	for i := range n {
		text = append(text, prefix...)
		text = strconv.AppendInt(text, int64(i), 10)
		ends[i] = len(text)
	}
	whole, start := string(text), 0
	names := make([]string, n)
	for i, end := range ends {
		names[i] = whole[start:end]
		start = end
	}
	return names
}
