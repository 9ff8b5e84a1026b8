// Papers like this one
// Papers that share concepts with a paper. A concept counts the more the fewer papers have it.
// :param paper => 'paper:arxiv:1706.03762'
MATCH (every:Paper)
WITH count(every) AS total
MATCH (p:Paper)-[:PROPOSES|USES|COMPARES_WITH|ADDRESSES|EVALUATES_ON|MEASURES|MENTIONS]->(c:Concept)
WHERE p.id = $paper OR toLower(p.title) = toLower($paper)
WITH DISTINCT total, p, c
MATCH (c)<-[:PROPOSES|USES|COMPARES_WITH|ADDRESSES|EVALUATES_ON|MEASURES|MENTIONS]-(other:Paper)
WHERE other.id <> p.id
WITH DISTINCT total, c, other
RETURN other.label AS paper, other.year AS year, sum(log(1.0 * total / c.papers)) AS weight,
  count(c) AS shared, other.id AS id
ORDER BY round(weight, 4) DESC, id
LIMIT 25
