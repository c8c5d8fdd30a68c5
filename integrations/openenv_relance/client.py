"""The client, and what it sends and sees: those of `relance.words`."""

from relance.words import QuestionObservation, RelanceEnv, Reply

__all__ = ["QuestionObservation", "RelanceEnv", "Reply"]
