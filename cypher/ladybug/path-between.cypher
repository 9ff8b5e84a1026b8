// Shortest path between two concepts
// How two concepts hang together over what texts state and papers do, with the first sentence of each step.
// For a picture in Browser, return path in place of its parts.
// :param from => 'BERT'
// :param to => 'image classification'
MATCH (a:Method:Task:Dataset:Metric:Term), (b:Method:Task:Dataset:Metric:Term)
WHERE toLower(a.name) = toLower($from) AND toLower(b.name) = toLower($to) AND a.id <> b.id
MATCH path = (a)-[
  :PROPOSES|USES|COMPARES_WITH|ADDRESSES|EVALUATES_ON|MEASURES
  |USED_FOR|IS_A|PART_OF|IMPROVES|COMPARED_WITH|EVALUATED_ON|MEASURED_BY|TRAINED_ON* ALL SHORTEST 1..5]-(b)
RETURN list_transform(nodes(path), n -> coalesce(n.label, n.name)) AS steps,
  list_transform(rels(path), r -> label(r)) AS relations,
  list_transform(rels(path), r -> r.sentences[1]) AS sentences
ORDER BY length(path), list_to_string(' ', list_transform(nodes(path), n -> n.id)),
  list_to_string(' ', relations)
LIMIT 5
