"""The games being edited: their files as in the editor, their facts and their problems."""
