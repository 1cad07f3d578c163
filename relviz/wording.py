"""How figures are written for people, in messages and on the screen."""


def count(number: int) -> str:
    """A whole number in groups of three.

    >>> count(1234567)
    '1,234,567'
    """
    if abs(number) >= 10**15:
        return f"about 10^{len(str(abs(number))) - 1}"
    return f"{number:,}"


def plural(number: int, noun: str) -> str:
    """A number with its noun.

    >>> plural(1, "row"), plural(1500, "row")
    ('1 row', '1,500 rows')
    """
    return f"{count(number)} {noun}{'' if number == 1 else 's'}"


def size(number: int) -> str:
    """A number of bytes in the largest binary unit that fits, which all limits are round in.

    >>> size(64), size(3 * 2**29)
    ('64 bytes', '1.5 GiB')
    """
    for unit, power in (("GiB", 30), ("MiB", 20), ("KiB", 10)):
        if number >= 2**power:
            return f"{count(number >> power) if number >> power > 99 else f'{number / 2**power:.1f}'} {unit}"
    return plural(number, "byte")
