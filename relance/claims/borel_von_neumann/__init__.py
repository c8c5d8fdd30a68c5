"""Claims of Ferguson and Ferguson on the models of Borel and von Neumann."""
