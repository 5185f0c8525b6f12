"""The errors that Andorra raises because of input. Everything else is a bug of ours."""


class AndorraError(Exception):
    """Base of all errors that input can cause."""


class PositionError(AndorraError, ValueError):
    """A position, a move or a game's parameters that cannot be read.

    The message quotes the text and marks the place with a caret where one is known.

    >>> print(PositionError.at("xo?", 2, "expected 'x', 'o' or '.'"))
    expected 'x', 'o' or '.'
      xo?
        ^
    """

    @classmethod
    def at(cls, text: str, place: int, what: str) -> "PositionError":
        """The error for `text`, with a caret under the character at `place`."""
        start = max(0, place - 60)
        shown = "".join(c if c.isprintable() else " " for c in text[start : start + 120])
        return cls(f"{what}\n  {shown}\n  {' ' * (place - start)}^")


class OptionError(AndorraError, ValueError):
    """An option, question or limit that does not exist, is out of range or conflicts."""


class NoMemoryError(OptionError):
    """The system does not give this process the memory that a search was to use."""


class OutputError(AndorraError):
    """What was to be told or kept cannot be written; names the place and the reason."""


class RuleError(AndorraError):
    """A rule of a user's game raised, or contradicted itself; names the rule and the position."""


class CertificateError(AndorraError):
    """A certificate that cannot be read or does not show what it claims."""


class TooLargeError(AndorraError):
    """A certificate that does not fit into the memory allowed: neither verified nor rejected."""


class UnknownGameError(CertificateError):
    """A certificate of a game whose rules are not there: nobody can tell whether it is right."""


class PlanError(AndorraError):
    """A plan of a study that cannot be read or run; names the place in its file."""
