from .plots.bars import strategy_bars as strategy_bars
from .plots.picture import pictures as pictures  # of `relance plot`, by name
from .plots.style import INK as INK
from .plots.style import PLAYER_COLOURS as PLAYER_COLOURS  # their colours
from .plots.style import add_title as add_title
from .plots.style import figure as figure  # this and the next: what notebooks draw with
from .plots.style import house_style as house_style
from .plots.style import narrow as narrow  # for phones
from .plots.style import render as render  # as SVG or PNG
from .report import report_page as report_page
