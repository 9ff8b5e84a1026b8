// Methods used together
// Pairs of methods that the same papers use, propose or compare with, most papers first.
// :param papers => 2
MATCH (a:Method)<-[:PROPOSES|USES|COMPARES_WITH]-(p:Paper)-[:PROPOSES|USES|COMPARES_WITH]->(b:Method)
WHERE a.id < b.id
WITH a, b, count(DISTINCT p.id) AS papers
WHERE papers >= $papers
RETURN a.name AS method, b.name AS other, papers
ORDER BY papers DESC, method, other
LIMIT 50
