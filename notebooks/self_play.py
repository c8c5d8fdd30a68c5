"""What self-play gets wrong

Rewards beside NashConv, with an entropy bonus on a slider: `marimo run notebooks/self_play.py`.
"""

import marimo

app = marimo.App(width="medium", app_title="What self-play gets wrong")

with app.setup:
    from functools import cache

    import marimo as mo
    import numpy as np

    import relance
    from relance.pages import INK, PLAYER_COLOURS, add_title, figure, house_style
    from relance.play import Batch

    MOVED, START, STOPS = "entropy bonus", 0, [0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8]
    GAME = relance.make("one_card_poker", raises=0)
    TABLES, STEPS, RATE = 512, 600, 2.0


@app.function
def policy(weights, seen, legal):
    """The probabilities of the actions, (n, actions), given the observations of n tables."""
    odds = np.exp(seen @ weights) * legal
    return odds / odds.sum(axis=1, keepdims=True)


@app.function
def step(batch, weights, entropy, random):
    """Play all tables to the end, then one step of REINFORCE with an entropy bonus; returns the weights and player 0's mean reward."""
    met, live, step_by = [], np.arange(TABLES), np.zeros_like(weights)
    batch.deal(live)
    while len(live):
        seat, seen, legal = batch.to_move[live], batch.observe(tables=live), batch.mask()[live]
        chance = policy(weights, seen, legal)
        action = (chance.cumsum(axis=1) > random.random((len(live), 1))).argmax(axis=1)
        batch.move(live, action)
        met.append((live, seat, seen, chance, np.eye(chance.shape[1])[action]))
        live = live[~batch.done[live]]
    mean = batch.rewards[:, 0].mean()
    for live, seat, seen, chance, taken in met:
        gain = batch.rewards[live, seat] - mean * (1 - 2 * seat)
        surprise = -np.log(np.maximum(chance, 1e-9))
        bonus = chance * (surprise - (chance * surprise).sum(axis=1, keepdims=True))
        step_by += seen.T @ (gain[:, None] * (taken - chance) + entropy * bonus)
    # Processors add in other orders; without their last digits each of them learns the same.
    return np.round(weights + RATE / TABLES * step_by, 9), mean


@app.function
@cache
def learn(entropy, seed=0):
    """Self-play: after every 20 steps the games so far, the mean reward since the last, and the NashConv."""
    batch, random = Batch(GAME, TABLES, seed), np.random.default_rng(seed)
    weights, rewards, rows = np.zeros((batch.observe(0).shape[1], len(GAME.actions))), [], []
    for k in range(1, STEPS + 1):
        weights, mean = step(batch, weights, entropy, random)
        rewards.append(mean)
        if k % 20 == 0:
            found = relance.score(GAME, lambda seen, legal, now=weights: policy(now, seen, legal))
            rows.append((k * TABLES, np.mean(rewards[-20:]), float(found.nash_conv)))
    return np.array(rows)


@app.function
@house_style()
def draw(entropy, seed=0):
    """The reward, which settles, beside the NashConv, which says what the learner could still lose."""
    games, rewards, gaps = learn(entropy, seed).T
    games = games / 1000
    drawing, ((left, right),) = figure(1, 2, 7.6, 2.7)
    left.plot(games, rewards, color=PLAYER_COLOURS[0])
    left.axhline(float(relance.value(GAME, GAME.published())), color=INK, linewidth=1, linestyle=":")
    left.set(
        xlabel="thousand games", ylabel="chips", ylim=(-0.5, 0.5), title="player 0's mean reward; dotted: the value"
    )
    right.plot(games, gaps, color=PLAYER_COLOURS[1])
    right.set(xlabel="thousand games", ylabel="chips", ylim=(0, 1), title="NashConv: what best responses win")
    add_title(drawing, GAME, f"REINFORCE against itself, entropy bonus {entropy:g}, seed {seed}")
    return drawing


@app.function
def said(entropy, seed=0):
    """The picture in words: the last third of the run."""
    _, rewards, gaps = learn(entropy, seed)[-STEPS // 60 :].T
    return (
        f"In the last third of the games player 0 earns {rewards.mean():.3f} chips a game; the game is worth "
        f"{float(relance.value(GAME, GAME.published())):.3f}. The NashConv is {gaps.mean():.2f} on average."
    )


@app.cell
def text():
    mo.md("""
    # What self-play gets wrong

    A learner plays one-card poker against itself. Its reward soon looks settled, near the value of the game. That says little: when
    both seats err together, their rewards still add up to 0. The NashConv, what a best response would win, is exact here, and it
    does not fall: the learner runs in circles. An entropy bonus keeps it from giving up actions that it needs. It is the mend, up
    to a point: too much of it, and the learner plays at random.
    """)


@app.cell
def sliders():
    entropy = mo.ui.slider(steps=STOPS, value=START, label=MOVED, show_value=True, debounce=True)
    seed = mo.ui.slider(0, 9, 1, label="seed", show_value=True, debounce=True)
    mo.vstack([entropy, seed])
    return entropy, seed


@app.cell
def curves(entropy, seed):
    drawing = draw(entropy.value, seed.value)
    mo.vstack([drawing, mo.md(said(entropy.value, seed.value))])
    return (drawing,)


if __name__ == "__main__":
    app.run()
