"""The old names of renamed things with the new ones, so that an error for an old name tells the new one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any

import lazy_loader  # type: ignore[import-untyped]

RENAMED: Mapping[str, Mapping[str, str | tuple[str, ...]]] = {
    "setting": {  # of a learner
        "advantage_steps": "advantage_network_train_steps",
        "anticipatory": "anticipatory_param",
        "apart": "binary_scale",
        "auxiliary_epochs": "e_auxiliary",
        "batch": ("batch_size", "num_steps"),
        "clip": "clip_range",
        "clone": "beta_clone",
        "critic_rate": "critic_learning_rate",
        "critic_updates": "num_critic_before_pi",
        "entropy": "ent_coef",
        "entropy_falls": "ent_decay",
        "episodes": "number_training_episodes",
        "epochs": "update_epochs",
        "epsilon_steps": "epsilon_decay_duration",
        "exploration": "value_exploration",
        "follow": ("tau", "target_network_avg"),
        "fractions": "policy_discretization",
        "games": "num_envs",
        "hidden": ("hidden_size", "num_features"),
        "later": "average_power",
        "layers": "num_layers",
        "longest": "max_grad_norm",
        "magnet": "magnet_coef",
        "memory": "memory_capacity",
        "minibatches": "num_minibatches",
        "parts": "num_minibatches",
        "policy_phase": "n_iteration",
        "policy_steps": ("policy_network_train_steps", "avg_policy_batch_steps"),
        "proximal": "kl_coef",
        "pull": ("magnet_coef", "eta_reward_transform"),
        "rare": "policy_threshold",
        "rate": "learning_rate",
        "rate_falls": "anneal_lr",
        "refresh": ("magnet_update_interval", "entropy_schedule_size"),
        "regret_steps": "regret_batch_steps",
        "replay": "replay_buffer_capacity",
        "reservoir": "reservoir_buffer_capacity",
        "sharpness": "number_scale",
        "simulations": "sims_per_entry",
        "slow": "anneal_updates",
        "steps": "num_steps",
        "tables": "num_envs",
        "target_every": "update_target_network_every",
        "trace": "gae_lambda",
        "traversals": "num_traversals",
        "truncate": "truncate_negative",
        "trust": "prior_count",
        "value_steps": "value_batch_steps",
        "widest": ("logit_threshold", "nerd_beta"),
    },
    "name": {  # of a room
        "Law": "Distribution",
        "MEANING": "VERDICT_MEANINGS",
        "PLAYERS": "PLAYER_COLOURS",
        "fresh": "fresh_game",
        "headed": "add_title",
        "joint_law": "joint_distribution",
        "law": "distribution",
        "locked": "lock_nodes",
        "narrowed": "narrow",
        "nearest_size": "nearest_size_probs",
        "planted": "planted_errors",
        "pseudo_harmonic": "pseudo_harmonic_probs",
        "reach": "reach_probs",
        "reach_probabilities": "sequence_probs",
        "redressed": "renamed_wording",
    },
    "argument": {  # of a public function
        "dress": "renaming",
        "judge": "reference_opponent",
        "letters": "symbols",
        "menu": "bet_sizes",
        "most": ("max_histories", "max_cells", "max_deviations", "max_iterations"),
        "of": "game",
    },
    "attribute": {  # of an object
        "applying": "printed_index",
        "chips": "action_values",
        "confirm": "correct_check",
        "counterfactual_reach": "counterfactual_reach_prob",
        "distribution": "action_probs",
        "endings": "terminals",
        "held": "hands_of",
        "histories": "num_histories",
        "is_ending": "is_terminal",
        "lead": "next_nodes",
        "letters": "symbols",
        "most_chips": "max_chips",
        "most_lost": "max_loss",
        "named": "short_name",
        "near": "profile_from_arrays",
        "players": "num_players",
        "reach": "reach_prob",
        "sets": "infosets",
        "sets_of": "infosets_of",
        "sizes": "num_sequences",
        "sum": "utility_sum",
        "values": "action_values",
        "weights_at": "realization_weights_at",
        "with_endings": "with_terminals",
    },
    "option": {"--dress": "--renaming", "--face": "--optimal-set", "--judge": "--reference-opponent"},  # of a command
    "picture": {"face": "optimal_set"},
}
"""{kind of thing: {old name: new name}}; several new names where things of one kind shared an old name."""


def now_called(kind: str, old: str, known: Collection[str] | None = None) -> str:
    """Return "; it is called 'x' now" if a thing of this `kind` was renamed from `old` to x, and x is in `known` if given; else ""."""
    new = RENAMED[kind].get(old, ())
    names = [name for name in ([new] if isinstance(new, str) else new) if known is None or name in known]
    return f"; it is called {names[0]!r} now" if names else ""


class HasOldNames:
    """A base class whose AttributeError for an attribute's old name tells the new name."""

    if not TYPE_CHECKING:  # where any attribute would then be known

        def __getattr__(self, name: str) -> Any:
            hint = now_called("attribute", name, dir(self))
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}{hint}")


def public_names(room: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return the `__getattr__`, `__dir__` and `__all__` of a subpackage whose `__init__.pyi` lists names, imported on first use.

    Args:
        room: the subpackage's `__name__`.
        file: the subpackage's `__file__`.
    """
    get, names, known = lazy_loader.attach_stub(room, file)

    def found(name: str) -> Any:
        if hint := now_called("name", name, known):
            raise AttributeError(f"{room} has no {name!r}{hint}")
        return get(name)

    return found, names, known
