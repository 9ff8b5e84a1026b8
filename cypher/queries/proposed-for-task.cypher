// Methods proposed for a task
// Methods that a text says are used for a task or that its papers propose, the best attested first.
// :param task => 'question answering'
MATCH (m:Method)-[r:USED_FOR]->(t:Task)
WHERE toLower(t.name) = toLower($task)
RETURN m.name AS method, r.papers AS papers, r.score AS score, r.sentences[0] AS sentence
ORDER BY papers DESC, score DESC, method
LIMIT 25
