"""How the model in `extractors/models/` is made: data in, weights and scores out."""
