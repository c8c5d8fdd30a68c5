"""Solvers on (tree, deal): exact value and best response, linear programs, proofs for all parameters."""
