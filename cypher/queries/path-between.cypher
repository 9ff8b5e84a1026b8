// Shortest path between two concepts
// How two concepts hang together over what texts state and papers do, with the first sentence of each step.
// For a picture in Browser, return path in place of its parts.
// :param from => 'BERT'
// :param to => 'image classification'
MATCH (a:Concept), (b:Concept)
WHERE toLower(a.name) = toLower($from) AND toLower(b.name) = toLower($to) AND a.id <> b.id
MATCH path = allShortestPaths((a)-[
  :PROPOSES|USES|COMPARES_WITH|ADDRESSES|EVALUATES_ON|MEASURES
  |USED_FOR|IS_A|PART_OF|IMPROVES|COMPARED_WITH|EVALUATED_ON|MEASURED_BY|TRAINED_ON*1..5]-(b))
RETURN [n IN nodes(path) | coalesce(n.label, n.name)] AS steps,
  [r IN relationships(path) | type(r)] AS relations,
  [r IN relationships(path) | r.sentences[0]] AS sentences
ORDER BY length(path), [n IN nodes(path) | n.id], relations
LIMIT 5
