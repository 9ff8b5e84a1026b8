// What improves on a method
// Methods that a text says improve on a method, with the sentence, newest paper first.
// :param method => 'Transformer'
MATCH (new:Method)-[r:IMPROVES]->(old:Method)
WHERE toLower(old.name) = toLower($method)
OPTIONAL MATCH (p:Paper)
WHERE p.id = r.evidence_papers[0]
RETURN new.name AS method, p.year AS year, p.label AS paper, r.score AS score, r.sentences[0] AS sentence
ORDER BY coalesce(p.year, 0) DESC, score DESC, method
LIMIT 25
