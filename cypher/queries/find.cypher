// Find by name or alias
// Concepts one of whose names has a text in it, whatever the case, most papers first.
// :param text => 'attention'
WITH toLower($text) AS wanted
MATCH (c:Concept)
WHERE toLower(c.name) CONTAINS wanted
  OR any(alias IN c.aliases WHERE toLower(alias) CONTAINS wanted)
RETURN c.name AS name, [label IN labels(c) WHERE label <> 'Concept'][0] AS type, c.papers AS papers,
  c.aliases AS aliases
ORDER BY papers DESC, name, type
LIMIT 50
