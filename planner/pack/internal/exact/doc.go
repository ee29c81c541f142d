// Package exact searches packings of tiles below a capacity by depth-first
// branch and bound, and proves where there is none.
//
// The low of an unplaced tile is the lowest offset that the search still allows
// it, the floor of a section the lowest low of its unplaced tiles. Where the
// floor and the heights to come exceed the capacity there is no packing. A
// section is ready if every tile that could lie at its floor would lie on the
// floors of all its sections; the section with the lowest floor is. A node takes
// a ready section and branches on the tile that lies at its floor, and at last on
// none: then all its tiles rise to where the first of them can rest on another
// tile. Every packing can be pushed down until each tile rests on another one, on
// a fixed one, or on the ground, and so it lies below exactly one of the branches;
// a tile that rests on nothing that is there yet is not placed.
//
// Tiles that share no section with others any more are searched apart, and what
// was refuted once is remembered. Budgets are counts of nodes, so a search ends in
// the same way on any machine.
package exact
