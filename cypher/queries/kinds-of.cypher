// Kinds of a concept
// What texts call a kind or a part of something, with the relation and the sentence.
// :param concept => 'Transformer'
MATCH (c:Concept)-[r:IS_A|PART_OF]->(whole:Concept)
WHERE toLower(whole.name) = toLower($concept)
RETURN c.name AS concept, type(r) AS relation, whole.name AS of, r.papers AS papers,
  r.sentences[0] AS sentence
ORDER BY papers DESC, concept, relation, c.id, whole.id
LIMIT 50
