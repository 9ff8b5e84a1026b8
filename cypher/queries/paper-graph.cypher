// Graph of a paper
// Everything that one paper proposes, uses, addresses, evaluates on and measures, to look at.
// :param paper => 'paper:arxiv:1706.03762'
MATCH path = (p:Paper)-[r:PROPOSES|USES|COMPARES_WITH|ADDRESSES|EVALUATES_ON|MEASURES|HAS_CODE|MENTIONS]->(n)
WHERE p.id = $paper OR toLower(p.title) = toLower($paper)
RETURN path
ORDER BY type(r), p.id, n.id
LIMIT 100
