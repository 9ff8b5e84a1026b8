// Methods for a task
// What papers on a task propose, use or compare with, most papers first, and in how many as new.
// :param task => 'machine translation'
MATCH (t:Task)<-[:ADDRESSES]-(p:Paper)-[r:PROPOSES|USES|COMPARES_WITH]->(m:Method)
WHERE toLower(t.name) = toLower($task)
RETURN m.name AS method,
  count(DISTINCT p.id) AS papers,
  count(DISTINCT CASE WHEN type(r) = 'PROPOSES' THEN p.id END) AS proposed_in
ORDER BY papers DESC, proposed_in DESC, method
LIMIT 25
