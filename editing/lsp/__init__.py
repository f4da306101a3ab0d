"""The language server: answers and problems in the terms of the Language Server Protocol."""
