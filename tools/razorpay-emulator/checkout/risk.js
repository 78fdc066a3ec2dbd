// Stands for the script that the real checkout loads from its content network. Does nothing.
