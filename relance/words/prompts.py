"""The text of a game for agents that answer in words: the rules, told once, and each question to a player.

Everything is read off the betting tree and the deal, so it holds for every game. A `Wording` only says what things are called: the
plain one uses the names of the papers, `relance.words.renamings.renamed_wording` others. Answers are read by `relance.words.parse_reply`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from relance.model.arguments import Seat, checked
from relance.model.game import Game, as_game
from relance.model.numbers import Number, exact, show
from relance.model.tree import Case, Decision, History, Leaf, Node, Reveal, after_events, steps_from
from relance.play.runouts import fought, places
from relance.play.wording import PLAIN, Wording, betting, has_one_hand, moves

MOST_TERMINALS = 40
"""The rules list at most this many terminal nodes, the shortest ones; each question says what its actions lead to."""

MOST_NAMES = 40
"""If a game has more cards than this, the rules name only the first three and the last."""

SURE = {1: "wins", 0: "ties", -1: "loses"}
"""The verb for a hand that always has the same result against another hand, by its edge."""


@checked
@lru_cache(maxsize=64)
def describe(game: Game | str, wording: Wording = PLAIN) -> str:
    """Return the text of the rules and of how to answer, which is told before the first question. It is the same for both seats."""
    game = as_game(game)
    name = wording.action(wording.listed(game.tree.root.actions)[0])
    most = [wording.amount(worst) for worst in worsts(game)]
    costs = most[0] if most[0] == most[1] else f"{most[0]} for {wording.seats[0]}, {most[1]} for {wording.seats[1]}"
    return (
        f"{tell_rules(game, wording)}\n\n"
        f"Win as many {wording.unit}s as you can on average. You may choose at random. You can think first; end with the name of one "
        f"action in square brackets, like [{name}]. Only the last brackets count. If they do not hold exactly one of your actions, "
        f"you lose the most that can be lost: {costs}."
    )


@lru_cache(maxsize=64)
def tell_rules(game: Game, wording: Wording = PLAIN) -> str:
    """Return the text of the rules alone: hands, betting and payments."""
    first, second = wording.seats
    return (
        f"{_capital(first)} and {second} play for {wording.unit}s; what one wins, the other loses. Only its holder sees a hand; "
        f"all actions are seen by both.\n\n{_hands(game, wording)}\n\n{_betting(game, wording)}"
    )


def worsts(game: Game) -> tuple[Number, Number]:
    """The most chips that player 0 and player 1 can lose, exactly; an answer without a legal action costs this."""
    tree, sharpest = game.tree, {case: game.deal.in_case(case).sharpest for case in set(game.tree.cases.values())}
    at_stake = [(abs(leaf.stake) * sharpest[tree.cases[name]], leaf.constant) for name, leaf in tree.leaves.items()]
    first, second = (max(stake - sign * constant for stake, constant in at_stake) for sign in (1, -1))
    return first, second


@checked
@lru_cache(maxsize=4096)
def situation(
    game: Game | str, seat: Seat, hand: Any, node: str, wording: Wording = PLAIN, cards: str | None = None
) -> str:
    """Return the text of one question: the hand, the betting so far, the pot, and what each legal action leads to.

    Args:
        game: the game.
        seat: the player who is asked.
        hand: the player's hand, as dealt.
        node: the name of the decision, such as "check-bet".
        wording: the names of actions, hands and units in the text.
        cards: the cards that the player's hand consists of, if cards were dealt.

    Raises:
        ValueError: `node` is not a decision of this player.
    """
    game = as_game(game)
    decision = game.tree.decisions.get(node)
    if decision is None or decision.player != seat:
        decides = list(game.tree.of(seat))
        raise ValueError(f"player {seat} does not decide at {node!r} in {game}, only at {decides}")
    held = [] if has_one_hand(game, seat) else [f"Your hand: {wording.hand(game, seat, hand, cards)}"]
    lines = [f"You are {wording.seats[seat]}.", *held]
    lines.append(f"So far: {betting(game, node, wording) or 'nothing, you act first'}")
    lines += [f"Pot: {pot(game, node, wording)}", "Your actions:"]
    listed = wording.listed(decision.actions)
    return "\n".join([*lines, *(f"[{wording.action(a)}] {leads_to(game, node, a, wording)}" for a in listed)])


def pot(game: Game, node: str, wording: Wording = PLAIN) -> str:
    """Return the text of the pot at a decision: its chips, and how many of them the player to move has paid."""
    decision = game.tree.decisions[node]
    mine = decision.paid[decision.player] * wording.chips
    return f"{wording.amount(sum(decision.paid))} ({show(exact(mine))} from you)"


def leads_to(game: Game, node: str, action: str, wording: Wording = PLAIN) -> str:
    """Return the text that tells a player what an action leads to: the chips to pay or to get, and who acts next."""
    decision = game.tree.decisions[node]
    mover, child = decision.player, decision.child(action)
    if isinstance(child, Leaf):
        return _paid(child, wording, mover)
    below = after_events(child)
    if isinstance(child, Reveal):
        what = f"one of {', '.join(child.events)} turns up next"
    else:
        what = "you act next" if child.player == mover else f"{wording.seats[child.player]} acts next"
    more = below.paid[mover] - decision.paid[mover] if isinstance(below, Decision) else 0
    return f"you put in {wording.amount(more)}, {what}" if more > 0 else what


# The parts of the rules


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _hands(game: Game, wording: Wording) -> str:
    deal, whole = game.deal, game.whole.deal
    ends = ("lowest", "highest") if wording.turned else ("highest", "lowest")
    said = whole.words.format(*wording.seats, top=wording.top, highest=ends[0], lowest=ends[1])
    parts = [f"Hands. {_capital(said)}" if said else f"Hands. {_distribution(game, wording)}"]
    if deal.on_interval:
        if deal.cuts is not None:
            parts.append("Each player is told only two numbers between which their own number lies.")
        parts.append(f"The {'lower' if wording.turned else 'higher'} number is the better hand.")
    elif deal.in_step and deal.showing is None and said:
        names = [wording.hand(game, 0, hand) for hand in range(deal.size(0))]
        if len(names) > MOST_NAMES:  # so many cards are numbers
            names = [*names[:3], "...", names[-1]]
        order = "strongest to weakest" if wording.turned else "weakest to strongest"
        parts.append(f"From {order}: {', '.join(reversed(names) if wording.turned else names)}.")
    return " ".join(parts)


def _distribution(game: Game, wording: Wording) -> str:
    """The distribution of few hands, what may turn up, and who wins, from the tables of all pairs."""
    deal = game.finite_deal()
    joint, names = deal.joint(), _hand_names(game, wording)
    first, second = joint.sum(axis=1), joint.sum(axis=0)
    if (joint == np.outer(first, second)).all():
        distributions = [
            f"{_capital(wording.seats[seat])} is dealt {_or(names[seat], list(distribution))}."
            for seat, distribution in enumerate((first, second))
            if len(distribution) > 1
        ]
    else:
        both = [f"{names[0][i]} and {names[1][k]} {show(joint[i, k])}" for i, k in np.argwhere(joint != 0)]
        distributions = [
            f"{_capital(wording.seats[0])} and {wording.seats[1]} are dealt, with probability: {'; '.join(both)}."
        ]
    distributions += [_turning(game, wording, before, events) for before, events in places(game.tree)]
    return " ".join([*distributions, *(_compared(game, wording, case) for case in fought(game.tree))])


def _hand_names(game: Game, wording: Wording) -> list[list[str]]:
    return [[wording.hand(game, seat, hand) for hand in range(game.deal.size(seat))] for seat in (0, 1)]


def _turning(game: Game, wording: Wording, before: tuple[str, ...], events: tuple[str, ...]) -> str:
    """Return which of these events turns up with which hands, after the events before."""
    deal, names = game.finite_deal().in_case(Case(before)), _hand_names(game, wording)
    joint, after = deal.joint(), [deal.in_case(Case((event,))).joint() for event in events]
    ways = [
        f"with {names[0][i]} and {names[1][k]} {_or(events, [distribution[i, k] / joint[i, k] for distribution in after])}"
        for i, k in np.argwhere(joint != 0)
    ]
    when = f"after {' and '.join(before)} " if before else ""
    return f"Where one of {', '.join(events)} turns up {when}it is, {'; '.join(ways)}."


def _compared(game: Game, wording: Wording, case: Case) -> str:
    """Return who wins at a showdown in this case."""
    deal, names = game.finite_deal().in_case(case), _hand_names(game, wording)
    joint, paid, ends = deal.joint(), deal.joint_edge(), []
    for i, k in np.argwhere(joint != 0):
        against, edge = f" against {names[1][k]}" if len(names[1]) > 1 else "", paid[i, k] / joint[i, k]
        mean = f"wins with probability {show((1 + edge) / 2)} (the average is paid)"
        ends.append(f"{names[0][i]} {SURE.get(edge, mean)}{against}")
    contest = f" ({wording.contest(case.contest)})" if case.contest else ""
    when = f" after {' and '.join(case.events)}" if case.events else ""
    return f"At a showdown{contest}{when}, {wording.seats[0]}'s {', '.join(ends)}."


def _or(names: Sequence[str], distribution: Sequence[Number]) -> str:
    return " or ".join(f"{name} (probability {show(p)})" for name, p in zip(names, distribution, strict=True) if p != 0)


def _betting(game: Game, wording: Wording) -> str:
    start, seats = game.tree.root.paid, wording.seats
    begins = f"has already paid {wording.amount(start[0])} into the pot"
    alike = start[0] == start[1]
    begins = f"Each {begins}." if alike else f"{_capital(seats[0])} {begins}, {seats[1]} {wording.amount(start[1])}."
    ways, said = _terminals(game, wording), "These are all ways to play:"
    if len(ways) > MOST_TERMINALS:
        ways = sorted(ways, key=lambda way: len(way[0]))[:MOST_TERMINALS]
        said = f"These are the {MOST_TERMINALS} shortest ways to play; the others go on like them, up to {game.tree.depth} actions:"
    lines = [f"- {moves(game, history, wording, together=True)}: {_paid(leaf, wording)}" for history, leaf in ways]
    if any(leaf.stake for _, leaf in ways):
        lines.append("Showdown for an amount: the better hand wins it from the other, equal hands nothing.")
    return "\n".join([f"Betting. {begins} {said}", *lines])


def _terminals(game: Game, wording: Wording) -> list[tuple[History, Leaf]]:
    """The terminal nodes of the tree depth first, actions in the order in which they are told."""

    def visit(history: History, node: Node) -> list[tuple[History, Leaf]]:
        if isinstance(node, Leaf):
            return [(history, node)]
        if isinstance(node, Decision):
            steps = [(action, node.child(action)) for action in wording.listed(node.actions)]
        else:  # if the same follows each event, it is told once
            steps = list(steps_from(node))[: 1 if node.is_alike else None]
        return [found for step, child in steps for found in visit((*history, step), child)]

    return visit((), game.tree.root)


def _paid(leaf: Leaf, wording: Wording, you: int | None = None) -> str:
    """Return what a terminal node pays, told to a player, or to both."""
    parts, winner = [], 0 if leaf.constant > 0 else 1
    if leaf.constant:
        wins = f"{wording.seats[winner]} wins" if you is None else f"you {'win' if winner == you else 'lose'}"
        parts.append(f"{wins} {wording.amount(abs(leaf.constant))}")
    if leaf.stake:
        contest = f" ({wording.contest(leaf.contest)})" if leaf.contest else ""
        parts.append(f"showdown{contest} for {wording.amount(leaf.stake)}")
    return " and ".join(parts) or "nothing is paid"
