// Names of several types
// Names that stand for concepts of different types: a dataset that is also a task, say.
MATCH (a:Concept), (b:Concept)
WHERE toLower(a.name) = toLower(b.name) AND a.id < b.id
RETURN a.name AS name, [label IN labels(a) WHERE label <> 'Concept'][0] AS type, a.papers AS papers,
  b.name AS other_name, [label IN labels(b) WHERE label <> 'Concept'][0] AS other_type,
  b.papers AS other_papers
ORDER BY papers + other_papers DESC, name, type, other_type, other_name
LIMIT 50
