// Tasks without code
// Tasks none of whose papers links code, those with the most papers first.
MATCH (t:Task)<-[:ADDRESSES]-(p:Paper)
WHERE NOT EXISTS { MATCH (t)<-[:ADDRESSES]-(:Paper)-[:HAS_CODE]->(:Repository) }
RETURN t.name AS task, count(DISTINCT p.id) AS papers
ORDER BY papers DESC, task
LIMIT 50
