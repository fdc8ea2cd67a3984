package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// input makes the input files of a program: their texts, by name. r always starts with the same
// seed.
type input func(r *rand.Rand) map[string]string

// write writes the files into the folder of a run.
func (in input) write(folder string) error {
	if in == nil {
		return nil
	}
	for name, text := range in(rand.New(rand.NewPCG(2009, 4))) {
		if err := write(folder, name, text); err != nil {
			return err
		}
	}
	return nil
}

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
	return func(r *rand.Rand) map[string]string {
		var power, temperature strings.Builder
		for range n {
			fmt.Fprintf(&power, "%.6f\n", r.Float64())
			fmt.Fprintf(&temperature, "%.6f\n", 320+20*r.Float64())
		}
		return map[string]string{"P": power.String(), "T": temperature.String()}
	}
}

// graph writes a directed graph: a line with the first edge and the number of edges per node, the
// start, and a line with the end and the cost per edge.
func graph(name string, nodes int) input {
	return func(r *rand.Rand) map[string]string {
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
		return map[string]string{name: text}
	}
}

// words writes a text whose letters are not equally frequent.
func words(name string, size int) input {
	return func(r *rand.Rand) map[string]string {
		text := make([]byte, size)
		for i := range text {
			text[i] = byte('a' + r.IntN(1+r.IntN(26)))
		}
		return map[string]string{name: string(text)}
	}
}

// picture writes a grey picture as text: a slope with little noise, so that a filter finds no edge.
func picture(name string, width, height int) input {
	return func(r *rand.Rand) map[string]string {
		var b strings.Builder
		fmt.Fprintf(&b, "P2\n%d %d\n255\n", width, height)
		for range height {
			for x := range width {
				fmt.Fprintf(&b, "%d ", 30+x*180/width+r.IntN(16))
			}
			b.WriteByte('\n')
		}
		return map[string]string{name: b.String()}
	}
}

// hurricanes writes records of 48 characters about storms, as Rodinia's hurricane_gen does, and a
// list of their files.
func hurricanes(index string, files, records int) input {
	return func(r *rand.Rand) map[string]string {
		made := map[string]string{}
		for i := range files {
			file := fmt.Sprintf("cane%d.db", i)
			made[index] += file + "\n"
			var b strings.Builder
			for range records {
				year, month, day, hour := 1950+r.IntN(55), 1+r.IntN(12), 1+r.IntN(28), 6*r.IntN(4)
				name := list("ALBERTO BERYL CHRIS")[r.IntN(3)]
				latitude, longitude := 7+63*r.Float64(), 358*r.Float64()
				fmt.Fprintf(&b, "%4d %2d %2d %2d %2d %-9s %5.1f %5.1f %4d %4d\n", year, month, day, hour,
					1+r.IntN(28), name, latitude, longitude, 10+r.IntN(155), r.IntN(900))
			}
			made[file] = b.String()
		}
		return made
	}
}

// reads writes a sequence of bases, and short reads of the sequence; every third read has an error.
func reads(reference, queries string) input {
	const bases, length, count = 4000, 25, 300
	return func(r *rand.Rand) map[string]string {
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
		return map[string]string{reference: ">sequence\n" + string(sequence) + "\n", queries: b.String()}
	}
}
