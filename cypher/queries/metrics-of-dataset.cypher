// How a dataset is measured
// Which metrics texts state for a dataset or its papers use, most papers first.
// :param dataset => 'ImageNet'
MATCH (d:Dataset)<-[:EVALUATES_ON]-(p:Paper)-[:MEASURES]->(m:Metric)
WHERE toLower(d.name) = toLower($dataset)
RETURN m.name AS metric, count(DISTINCT p.id) AS papers, min(p.year) AS first, max(p.year) AS last
ORDER BY papers DESC, metric
LIMIT 25
