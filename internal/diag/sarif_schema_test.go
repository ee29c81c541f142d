package diag_test

// sarifLog is the part of the SARIF 2.1.0 schema that may be used: pointers are what
// the schema does not require. With strict, a misspelt or misplaced property is found.
type sarifLog struct {
	Schema  *string `json:"$schema"`
	Version string  `json:"version"` // required, 2.1.0
	Runs    []struct {
		Tool struct { // required
			Driver struct { // required
				Name  string `json:"name"` // required
				Rules []struct {
					ID               string `json:"id"` // required
					ShortDescription *struct {
						Text string `json:"text"` // required
					} `json:"shortDescription"`
				} `json:"rules"`
			} `json:"driver"`
		} `json:"tool"`
		ColumnKind *string       `json:"columnKind"`
		Results    []sarifResult `json:"results"` // an empty list: nothing found; none: nothing looked for
	} `json:"runs"` // required
}

type sarifResult struct {
	RuleID    *string `json:"ruleId"`
	RuleIndex *int    `json:"ruleIndex"`
	Level     *string `json:"level"`
	Message   struct {
		Text string `json:"text"` // required, without an id
	} `json:"message"` // required
	Locations        []sarifLocation `json:"locations"`
	RelatedLocations []sarifLocation `json:"relatedLocations"` // each once
}

type sarifLocation struct {
	PhysicalLocation struct {
		ArtifactLocation struct {
			URI string `json:"uri"` // required, without an index
		} `json:"artifactLocation"` // required, without an address
		Region *struct {
			StartLine   int  `json:"startLine"` // required in a region of text, from 1
			StartColumn *int `json:"startColumn"`
		} `json:"region"`
	} `json:"physicalLocation"`
	Message *struct {
		Text string `json:"text"` // required, without an id
	} `json:"message"`
}
