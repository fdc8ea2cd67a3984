package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"jacquard/simt/branch"
)

func newPolicies() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "policies",
		Short: "List the divergence policies",
		Long: `List the divergence policies, which decide what lanes run when the threads of a warp go
different ways. Statistics depend on the choice; results do not.`,
		Example: `  jacquard policies
  jacquard exec --policy nvidia -- ./program`,
		Args: arguments(0, 0, "no arguments"),
		RunE: func(c *cobra.Command, _ []string) error {
			if asJSON {
				return policiesJSON(c)
			}
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, s := range branch.Policies() {
				fmt.Fprintf(w, "%s\t%s%s%s\n", s.Name, s.Idea, optionsNote(s.Options), defaultNote(s.Name))
			}
			return w.Flush()
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per policy")
	return c
}

func policiesJSON(c *cobra.Command) error {
	enc := json.NewEncoder(c.OutOrStdout())
	for _, s := range branch.Policies() {
		row := struct {
			Name    string `json:"name"`
			Idea    string `json:"idea"`
			Default bool   `json:"default"`

			Options map[string][]string `json:"options,omitempty"` // the first value is the default
		}{s.Name, s.Idea, s.Name == branch.Default, nil}
		for _, o := range s.Options {
			if row.Options == nil {
				row.Options = map[string][]string{}
			}
			row.Options[o.Key] = o.Values
		}
		if err := enc.Encode(row); err != nil {
			return err
		}
	}
	return nil
}

// optionsNote lists options as they are written behind the name and a colon.
func optionsNote(options []branch.Option) string {
	var list []string
	for _, o := range options {
		list = append(list, o.String())
	}
	if list == nil {
		return ""
	}
	return " [:" + strings.Join(list, ",") + "]"
}

func defaultNote(name string) string {
	if name == branch.Default {
		return " (default)"
	}
	return ""
}
