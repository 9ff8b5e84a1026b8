// Hubs
// Concepts that most relations meet at, whatever they are.
MATCH (c:Concept)-[r]-()
RETURN c.name AS concept, [label IN labels(c) WHERE label <> 'Concept'][0] AS type, c.papers AS papers,
  count(r) AS relations
ORDER BY relations DESC, concept, type
LIMIT 25
