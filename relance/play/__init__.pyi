from .agents import Reader as Reader  # how agents of a framework are read
from .agents import read_with as read_with  # adds readers
from .agents import strategy as strategy  # the strategy that an agent plays in a seat
from .batch import Batch as Batch  # many games at once
from .coach import Coach as Coach  # what each action is worth against a known opponent
from .equilibria import equilibrium as equilibrium  # the published one, or one that is solved once
from .exact_score import Score as Score
from .exact_score import earned as earned  # what an agent earns against a known opponent
from .nash_conv_log import NashConvLog as NashConvLog
from .opponents import OPPONENTS as OPPONENTS  # by name
from .opponents import Player as Player  # the type of whatever plays
from .opponents import opponent as opponent  # one with objects as arguments
from .rewards import REWARDS as REWARDS  # by name
from .rewards import Rewards as Rewards  # what learners are paid for actions
from .rules import ObservationPiece as ObservationPiece
from .rules import Rules as Rules  # what all adapters share
from .rules import rules as rules
from .table import Table as Table  # one game
from .wording import Wording as Wording  # the words for what is in a game
