// Code by year
// How many papers of each year link code, promise it, or have none.
MATCH (p:Paper)
WHERE p.year IS NOT NULL
RETURN p.year AS year, count(p) AS papers,
  count(CASE WHEN p.code_status = 'linked' THEN 1 END) AS linked,
  count(CASE WHEN p.code_status = 'promised' THEN 1 END) AS promised
ORDER BY year DESC
LIMIT 100
