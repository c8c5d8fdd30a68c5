"""For TRL: one seat of one hand as an environment class of `GRPOTrainer(environment_factory=...)`. TRL itself is not imported."""

from __future__ import annotations

from typing import Any

from relance.model.arguments import Count, NaturalNumber, Seat, check, checked
from relance.words.spoken_hands import DEFAULT, EVERY, SpokenHand, spoken_game


@checked
def hand_environment(
    game: str,
    reward: str = "",
    opponent: str = "",
    *,
    every: Count = EVERY,
    renaming: NaturalNumber | None = None,
) -> type[Any]:
    """Return TRL's environment class of a game: `reset` deals and asks, the tool `act` answers, `reward` is the hand's reward so far.

    All environments share one estimate of the learner's policy. A row of `hand_rows`, for `reset`, fixes the deal and the opponent's draws.

    Args:
        game: such as "one_card_poker(raises=0)".
        reward: a name of `relance.play.rewards`; by default "exploitability_descent", or "advantage" if an opponent is named.
        opponent: who plays the other seat, as in `relance.play.strategy`. By default an equilibrium with the rewards "chips" and "loss", a
            best response to the learner's policy with "exploitability_descent", and that policy itself with "advantage" and "magnet".
        every: after how many answers the learner's policy is estimated anew.
        renaming: the seed of a renamed game, in which everything has another name.

    Raises:
        ValueError: an argument is not allowed.
    """
    plain = spoken_game(game, opponent or "equilibrium", "equilibrium", 0, renaming)
    spoken = plain.learning(reward or ("advantage" if opponent else DEFAULT), opponent or None, every)

    class HandEnvironment:
        """One seat of one hand.

        Attributes:
            rewards: computes rewards of decisions; its `policy` is the learner's, as estimated from the answers of all environments.
            reward: the sum of the rewards of this hand's decisions so far; with "chips", what the hand paid at its end, and 0 before.
        """

        rewards = spoken.rewards

        def __init__(self) -> None:
            self.reward = 0.0
            self._hand: SpokenHand | None = None

        def reset(self, seed: int = 0, deal: int = 0, seat: int = 0, **columns: object) -> str:
            """Deal a hand, and return the question, or how the hand ended if the opponent ended it at once."""
            check("seat", seat, Seat)
            self.reward, self._seat = 0.0, seat
            self._hand = SpokenHand(spoken, seed, deal, seats=(seat,))
            return self._told()

        def act(self, action: str) -> str:
            """Take an action in the hand.

            Args:
                action: The name of one of your actions, without brackets

            Returns:
                The next question, or how the hand ended.
            """
            hand = self._hand
            if hand is None or hand.seat is None or hand.asked is None:
                raise ValueError("The hand is over.")
            asked = hand.asked
            hand.answer(f"[{action.strip().strip('[]')}]")
            paid = sum(spoken.pay(asked.rows))
            self.reward = self.reward + paid if spoken.by_decision else hand.chips(self._seat)
            return self._told()

        def _give_up(self) -> None:
            if self._hand is not None and self._hand.seat is not None:
                self.act("")

        def _told(self) -> str:
            assert self._hand is not None
            over = f"The hand is over; you get {spoken.wording.amount(self._hand.chips(self._seat))}."
            return over if self._hand.seat is None else self._hand.messages[-1]["content"]

    return HandEnvironment


@checked
def hand_rows(deals: Count, seed: NaturalNumber = 0) -> list[dict[str, Any]]:
    """Return the rows of a data set: each deal in both seats, with the prompt that comes before the question."""
    told = "Play one hand. Answer each question with a call of the tool `act`; put the name of your action there, not in brackets.\n\n"
    prompt = [{"role": "user", "content": told}]  # the first question is appended to it
    return [{"prompt": prompt, "seed": seed, "deal": deal, "seat": seat} for deal in range(deals) for seat in (0, 1)]


@checked
def hand_rewards(environments: list[Any], **columns: object) -> list[float]:
    """Return what the decisions of each hand were paid, in chips: the reward function of `GRPOTrainer`.

    A hand that the model left is given up: the open question counts as answered without an action. If leaving cost nothing, it would be
    better than to play badly, and models would learn to leave.
    """
    for environment in environments:
        environment._give_up()
    return [environment.reward for environment in environments]
