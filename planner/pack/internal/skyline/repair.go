package skyline

func (r *runner) repair() {}
