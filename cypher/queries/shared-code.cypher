// Repositories of several papers
// Addresses of code that more than one paper gives as its own.
MATCH (p:Paper)-[:HAS_CODE]->(c:Repository)
WITH c, count(DISTINCT p.id) AS papers, min(p.label) AS for_example
WHERE papers > 1
RETURN c.url AS code, papers, for_example
ORDER BY papers DESC, code
LIMIT 50
