// Authors who work on a task
// Who has written the most papers on a task, and from when to when.
// :param task => 'object detection'
MATCH (t:Task)<-[:ADDRESSES]-(p:Paper)<-[:AUTHORED]-(a:Author)
WHERE toLower(t.name) = toLower($task)
RETURN a.name AS author, count(DISTINCT p.id) AS papers, min(p.year) AS first, max(p.year) AS last
ORDER BY papers DESC, author
LIMIT 25
