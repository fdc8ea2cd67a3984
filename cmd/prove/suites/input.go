package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// input writes the input files of a program into the folder of its run. All are the same each time.
type input func(folder string) error

// random returns a generator that always starts alike.
func random() *rand.Rand { return rand.New(rand.NewPCG(2009, 4)) }

// write writes a file, and makes its folder.
func write(folder, name, text string) error {
	path := filepath.Join(folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o666)
}

// grids writes files of numbers, one per line: powers around 0.5, temperatures around 330.
func grids(n int) input {
	return func(folder string) error {
		r := random()
		var power, temperature strings.Builder
		for range n {
			fmt.Fprintf(&power, "%.6f\n", r.Float64())
			fmt.Fprintf(&temperature, "%.6f\n", 320+20*r.Float64())
		}
		if err := write(folder, "P", power.String()); err != nil {
			return err
		}
		return write(folder, "T", temperature.String())
	}
}

// graph writes a directed graph: a line with the first edge and the number of edges per node, the
// start, and a line with the end and the cost per edge.
func graph(name string, nodes int) input {
	return func(folder string) error {
		r := random()
		var starts, edges strings.Builder
		count := 0
		for range nodes {
			n := r.IntN(8)
			fmt.Fprintf(&starts, "%d %d\n", count, n)
			for range n {
				fmt.Fprintf(&edges, "%d %d\n", r.IntN(nodes), 1+r.IntN(10))
			}
			count += n
		}
		text := fmt.Sprintf("%d\n%s\n0\n\n%d\n%s", nodes, &starts, count, &edges)
		return write(folder, name, text)
	}
}

// words writes a text whose letters are not equally frequent.
func words(name string, size int) input {
	return func(folder string) error {
		r := random()
		text := make([]byte, size)
		for i := range text {
			text[i] = byte('a' + r.IntN(1+r.IntN(26)))
		}
		return write(folder, name, string(text))
	}
}

// picture writes a grey picture as text: a slope, with noise that is small beside it, so that a
// filter takes nothing for an edge.
func picture(name string, width, height int) input {
	return func(folder string) error {
		r := random()
		var b strings.Builder
		fmt.Fprintf(&b, "P2\n%d %d\n255\n", width, height)
		for range height {
			for x := range width {
				fmt.Fprintf(&b, "%d ", 30+x*180/width+r.IntN(16))
			}
			b.WriteByte('\n')
		}
		return write(folder, name, b.String())
	}
}

// hurricanes writes records of 48 characters about storms, as Rodinia's hurricane_gen does, and a
// list of their files.
func hurricanes(index string, files, records int) input {
	return func(folder string) error {
		r := random()
		var names strings.Builder
		for i := range files {
			name := fmt.Sprintf("cane%d.db", i)
			names.WriteString(name + "\n")
			var b strings.Builder
			for range records {
				year, month, day, hour := 1950+r.IntN(55), 1+r.IntN(12), 1+r.IntN(28), 6*r.IntN(4)
				name := list("ALBERTO BERYL CHRIS")[r.IntN(3)]
				latitude, longitude := 7+63*r.Float64(), 358*r.Float64()
				fmt.Fprintf(&b, "%4d %2d %2d %2d %2d %-9s %5.1f %5.1f %4d %4d\n", year, month, day, hour,
					1+r.IntN(28), name, latitude, longitude, 10+r.IntN(155), r.IntN(900))
			}
			if err := write(folder, name, b.String()); err != nil {
				return err
			}
		}
		return write(folder, index, names.String())
	}
}

// reads writes a sequence of bases, and short reads of it; every third one has an error.
func reads(reference, queries string) input {
	const bases, length, count = 4000, 25, 300
	return func(folder string) error {
		r := random()
		sequence := make([]byte, bases)
		for i := range sequence {
			sequence[i] = "ACGT"[r.IntN(4)]
		}
		var b strings.Builder
		for i := range count {
			at := r.IntN(bases - length)
			read := []byte(string(sequence[at : at+length]))
			if i%3 == 0 {
				read[r.IntN(length)] = 'A'
			}
			fmt.Fprintf(&b, ">%d\n%s\n", i, read)
		}
		if err := write(folder, reference, ">sequence\n"+string(sequence)+"\n"); err != nil {
			return err
		}
		return write(folder, queries, b.String())
	}
}
