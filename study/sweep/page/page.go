package page

import (
	"bufio"
	"embed"
	"fmt"
	"html/template"
	"io"

	"jacquard/observe/report"
	"jacquard/study/sweep"
)

//go:embed assets
var assets embed.FS

// view is the data of the page's template.
type view struct {
	*Grid
	Style    template.CSS
	Statuses []status
	Key      []template.CSS
}

type status struct {
	Status sweep.Status
	Count  int
}

// Write writes the page. Equal results give equal bytes.
func (g *Grid) Write(w io.Writer) error {
	t, err := template.New("page.html").Funcs(template.FuncMap{
		"number": func(n int) string { return report.Count(uint64(n)) },
	}).ParseFS(assets, "assets/page.html")
	if err != nil {
		return err
	}
	own, err := assets.ReadFile("assets/page.css")
	if err != nil {
		return err
	}
	v := &view{Grid: g, Style: report.Style() + template.CSS(own)}
	for _, s := range [...]sweep.Status{sweep.Passed, sweep.Refused, sweep.Failed, sweep.Differs, sweep.Late} {
		if n := g.Counts[s]; n > 0 {
			v.Statuses = append(v.Statuses, status{s, n})
		}
	}
	for i := range report.Levels {
		v.Key = append(v.Key, template.CSS(fmt.Sprintf("background:var(--r%d)", i)))
	}
	b := bufio.NewWriter(w)
	if err := t.Execute(b, v); err != nil {
		return err
	}
	return b.Flush()
}

// Scale describes the end of the scale.
func (g *Grid) Scale() string {
	if g.figure.most > 0 {
		return g.figure.text(g.figure.most)
	}
	return "the most of the row"
}
