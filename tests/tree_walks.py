"""What tests expect of game trees, history by history and plan by plan."""

from fractions import Fraction as F
from itertools import product

from relance.model.game_tree import ChanceNode, DecisionNode, TerminalNode
from relance.solvers.tree_values import evaluate


def walked(tree, profile):
    """{information set: (own reach, others' reach, {action: others' reach times chips})}, history by history."""
    out = {}

    def visit(node, chance, own):
        """What each player earns from here, given that play is here."""
        if isinstance(node, TerminalNode):
            return node.payoffs()
        if isinstance(node, ChanceNode):
            parts = [(F(p), visit(child, chance * F(p), own)) for p, child in node.outcomes.values()]
            return tuple(sum(p * pays[q] for p, pays in parts) for q in range(tree.num_players))
        here, who = tree.name_of(node.player, node.information_set), node.player
        distribution = profile[here]
        below = {
            action: visit(child, chance, [p * distribution[action] if q == who else p for q, p in enumerate(own)])
            for action, child in node.actions.items()
        }
        others = chance
        for q, p in enumerate(own):
            others *= 1 if q == who else p
        reach, met, chips = out.get(here, (own[who], 0, dict.fromkeys(distribution, 0)))
        assert reach == own[who]
        out[here] = reach, met + others, {a: chips[a] + others * below[a][who] for a in distribution}
        return tuple(sum(distribution[a] * below[a][q] for a in distribution) for q in range(tree.num_players))

    assert visit(tree.root, F(1), [F(1)] * tree.num_players) == evaluate(tree, profile).values
    return out


def earned(tree, profile):
    """What each player earns, history by history."""

    def visit(node):
        if isinstance(node, TerminalNode):
            return node.payoffs()
        if isinstance(node, ChanceNode):
            parts = [(F(p), visit(child)) for p, child in node.outcomes.values()]
        else:
            distribution = profile[tree.name_of(node.player, node.information_set)]
            parts = [
                (distribution[action], visit(child)) for action, child in node.actions.items() if distribution[action]
            ]
        return tuple(sum(p * pays[q] for p, pays in parts) for q in range(tree.num_players))

    return visit(tree.root)


def best_of_all_plans(tree, profile, player):
    """The most that any choice of an action at each information set of the player earns."""
    sets = [*tree.infosets_of(player)]
    plans = product(*(s.actions for s in sets))
    pure = (
        {s.name: {a: F(a == action) for a in s.actions} for s, action in zip(sets, plan, strict=True)} for plan in plans
    )
    return max(earned(tree, {**profile, **plan})[player] for plan in pure)


def together(players, yes=()):
    """Each player says yes or no, unseen; if all say yes, each of them wins a chip from nobody."""
    if len(yes) == players:
        return TerminalNode((int(all(yes)),) * players)
    said = {"no": together(players, (*yes, False)), "yes": together(players, (*yes, True))}
    return DecisionNode(len(yes), f"player {len(yes)}", said)
