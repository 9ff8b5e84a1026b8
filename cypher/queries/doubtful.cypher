// Doubtful relations
// What the extractor is least sure of, for a look by a person: relations between concepts below a score.
// :param score => 0.5
MATCH (a:Concept)
  -[r:USED_FOR|IS_A|PART_OF|IMPROVES|COMPARED_WITH|EVALUATED_ON|MEASURED_BY|TRAINED_ON]->(b:Concept)
WHERE r.score < $score
RETURN a.name AS from, type(r) AS relation, b.name AS to, r.score AS score, r.sentences[0] AS sentence
ORDER BY score, relation, a.id, b.id
LIMIT 50
