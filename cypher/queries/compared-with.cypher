// What a method is compared with
// Methods that texts compare with a method, either way round, with the sentence.
// :param method => 'BERT'
MATCH (m:Method)-[r:COMPARED_WITH]-(other:Concept)
WHERE toLower(m.name) = toLower($method)
RETURN DISTINCT other.name AS compared_with, r.papers AS papers, r.score AS score,
  r.sentences[0] AS sentence
ORDER BY papers DESC, score DESC, compared_with
LIMIT 25
