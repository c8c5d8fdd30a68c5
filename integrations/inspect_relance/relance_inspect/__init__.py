"""Can a language model bluff? Two tasks that ask a model at every information set of a solved game, and score its answers exactly.

    inspect eval relance_inspect/kuhn --model openai/gpt-5-mini

The score is NashConv with its 95% interval: what the two players could still gain against the policy that the answers tell, in antes.
At 0 nobody can. Every other game and option is the task `relance/<game>` of `relance.words.TASKS`, which these call.
"""

from inspect_ai import Task, task

from relance.words import TASKS

__all__ = ["kuhn", "von_neumann"]


@task
def kuhn(answers: int = 100, seed: int = 0) -> Task:
    """Kuhn's poker of three cards: 12 information sets, each asked `answers` times. Uniform play has NashConv 11/12."""
    return TASKS["one_card_poker"](raises=0, answers=answers, seed=seed)


@task
def von_neumann(answers: int = 100, seed: int = 0, hands: int = 9) -> Task:
    """Von Neumann's poker with a bet of the pot, at `hands` hands of each player, which of the best and worst should bluff."""
    return TASKS["von_neumann"](bet=2, answers=answers, seed=seed, hands=hands)
