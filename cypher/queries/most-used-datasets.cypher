// Most used datasets
// Datasets by the number of papers that evaluate on them, and for how many tasks.
MATCH (d:Dataset)<-[:EVALUATES_ON]-(p:Paper)
OPTIONAL MATCH (p)-[:ADDRESSES]->(t:Task)
RETURN d.name AS dataset, count(DISTINCT p.id) AS papers, count(DISTINCT t.id) AS tasks
ORDER BY papers DESC, tasks DESC, dataset
LIMIT 25
