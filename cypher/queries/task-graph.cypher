// Graph of a task
// The papers of a task with what they propose and where their code is, to look at.
// :param task => 'object detection'
MATCH path = (t:Task)<-[:ADDRESSES]-(p:Paper)-[r:PROPOSES|HAS_CODE]->(n)
WHERE toLower(t.name) = toLower($task)
RETURN path
ORDER BY coalesce(p.year, 0) DESC, p.id, type(r), n.id, t.id
LIMIT 100
