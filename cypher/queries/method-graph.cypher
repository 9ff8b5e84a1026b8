// Graph of a method
// The concepts that a method is tied to by a sentence, to look at. Click on a relation to read it.
// :param method => 'Transformer'
MATCH path = (m:Method)
  -[r:USED_FOR|IS_A|PART_OF|IMPROVES|COMPARED_WITH|EVALUATED_ON|MEASURED_BY|TRAINED_ON]-(c:Concept)
WHERE toLower(m.name) = toLower($method)
RETURN path
ORDER BY type(r), m.id, c.id
LIMIT 100
