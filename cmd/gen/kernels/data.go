package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"log"
	"maps"
	"os"
	"slices"
	"strconv"
)

// data is the read-only memory that the functions of one file use.
type data struct {
	laneBits bool            // bit k in lane k; AVX2 makes masks of bits with it
	words    map[uint32]bool // vectors of one word
	doubles  map[uint64]bool // vectors of one f64
	vectors  map[string][]uint32
	tables   map[string]*table
}

func newData() *data {
	return &data{words: map[uint32]bool{}, doubles: map[uint64]bool{}, vectors: map[string][]uint32{}, tables: map[string]*table{}}
}

func (d *data) print(w *bytes.Buffer) {
	if d.laneBits {
		var bits []uint32
		for k := range 8 {
			bits = append(bits, 1<<k)
		}
		printWords(w, "laneBits", bits)
	}
	for _, x := range slices.Sorted(maps.Keys(d.words)) {
		printWords(w, fmt.Sprintf("word%08x", x), slices.Repeat([]uint32{x}, 16))
	}
	for _, x := range slices.Sorted(maps.Keys(d.doubles)) {
		printWords(w, fmt.Sprintf("double%016x", x), slices.Repeat([]uint32{uint32(x), uint32(x >> 32)}, 8))
	}
	for _, name := range slices.Sorted(maps.Keys(d.vectors)) {
		printWords(w, name, d.vectors[name])
	}
	for _, name := range slices.Sorted(maps.Keys(d.tables)) {
		t := d.tables[name]
		for c := range 2 {
			var column []uint32
			for _, r := range t.rows {
				column = append(column, r[c])
			}
			printWords(w, fmt.Sprintf("%s%d", t.name, c), column)
		}
	}
}

func printWords(w *bytes.Buffer, name string, words []uint32) {
	w.WriteByte('\n')
	for i := 0; i < len(words); i += 2 {
		fmt.Fprintf(w, "DATA %s<>+%d(SB)/8, $0x%08x%08x\n", name, 4*i, words[i+1], words[i])
	}
	fmt.Fprintf(w, "GLOBL %s<>(SB), RODATA|NOPTR, $%d\n", name, 4*len(words))
}

// table holds the coefficients of a special function in the two columns that the function uses.
type table struct {
	name string
	rows [][2]uint32
}

// readTable reads a table of package sfu; columns makes two words of the coefficients of an
// interval.
func readTable(name string, columns func(c0, c1, c2 int32) [2]uint32) *table {
	file, err := os.Open("../../sfu/tables/" + name + ".csv")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	r := csv.NewReader(file)
	r.Comment = '#'
	records, err := r.ReadAll()
	if err != nil {
		log.Fatal(err)
	}
	t := &table{name: name}
	for _, record := range records[1:] {
		var c [3]int32
		for i := range c {
			v, err := strconv.ParseInt(record[1+i], 10, 32)
			if err != nil {
				log.Fatal(err)
			}
			c[i] = int32(v)
		}
		t.rows = append(t.rows, columns(c[0], c[1], c[2]))
	}
	return t
}
