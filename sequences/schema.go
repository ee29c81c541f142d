package sequences

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
)

// SchemaID identifies the JSON Schema of the format, version 1.
const SchemaID = "https://github.com/seqplan/seqplan/sequences/schema.json"

const (
	namePattern   = `^[A-Za-z_][A-Za-z0-9_]*$`
	dottedPattern = `^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$`
	readPattern   = `^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*\??$`
	bytesPattern  = `^(0|[1-9][0-9]*|0x[0-9a-fA-F]+) *(KiB|MiB|GiB|TiB)?$`
	budgetPattern = `^[A-Za-z0-9_.*]+$`
	atPattern     = `^\s*[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*\s*\[[\s\S]+\]\s*$`
)

// Schema returns the JSON Schema (draft 2020-12) of the format, made from the same
// tables as the reader. It knows keys, kinds and words; names, expressions and
// the order of steps are the reader's alone. The bytes are always the same.
func Schema() ([]byte, error) {
	data, err := json.Marshal(newSchema())
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, data, "", "  "); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

func newSchema() *jsonschema.Schema {
	f := newFormat()
	root := objectSchema(&f.root, false)
	root.Schema, root.ID = "https://json-schema.org/draft/2020-12/schema", SchemaID
	root.Title = "seqplan sequence"
	root.Defs = map[string]*jsonschema.Schema{
		"name":       {Type: "string", Pattern: namePattern, Description: "An identifier."},
		"dotted":     {Type: "string", Pattern: dottedPattern, Description: "Identifiers joined by dots."},
		"expression": {Types: []string{"string", "integer"}, Minimum: jsonschema.Ptr(0.0), Description: "A size expression: integers, parameters, counts, + - * / %, min, max, ceil_div, align_up, count_of, size_of, sum_counts, members."},
		"bytes":      {AnyOf: []*jsonschema.Schema{{Type: "integer", Minimum: jsonschema.Ptr(0.0)}, {Type: "string", Pattern: bytesPattern}}, Description: "A number of bytes, which may have a unit: KiB, MiB, GiB or TiB."},
		"value":      {Types: []string{"string", "number", "boolean"}, Description: "An argument of a template."},
	}
	for _, o := range []*object{&f.scope, &f.param, &f.typ, &f.count, &f.gap, &f.shrink, &f.input, &f.write, &f.scratch, &f.step, &f.use, &f.template, &f.budgets, &f.poolBudgets, &f.classBudgets, &f.budget} {
		root.Defs[o.what] = objectSchema(o, false)
	}
	root.Defs["use"].Not = &jsonschema.Schema{Required: []string{"with", "for"}}
	for _, buffer := range []string{"input", "write", "scratch"} {
		root.Defs[buffer].Not = &jsonschema.Schema{Required: []string{"offset", "hint"}}
	}
	root.Defs["pattern"] = patternSchema(f)
	return root
}

// patternSchema is a step in which every scalar may hold placeholders, so only its
// keys are known.
func patternSchema(f *format) *jsonschema.Schema {
	buffers := &jsonschema.Schema{Type: "object", AdditionalProperties: objectSchema(&f.write, true)}
	step := objectSchema(&f.step, true)
	step.Description = "A step with placeholders."
	for _, k := range []string{"writes", "scratch"} {
		buffers.Description = f.step.find(k).doc
		step.Properties[k] = buffers.CloneSchemas()
	}
	return step
}

func objectSchema(o *object, pattern bool) *jsonschema.Schema {
	s := &jsonschema.Schema{
		Type: "object", Description: o.doc, Properties: map[string]*jsonschema.Schema{},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
	for _, k := range o.keys {
		value := &jsonschema.Schema{}
		if !pattern {
			value = shapeSchema(k)
		}
		value.Description = k.doc
		s.Properties[k.name] = value
		s.PropertyOrder = append(s.PropertyOrder, k.name)
		if k.required {
			s.Required = append(s.Required, k.name)
		}
	}
	return s
}

func ref(name string) *jsonschema.Schema { return &jsonschema.Schema{Ref: "#/$defs/" + name} }

// mapOf is a map from names of a pattern to values.
func mapOf(pattern string, value *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", PropertyNames: &jsonschema.Schema{Pattern: pattern}, AdditionalProperties: value}
}

func listOf(item *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "array", Items: item}
}

// shapeSchema is the schema of the value of a key.
func shapeSchema(k key) *jsonschema.Schema {
	uniqueNames := func(pattern string) *jsonschema.Schema {
		s := listOf(&jsonschema.Schema{Type: "string", Pattern: pattern})
		s.UniqueItems = true
		return s
	}
	switch k.shape {
	case aText:
		return &jsonschema.Schema{Type: "string"}
	case aName:
		return ref("name")
	case aDotted:
		return ref("dotted")
	case aVersion:
		return &jsonschema.Schema{Const: jsonschema.Ptr(any(formatVersion))}
	case aNumberFromOne:
		return &jsonschema.Schema{Type: "integer", Minimum: jsonschema.Ptr(1.0)}
	case anInteger:
		return &jsonschema.Schema{Type: "integer", Minimum: jsonschema.Ptr(0.0)}
	case aBytes, anAlign:
		return ref("bytes")
	case aSize:
		return ref("expression")
	case aCountPlace:
		return &jsonschema.Schema{Type: "string", Pattern: atPattern}
	case aFlag:
		return &jsonschema.Schema{Type: "boolean"}
	case aReuse:
		return &jsonschema.Schema{Enum: []any{"on", "off", "stream", "event", "internal", true, false}}
	case aScope:
		return &jsonschema.Schema{Enum: []any{Device.String(), Host.String()}}
	case aBudget:
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{ref("expression"), ref("budget")}}
	case aBudgetMap:
		return mapOf(budgetPattern, &jsonschema.Schema{AnyOf: []*jsonschema.Schema{ref("expression"), ref("budget")}})
	case aBasis:
		return &jsonschema.Schema{Enum: []any{BudgetTypical.String(), BudgetWorst.String()}}
	case someNames:
		return uniqueNames(dottedPattern)
	case someReads:
		return uniqueNames(readPattern)
	case someArgs:
		return uniqueNames(namePattern)
	case nameOrNames:
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{ref("dotted"), uniqueNames(dottedPattern)}}
	case aWindow:
		s := listOf(ref("bytes"))
		s.MinItems, s.MaxItems = jsonschema.Ptr(2), jsonschema.Ptr(2)
		return s
	case aListOf:
		return listOf(ref(k.of.what))
	case anObject:
		return ref(k.of.what)
	case aPattern:
		return ref("pattern")
	case someValues:
		return mapOf(namePattern, ref("value"))
	case manyValues:
		s := listOf(mapOf(namePattern, ref("value")))
		s.MinItems = jsonschema.Ptr(1)
		return s
	case aParamMap:
		return mapOf(namePattern, &jsonschema.Schema{AnyOf: []*jsonschema.Schema{ref("bytes"), ref("param")}})
	case aGroupMap:
		return mapOf(dottedPattern, uniqueNames(dottedPattern))
	case aStepList:
		s := listOf(&jsonschema.Schema{AnyOf: []*jsonschema.Schema{ref("step"), ref("use")}})
		s.MinItems = jsonschema.Ptr(1)
		return s
	case aBufferMap:
		return mapOf(dottedPattern, ref(k.of.what))
	default: // aMapOf
		return mapOf(namePattern, ref(k.of.what))
	}
}
