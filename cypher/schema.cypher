// Constraints and indexes of a paperkg graph
// Run once by kg push before it writes. Community edition has all of them.

CREATE CONSTRAINT paperkg_paper_id IF NOT EXISTS FOR (n:Paper) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT paperkg_method_id IF NOT EXISTS FOR (n:Method) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT paperkg_task_id IF NOT EXISTS FOR (n:Task) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT paperkg_dataset_id IF NOT EXISTS FOR (n:Dataset) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT paperkg_metric_id IF NOT EXISTS FOR (n:Metric) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT paperkg_term_id IF NOT EXISTS FOR (n:Term) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT paperkg_repository_id IF NOT EXISTS FOR (n:Repository) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT paperkg_author_id IF NOT EXISTS FOR (n:Author) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT paperkg_venue_id IF NOT EXISTS FOR (n:Venue) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT paperkg_concept_id IF NOT EXISTS FOR (n:Concept) REQUIRE n.id IS UNIQUE;

CREATE FULLTEXT INDEX paperkg_names IF NOT EXISTS
FOR (n:Paper|Method|Task|Dataset|Metric|Term|Repository|Author|Venue)
ON EACH [n.name, n.title, n.aliases];

CREATE INDEX paperkg_paper_year IF NOT EXISTS FOR (n:Paper) ON (n.year);
