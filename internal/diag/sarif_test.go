package diag_test

import (
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/internal/diag"
)

func TestSARIF(t *testing.T) {
	l, sources := mixed()
	require.Equal(t, `{
  "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
  "version": "2.1.0",
  "runs": [
    {
      "tool": {
        "driver": {
          "name": "seqplan",
          "rules": [
            {
              "id": "SP0001",
              "shortDescription": {
                "text": "first: of all"
              }
            },
            {
              "id": "SP0002",
              "shortDescription": {
                "text": "not so bad"
              }
            },
            {
              "id": "SP0009"
            }
          ]
        }
      },
      "columnKind": "unicodeCodePoints",
      "results": [
        {
          "level": "error",
          "message": {
            "text": "disk full"
          }
        },
        {
          "ruleId": "SP0009",
          "ruleIndex": 2,
          "level": "error",
          "message": {
            "text": "not read"
          },
          "locations": [
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "a.csv"
                },
                "region": {
                  "startLine": 7
                }
              }
            }
          ]
        },
        {
          "ruleId": "SP0001",
          "ruleIndex": 0,
          "level": "error",
          "message": {
            "text": "too large"
          },
          "locations": [
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "dir/b.yaml"
                }
              }
            }
          ]
        },
        {
          "ruleId": "SP0002",
          "ruleIndex": 1,
          "level": "warning",
          "message": {
            "text": "careful\nhint: do this\nwhy:\n  line 2: it is odd\n  a.csv:3: so is this\nelse:\n  nothing"
          },
          "locations": [
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "dir/b.yaml"
                },
                "region": {
                  "startLine": 2,
                  "startColumn": 3
                }
              }
            }
          ],
          "relatedLocations": [
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "dir/b.yaml"
                },
                "region": {
                  "startLine": 2,
                  "startColumn": 2
                }
              },
              "message": {
                "text": "why: it is odd"
              }
            },
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "a.csv"
                },
                "region": {
                  "startLine": 3
                }
              },
              "message": {
                "text": "why: so is this"
              }
            }
          ]
        }
      ]
    }
  ]
}
`, as(diag.SARIF, l, sources))
	require.Contains(t, as(diag.SARIF, nil, nil), `"results": []`)
	require.Contains(t, as(diag.SARIF, nil, nil), `"rules": []`)
}

func TestSARIFURI(t *testing.T) {
	for path, want := range map[string]string{
		"a.yaml":         "a.yaml",
		"./x//y/../a-_~": "x/a-_~",
		"../up.yaml":     "../up.yaml",
		"/abs/a b.yaml":  "file:///abs/a%20b.yaml",
		"//host/a":       "file:///host/a",
		"http://host/a":  "http%3A/host/a",
		"C:a?b#c":        "C%3Aa%3Fb%23c",
		"é%41\n\xff":     "%C3%A9%2541%0A%FF",
		"-":              "-",
	} {
		var log sarifLog
		strict(t, as(diag.SARIF, diag.List{{Pos: diag.Pos{File: path}, Message: "m"}}, nil), &log)
		require.Equal(t, want, log.Runs[0].Results[0].Locations[0].PhysicalLocation.ArtifactLocation.URI, path)
	}
}

// TestSARIFStructure: whatever the list, the log has all that the schema requires and
// nothing that it does not know, and each result is where the diagnostic is.
func TestSARIFStructure(t *testing.T) {
	uri := regexp.MustCompile(`^(file:///)?([A-Za-z0-9._~/-]|%[0-9A-F]{2})+$`)
	rapid.Check(t, func(t *rapid.T) {
		l, sources := drawList(t)
		var log sarifLog
		strict(t, as(diag.SARIF, l, sources), &log)
		require.NotNil(t, log.Schema)
		require.Equal(t, "2.1.0", log.Version)
		require.Len(t, log.Runs, 1)
		run := log.Runs[0]
		require.Equal(t, "seqplan", run.Tool.Driver.Name)
		require.Equal(t, "unicodeCodePoints", *run.ColumnKind)
		require.NotNil(t, run.Results)
		rules := []string{}
		for _, r := range run.Tool.Driver.Rules {
			require.NotEmpty(t, r.ID)
			require.True(t, r.ShortDescription == nil || r.ShortDescription.Text != "")
			rules = append(rules, r.ID)
		}
		require.True(t, slices.IsSorted(rules))
		require.Equal(t, rules, slices.Compact(slices.Clone(rules)), "each rule once")

		sorted := l.Sorted()
		require.Len(t, run.Results, len(sorted))
		for i, d := range sorted {
			r := run.Results[i]
			require.Equal(t, d.Severity.String(), *r.Level)
			if d.Code == "" {
				require.Nil(t, r.RuleID)
				require.Nil(t, r.RuleIndex)
			} else {
				require.Equal(t, string(d.Code), *r.RuleID)
				require.Equal(t, *r.RuleID, rules[*r.RuleIndex])
			}
			var related []diag.Note // those that are about a place, each once
			for _, n := range d.Notes {
				if n.Pos.File != "" && !slices.Contains(related, n) {
					related = append(related, n)
				}
			}
			require.Len(t, r.RelatedLocations, len(related))
			for i, n := range related {
				require.Equal(t, n.Pos.Line > 0, r.RelatedLocations[i].PhysicalLocation.Region != nil)
				require.True(t, strings.HasPrefix(r.RelatedLocations[i].Message.Text, n.Label+": "))
			}
			if d.Pos.File == "" {
				require.Empty(t, r.Locations)
				continue
			}
			require.Len(t, r.Locations, 1)
			place := r.Locations[0].PhysicalLocation
			require.Regexp(t, uri, place.ArtifactLocation.URI)
			parsed, err := url.Parse(place.ArtifactLocation.URI)
			require.NoError(t, err)
			require.Equal(t, d.Pos.File, parsed.Path)
			require.Equal(t, filepath.IsAbs(d.Pos.File), parsed.IsAbs())
			if d.Pos.Line == 0 {
				require.Nil(t, place.Region)
				continue
			}
			require.Equal(t, d.Pos.Line, place.Region.StartLine)
			line, ok := lineOf(sources, d.Pos)
			if !ok || d.Pos.Col == 0 {
				require.Nil(t, place.Region.StartColumn)
				continue
			}
			column := *place.Region.StartColumn
			before := string([]rune(line)[:column-1])
			require.LessOrEqual(t, len(before), d.Pos.Col-1)
			if d.Pos.Col <= len(line) && utf8.RuneStart(line[d.Pos.Col-1]) {
				require.Len(t, before, d.Pos.Col-1)
			}
		}
	})
}

// lineOf finds a line by its number, without its end.
func lineOf(sources map[string][]byte, p diag.Pos) (string, bool) {
	data, ok := sources[p.File]
	n := 0
	for line := range strings.SplitSeq(string(data), "\n") {
		if n++; ok && n == p.Line {
			return strings.TrimSuffix(line, "\r"), true
		}
	}
	return "", false
}
