"""The language server: answers and problems in the words of the Language Server Protocol."""
