from .catalogue import BLUEPRINTS as BLUEPRINTS  # of all games, by name
from .catalogue import blueprint as blueprint
from .catalogue import read_profile as read_profile
from .catalogue import write_profile as write_profile
from .many_bet_sizes import best_sizes as best_sizes  # of bets in `sized_von_neumann`
from .spots import Spot as Spot
from .spots import river_spot as river_spot
from .spots import spots as spots
from .spots import turn_spot as turn_spot
