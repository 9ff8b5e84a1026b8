// Where a task is published
// Venues by their papers on a task.
// :param task => 'image classification'
MATCH (t:Task)<-[:ADDRESSES]-(p:Paper)-[:PUBLISHED_IN]->(v:Venue)
WHERE toLower(t.name) = toLower($task)
RETURN v.name AS venue, count(DISTINCT p.id) AS papers
ORDER BY papers DESC, venue
LIMIT 25
