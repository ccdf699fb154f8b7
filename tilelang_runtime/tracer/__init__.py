"""From Python source to the program IR: AST rewrite, then one run as a metaprogram."""
