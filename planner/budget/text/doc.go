// Package text owns the words in which results of budgets are told to people: diagnostics,
// whose notes say what the figures are made of and which ways lead back under a limit.
package text
