// Datasets that papers introduce
// Datasets that a paper proposes, and how many papers have them, newest first.
MATCH (p:Paper)-[:PROPOSES]->(d:Dataset)
RETURN d.name AS dataset, p.year AS year, p.label AS paper, d.papers AS papers
ORDER BY coalesce(p.year, 0) DESC, dataset, p.id
LIMIT 50
