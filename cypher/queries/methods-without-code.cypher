// Proposed methods without code
// Methods that papers propose and for which no repository is known, newest paper first.
MATCH (p:Paper)-[:PROPOSES]->(m:Method)
WHERE NOT EXISTS { MATCH (m)-[:IMPLEMENTED_IN]->(:Repository) }
RETURN m.name AS method, max(coalesce(p.year, 0)) AS year, count(DISTINCT p.id) AS papers
ORDER BY year DESC, papers DESC, method
LIMIT 50
