package table

import "strconv"

// Lead has the leading columns of a row. A row that sums several launches has the values that all
// of them share. Other values are null in Parquet, and empty in CSV and among texts.
type Lead struct {
	Policy string `parquet:"policy,dict" json:"policy"` // divergence policy, with its options
	Device string `parquet:"device,dict" json:"device"` // the model
	Arch   string `parquet:"arch,dict" json:"arch"`     // of the code: "sm_13"
	Kernel string `parquet:"kernel,dict" json:"kernel"`
	Launch *int64 `parquet:"launch,optional" json:"launch,omitempty"` // from 0, under its policy
	GridX  *int64 `parquet:"grid_x,optional" json:"grid_x,omitempty"` // blocks
	GridY  *int64 `parquet:"grid_y,optional" json:"grid_y,omitempty"`
	BlockX *int64 `parquet:"block_x,optional" json:"block_x,omitempty"` // threads
	BlockY *int64 `parquet:"block_y,optional" json:"block_y,omitempty"`
	BlockZ *int64 `parquet:"block_z,optional" json:"block_z,omitempty"`
}

// New returns the columns of one launch, by its number.
func New(policy, device, arch, kernel string, launch int, grid [2]int, block [3]int) Lead {
	of := func(n int) *int64 { v := int64(n); return &v }
	return Lead{policy, device, arch, kernel, of(launch), of(grid[0]), of(grid[1]), of(block[0]), of(block[1]), of(block[2])}
}

// Column is a leading column: a text or a number. Of the two functions, one is nil.
type Column struct {
	Name   string
	Text   func(*Lead) *string
	Number func(*Lead) **int64 // the number is nil if it is unknown
}

// Columns lists the leading columns in their order.
func Columns() []Column {
	return []Column{
		{Name: "policy", Text: func(l *Lead) *string { return &l.Policy }},
		{Name: "device", Text: func(l *Lead) *string { return &l.Device }},
		{Name: "arch", Text: func(l *Lead) *string { return &l.Arch }},
		{Name: "kernel", Text: func(l *Lead) *string { return &l.Kernel }},
		{Name: "launch", Number: func(l *Lead) **int64 { return &l.Launch }},
		{Name: "grid_x", Number: func(l *Lead) **int64 { return &l.GridX }},
		{Name: "grid_y", Number: func(l *Lead) **int64 { return &l.GridY }},
		{Name: "block_x", Number: func(l *Lead) **int64 { return &l.BlockX }},
		{Name: "block_y", Number: func(l *Lead) **int64 { return &l.BlockY }},
		{Name: "block_z", Number: func(l *Lead) **int64 { return &l.BlockZ }},
	}
}

// Names returns the names of the leading columns.
func Names() []string {
	var names []string
	for _, c := range Columns() {
		names = append(names, c.Name)
	}
	return names
}

// Cells returns the leading cells of a line of CSV.
func (l *Lead) Cells() []string {
	var cells []string
	for _, c := range Columns() {
		switch {
		case c.Text != nil:
			cells = append(cells, *c.Text(l))
		case *c.Number(l) == nil:
			cells = append(cells, "")
		default:
			cells = append(cells, strconv.FormatInt(**c.Number(l), 10))
		}
	}
	return cells
}

// Merge makes l the columns of a row that sums the launches of l and of o: it keeps the shared
// values.
func (l *Lead) Merge(o *Lead) {
	for _, c := range Columns() {
		if c.Text != nil {
			if *c.Text(l) != *c.Text(o) {
				*c.Text(l) = ""
			}
			continue
		}
		mine, other := *c.Number(l), *c.Number(o)
		if mine != nil && (other == nil || *mine != *other) {
			*c.Number(l) = nil
		}
	}
}
