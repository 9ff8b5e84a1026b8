// A concept by year
// How many papers have a concept, year by year.
// :param concept => 'Transformer'
MATCH (c:Concept)<-[:PROPOSES|USES|COMPARES_WITH|ADDRESSES|EVALUATES_ON|MEASURES|MENTIONS]-(p:Paper)
WHERE toLower(c.name) = toLower($concept) AND p.year IS NOT NULL
RETURN p.year AS year, count(DISTINCT p.id) AS papers
ORDER BY year
LIMIT 100
