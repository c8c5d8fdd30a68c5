from .data_set import question_rows as question_rows
from .data_set import write_questions as write_questions
from .endpoint import Endpoint as Endpoint
from .estimate import Estimate as Estimate
from .estimate import estimate as estimate
from .fresh_games import fresh_game as fresh_game  # a game that nobody has printed
from .game_logs import read_games as read_games
from .games_score import score_games as score_games
from .inspect import TASKS as TASKS  # of Inspect, by game
from .log_rows import LogRow as LogRow
from .match import Match as Match
from .match import matches as matches
from .openenv import QuestionObservation as QuestionObservation
from .openenv import RelanceEnv as RelanceEnv  # the client of OpenEnv
from .openenv import Reply as Reply
from .openenv import openenv_app as openenv_app  # the server
from .prompts import describe as describe
from .prompts import situation as situation
from .renamings import renamed_wording as renamed_wording  # the same game in other words
from .sampled_score import cost as cost
from .sampled_score import score as score
from .spoken_hands import SpokenGame as SpokenGame
from .spoken_hands import SpokenHand as SpokenHand  # asked and paid decision by decision
from .spoken_hands import spoken_game as spoken_game
from .text_agent import Question as Question
from .text_agent import TextAgent as TextAgent
from .text_agent import parse_reply as parse_reply
from .trl import hand_environment as hand_environment
from .trl import hand_rewards as hand_rewards
from .trl import hand_rows as hand_rows
