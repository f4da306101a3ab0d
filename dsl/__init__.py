"""Contains the compiler of the language. It turns text into a checked program or into problems. The
package is independent of engines that run games.
"""
