// Concepts on the rise
// Concepts with more papers from a year on than before it, the steepest first.
// :param year => 2018
MATCH (p:Paper)-[:PROPOSES|USES|COMPARES_WITH|ADDRESSES|EVALUATES_ON|MEASURES|MENTIONS]->(c:Concept)
WHERE p.year IS NOT NULL
WITH c, count(DISTINCT CASE WHEN p.year >= $year THEN p.id END) AS since,
  count(DISTINCT CASE WHEN p.year < $year THEN p.id END) AS before
WHERE since > before
RETURN c.name AS concept, [label IN labels(c) WHERE label <> 'Concept'][0] AS type, before, since
ORDER BY since - before DESC, since DESC, concept, type
LIMIT 25
