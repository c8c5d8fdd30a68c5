"""A sequential game as a tree of histories, read once into its exact sequence form.

A *sequence* of a player is a list of that player's own actions. With perfect recall, all histories of an information set follow one
sequence of its player, so a strategy is a weight for each sequence, and the payoffs are linear in each player's weights. Sequence 0 is
the empty one; the actions of an information set have neighbouring numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from itertools import repeat
from math import lcm
from operator import getitem
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from relance.model.arguments import Count, checked
from relance.model.arrays import Array, Ints, Put
from relance.model.game import Game, as_game
from relance.model.limits import collector_paused
from relance.model.numbers import did_you_mean, fraction, probabilities_meant, short
from relance.model.renamed import HasOldNames
from relance.model.sequences import (
    CaseTerminals,
    DecisionPoints,
    SequenceForm,
    WrittenTerminals,
    sequence_form,
)
from relance.model.strategy_tables import read_distribution
from relance.model.texts import READ
from relance.model.tree import Case

OnRead: TypeAlias = Callable[[int], object]
"""A function that is called while a game is read, with the number of histories read since the last call."""


def unwatched(more: int) -> None:
    """Ignore `more`, the number of histories read. This function is the default `OnRead`."""


MOST_HISTORIES, TOLD = 5_000_000, 10_000
"""The most histories read by default (some minutes, some gigabytes); and how many between two calls of an `OnRead`."""

WHOLE = 1 << 60
"""Probabilities in floats are rounded to realization weights that are whole multiples of 1 / WHOLE."""

OPENSPIEL = "openspiel:"
"""The beginning of the text that names a game of OpenSpiel, such as "openspiel:leduc_poker"."""

SUFFIXES, HEADS = (".efg", ".nfg"), ("EFG ", "NFG ")
"""How the names of Gambit's files end, and how the files begin."""

ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class TerminalNode:
    """A terminal node with the payoff of each player, `pays`. A single number is what player 0 wins from player 1."""

    pays: Any

    def payoffs(self) -> tuple[Fraction, ...]:
        """Return each player's payoff as a fraction, player 0's first."""
        if isinstance(self.pays, (list, tuple)):
            return tuple(fraction(amount, "payoff") for amount in self.pays)
        amount = fraction(self.pays, "payoff")
        return amount, -amount


@dataclass(frozen=True)
class ChanceNode:
    """A chance node: for the name of each outcome, its probability and the node after it."""

    outcomes: Mapping[str, tuple[Any, TreeNode]]


@dataclass(frozen=True)
class DecisionNode:
    """A decision node of `player`, who knows only the information set's name; each action leads to a node."""

    player: int
    information_set: str
    actions: Mapping[str, TreeNode]


TreeNode: TypeAlias = TerminalNode | ChanceNode | DecisionNode


class InformationSet(NamedTuple):
    """An information set: decision nodes of one player that the player cannot tell apart.

    Attributes:
        player: who acts.
        name: unique in the game.
        actions: the names of the legal actions.
        before: the number of the player's sequence that leads here.
        first: the number of the sequence that ends with the first action; those of the other actions follow.
    """

    player: int
    name: str
    actions: tuple[str, ...]
    before: int
    first: int

    @property
    def after(self) -> range:
        """Return the indices of the player's sequences that end with an action of this information set, in the order of `actions`."""
        return range(self.first, self.first + len(self.actions))


