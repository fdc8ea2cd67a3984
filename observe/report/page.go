package report

import (
	"bufio"
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"path/filepath"

	"jacquard/observe/flowchart"
	"jacquard/observe/player"
)

//go:embed assets
var assets embed.FS

// asset returns an embedded file.
func asset(name string) string {
	data, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic("report: " + err.Error()) // the file is embedded
	}
	return string(data)
}

// page is the data of the page's template.
type page struct {
	*Report
	Title string
	Style template.CSS
	Begin template.JS // runs before the first layout
	// Scripts run at the end, in order.
	Scripts []template.JS
	Player  template.HTML
	// Policy is the content security policy: the page shows itself, runs its script, and nothing
	// else.
	Policy string
	Views  []*kernelView
}

// begin is the script that hides all parts of the page but the first, before layout. Without
// scripts all parts stay visible.
const begin = "document.documentElement.classList.add('js')"

// Write writes the page, and reads the trace for it, if there is one. Equal statistics give equal
// bytes. After an error the page is not whole.
func (r *Report) Write(w io.Writer) error {
	t, err := template.New("page.html").Funcs(template.FuncMap{
		"count": count, "percent": percent, "one": one, "took": took, "plural": plural, "shape": shape, "width": styleOf,
		"histogram": histogram, "ramp": ramp, "total": total, "times": times, "ratio": ratio,
	}).ParseFS(assets, "assets/*.html")
	if err != nil {
		return err
	}
	scripts := []string{player.Bytes(), asset("page.js")}
	if r.Played() {
		scripts = append(scripts, player.Script(), asset("timeline.js"))
	}
	policy := player.HashOf(begin)
	p := &page{Report: r, Title: r.name(), Begin: begin, Player: player.Markup()}
	for _, s := range scripts {
		policy += " " + player.HashOf(s)
		p.Scripts = append(p.Scripts, template.JS(s))
	}
	p.Policy = fmt.Sprintf("default-src 'none'; style-src 'unsafe-inline'; script-src %s; img-src data:; base-uri 'none'; form-action 'none'", policy)
	p.Style = Style() + template.CSS(flowchart.InlineStyle+asset("code.css"))
	if r.Played() {
		p.Style += player.Style()
	}
	coded := r.coded()
	for i, k := range r.Kernels {
		p.Views = append(p.Views, k.view(r, i < coded))
	}
	b := bufio.NewWriter(w)
	if err := t.Execute(b, p); err != nil {
		return err
	}
	for _, v := range p.Views {
		if !v.Packed {
			continue
		}
		var whole bytes.Buffer
		if err := t.ExecuteTemplate(&whole, "kernel.html", v); err != nil {
			return err
		}
		if err := player.WriteBytes(b, "packed-"+v.ID, whole.Bytes()); err != nil {
			return err
		}
	}
	if r.Played() {
		if err := r.Timeline.write(b); err != nil {
			return err
		}
	}
	if err := t.ExecuteTemplate(b, "end.html", p); err != nil {
		return err
	}
	return b.Flush()
}

// name names the program in one word.
func (r *Report) name() string {
	if r.Run.Program == "" {
		return "a run"
	}
	return filepath.Base(r.Run.Program)
}
