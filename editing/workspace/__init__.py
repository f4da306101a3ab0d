"""The games that are being edited: their files as they stand in the editor, what is known of them, what is wrong."""
