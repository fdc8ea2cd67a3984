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
	laneBits bool            // bit k in lane k, with which AVX2 makes masks of bits
	words    map[uint32]bool // vectors of one word, for AVX2
	doubles  map[uint64]bool // vectors of one f64
	tables   map[string]*table
}

func newData() *data {
	return &data{words: map[uint32]bool{}, doubles: map[uint64]bool{}, tables: map[string]*table{}}
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
		printWords(w, fmt.Sprintf("word%08x", x), slices.Repeat([]uint32{x}, 8))
	}
	for _, x := range slices.Sorted(maps.Keys(d.doubles)) {
		printWords(w, fmt.Sprintf("double%016x", x), slices.Repeat([]uint32{uint32(x), uint32(x >> 32)}, 8))
	}
	for _, name := range slices.Sorted(maps.Keys(d.tables)) {
		t := d.tables[name]
		for c := range 3 {
			var column []uint32
			for _, r := range t.rows {
				column = append(column, uint32(r[c]))
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

// table holds the coefficients of a special function, by column.
type table struct {
	name string
	rows [][3]int32
}

// readTable reads a table of package sfu.
func readTable(name string) *table {
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
		var row [3]int32
		for c := range row {
			v, err := strconv.ParseInt(record[1+c], 10, 32)
			if err != nil {
				log.Fatal(err)
			}
			row[c] = int32(v)
		}
		t.rows = append(t.rows, row)
	}
	return t
}

// most is the largest magnitude in column c.
func (t *table) most(c int) int64 {
	m := int64(0)
	for _, r := range t.rows {
		m = max(m, int64(r[c]), -int64(r[c]))
	}
	return m
}
