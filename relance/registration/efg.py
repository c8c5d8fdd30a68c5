"""Games as Gambit's extensive-form files, with exact payoffs, which OpenSpiel (in C++) and pygambit can read; and as trees of histories."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np

from relance.model.arguments import checked
from relance.model.game import Game, as_game, as_profile
from relance.model.game_tree import (
    MOST_HISTORIES,
    ChanceNode,
    DecisionNode,
    GameTree,
    OnRead,
    TerminalNode,
    TreeNode,
    TreeProfile,
    unwatched,
)
from relance.model.limits import check_memory
from relance.model.numbers import Number
from relance.model.strategy import Profile
from relance.model.tree import Case, Leaf, Node, Reveal, path_name, steps_from
from relance.registration.efg_file import efg_text, write_efg

NODE = 500
"""The bytes of memory that a history, with its line in the file, takes while the text is made."""


@checked
def to_efg(game: Game | GameTree | str, exact: bool = False) -> str:
    """Return the text of a Gambit .efg file of a game tree, or of a game with finitely many hands, such as a grid of [0, 1].

    Chance deals player 0's hand and then player 1's; payoffs and probabilities are fractions. Information sets are named "hand history";
    where public cards turn up, chance moves again. A game tree is written as it is.

    Args:
        game: the game.
        exact: write every fraction in full; by default those too long for OpenSpiel's reader are decimals.

    Examples:
        >>> relance.to_efg("kuhn")[:30]
        'EFG 2 R "one_card_poker(cards='

    Raises:
        ValueError: hands are on [0, 1].
    """
    if isinstance(game, GameTree):
        return write_efg(game)
    game = as_game(game)
    return efg_text(histories(game), str(game), number=str if exact else _short, comment=str(game.source))


def by_information_set(game: Game, profile: Profile) -> dict[str, dict[str, Number]]:
    """Return a profile as {information set of `histories`: {action: probability}}, including hands that are never dealt."""
    return {
        game.information_set(name, hand): {a: row[hand] for a, row in zip(node.actions, profile[name], strict=True)}
        for name, node in game.tree.decisions.items()
        for hand in range(game.finite_deal().size(node.player))
    }


def histories(game: Game, most: int | None = None) -> ChanceNode:
    """Return the root of the tree of histories of a game with finite hands: chance deals player 0's hand, then player 1's.

    Raises:
        ValueError: hands are on [0, 1], or the tree is too large for the memory, or has more than `most` histories.
    """
    deal, cases = game.finite_deal(), game.tree.cases
    nodes = deal.size(0) * deal.size(1) * len(game.tree.table.names)
    what = f"the histories of {game}, about {nodes:,},"
    check_memory(NODE * nodes, what, instead="make the game with fewer hands")
    if most is not None and (count := _count(game)) > most:
        raise ValueError(
            f"{game} has {count:,} histories, more than {most:,}; take a smaller game, or allow more by max_histories=..."
        )
    joint, labels = deal.joint(), deal.names
    distributions = {case: deal.in_case(case) for name in cases for case in (cases[name], Case(cases[name].events))}
    chances = {case: distribution.joint() for case, distribution in distributions.items()}
    edges = {
        cases[name]: distributions[cases[name]].joint_edge() for name, leaf in game.tree.leaves.items() if leaf.stake
    }
    rows = [row.sum() for row in joint]

    def visit(node: Node, history: tuple[str, ...], hands: tuple[int, int]) -> TreeNode:
        case = cases[path_name(history)]
        if isinstance(node, Leaf):
            edge = edges[case][hands] / chances[case][hands] if node.stake else 0
            return TerminalNode(node.constant + node.stake * edge)
        below = {step: (child, (*history, step)) for step, child in steps_from(node)}
        if isinstance(node, Reveal):
            after = {event: chances[Case((*case.events, event))][hands] / chances[case][hands] for event in below}
            return ChanceNode({event: (p, visit(*below[event], hands)) for event, p in after.items() if p})
        name = game.information_set(path_name(history), hands[node.player])
        return DecisionNode(node.player, name, {action: visit(*to, hands) for action, to in below.items()})

    def deal_second(h: int) -> ChanceNode:
        return ChanceNode(
            {
                labels[1][k]: (joint[h, k] / rows[h], visit(game.tree.root, (), (h, k)))
                for k in np.flatnonzero(joint[h]).tolist()
            }
        )

    return ChanceNode({labels[0][h]: (p, deal_second(h)) for h, p in enumerate(rows) if p})


def _count(game: Game) -> int:
    """The number of histories."""
    deal, met = game.finite_deal(), Counter(game.tree.cases.values())
    pairs = sum(int((deal.floats.in_case(case).joint() > 0).sum()) * nodes for case, nodes in met.items())
    return 1 + int((deal.floats.prior(0) > 0).sum()) + pairs


def _short(number: Fraction) -> str:
    """A number as text for the file: a fraction, or a decimal if it is too long for OpenSpiel's reader."""
    return str(number) if max(abs(number.numerator), number.denominator) < 2**31 else repr(float(number))


def tree_of_game(game: Game, most: int = MOST_HISTORIES, tick: OnRead = unwatched) -> GameTree:
    """Return a game with finitely many hands as a tree of at most `most` histories; `tick` is called as it is read."""
    return GameTree(
        histories(game, most),
        str(game),
        max_histories=most,
        source=game,
        reader=_profile_of_relance,
        numbers=lambda tree: _action_numbers(game),
        tick=tick,
    )


def _action_numbers(game: Game) -> dict[str, list[int]]:
    """The numbers of the actions at each information set, as in all frameworks."""
    return {
        game.information_set(node, hand): [game.action_id(action) for action in at.actions]
        for node, at in game.tree.decisions.items()
        for hand in range(game.finite_deal().size(at.player))
    }


def _profile_of_relance(tree: GameTree, given: object) -> TreeProfile:
    """A profile of a game of Relance, or the name of an opponent, on its tree."""
    game = tree.source
    assert isinstance(game, Game)
    profile = as_profile(game, given)
    game.check(profile)
    distributions = by_information_set(game, profile)
    return tree.profile(
        {s.name: distributions[s.name] for s in tree.infosets}
    )  # a hand that is never dealt has no information set
