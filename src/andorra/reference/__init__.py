"""Proof-number search in short, readable Python: what to read first, and the second oracle.

- `fixpoint`: the oracle. What a verdict *means*, computed on the whole graph.
- `pns`: proof-number search, line by line as figure 3 of the survey.
- `dfpn`: depth-first proof-number search, line by line as figure 5 of the survey.

Each has one function `solve(game, position, question, nodes=...)` that returns a `Result`.

The survey is A. Kishimoto, M. Winands, M. Müller and J.-T. Saito, "Game-tree search using proof
numbers: the first twenty years", ICGA Journal 35 (2012).
"""
