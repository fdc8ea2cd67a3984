package study

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"jacquard/libcuda/driver/knobs"
	"jacquard/study/compare"
)

// variables adds an axis for each environment variable.
func (b *builder) variables(key string, table any, r *run) error {
	variables, ok := table.(map[string]any)
	if !ok {
		return b.in.wrong(key, "environment: want a table of variables, each with its values")
	}
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		at := key + "." + name
		if strings.HasPrefix(name, knobs.Prefix) {
			return b.in.wrong(at, "%s is a knob: put its name in the matrix itself", name)
		}
		list, err := b.values(at, variables[name])
		if err != nil {
			return err
		}
		r.axes = append(r.axes, axis{len(list), func(c *Cell, i int) { c.Environment[name] = list[i] }})
	}
	return nil
}

// own are knobs of files, and others that a sweep sets itself.
var own = []string{"check", "check-report", "crosscheck", "digest", "log", "record", "stats", "summary", "trace"}

// knob returns the values of a knob, checked.
func (b *builder) knob(key, name string, value any) ([]string, error) {
	all := knobs.All()
	i := slices.IndexFunc(all, func(k knobs.Knob) bool { return k.Name == name })
	if i < 0 || slices.Contains(own, name) {
		var names []string
		for _, k := range all {
			if !slices.Contains(own, k.Name) {
				names = append(names, k.Name)
			}
		}
		return nil, b.in.wrong(key, "%q cannot vary: want %s or %s", name, strings.Join(names, ", "), environment)
	}
	list, err := b.values(key, value)
	if err != nil {
		return nil, err
	}
	if name == policy {
		var policies []string
		for _, v := range list {
			more, err := compare.Policies(v)
			if err != nil {
				return nil, b.in.wrong(key, "%v", err)
			}
			policies = append(policies, more...)
		}
		list = policies
	}
	for i, v := range list {
		if slices.Contains(list[:i], v) {
			return nil, b.in.wrong(key, "%s = %q is there twice", name, v)
		}
		var bad *knobs.Error
		if err := all[slices.IndexFunc(all, func(k knobs.Knob) bool { return k.Name == name })].Check(v); errors.As(err, &bad) {
			return nil, b.in.wrong(key, "%s = %q: %s", name, v, bad.Want)
		}
	}
	return list, nil
}

// values returns a value, or a list of values, as texts.
func (b *builder) values(key string, value any) (list []string, err error) {
	several, ok := value.([]any)
	if !ok {
		several = []any{value}
	}
	for _, v := range several {
		switch v := v.(type) {
		case string:
			list = append(list, v)
		case int64:
			list = append(list, strconv.FormatInt(v, 10))
		default:
			return nil, b.in.wrong(key, "%v is no value: want texts or whole numbers", v)
		}
	}
	if len(list) == 0 {
		return nil, b.in.wrong(key, "no value: want at least one")
	}
	return list, nil
}
