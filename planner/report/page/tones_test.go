package page_test

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

type vector [3]float64

type matrix [3]vector

func (m matrix) times(v vector) (out vector) {
	for i, row := range m {
		out[i] = row[0]*v[0] + row[1]*v[1] + row[2]*v[2]
	}
	return out
}

func (v vector) each(f func(float64) float64) vector { return vector{f(v[0]), f(v[1]), f(v[2])} }

// The conversions of OKLab from and to linear sRGB, see https://bottosson.github.io/posts/oklab.
var (
	labToCone = matrix{{1, 0.3963377774, 0.2158037573}, {1, -0.1055613458, -0.0638541728}, {1, -0.0894841775, -1.2914855480}}
	coneToRGB = matrix{{4.0767416621, -3.3077115913, 0.2309699292}, {-1.2684380046, 2.6097574011, -0.3413193965}, {-0.0041960863, -0.7034186147, 1.7076147010}}
	rgbToCone = matrix{{0.4122214708, 0.5363325363, 0.0514459929}, {0.2119034982, 0.6806995451, 0.1073969566}, {0.0883024619, 0.2817188376, 0.6299787005}}
	coneToLab = matrix{{0.2104542553, 0.7936177850, -0.0040720468}, {1.9779984951, -2.4285922050, 0.4505937099}, {0.0259040371, 0.7827717662, -0.8086757660}}
)

// seen is how linear sRGB looks to eyes without one kind of cones: Machado, Oliveira and
// Fernandes, 2009.
var seen = map[string]matrix{
	"all cones": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"no red":    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"no green":  {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"no blue":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

func oklch(l, c, h float64) vector {
	lab := vector{l, c * math.Cos(h*math.Pi/180), c * math.Sin(h*math.Pi/180)}
	return coneToRGB.times(labToCone.times(lab).each(func(x float64) float64 { return x * x * x }))
}

func hex(t *testing.T, s string) vector {
	n, err := strconv.ParseUint(s, 16, 32)
	require.NoError(t, err)
	return vector{float64(n >> 16), float64(n >> 8 & 255), float64(n & 255)}.each(func(x float64) float64 { return math.Pow((x/255+0.055)/1.055, 2.4) })
}

func luminance(c vector) float64 { return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] }

// Any two tones differ by more than a glance needs, for most eyes, and the names on them
// are easy to read, in light and dark. A difference of 0.02 in OKLab is just noticeable.
func TestTones(t *testing.T) {
	css, err := os.ReadFile(filepath.Join("css", "colours.css"))
	require.NoError(t, err)
	light, dark, ok := strings.Cut(string(css), "@media screen")
	require.True(t, ok)
	for scheme, text := range map[string]string{"light": light, "dark": dark} {
		ink := luminance(hex(t, regexp.MustCompile(`--ink: #(\w{6})`).FindStringSubmatch(text)[1]))
		var tones []vector
		for _, m := range regexp.MustCompile(`--tone-\d+: oklch\((\S+) (\S+) (\S+)\)`).FindAllStringSubmatch(text, -1) {
			var v vector
			for i := range v {
				v[i], err = strconv.ParseFloat(m[i+1], 64)
				require.NoError(t, err)
			}
			tones = append(tones, oklch(v[0], v[1], v[2]))
		}
		require.Len(t, tones, 12)
		for i, tone := range tones {
			bright, faint := max(ink, luminance(tone)), min(ink, luminance(tone))
			require.GreaterOrEqual(t, (bright+0.05)/(faint+0.05), 4.5, "the contrast of ink on tone %d, %s", i, scheme)
			for k := range i {
				for who, eyes := range seen {
					lab := func(c vector) vector {
						return coneToLab.times(rgbToCone.times(eyes.times(c).each(func(x float64) float64 { return min(1, max(0, x)) })).each(math.Cbrt))
					}
					a, b := lab(tone), lab(tones[k])
					require.Greater(t, math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2]), 0.035, "tones %d and %d, %s, %s", k, i, scheme, who)
				}
			}
		}
	}
}
