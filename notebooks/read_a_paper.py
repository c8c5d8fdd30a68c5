"""Reading a paper with a prover

A misprint, found and mended: `marimo run notebooks/read_a_paper.py`.
"""

import marimo

app = marimo.App(width="medium", app_title="Reading a paper with a prover")

with app.setup:
    from fractions import Fraction

    import marimo as mo

    import relance
    from relance.claims import errata, papers
    from relance.model import show
    from relance.pages import PLAYER_COLOURS, add_title, figure, house_style, strategy_bars

    CLAIM = "borel-von-neumann/bb-no-folds"
    MOVED, START, STOPS = "low bet, in chips", Fraction(1, 5), [Fraction(k, 20) for k in range(1, 10)]
    PLAYED = ("printed", "corrected")


@app.function
def two_bets(low, high=2):
    """The game with these bets, whose low one is small enough for the case of the claim."""
    return relance.make("bellman_blackwell", low=low, high=high)


@app.function
def gaps(game):
    """The NashConv of the printed and of the corrected strategies."""
    return {name: relance.nash_conv(game, game.published(name == "printed")) for name in PLAYED}


@app.function
@house_style()
def draw(low, high=2):
    """The NashConv of the printed strategies against the low bet."""
    game = two_bets(low, high)
    drawing, ((ax,),) = figure(1, 1, 4.5, 2.8)
    for name, colour in zip(PLAYED, PLAYER_COLOURS[::-1], strict=True):
        along = [float(gaps(two_bets(x, high))[name]) for x in STOPS]
        ax.plot([float(x) for x in STOPS], along, color=colour, label=name)
        ax.plot([float(low)], [float(gaps(game)[name])], "o", color=colour)
    ax.set(xlabel="low bet, chips", ylabel="NashConv, chips", ylim=(-0.01, None))
    ax.legend(loc="center right")
    add_title(drawing, game, "what best responses win from the printed and from the corrected strategies")
    return drawing


@app.function
def said(low, high=2):
    """The picture in words."""
    found = gaps(two_bets(low, high))
    return (
        f"With bets of {show(low)} and {show(high)} best responses win {show(found['printed'])} chips from the printed strategies, "
        f"and {show(found['corrected'])} from the corrected ones."
    )


@app.function
def formulas(low, high=2):
    """A table of the printed and the corrected formulas that differ, with their numbers at these bets."""
    game = two_bets(low, high)
    right, old = game.printed_numbers()[1], game.printed_numbers(True)[1]
    texts = game.printed_numbers()[0]
    rows = [
        f"| {symbol} | {misprint.text} | {show(old[symbol])} | {texts.formulas(game.parameters)[symbol]} | {show(right[symbol])} |"
        for symbol, misprint in texts.misprints.items()
    ]
    head = ["| | as printed | here | corrected | here |", "|---|---|---|---|---|"]
    return "\n".join([*head, *rows]).replace("**", "^").replace("*", " ")


@app.cell
def text():
    result = errata(CLAIM)[0]
    mo.md(f"""
    # Reading a paper with a prover

    {papers()[result.paper].citation}, Section {result.section}, says:

    > {result.statement}

    Is it so? Formulas are easily misprinted, and nobody computes them again. A best response does: if the strategies are optimal,
    it wins nothing, at any bets. Here it does win. The prover's verdict is **{result.verdict}**, by this counterexample:
    {result.evidence}.

    The right formulas: {result.correction} They are **{result.method}** with the bets as symbolic parameters, so for all of them at
    once, in this case: `{result.domain}`. Move the bets, and compare.
    """)
    return (result,)


@app.cell
def sliders():
    low = mo.ui.slider(steps=[float(x) for x in STOPS], value=float(START), label=MOVED, show_value=True, debounce=True)
    high = mo.ui.slider(1, 4, 1, value=2, label="high bet, in chips", show_value=True, debounce=True)
    mo.vstack([low, high])
    return high, low


@app.cell
def compared(high, low):
    bets = (Fraction(str(low.value)), high.value)
    drawing = draw(*bets)
    both = {name: two_bets(*bets).published(name == "printed") for name in PLAYED}
    mo.vstack([mo.md(formulas(*bets)), mo.md(said(*bets)), drawing, strategy_bars(two_bets(*bets), both)])
    return (drawing,)


if __name__ == "__main__":
    app.run()
