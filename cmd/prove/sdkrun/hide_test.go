package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/cubintest"
)

func TestHideIn(t *testing.T) {
	text := []byte(".version 1.4")
	one := cubintest.Flat(cubintest.CUDA4,
		cubintest.Entry{Container: cubin.ELF, Arch: 10, Data: []byte("\x7fELF")},
		cubintest.Entry{Container: cubin.PTX, Arch: 10, Data: text},
		cubintest.Entry{Container: cubin.PTX, Arch: 20, Data: text})
	two := cubintest.Flat(cubintest.CUDA4, cubintest.Entry{Container: cubin.PTX, Arch: 30, Data: text},
		cubintest.Entry{Container: cubin.ELF, Arch: 20, Data: []byte("\x7fELF")})
	between := make([]byte, 24)
	section := append(append(append([]byte{}, one...), between...), two...)
	require.NoError(t, hideIn(section, 20))
	for _, c := range []struct {
		at   int
		want []int
	}{{0, []int{hiddenTarget, hiddenTarget, 20}}, {len(one) + len(between), []int{hiddenTarget, hiddenTarget}}} {
		contents, err := cubin.Read(section[c.at:])
		require.NoError(t, err)
		var got []int
		for _, e := range contents.Entries {
			got = append(got, e.Arch)
		}
		require.Equal(t, c.want, got)
	}
	require.Error(t, hideIn(one[:len(one)-1], 20), "cut off")
}

func TestHidden(t *testing.T) {
	s := &setup{release: t.TempDir(), target: 20}
	_, err := s.hidden("absent", t.TempDir())
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, os.WriteFile(filepath.Join(s.release, "script"), []byte("#!/bin/sh\n"), 0o777))
	_, err = s.hidden("script", t.TempDir())
	require.ErrorContains(t, err, "/script: ")
	own, err := os.Executable()
	require.NoError(t, err)
	s.release = filepath.Dir(own)
	copied, err := s.hidden(filepath.Base(own), t.TempDir())
	require.NoError(t, err)
	require.FileExists(t, copied)
}
