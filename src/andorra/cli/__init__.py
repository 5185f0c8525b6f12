"""The command line: one subcommand a file, on the public API only."""
