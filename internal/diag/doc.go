// Package diag owns diagnostics: findings in an input file that carry a
// position, a stable code, a message, a hint and notes, and how they are printed.
//
// Producers append to a List and go on, so that a user sees every fault of a
// file at once; List.Sorted makes the order independent of the order of
// discovery. Render prints, as text, "file:line:col: error[SP0012]: message"
// followed by the source line and a caret, or one of the forms for machines:
// JSON, the workflow commands of GitHub Actions, or a SARIF log. Whatever stands
// in file names and messages, no form of it moves the cursor of a terminal or
// passes for something else.
package diag
