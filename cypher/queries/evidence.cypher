// Evidence for a relation
// Every sentence that ties two concepts, or a paper and a concept, with the score of the best.
// :param from => 'Mask R-CNN'
// :param to => 'COCO'
MATCH (a)-[r]->(b:Concept)
WHERE toLower(a.name) IN [toLower($from), toLower($to)] AND toLower(b.name) IN [toLower($from), toLower($to)]
  AND a.id <> b.id
RETURN a.name AS from, type(r) AS relation, b.name AS to, r.score AS score, r.sentences AS sentences,
  r.evidence_papers AS papers
ORDER BY score DESC, relation, a.id, b.id
LIMIT 25
