// Relations by type
// How many relations there are of each type, and how sure the extractor is of them.
MATCH ()-[r]->()
RETURN type(r) AS relation, count(r) AS relations, avg(r.score) AS mean_score
ORDER BY relations DESC, relation
LIMIT 30
