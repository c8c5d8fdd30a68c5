"""Why bluff?

Von Neumann's game, with its bet and the bluffs on sliders: `marimo run notebooks/why_bluff.py`.
"""

import marimo

app = marimo.App(width="medium", app_title="Why bluff?")

with app.setup:
    from fractions import Fraction

    import marimo as mo

    import relance
    from relance.model import show
    from relance.pages import PLAYER_COLOURS, add_title, figure, house_style, strategy_bars

    MOVED, START, STOPS = "bet, in chips", Fraction(2), [Fraction(k, 4) for k in (1, 2, 3, 4, 6, 8, 10, 12, 16, 20)]
    MOST = 25  # percent of all hands, on the other slider


@app.function
def bluffing(game, share):
    """The published strategies, but player 0 bluffs with this share of all hands, the worst."""
    numbers = game.printed_numbers()[1]
    bets = [(numbers["b"], 1)] + ([(0, share)] if share else [])
    return game.profile({"": {"bet": bets}, "bet": {"call": [(numbers["c"], 1)]}})


@app.function
def sure(game, share):
    """The chips that player 0 is sure of with this share of bluffs: what the best response leaves them."""
    return -relance.best_response(game, bluffing(game, share), 1).value


@app.function
@house_style()
def draw(bet, mine=None):
    """What player 0 is sure of against the share of hands that bluff; it is most at equilibrium, and `mine` is marked."""
    game = relance.make("von_neumann", bet=bet)
    best = game.printed_numbers()[1]["a"]
    shares = sorted({best, *(Fraction(k, 100) for k in range(MOST + 1))})
    drawing, ((ax,),) = figure(1, 1, 4.5, 2.8)
    ax.plot([float(x) for x in shares], [float(sure(game, x)) for x in shares], color=PLAYER_COLOURS[0])
    ax.plot([float(best)], [float(sure(game, best))], "o", color=PLAYER_COLOURS[1])
    if mine is not None:
        ax.plot([float(mine)], [float(sure(game, mine))], "s", color=PLAYER_COLOURS[0])
    ax.annotate(f"equilibrium: {show(best)}", (float(best), float(best)), xytext=(6, 4), textcoords="offset points")
    ax.set(
        xlabel="share of hands that bluff", ylabel="chips that player 0\nis sure of", xlim=(0, 0.25), ylim=(-0.3, 0.16)
    )
    add_title(drawing, game, "what bluffing earns against somebody who knows how often you bluff")
    return drawing


@app.function
def said(bet):
    """The picture in words."""
    game = relance.make("von_neumann", bet=bet)
    best = game.printed_numbers()[1]["a"]
    return (
        f"With a bet of {show(bet)} player 0 bluffs with the worst {float(best):.1%} of the hands, and is sure of "
        f"{show(sure(game, best))} chips. Without a bluff it is {float(sure(game, 0)):.4f}: the opponent folds more "
        f"to a bet that is always strong."
    )


@app.cell
def text():
    mo.md("""
    # Why bluff?

    Both players put one chip into the pot and get a hand, a number between 0 and 1. Player 0 checks, and the higher hand wins the
    pot, or bets. Player 1 then folds, or calls. Hardly anybody would call a bet that is always strong. So some bets must be weak: but
    how many, and with which hands? Von Neumann's answer: the very worst, which win nothing at a showdown.
    """)


@app.cell
def sliders():
    bet = mo.ui.slider(steps=[float(x) for x in STOPS], value=float(START), label=MOVED, show_value=True, debounce=True)
    share = mo.ui.slider(0, MOST, label="hands that bluff, in percent", show_value=True, debounce=True)
    mo.vstack([bet, share])
    return bet, share


@app.cell
def played(bet, share):
    game = relance.make("von_neumann", bet=Fraction(bet.value))
    mine = bluffing(game, Fraction(share.value, 100))
    answer = relance.best_response(game, mine, 1)
    yours = game.together(mine.strategies[0], answer.strategy)
    strategies = strategy_bars(game, {"equilibrium": game.published(), "you, and the best answer": yours})
    mo.vstack([strategies, mo.md(f"With your bluffs you are sure of **{float(-answer.value):.4f}** chips.")])


@app.cell
def earned(bet, share):
    drawing = draw(Fraction(bet.value), Fraction(share.value, 100))
    mo.vstack([drawing, mo.md(said(Fraction(bet.value)))])
    return (drawing,)


if __name__ == "__main__":
    app.run()
