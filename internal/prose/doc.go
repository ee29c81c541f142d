// Package prose owns what the texts for people have in common: nouns with their numbers,
// and names that come from a file and must be harmless wherever they are printed. A plan
// that was read may have any names. What a terminal, a spreadsheet, a Markdown renderer or
// a reader of JSON would act on is written so that it is only text.
package prose
