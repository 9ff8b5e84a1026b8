// Metrics of a task
// By which metrics the papers of a task measure, most papers first.
// :param task => 'machine translation'
MATCH (t:Task)<-[:ADDRESSES]-(p:Paper)-[:MEASURES]->(m:Metric)
WHERE toLower(t.name) = toLower($task)
RETURN m.name AS metric, count(DISTINCT p.id) AS papers
ORDER BY papers DESC, metric
LIMIT 25
