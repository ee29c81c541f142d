package sequences_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	"github.com/seqplan/seqplan/internal/golden"
	"github.com/seqplan/seqplan/sequences"
)

// The checked-in schema is the one that the reader's tables give.
func TestSchemaIsCurrent(t *testing.T) {
	want, err := sequences.Schema()
	require.NoError(t, err)
	golden.Equal(t, "schema.json", want)
	again, err := sequences.Schema()
	require.NoError(t, err)
	require.Equal(t, want, again)
}

func resolved(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	data, err := sequences.Schema()
	require.NoError(t, err)
	var s jsonschema.Schema
	require.NoError(t, json.Unmarshal(data, &s))
	r, err := s.Resolve(nil)
	require.NoError(t, err)
	return r
}

// value is a YAML file as a JSON value.
func value(t *testing.T, data []byte) any {
	t.Helper()
	var v any
	require.NoError(t, yaml.Load(data, &v))
	text, err := json.Marshal(v)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &v))
	return v
}

func TestSchemaAcceptsExamples(t *testing.T) {
	schema := resolved(t)
	for name, data := range examples(t) {
		require.NoError(t, schema.Validate(value(t, data)), name)
	}
}

// Faults that are structural, by the start of the name of their files.
var structural = []string{
	"SP0007", "SP0020", "SP0022", "SP0023", "SP0025", "SP0026", "SP0027", "SP0028", "SP0030_fraction", "SP0030_negative",
	"SP0031_no_workers", "SP0032", "SP0033_workers", "SP0040", "SP0054", "SP0067", "SP0072", "SP0117", "several_in_one_buffer", "several_kinds_of_loans",
}

func TestSchemaRefusesFaults(t *testing.T) {
	schema := resolved(t)
	for _, prefix := range structural {
		files, err := filepath.Glob("testdata/faulty/" + prefix + "*.yaml")
		require.NoError(t, err)
		require.NotEmpty(t, files, prefix)
		for _, file := range files {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Error(t, schema.Validate(value(t, data)), file)
		}
	}
}

// Names of steps, buffers and groups may have dots, other names may not; the reader
// says the same.
func TestSchemaDottedNames(t *testing.T) {
	schema := resolved(t)
	for _, test := range []struct {
		text   string // with a name for %s
		dotted bool
	}{
		{"params: {%s: 3}", false},
		{"types: {%s: {size: 4}}", false},
		{"counts: {%s: {at: \"o[0]\"}}", false},
		{"templates: {%s: {step: {name: t}}}", false},
		{"inputs: {%s: {type: u8, count: 1}}", true},
		{"groups: {%s: [o]}", true},
	} {
		for _, name := range []string{"ab", "a.b"} {
			data := []byte("seqplan: 1\nname: n\nsteps: [{name: s.t, writes: {o: {type: u32, count: 1}}}]\n" + fmt.Sprintf(test.text, name) + "\n")
			_, diags := sequences.Read("x.yaml", data)
			want := name == "ab" || test.dotted
			require.Equal(t, want, diags.Err() == nil, "%s: %v", data, diags)
			require.Equal(t, want, schema.Validate(value(t, data)) == nil, string(data))
		}
	}
}

// Editors complete keys from the descriptions, so each must have one, and an object
// with fixed keys must refuse others.
func TestSchemaDescribesEveryKey(t *testing.T) {
	data, err := os.ReadFile("schema.json")
	require.NoError(t, err)
	var root map[string]any
	require.NoError(t, json.Unmarshal(data, &root))
	keys := 0
	var visit func(path string, v any)
	visit = func(path string, v any) {
		m, ok := v.(map[string]any)
		if !ok {
			return
		}
		if properties, ok := m["properties"].(map[string]any); ok {
			require.Equal(t, false, m["additionalProperties"], path)
			for key, p := range properties {
				keys++
				require.NotEmpty(t, p.(map[string]any)["description"], path+"/"+key)
			}
		}
		for key, c := range m {
			visit(path+"/"+key, c)
		}
	}
	visit("", root)
	require.Greater(t, keys, 50)
	require.True(t, strings.HasPrefix(root["$schema"].(string), "https://json-schema.org/draft/2020-12/"))
}