class TreePayoffs:
    """The payoff operator of a tree of histories. Each player has one hand, so arrays have shape (sequences, 1).

    Args:
        rows: (terminal nodes, players) each player's sequence that leads to a terminal node.
        pays: (terminal nodes, players) each player's payoff times the probability of chance; whole numbers or floats.
        unit: a payoff in `pays` is counted in 1 / `unit` chips.
    """

    distribution_rows = 0

    def __init__(self, rows: Ints, pays: Array, unit: int = 1) -> None:
        self.rows, self.pays, self.unit, players = rows, pays, unit, range(rows.shape[1])
        self._written = [
            WrittenTerminals.of(rows[:, p], [rows[:, q] for q in players if q != p], pays[:, p, None, None])
            for p in players
        ]

    @cached_property
    def listed(self) -> list[tuple[Sequence[int], Sequence[Any]]]:
        """Return (sequences, payoffs) for each terminal node: two lists with one entry per player, from the arrays `rows` and `pays`."""
        return list(zip(self.rows.tolist(), self.pays.tolist(), strict=True))

    def size(self, player: int) -> int:
        """The number of hands of a player: 1."""
        return 1

    def written(self, side: SequenceForm, player: int) -> WrittenTerminals:
        """The terminal nodes in the order of the player's sequences, with `player`'s payoffs; `side` is not used."""
        return self._written[player]

    def in_case(self, case: Case) -> TreePayoffs:
        """Return this operator. `case` is not used: a tree of histories has all chance events in it, and payoffs at each terminal node."""
        return self

    def pay_cases(self, player: int, cases: Sequence[CaseTerminals], reach: Array, values: Array) -> None:
        """Add `player`'s counterfactual values to `values`, (player's sequences, 1); `cases` is not used.

        `reach`, (opponent's sequences, 1), has the opponent's reach probabilities.
        """
        self._written[player].pay([reach], values)

    @cached_property
    def floats(self) -> TreePayoffs:
        """This payoff operator with `pays` in float64, counted in chips."""
        if self.pays.dtype != object:
            return self
        pays = [[float(Fraction(amount, self.unit)) for amount in row] for row in self.pays.tolist()]
        return TreePayoffs(self.rows, np.array(pays).reshape(self.pays.shape))

    @property
    def compiled(self) -> TreePayoffs:
        """This payoff operator with `pays` in float64: compiled loops read such arrays as they are."""
        return self.floats

    def moved(self, put: Put) -> TreePayoffs:
        """Return this payoff operator in floats, with its arrays converted by `put`."""
        out = copy(self.floats)
        out._written = [terminals.moved(put) for terminals in out._written]
        return out


