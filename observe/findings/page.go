package findings

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"jacquard/simt/check"
)

//go:embed assets
var assets embed.FS

// mostOnPage is how many errors, and how many notes, a page has.
const mostOnPage = 1000

// around is how many lines of source a page shows before and behind that of a place.
const around = 4

// page is a report as the template wants it.
type page struct {
	Title, Summary string
	Policy         string // of the content's security
	Style          template.CSS
	Player         *Player // may be nil
	Errors, Notes  []pageFinding
	Left           int // findings that are not on the page
}

type pageFinding struct {
	ID, Name, Where string // for links
	Level           check.Level
	Times           string // "" for once
	Text, Advice    string
	Kernel          string // with the launch; "" if none is concerned
	Sites           []pageSite
}

type pageSite struct {
	Act    string
	Visit  string // "" if the player cannot go there
	Who    []string
	Source []excerpt // the place, then its callers
	Code   *excerpt
}

// excerpt is lines of source or of code, of which those that are meant are marked.
type excerpt struct {
	Head  string
	Lines []excerptLine
}

type excerptLine struct {
	Number string
	Text   string
	Marked bool
}

// Player shows the steps of a trace on the page of a report.
type Player struct {
	Style  template.CSS
	Markup template.HTML
	Script template.JS // finds elements with the attribute data-visit
	Policy string      // the script's source in a content security policy
	Data   func(io.Writer) error
	// Visit returns the value of data-visit for a place, "" if no step is known to be there.
	Visit func(*check.Finding, *check.Site) string
}

// HTML writes a page: each finding with its places side by side, each with the lines of source and of
// code around it, and with a player, which may be nil, that goes to their steps. The page needs
// nothing else. Without a player it has no script.
func (r *Report) HTML(w io.Writer, s *Sources, player *Player) error {
	t, err := template.ParseFS(assets, "assets/page.html")
	if err != nil {
		return err
	}
	style, err := assets.ReadFile("assets/page.css")
	if err != nil {
		return err
	}
	p := page{Title: "Mistakes", Summary: strings.TrimSpace(r.summary(true)), Style: template.CSS(style), Player: player,
		Policy: "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"}
	if player != nil {
		p.Style += player.Style
		p.Policy += "; script-src " + player.Policy
	}
	if len(r.Program) > 0 {
		p.Title = "Mistakes of " + strings.Join(r.Program, " ")
	}
	text := Text{Sources: *s}
	for i, f := range r.shown(true) {
		list := &p.Errors
		if f.Level == check.Note {
			list = &p.Notes
		}
		if len(*list) == mostOnPage {
			p.Left++
			continue
		}
		*list = append(*list, text.onPage(f, i+1, player))
	}
	if err := t.Execute(w, &p); err != nil {
		return err
	}
	if player != nil {
		if err := player.Data(w); err != nil {
			return err
		}
	}
	return t.ExecuteTemplate(w, "end", &p)
}

// onPage returns a finding by its number.
func (t *Text) onPage(f *check.Finding, number int, player *Player) pageFinding {
	_, name, _ := strings.Cut(heading(&check.Finding{Kind: f.Kind, What: f.What, Space: f.Space}), ": ")
	p := pageFinding{ID: fmt.Sprintf("finding-%d", number), Name: name, Level: f.Level, Text: f.Text, Advice: f.Advice}
	if f.Count > 1 {
		p.Times = fmt.Sprintf("%d times", f.Count)
	}
	if f.Kernel != "" {
		p.Kernel = fmt.Sprintf("kernel %s, launch %d", Name(f.Kernel), f.Launch)
	}
	var where []string
	for _, s := range append([]check.Site{f.At}, f.With...) {
		site := t.pageSite(f, &s)
		if player != nil {
			site.Visit = player.Visit(f, &s)
		}
		p.Sites = append(p.Sites, site)
		if user, ok := s.User(); ok {
			where = append(where, t.place(user))
		}
	}
	p.Where = strings.Join(where, ", ")
	return p
}

// pageSite returns a place of a finding.
func (t *Text) pageSite(f *check.Finding, s *check.Site) pageSite {
	p := pageSite{Act: act(f, s), Who: everybody(f, s)}
	user, known := s.User()
	if known {
		p.Source = append(p.Source, t.excerpt(user, ""))
	}
	for _, c := range callers(s, user) {
		p.Source = append(p.Source, t.excerpt(c, "called at "))
	}
	if s.Device != nil {
		p.Code = code(s.Device)
	}
	return p
}

// excerpt returns the lines around a frame's.
func (t *Text) excerpt(f check.Frame, role string) excerpt {
	e := excerpt{Head: role + t.place(f)}
	if f.Function != "" {
		e.Head += " in " + Name(f.Function)
	}
	lines := t.lines(f.File)
	for n := max(1, f.Line-around); n <= min(len(lines), f.Line+around) && f.Line <= len(lines); n++ {
		e.Lines = append(e.Lines, excerptLine{fmt.Sprint(n), strings.TrimRight(lines[n-1], "\r"), n == f.Line})
	}
	return e
}

// code returns the instructions around one.
func code(p *check.Point) *excerpt {
	list := p.Around
	if len(list) == 0 {
		list = []check.Point{*p}
	}
	e := &excerpt{Head: fmt.Sprintf("instruction at 0x%x", p.PC)}
	for _, q := range list {
		e.Lines = append(e.Lines, excerptLine{fmt.Sprintf("0x%x", q.PC), q.Text, q.PC == p.PC})
	}
	return e
}
