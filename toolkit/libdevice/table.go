package libdevice

import (
	_ "embed" // the table
	"encoding/csv"
	"fmt"
	"strings"
	"sync"
)

//go:embed functions.csv
var functions string

// Function is one function of the library, a row of functions.csv.
type Function struct {
	Name   string   // as clang's headers call it: __nv_sinf
	Result string   // its type in C
	Params []string // their types in C
	// Body is the result of the function as a C expression of its parameters a, b, c and d, or the
	// name of a file in the folder source that defines the function.
	Body string
	// Bound is the greatest error that NVIDIA publishes, in units in the last place of the correctly
	// rounded result; "" where the guide says nothing.
	Bound string
	// Domain are the arguments for which the bound holds; "" for all.
	Domain string
}

// InFile reports whether a file of the folder source defines the function.
func (f *Function) InFile() bool { return strings.HasSuffix(f.Body, ".cpp") }

// Functions returns the table in the order of clang's header.
var Functions = sync.OnceValue(func() []Function {
	r := csv.NewReader(strings.NewReader(functions))
	r.Comma, r.Comment, r.FieldsPerRecord = ';', '#', 5
	rows, err := r.ReadAll()
	if err != nil {
		panic(fmt.Sprintf("libdevice: functions.csv: %v", err))
	}
	all := make([]Function, len(rows))
	for i, row := range rows {
		result, params, _ := strings.Cut(strings.TrimSuffix(row[1], ")"), "(")
		all[i] = Function{Name: row[0], Result: result, Params: strings.Split(params, ", "),
			Body: row[2], Bound: row[3], Domain: row[4]}
	}
	return all
})
