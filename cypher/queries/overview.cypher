// What is in the graph
// How many nodes there are of each type, and how many relations begin there.
MATCH (n)
OPTIONAL MATCH (n)-[r]->()
RETURN [label IN labels(n) WHERE label <> 'Concept'][0] AS type, count(DISTINCT n.id) AS nodes,
  count(r) AS relations
ORDER BY nodes DESC, type
LIMIT 20
