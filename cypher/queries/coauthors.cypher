// Who writes together
// Pairs of authors with papers in common, most papers first.
// :param papers => 2
MATCH (a:Author)-[:AUTHORED]->(p:Paper)<-[:AUTHORED]-(b:Author)
WHERE a.id < b.id
WITH a, b, count(DISTINCT p.id) AS papers
WHERE papers >= $papers
RETURN a.name AS author, b.name AS other, papers
ORDER BY papers DESC, author, other
LIMIT 50
