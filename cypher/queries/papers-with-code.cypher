// Papers with code for a task
// Papers that address a task and link code, newest first.
// The role says whether the address is the paper's own code, its data or its page.
// :param task => 'object detection'
MATCH (t:Task)<-[:ADDRESSES]-(p:Paper)-[r:HAS_CODE]->(c:Repository)
WHERE toLower(t.name) = toLower($task)
RETURN p.label AS paper, p.year AS year, c.url AS code, r.role AS role
ORDER BY coalesce(p.year, 0) DESC, paper, code
LIMIT 50
