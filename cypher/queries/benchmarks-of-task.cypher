// Datasets and metrics of a task
// On which datasets the papers of a task are evaluated, and by which metrics.
// :param task => 'image classification'
MATCH (t:Task)<-[:ADDRESSES]-(p:Paper)-[:EVALUATES_ON]->(d:Dataset)
WHERE toLower(t.name) = toLower($task)
OPTIONAL MATCH (p)-[:MEASURES]->(m:Metric)
RETURN d.name AS dataset, coalesce(m.name, '') AS metric, count(DISTINCT p.id) AS papers
ORDER BY papers DESC, dataset, metric
LIMIT 50
