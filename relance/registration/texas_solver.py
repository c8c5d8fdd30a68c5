"""Reads TexasSolver's strategies for `river` and `turn`, from the JSON that its `dump_result` writes.

This follows the writer in the published source (https://github.com/bupticybee/TexasSolver, commit d926d24: `PCfrSolver::reConvertJson`,
with the amounts of `GameTree::buildAction`). A node has its `player`, a `strategy` with `actions` and, by hand, their probabilities in
float32, and the nodes below, `childrens` by action or `dealcards` by card. The player who acts first is 1 in the file and 0 in Relance.
Hands that hold the last card are listed too. Board, pot and weights are not in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from relance.model.game import Game
from relance.model.numbers import Number, show
from relance.model.playing_cards.hole_deal import HoleDeal
from relance.model.playing_cards.ranges import hand_name, read_range
from relance.model.strategy import Profile
from relance.model.strategy_tables import profile_of_table
from relance.model.tree import Decision, Leaf, Node, Reveal, path_name, steps_from

ROUNDED = Fraction(1, 2)
"""By how many chips a bet may differ from the game's. TexasSolver rounds what a bet adds to the pot to whole chips, so that bets of a third
of 100 are 33; shares of the pot, as in the game, cannot name all of its sizes."""

_PASSIVE = "check", "fold", "call"


def read_dump(game: Game, dump: Mapping[str, Any]) -> Profile:
    """Return the profile that a dump of TexasSolver gives for a `river` or `turn`; probabilities become fractions that sum to 1.

    Raises:
        ValueError: the game is another one; the dump ends early; or at some node the player, the actions, the chips of a bet, a hand or the
            probabilities are not those of the game, or are missing.
    """
    if not isinstance(getattr(game, "deal", None), HoleDeal):
        raise ValueError(f"a dump of TexasSolver is a strategy of river(...) or turn(...), not of {game}")
    root, places = game.tree.root, (_places(game, 0), _places(game, 1))
    table: dict[str, dict[str, Any]] = {}
    try:
        for name, distribution in _distributions(game, places, (), root, dump, root.paid[0]):
            if table.setdefault(name, distribution) is not distribution:
                raise ValueError(f"TexasSolver's dump has {name!r} twice, with the hand's two cards in either order")
        return profile_of_table(game, table)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"TexasSolver's dump is damaged: {type(error).__name__} {error}") from None


def _places(game: Game, player: int) -> dict[str, int | None]:
    """The place of each hand of a range by its two cards in either order; None if the other range never lets it be dealt."""
    deal = game.deal
    assert isinstance(deal, HoleDeal)
    dealt = {hand: place for place, hand in enumerate(deal.hands[player])}
    possible = [hand for hand in read_range(game.parameters["ranges"][player]) if not _cards(hand) & {*deal.board}]
    return {hand_name(cards): dealt.get(hand) for hand in possible for cards in (hand, hand[::-1])}


def _cards(hand: Sequence[int]) -> set[str]:
    return {hand_name([card]) for card in hand}


def _distributions(
    game: Game,
    places: Sequence[Mapping[str, int | None]],
    history: tuple[str, ...],
    node: Node,
    told: Mapping[str, Any],
    before: Number,
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each information set at a node and below, with its distribution. `before` is what each player had put in when this street began."""
    if _is_over(node):
        return
    name = path_name(history)
    where = f"TexasSolver's dump at {name!r}" if name else "TexasSolver's dump at the root"
    if isinstance(node, Reveal):
        cards = told.get("dealcards") or {}
        for card, child in steps_from(node):
            if card not in cards:
                rounds = "" if cards else "; dump the second round too, with set_dump_rounds 2"
                raise ValueError(f"{where} lacks the card {card}{rounds}")
            assert isinstance(child, Decision)
            yield from _distributions(game, places, (*history, card), child, cards[card], child.paid[0])
        return
    assert isinstance(node, Decision)
    if "strategy" not in told or told.get("player") != 1 - node.player:
        what = f"TexasSolver's player {told['player']} acts" if "strategy" in told else "there is no strategy"
        raise ValueError(
            f"{where}: {what}; in {game} player {node.player} acts, whom TexasSolver calls {1 - node.player}"
        )
    theirs = told["strategy"]["actions"]
    actions = _matched(where, node, theirs, before)
    for hand, row in told["strategy"]["strategy"].items():
        if hand not in places[node.player]:
            raise ValueError(f"{where}: player {node.player} cannot hold {hand} in {game}")
        if len(row) != len(actions):
            raise ValueError(f"{where}: {hand} has {len(row)} probabilities, not one for each of {', '.join(theirs)}")
        if (place := places[node.player][hand]) is not None:
            yield game.information_set(name, place), dict(zip(actions, map(np.float32, row), strict=True))
    for text, action in zip(theirs, actions, strict=True):
        child = node.child(action)
        if not _is_over(child):
            if text not in told.get("childrens", {}):
                raise ValueError(f"{where} lacks the node after {text}, though the game is not over")
            yield from _distributions(game, places, (*history, action), child, told["childrens"][text], before)


def _is_over(node: Node) -> bool:
    """True if nobody acts any more: at the end, or when the last card follows an all-in that was called."""
    return isinstance(node, Leaf) or (isinstance(node, Reveal) and isinstance(node.children[0], Leaf))


def _matched(where: str, node: Decision, told: Sequence[str], before: Number) -> list[str]:
    """The action of the game that each of the dump's is: the same kind, and bets in the order of their chips.

    A raise is told by what its player has then put in on this street; by releases up to 0.2.0, by what it adds.
    """
    verb = "BET" if "check" in node.actions else "RAISE"
    chips = {
        a: c.paid[node.player] - before for a, c in steps_from(node) if isinstance(c, Decision) and a not in _PASSIVE
    }
    amounts = {text: float(text.split()[1]) for text in told if re.fullmatch(rf"{verb} \d+(\.\d+)?", text)}
    pairs = [*zip(sorted(amounts, key=amounts.__getitem__), sorted(chips, key=chips.__getitem__), strict=False)]
    found = dict(pairs) | {action.upper(): action for action in node.actions if action in _PASSIVE}
    for added_to in (0, node.paid[node.player] - before):
        near = all(abs(amounts[text] + added_to - chips[action]) <= ROUNDED for text, action in pairs)
        if near and sorted(told) == sorted(found) and len(found) == len(node.actions):
            return [found[text] for text in told]
    ours = [
        f"{verb} {show(chips[action])} ({action})" if action in chips else action.upper() for action in node.actions
    ]
    raise ValueError(
        f"{where} has the actions {', '.join(told)}; the game has {', '.join(ours)}; bets may differ by at most {ROUNDED} chip"
    )
