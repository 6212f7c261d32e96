"""Fits counts to a + b M + c R + d M R by least squares, in rational numbers. A law that holds exactly
gives whole coefficients and no residual."""

from fractions import Fraction

from .refusal import Refusal

TERMS = {"1": lambda m, r: 1, "M": lambda m, r: m, "R": lambda m, r: r, "M R": lambda m, r: m * r}
# If all points have M = R, the two linear terms are one.
SQUARE = {"1": TERMS["1"], "M": TERMS["M"], "M R": TERMS["M R"]}


def solve(matrix, vector):
    """Gauss-Jordan elimination; refuses a singular matrix."""
    n = len(vector)
    rows = [[Fraction(x) for x in row] + [Fraction(y)] for row, y in zip(matrix, vector)]
    for column in range(n):
        pivot = next((r for r in range(column, n) if rows[r][column]), None)
        if pivot is None:
            raise Refusal("fit: too few different M and R; measure at least four pairs, or three M = R")
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [x / rows[column][column] for x in rows[column]]
        for r in range(n):
            if r != column:
                rows[r] = [x - rows[r][column] * y for x, y in zip(rows[r], rows[column])]
    return [row[n] for row in rows]


def least_squares(points):
    """{(M, R): count} -> ({term: coefficient}, largest residual)."""
    terms = SQUARE if all(m == r for m, r in points) else TERMS
    table = [[term(m, r) for term in terms.values()] for m, r in points]
    counts = list(points.values())
    normal = [[sum(row[i] * row[j] for row in table) for j in range(len(terms))]
              for i in range(len(terms))]
    right = [sum(row[i] * count for row, count in zip(table, counts)) for i in range(len(terms))]
    coefficients = solve(normal, right)
    residual = max(abs(sum(c * x for c, x in zip(coefficients, row)) - count)
                   for row, count in zip(table, counts))
    return dict(zip(terms, coefficients)), residual


def formula(coefficients, residual):
    """Returns the formula, such as `64 + 3 M + 2 M R`, with the largest residual if it isn't 0."""
    words = []
    for term, value in coefficients.items():
        if value:
            amount = str(value) if value.denominator == 1 else f"{float(value):.4g}"
            words.append(amount if term == "1" else f"{amount} {term}")
    text = " + ".join(words).replace("+ -", "- ") or "0"
    return text if not residual else f"{text} (within {float(residual):.4g})"
