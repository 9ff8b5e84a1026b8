// What methods are trained on
// Methods and the datasets that a text says they are trained on, with the sentence.
MATCH (m:Concept)-[r:TRAINED_ON]->(d:Concept)
RETURN m.name AS method, d.name AS trained_on, r.papers AS papers, r.sentences[0] AS sentence
ORDER BY papers DESC, method, trained_on, m.id, d.id
LIMIT 50