class GameTree(HasOldNames):
    """A sequential game with perfect recall and finitely many histories, with any number of players and any payoffs.

    The tree is read once, from the root, and checked: probabilities are fractions that sum to 1; the histories of an information set have
    one player, the same actions and the same sequence of that player.

    Attributes:
        root: the first node.
        title: a name for messages.
        num_players: the number of players.
        infosets: the information sets of all players, earlier ones of a player first.
        num_sequences: the number of sequences of each player.
        forms: each player's sequence form; it numbers the sequences as the information sets do.
        num_histories: the number of nodes.
        terminals: {each player's sequence number: each player's payoff times chance's probability}; terminal nodes with the same sequences
            are one entry, with their sum.
        utility_sum: the sum of all players' payoffs, if it is the same at each terminal node, else None.
    """

    @checked
    @collector_paused()
    def __init__(
        self,
        root: TerminalNode | ChanceNode | DecisionNode,
        title: str = "",
        max_histories: Count = MOST_HISTORIES,
        source: object = None,
        reader: Callable[[GameTree, Any], TreeProfile] | None = None,
        numbers: Callable[[GameTree], Mapping[str, Sequence[int]]] | None = None,
        tick: OnRead = unwatched,
    ) -> None:
        """Read a game from its root.

        Args:
            root: the first node.
            title: a name for messages.
            max_histories: the most histories to read.
            source: what the root was made from.
            reader: reads the profiles of that source, such as policies of OpenSpiel.
            numbers: the numbers of the actions at each information set in that source; by default their places.
            tick: see `OnRead`.

        Raises:
            ValueError: a probability, payoff or player is impossible, recall is not perfect, or there are more histories.
        """
        self.root, self.title, self.source, self.reader = root, title or "the game", source, reader
        self._numbers = numbers
        self.num_histories, self.num_players = 0, 0
        self.terminals: dict[tuple[int, ...], tuple[Fraction, ...]] = {}
        self._known: dict[tuple[int, str], InformationSet] = {}
        self._sizes: list[int] = []
        self._sums: set[Fraction] = set()
        self._paid: dict[int, tuple[Any, tuple[Fraction, ...]]] = {}
        self._read(max_histories, tick)
        del self._paid
        self.num_players = max(self.num_players, len(self._sizes))
        self.num_sequences = tuple(self._sizes)
        self.utility_sum = self._sums.pop() if len(self._sums) == 1 else None
        infos = [info for _, info in self._known]
        shared = len(infos) > len(set(infos))  # two players' information sets have one name
        self.infosets = tuple(
            s._replace(name=f"player {s.player}: {s.name}") if shared else s for s in self._known.values()
        )
        self._names_of = dict(zip(self._known, [s.name for s in self.infosets], strict=True))
        self._number()

    def __repr__(self) -> str:
        return f"<relance game tree {self}>"

    def __str__(self) -> str:
        return self.title

    def name_of(self, player: int, information_set: str) -> str:
        """The unique name of a player's information set, from its name at the nodes, which two players may share."""
        return self._names_of[player, information_set]

    def infosets_of(self, player: int) -> Iterator[InformationSet]:
        """Yield the information sets of a player, earlier ones first."""
        return (s for s in self.infosets if s.player == player)

    @cached_property
    def action_numbers(self) -> Mapping[str, Sequence[int]]:
        """Each information set's action numbers: as in the game of OpenSpiel or Relance that the tree was read from, else 0, 1, ..."""
        if self._numbers is None:
            return {s.name: range(len(s.actions)) for s in self.infosets}
        return self._numbers(self)

    @cached_property
    def by_name(self) -> dict[str, InformationSet]:
        """{name: information set}, for all players."""
        return {s.name: s for s in self.infosets}

    def _number(self) -> None:
        """Number each player's sequences as their sequence form does."""
        forms, places = [], []
        for player in range(self.num_players):
            mine = list(self.infosets_of(player))
            made = {j: (k, i) for k, s in enumerate(mine) for i, j in enumerate(s.after)}
            after, choice = np.array([made.get(s.before, (-1, 0)) for s in mine], np.int64).reshape(-1, 2).T
            actions, names = np.array([len(s.actions) for s in mine], np.int64), [s.name for s in mine]
            forms.append(sequence_form(DecisionPoints(actions, after, choice), names))
            every = np.array([made.get(j, (-1, 0)) for j in range(self.num_sequences[player])], np.int64)
            places.append(forms[player].sequences(*every.reshape(-1, 2).T).tolist())
        self.forms = tuple(forms)
        self.infosets = tuple(
            s._replace(before=places[s.player][s.before], first=places[s.player][s.first]) for s in self.infosets
        )
        self.terminals = {tuple(map(getitem, places, key)): pays for key, pays in self.terminals.items()}

    @cached_property
    def payoffs(self) -> TreePayoffs:
        """The payoff operator, with payoffs in whole numbers of a common unit."""
        kinds = {id(pays): pays for pays in self.terminals.values()}  # many terminal nodes share what they pay
        unit = lcm(*(amount.denominator for pays in kinds.values() for amount in pays))
        whole = {at: [amount.numerator * (unit // amount.denominator) for amount in kinds[at]] for at in kinds}
        some = [(key, whole[id(pays)]) for key, pays in self.terminals.items() if any(whole[id(pays)])]
        rows, pays = (np.array([e[i] for e in some], kind) for i, kind in enumerate((np.int64, object)))
        return TreePayoffs(rows.reshape(-1, self.num_players), pays.reshape(-1, self.num_players), unit)

    def _read(self, most: int, tick: OnRead) -> None:
        """Visit every history once, depth first, in the order of the actions."""
        stack: list[tuple[TreeNode, tuple[str, ...], Fraction, tuple[int, ...]]] = [(self.root, (), ONE, ())]
        while stack:
            node, history, chance, last = stack.pop()
            self.num_histories += 1
            if self.num_histories % TOLD == 0:
                tick(TOLD)
            if self.num_histories > most:
                raise ValueError(
                    f"{self.title} has more than {most:,} histories; take a smaller game, or allow more by max_histories=..."
                )
            children: list[tuple[TreeNode, tuple[str, ...], Fraction, tuple[int, ...]]]
            match node:
                case TerminalNode():
                    self._end(node, history, chance, last)
                    continue
                case ChanceNode(outcomes=Mapping()):
                    children = []
                    for (name, (_, child)), p in zip(node.outcomes.items(), self._chances(node, history), strict=True):
                        children.append((child, (*history, name), chance * p, last))
                case DecisionNode(information_set=str(), actions=Mapping()):
                    last = self._seats(node.player, last, history)
                    player, first = node.player, self._set_at(node, history, last[node.player]).first
                    head, tail = last[:player], last[player + 1 :]
                    children = [
                        (child, (*history, name), chance, (*head, first + i, *tail))
                        for i, (name, child) in enumerate(node.actions.items())
                    ]
                case _:
                    raise TypeError(
                        f"{at_history(history)}: this {type(node).__name__} is no valid node: take a TerminalNode, a ChanceNode with "
                        "a mapping of outcomes, or a DecisionNode with a mapping of actions, and with text for its information set"
                    )
            stack += children[::-1]

    def _seats(self, player: int, last: tuple[int, ...], history: tuple[str, ...]) -> tuple[int, ...]:
        """The sequences so far, with a place for this player."""
        if isinstance(player, bool) or not isinstance(player, int) or not 0 <= player < (self.num_players or 100):
            allowed = f"0 to {self.num_players - 1}" if self.num_players else "0, 1 and so on"
            raise ValueError(f"{at_history(history)}: player {short(player)} acts; players are {allowed}")
        self._sizes += [1] * (player + 1 - len(self._sizes))
        return last + (0,) * (player + 1 - len(last))

    def _chances(self, node: ChanceNode, history: tuple[str, ...]) -> list[Fraction]:
        try:
            distribution = {name: p for name, (p, _) in node.outcomes.items()}
            return [*probabilities_meant(at_history(history), distribution).values()]
        except TypeError as error:
            raise ValueError(f"{at_history(history)}: {error}") from None

    def _set_at(self, node: DecisionNode, history: tuple[str, ...], before: int) -> InformationSet:
        """The information set of a decision, which is new or fits those of its name."""
        actions, key = tuple(node.actions), (node.player, node.information_set)
        found = self._known.get(key)
        if found is None:
            if not actions or not all(map(isinstance, actions, repeat(str))):
                what = f"an action that is not text, {short(actions)}" if actions else "no action"
                raise ValueError(f"{at_history(history)}: player {node.player} has {what}")
            found = InformationSet(*key, actions, before, self._sizes[node.player])
            self._sizes[node.player] += len(actions)
            self._known[key] = found
        if found.actions == actions and found.before == before:
            return found
        where = f"{at_history(history)}: information set {node.information_set!r} of player {node.player}"
        if found.actions != actions:
            raise ValueError(
                f"{where} has the actions {', '.join(actions)} here, and {', '.join(found.actions)} elsewhere; they must be equal lists"
            )
        came, went = (self._sequence(node.player, sequence) for sequence in (before, found.before))
        raise ValueError(
            f"{where} breaks perfect recall: here the player has played {came}, elsewhere {went}. "
            "Relance takes games with perfect recall; let the information set's name tell the player's past actions"
        )

    def _sequence(self, player: int, sequence: int) -> str:
        """The last action of a sequence and where it was taken, for messages."""
        if not sequence:
            return "nothing"
        for (who, name), s in self._known.items():
            if who == player and sequence in s.after:
                return f"{s.actions[sequence - s.first]} at {name!r}"
        raise AssertionError

    def _end(self, node: TerminalNode, history: tuple[str, ...], chance: Fraction, last: tuple[int, ...]) -> None:
        known = self._paid.get(id(node.pays))
        if known is None:
            try:
                pays = node.payoffs()
            except (TypeError, ValueError) as error:
                raise ValueError(f"{at_history(history)}: {error}") from None
            if not pays:
                raise ValueError(f"{at_history(history)}: there are no payoffs; each player needs one")
            known = self._paid[id(node.pays)] = node.pays, pays  # what is paid is kept, so that no other has its id
            self._sums.add(sum(pays, ZERO))
        pays = known[1]
        if not self.num_players:
            self.num_players = len(pays)
            self._sizes += [1] * (self.num_players - len(self._sizes))
        if len(pays) != self.num_players or len(self._sizes) > self.num_players:
            players = max(self.num_players, len(self._sizes))
            raise ValueError(f"{at_history(history)}: there are {len(pays)} payoffs, but {players} players")
        key = last + (0,) * (self.num_players - len(last))
        if chance:
            before = self.terminals.get(key)
            added = pays if chance is ONE else tuple(chance * amount for amount in pays)
            self.terminals[key] = added if before is None else tuple(a + b for a, b in zip(before, added, strict=True))

    def payoff_operator(self) -> TreePayoffs:
        """The linear map from reach probabilities to counterfactual values, exact; CFR uses its attribute `floats`."""
        return self.payoffs

    @cached_property
    def max_chips(self) -> Fraction:
        """The most chips that a terminal node pays a player, times its probability by chance; 1 if no terminal node pays any."""
        return max((abs(amount) for pays in self.terminals.values() for amount in pays), default=ZERO) or ONE

    @cached_property
    def identity(self) -> str:
        """The title, and a digest of information sets and payoffs, which tells games of one title apart."""
        told = repr((self.infosets, sorted(self.terminals.items())))
        return f"{self.title} [{sha256(told.encode()).hexdigest()[:16]}]"

    def profile_from_arrays(self, probabilities: Sequence[Array]) -> TreeProfile:
        """Return the profile with these probabilities: an array (k, 1) per player, whose k rows are the actions at all information sets.

        Floats are rounded to fractions, so that realization weights are multiples of 1 / `WHOLE` and can be compared as whole numbers.
        """
        whole = [[WHOLE, *[0] * (size - 1)] for size in self.num_sequences]
        table = {}
        for s in self.infosets:
            at, part = whole[s.player], probabilities[s.player][s.first - 1 : s.after.stop - 1, 0]
            if part.dtype == object:
                table[s.name] = dict(zip(s.actions, part.tolist(), strict=True))
                continue
            reach = at[s.before]
            shares = [int(reach * float(p)) for p in part]
            shares[int(np.argmax(part))] += reach - sum(shares)
            at[s.first : s.after.stop] = shares
            distribution = (
                [Fraction(share, reach) for share in shares] if reach else [Fraction(i == 0) for i in range(len(part))]
            )
            table[s.name] = dict(zip(s.actions, distribution, strict=True))
        return TreeProfile(self, table)

    def with_terminals(self, terminals: Mapping[tuple[int, ...], tuple[Fraction, ...]]) -> GameTree:
        """Return a game with the same information sets and other payoffs, given as in the attribute `terminals`."""
        out = copy(self)
        for computed in ("payoffs", "max_chips", "identity"):
            vars(out).pop(computed, None)
        out.terminals = dict(terminals)
        return out

    @checked
    def profile(self, table: Mapping[str, Any], partial: bool = False) -> TreeProfile:
        """Return a checked profile of {information set: {action: probability}}; `partial` allows sets to be missing.

        Raises:
            ValueError: an information set is unknown or missing, an action is unknown, or probabilities are negative or do not sum to 1.
        """
        if isinstance(table, TreeProfile):
            if table.tree is not self and table.tree.by_name != self.by_name:
                raise ValueError(f"this is a profile of {table.tree}, not of {self}")
            return table
        for name in table:
            if name not in self.by_name:
                raise ValueError(f"{self} has no information set {short(name)}" + did_you_mean(str(name), self.by_name))
        at = {}
        for s in self.infosets:
            if s.name in table:
                by_name = isinstance(distribution := table[s.name], Mapping) and all(
                    action in s.actions for action in distribution
                )
                at[s.name] = read_distribution(
                    repr(s.name), s.actions, distribution, None if by_name else self.action_numbers[s.name]
                )
            elif not partial:
                raise ValueError(f"the profile says nothing of information set {s.name!r} of player {s.player}")
        return TreeProfile(self, at)

    def uniform(self) -> TreeProfile:
        """Return the profile in which each player chooses each legal action with the same probability."""
        share = {n: Fraction(1, n) for n in {len(s.actions) for s in self.infosets}}
        return TreeProfile(self, {s.name: dict.fromkeys(s.actions, share[len(s.actions)]) for s in self.infosets})


def as_source(game: Game | GameTree | str) -> Game | GameTree:
    """Return a game as it is; read text as a `GameTree` if it is openspiel:NAME or a file's path, else as a `Game`."""
    if isinstance(game, str) and names_a_tree(game):
        return as_tree(game)
    return game if isinstance(game, GameTree) else as_game(game)


def names_a_tree(text: str) -> bool:
    """True for openspiel:NAME, for a file's path, and for the text of a Gambit file."""
    with suppress(OSError, ValueError):  # too long for a path, or no path at all
        if text.endswith(SUFFIXES) or (Path(text).suffix and (not set(text) & {*"(:"} or Path(text).is_file())):
            return True
    return text.startswith((OPENSPIEL, *HEADS))


def as_tree(game: object) -> GameTree:
    """Return a `GameTree` as it is; make one of anything else with `relance.game_tree`."""
    return game if isinstance(game, GameTree) else READ["tree"](game)


def at_history(history: Sequence[str]) -> str:
    """A history in a message: "after bet, call", or "at the start" if it is empty."""
    return f"after {', '.join(history)}" if history else "at the start"


@dataclass(frozen=True, eq=False)
class TreeProfile(Mapping[str, Mapping[str, Fraction]]):
    """A profile of a game tree: a mapping {information set: {action: probability}} in fractions.

    Attributes:
        tree: the game tree.
        at: the mapping.
        solved_by: the method that found it, if one did.
    """

    tree: GameTree
    at: Mapping[str, Mapping[str, Fraction]]
    solved_by: str = ""

    def __getitem__(self, name: str) -> Mapping[str, Fraction]:
        return self.at[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.at)

    def __len__(self) -> int:
        return len(self.at)

    def with_player(self, player: int, other: Mapping[str, Mapping[str, Fraction]]) -> TreeProfile:
        """A copy of this profile in which `player` plays as in the profile `other`."""
        return TreeProfile(self.tree, {**self.at, **{s.name: other[s.name] for s in self.tree.infosets_of(player)}})

    def texts(self) -> dict[str, dict[str, str]]:
        """{information set: {action: probability}} with each probability as text, such as "1/3", for JSON."""
        return {name: {action: str(p) for action, p in distribution.items()} for name, distribution in self.at.items()}
