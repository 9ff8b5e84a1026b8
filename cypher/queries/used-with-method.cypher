// What goes with a method
// Concepts of the papers that have a method, by how much more often than elsewhere they occur there.
// The lift is 1 where method and concept have nothing to do with each other.
// :param method => 'BERT'
MATCH (every:Paper)
WITH count(every) AS total
MATCH (m:Method)<-[:PROPOSES|USES|COMPARES_WITH|MENTIONS]-(p:Paper)
  -[:PROPOSES|USES|COMPARES_WITH|ADDRESSES|EVALUATES_ON|MEASURES]->(c:Concept)
WHERE toLower(m.name) = toLower($method) AND c.id <> m.id
WITH total, m, c, count(DISTINCT p.id) AS papers
RETURN c.name AS concept, [label IN labels(c) WHERE label <> 'Concept'][0] AS type, papers,
  1.0 * papers * total / (m.papers * c.papers) AS lift
ORDER BY papers DESC, lift DESC, concept, type
LIMIT 25
