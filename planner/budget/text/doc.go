// Package text owns the words in which results of budgets are told to people.
package text
