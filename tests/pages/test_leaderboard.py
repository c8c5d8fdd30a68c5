"""The leaderboard: what counts for a budget, how machines are named, and the pictures."""

import re
from dataclasses import asdict
from pathlib import Path
from xml.etree import ElementTree

import pytest

from relance.baselines import rows
from relance.baselines.algorithms import algorithms, code_of
from relance.baselines.boards import at_budget, boards_of, gathered, labels
from relance.baselines.runs import train
from relance.envs.catalogue import make
from relance.pages.board_notes import headings, short_name
from relance.pages.leaderboard import (
    curves_of,
    distance_curves_of,
    distances,
    leaderboard_page,
    searches_of,
    slug,
    write_leaderboard,
)
from relance.pages.submissions import table_of

MACHINE = {"cpu": "Z80", "cores": 1, "system": "CP/M", "arch": "z80"}
VERSIONS = {"python": "3.11.0", "relance": "0.1.0"}


def row(game="one_card_poker", algorithm="ppo", seed=0, last=0.5, seconds=60.0, **given):
    what = {
        "game": str(make(game)),
        "algorithm": algorithm,
        "settings": {},
        "seed": seed,
        "seconds": seconds,
        "samples": None,
        "points": [[0.4, 10_000, 1.0], [10.3, 100_000, 0.75], [seconds + 0.01, 1_000_000, last]],
        "ended": "budget",
        "policy": None,
        "date": "2026-01-02",
        "machine": MACHINE,
        "versions": VERSIONS,
        "jobs": 1,
        **given,
    }
    return {"key": rows.key_of(what), **what}


def test_the_last_score_by_then_counts():
    run = row()
    assert [at_budget(run, 0, seconds) for seconds in (0.1, 1, 10, 60, 600)] == [None, 1.0, 0.75, 0.5, None]
    found = [at_budget(run, 1, samples) for samples in (9900, 10_500, 10_600, 100_000, 10**6, 10**7)]
    assert found == [1.0, 1.0, None, 0.75, 0.5, None]
    assert at_budget(row(ended="converged", last=1e-10), 1, 10**7) == 1e-10
    late = row(points=[[0.4, 10, 1.0], [12.0, 20, 0.5]], seconds=12.0)
    assert at_budget(late, 0, 10) == 1.0  # a step that took long: what it had by then
    assert at_budget(row(ended="converged", last=1e-10), 0, 600) == 1e-10
    assert at_budget(row(ended="interrupted"), 0, 600) is None


def test_the_score_nearest_to_the_samples_counts():
    run = row(points=[[1.0, 940, 9.0], [2.0, 990, 1.0], [3.0, 1040, 0.5]], seconds=3.0)
    assert [at_budget(run, 1, samples) for samples in (1000, 1020, 1090, 1100)] == [1.0, 0.5, 0.5, None]


def test_a_learner_of_ones_own_is_ranked_by_what_its_row_says():
    """One that sees samples only stands before all that see more, however good they are; without a word it comes last."""
    mine, walker, silent = (
        row(algorithm="mine:MINE", settings={}, sees="samples", last=0.5),
        row(algorithm="cfr+", settings={}, last=0.001),
        row(algorithm="other", settings={}, last=0.001),
    )
    (board,) = boards_of([silent, walker, mine]).values()
    assert list(board) == ["mine:MINE", "cfr+", "other"]


def test_a_learner_that_has_changed_is_run_again(tmp_path):
    """Rows name the learner's code; those of other code, or that were interrupted, are not finished."""
    file = tmp_path / "results.jsonl"
    same, changed, old = (
        row(algorithm="cfr+", seed=seed, settings={}, **given)
        for seed, given in enumerate(({"code": code_of("cfr+")}, {"code": "0" * 12}, {}))
    )
    file.write_text("".join(rows.as_text(one) for one in (same, changed, old)))
    assert rows.finished(file) == {same["key"], old["key"]}


def table(text, game):
    """The rows of a game's table, as dictionaries."""
    lines = (
        text.replace("\N{NO-BREAK SPACE}", " ")
        .partition(f"## {short_name(make(game))}\n")[2]
        .partition("##")[0]
        .splitlines()
    )
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return [dict(zip(cells[0], line, strict=True)) for line in cells[2:]]


def test_the_page_has_medians_with_their_range_best_first():
    results = [row(seed=seed, last=last) for seed, last in enumerate((0.3, 0.1, 0.2))]
    results += [row(algorithm="nash_pg", seed=seed, last=0.05) for seed in range(2)]
    first, second = table(leaderboard_page(results, {}), "one_card_poker")
    assert (first["algorithm"], first["runs"], first["60 s"]) == ("nash_pg", "2 (few)", "0.05")
    assert (second["algorithm"], second["runs"], second["60 s"]) == ("ppo", "3", "0.2 (0.1 to 0.3)")
    assert (second["10 s"], second["100,000 samples"]) == ("0.75", "0.75")
    assert list(first)[:6] == ["algorithm", "policy", "sees", "parameters", "runs", "100,000 samples"]
    assert "600 s" not in first
    assert "machine" not in first


def test_who_ran_longer_is_not_first_for_that():
    """The order is that after as many samples as at least half of the learners reached; entries of few of the runs do not count."""
    points = [[1.0, 100_000, 0.75], [2.0, 1_000_000, 0.3], [3.0, 10_000_000, 0.001]]
    results = [
        row(algorithm="rnad", points=points),
        row(algorithm="nash_pg", last=0.05),
        row(algorithm="ppg", last=0.1),
    ]
    results += [row(seed=seed, points=[[1.0, 100_000, 0.01], [2.0, 1e6, 0.0]][: 1 + (seed == 0)]) for seed in range(3)]
    lines = table(leaderboard_page(results, {}), "one_card_poker")
    assert [line["algorithm"] for line in lines] == ["nash_pg", "ppg", "rnad", "ppo"]


def test_a_row_says_which_policy_is_scored_and_which_is_not():
    both = [
        row(seed=seed, scored="last", other=[0.5, 0.4, last / 2], parameters=1234)
        for seed, last in enumerate((0.3, 0.1, 0.2))
    ]
    lines = table(
        leaderboard_page([*both, row(algorithm="mmd_sampled"), row(algorithm="openspiel_deep_cfr")], {}),
        "one_card_poker",
    )
    assert [(line["algorithm"], line["policy"], line["1,000,000 samples"]) for line in lines[:3]] == [
        ("ppo", "average", "0.1 (0.05 to 0.15)"),
        ("ppo", "last", "0.5"),
        ("mmd_sampled, ours", "average (last: not run)", "0.5"),
    ]
    assert lines[0]["parameters"] == "1,234"
    assert lines[3]["sees"] == "tree"
    assert (
        table(leaderboard_page([row(sample="a deal")], {}), "one_card_poker")[0]["sees"]
        == "samples (a sample is a deal)"
    )


def test_a_run_that_scored_both_policies_replaces_one_that_scored_one():
    both = row(seconds=1.0, samples=1_000_000, scored="last", other=[0.5, 0.4, 0.2])
    (board,) = boards_of([row(seed=0), both, row(seed=1)]).values()
    assert board["ppo"] == [both, row(seed=1)]


def test_who_sees_less_of_the_game_comes_first():
    results = [row(algorithm=name, last=0.1 * place) for place, name in enumerate(("my.own", "cfr+", "openspiel_cfr"))]
    results.append(row(algorithm="openspiel_nfsp", last=0.9))
    lines = table(leaderboard_page(results, {}), "one_card_poker")
    assert [(line["algorithm"], line["sees"]) for line in lines] == [
        ("openspiel_nfsp", "samples"),
        ("openspiel_cfr", "tree (a sample is a node of the tree)"),
        ("cfr+", "tables (a sample is an action of a hand)"),
        ("my.own", "-"),
    ]


def test_an_entry_of_fewer_runs_says_so():
    results = [row(seed=0, last=0.3), row(seed=1, last=0.1), row(seed=2, seconds=30.0)]
    (line,) = table(leaderboard_page(results, {}), "one_card_poker")
    assert (line["10 s"], line["60 s"]) == ("0.75", "0.2 (0.1 to 0.3, 2 of 3)")
    (line,) = table(leaderboard_page([row(seconds=600.0), row(seed=1)], {}), "one_card_poker")
    assert line["600 s"] == "0.5 (1 of 2)"


def test_machines_and_versions_are_told_and_never_mixed_silently():
    one = leaderboard_page([row(), row(seed=1, date="2026-01-05")], {})
    assert (
        "A: Z80, 1 cores, CP/M, up to 1 runs at a time; python 3.11.0, relance 0.1.0; 2026-01-02 to 2026-01-05, 2 runs"
        in one
    )
    assert "several machines" not in one
    two = leaderboard_page([row(), row(seed=1), row(seed=2, versions={**VERSIONS, "torch": "9"})], {})
    assert "The runs are of several machines or versions" in two
    assert "- B: Z80, 1 cores, CP/M, up to 1 runs at a time; python 3.11.0, relance 0.1.0, torch 9" in two
    assert table(two, "one_card_poker")[0]["machine"] == "A, B"


def test_of_one_seed_the_longest_run_counts_and_settings_tell_algorithms_apart():
    results = [row(seconds=600.0), row(seconds=60.0), row(settings={"rate": 0.30000000000000004})]
    results[0]["settings"] = results[1]["settings"] = {"rate": 1.0}
    board = boards_of(results)[results[0]["game"]]
    assert {name: [run["seconds"] for run in runs] for name, runs in board.items()} == {
        "ppo (rate=1)": [600.0],
        "ppo (rate=0.3)": [60.0],
    }
    assert set(labels([row(), row(seed=1)]).values()) == {"ppo"}


def test_where_nothing_is_random_one_run_stands_for_all():
    results = [row(algorithm="cfr+", seconds=600.0), row(algorithm="cfr+", seed=1, last=0.4)]
    (line,) = table(leaderboard_page(results, {}), "one_card_poker")
    assert (line["runs"], line["60 s"], line["600 s"]) == ("1", "0.75", "0.5")


def written(path, *results):
    path.write_text("".join(rows.as_text(item) for item in results))
    return path


def test_bad_results_are_refused(tmp_path):
    first, second = written(tmp_path / "a", row()), written(tmp_path / "b", row(seed=1), row())
    with pytest.raises(ValueError, match="seed 0 appears twice, in .*a and .*b"):
        gathered([first, second])
    with pytest.raises(ValueError, match="there are no results"):
        gathered([tmp_path / "none"])
    with pytest.raises(ValueError, match="there are no rows"):
        gathered([written(tmp_path / "empty")])
    second.write_text(second.read_text()[:-5])
    with pytest.raises(ValueError, match="is cut short"):
        gathered([second])
    assert [item["seed"] for item in gathered([first])] == [0]


NODES = make("one_card_poker(raises=0)").tree.decisions


def policy(**changed):
    """A row's policy for Kuhn's game, with other rows at some nodes; None leaves a node out."""
    plan = {name: [[0.5] * 3] * len(node.actions) for name, node in NODES.items()} | changed
    return {name: rows for name, rows in plan.items() if rows is not None}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"points": [[0.4, 1000, -1e-3]]}, "'points' must be .* at least 0"),
        ({"points": [[0.4, -1, 1.0]]}, "'points' must be"),
        ({"samples": 10**400}, "'samples' must be"),
        ({"samples": -5}, "'samples' must be"),
        ({"jobs": 0}, "'jobs' must be a whole number of at least 1"),
        ({"jobs": -1}, "'jobs' must be"),
        ({"game": "one_card_poker(bet=1e1000000000)"}, "its game cannot be made: bet='1e1000000000' is too long"),
        ({"game": "<b>"}, "its game cannot be made: there is no game '<b>'"),
        ({"policy": policy(nowhere=[[1.0] * 3])}, "no node 'nowhere'"),
        ({"policy": policy(check=None)}, "lacks the node 'check'"),
        ({"policy": policy(check=[[1.0] * 3])}, "1 rows at 'check', which has 2 actions"),
    ],
)
def test_a_row_that_no_run_made_is_refused(tmp_path, given, message):
    made = row("one_card_poker(raises=0)") | given
    path = written(tmp_path / "a", made | {"key": rows.key_of(made)}, row(seed=7))
    with pytest.raises(ValueError, match=f"line 1 is not the row of a run: .*({message})"):
        gathered([path])


def test_rows_hold_no_markdown_or_html():
    text = "<script>x</script>|y`[z](http://a)\n\n# big"
    results = [row(algorithm=text, machine=MACHINE | {"cpu": text}, date=text), row(versions={text: text})]
    shown = leaderboard_page(results, {})
    assert "<script>" not in shown
    assert "\n# big" not in shown
    assert "&lt;script&gt;x&lt;/script&gt;\\|y\\`\\[z\\](http://a) # big" in shown


def test_an_interrupted_run_gives_way_to_one_that_ended_or_lasted_longer(tmp_path):
    cut, longer = (row(ended="interrupted", points=[[t, 10, 1.0]]) for t in (1.0, 2.0))
    whole, other = row(), row(seed=1, ended="interrupted")
    for order in ((cut, whole, longer, other), (whole, cut, other), (other, longer, cut, whole)):
        results = gathered([written(tmp_path / "a", *order)])
        assert sorted((item["seed"], item["ended"]) for item in results) == [(0, "budget"), (1, "interrupted")]
    assert gathered([written(tmp_path / "a", cut), written(tmp_path / "b", longer, cut)]) == [longer]
    with pytest.raises(ValueError, match="appears twice"):
        gathered([written(tmp_path / "a", cut, whole, whole)])
    older, newer = row(code="1" * 12), row(code="2" * 12)
    assert gathered([written(tmp_path / "a", older, other, newer)]) == [newer, other], (
        "a learner that was changed ran again"
    )
    with pytest.raises(ValueError, match="appears twice"):
        gathered([written(tmp_path / "a", older), written(tmp_path / "b", newer)])


def test_games_have_short_names_where_these_tell_them_apart():
    texts = ["one_card_poker(raises=0)", "one_card_poker(raises=0, ante=2)", "von_neumann(hands=9)", "von_neumann"]
    assert [headings(texts)[text] for text in texts] == [
        "Kuhn, 3 cards",
        "Kuhn, 3 cards, ante=2",
        "Von Neumann's poker, bet 2, 9 hands",
        "Von Neumann's poker, bet 2",
    ]
    same = ["river", "river(board=Ks9d7h4c2s)"]
    assert headings(same) == dict(zip(same, same, strict=True))


def test_the_columns_are_budgets_that_runs_had():
    short = [row(seconds=30.0, points=[[10.0, 10, 1.0], [30.0, 20, 0.5]])]
    (line,) = table(leaderboard_page(short, {}), "one_card_poker")
    assert [name for name in line if name.endswith((" s", "samples"))] == ["10 s", "30 s"]
    assert (line["10 s"], line["30 s"]) == ("1", "0.5")


def test_file_names_tell_games_apart():
    texts = ["von_neumann(deal=fgm:-1/2)", "von_neumann(deal=fgm:1/2)", "von_neumann(bet=12)", "von_neumann(bet=1/2)"]
    names = [slug(str(make(text))) for text in texts]
    assert len(set(names)) == 4
    assert all(re.fullmatch("[a-z0-9_-]+", name) for name in names)


def test_the_page_and_its_pictures_are_made_from_runs(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    monkeypatch.syspath_prepend(Path(__file__).parents[1])
    lines = []
    for text in ("one_card_poker(raises=0)", "von_neumann(hands=9)"):
        for seed in range(3):
            run = train("approaching:moving", make(text), samples=1_000, seed=seed)
            lines.append(rows.as_row(run))
    results, output, ticks = written(tmp_path / "r.jsonl", *lines), tmp_path / "board.md", []
    paths = write_leaderboard([results], output, ticks.append)
    assert ticks == [2, 2]
    assert {path.name for path in tmp_path.iterdir()} - {"r.jsonl"} == {path.name for path in paths}
    text = output.read_text()
    drawn = [path for path in paths if path.suffix == ".svg"]
    assert len(drawn) == 5  # curves and mistakes for both games, strategies where hands are on [0, 1]
    before = [path.read_bytes() for path in drawn]
    for path in drawn:
        assert f"]({path.name})" in text
        words = " ".join(
            element.text or "" for element in ElementTree.fromstring(path.read_text()).iter() if element.text
        )
        if "strategies" in path.name:
            assert "player 1, after bet" in words
            assert "published" in words
        elif "mistakes" in path.name:
            assert "after bet: fold, not call" in words
        else:
            assert "NashConv (chips)" in words
            assert "seconds of training" in words
            assert "samples" in words
        assert "approaching:moving" in words
    write_leaderboard([results], output)
    assert [path.read_bytes() for path in drawn] == before
    with pytest.raises(ValueError, match="cannot be written"):
        write_leaderboard([results], tmp_path / "nowhere" / "board.md")


def test_distances_from_the_point_of_a_theorem_are_drawn(tmp_path):
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    told, silent = row(algorithm="mmd", distance=[0.5, 0.25, 0.0]), row(algorithm="ppo", distance=[None] * 3)
    curves = distance_curves_of({"mmd": [told], "ppo": [silent], "old": [row(algorithm="old")]})
    assert curves["samples"] == {"mmd": [[(10_000, 0.5), (100_000, 0.25), (1_000_000, 1e-9)]]}
    results = written(tmp_path / "r.jsonl", told, silent)
    paths = {path.name: path for path in write_leaderboard([results], tmp_path / "board.md")}
    (drawn,) = [path for name, path in paths.items() if name.endswith("-distance.svg")]
    assert "![Distance from the point that the method's theorem names, " in paths["board.md"].read_text()
    words = [element.text for element in ElementTree.fromstring(drawn.read_text()).iter()]
    assert {"mmd", "largest difference of a probability"} <= {*words}
    assert "ppo" not in words
    notes = [leaderboard_page([one], {}).partition("## How to read it")[2] for one in (told, silent)]
    assert ["A picture of distances" in text for text in notes] == [True, False]


def test_the_page_ends_with_the_settings_of_each_label_and_with_what_was_not_run():
    today = asdict(algorithms()["ppo"].Settings())
    given = [("ppo", today), ("ppo", {**today, "rate": 0.5}), ("cfr+", {"method": "cfr"}), ("mine", {})]
    made = [row(settings=settings, algorithm=name) for name, settings in given]
    lines = leaderboard_page(made, {}).partition("## Settings")[2].strip().splitlines()
    shown = dict(line.strip("| ").split(" | ")[:2] for line in lines if line.startswith("| "))
    assert shown == {
        "algorithm": "default",
        "cfr+": "no",
        "mine": "-",
        f"ppo (rate={today['rate']})": "yes",
        "ppo (rate=0.5)": "no",
    }
    assert "| cfr+ | no | method=cfr |" in lines
    assert "rate=0.5, " in next(line for line in lines if "(rate=0.5)" in line)
    assert lines[-1].startswith("No run yet: emagnet, mmd, ")
    assert not {"ppo", "cfr+"} & set(lines[-1].removeprefix("No run yet: ").rstrip(".").split(", "))


def test_curves_have_a_line_per_name_with_the_median_and_the_range():
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    from relance.pages.learning_pictures import learning_curves
    from relance.pages.plots.style import line_styles

    board = {"x": [row(seed=s, last=last) for s, last in enumerate((0.3, 0.1, 0.2))], "y": [row(last=0.05)]}
    drawing = learning_curves("a game", curves_of(board), {"apart": ["z"], "all": ["w", "x", "y"]})
    assert len(drawing.axes) == 2
    for axes in drawing.axes:
        assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
        lines = {line.get_label(): line for line in axes.get_lines()}
        assert list(lines) == ["x", "y"]
        assert [lines[name].get_ydata()[-1] for name in "xy"] == pytest.approx([0.2, 0.05])
        assert lines["x"].get_color() == line_styles(["w", "x"])["x"]["color"]
        low, high = axes.collections[0].get_paths()[0].get_extents().get_points()
        assert (low[1], high[1]) == pytest.approx((0.1, 1.0))
        assert [(text.get_text(), text.get_color()) for text in axes.texts] == [
            (name, lines[name].get_color()) for name in "yx"
        ]
    assert len({tuple(map(str, style.values())) for style in line_styles([str(i) for i in range(21)]).values()}) == 21


def test_learned_strategies_are_drawn_over_the_published_thresholds():
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    from relance.pages.learning_pictures import learned_strategies

    game = make("von_neumann")
    published = game.published()
    policy = rows.compact(game, published)
    assert {len(line) for lines in policy.values() for line in lines} == {rows.HANDS}
    assert policy["bet"][1][0] == 0
    assert policy["bet"][1][-1] == 1
    drawing = learned_strategies(game, {"perfect": [policy], "again": [policy, policy]}, published)
    assert len(drawing.axes) == 4
    dotted = [{round(line.get_xdata()[0], 6) for line in axes.get_lines()} for axes in drawing.axes]
    assert dotted == [{round(1 / 9, 6), round(7 / 9, 6)}, {round(5 / 9, 6)}] * 2


def test_many_nodes_go_down_the_page_and_have_no_table_of_thresholds():
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    from relance.pages.learning_pictures import learned_strategies

    game = make("pot_limit", raises=1, check_raise=True)
    policy = rows.compact(game, game.published())
    drawing = learned_strategies(game, {"one": [policy], "two": [policy]}, game.published())
    grid = drawing.axes[0].get_gridspec()
    assert (grid.nrows, grid.ncols) == (len(game.tree.decisions), 2)
    assert [axes.get_title() for axes in drawing.axes[:2]] == ["one", "two"]
    assert drawing.get_figwidth() < 10
    assert "bet first" not in leaderboard_page([row(str(game), policy=policy)], {})


def test_labels_are_short_where_that_tells_them_apart():
    def label(*speeds):
        made = [row(settings={"speed": speed}, seed=seed) for seed, speed in enumerate(speeds)]
        return list(labels(made).values())

    assert label(0.123456, 0.0) == ["ppo (speed=0.123)", "ppo (speed=0)"]
    assert label(0.123456, 0.123457) == ["ppo (speed=0.123456)", "ppo (speed=0.123457)"]


def test_the_page_has_the_thresholds_that_give_each_action_its_learned_frequency():
    policy = {"": [[0.8, 1, 1, 1, 0], [0.2, 0, 0, 0, 1]], "bet": [[1, 1, 0.5, 0.5, 0], [0, 0, 0.5, 0.5, 1]]}
    text = leaderboard_page([row("von_neumann", policy=policy)], {})
    assert "| bet first: 0.1111, 0.7778 | call after bet: 0.5556 |" in text
    assert "| ppo | 0.0400, 0.8000 (0.093) | 0.6000 (0.156) |" in text
    assert "learned frequency" not in leaderboard_page([row("one_card_poker", policy=None)], {})
    assert "| ppo | - | - |" in leaderboard_page([row("von_neumann", policy=None)], {})


def test_the_page_tells_a_policy_that_does_not_look_at_its_hand_from_the_published_one():
    call = [[1] * 5 + [0] * 4, [0] * 5 + [1] * 4]
    blind = {"": [[0.75] * 4 + [0.6] * 5, [0.25] * 4 + [0.4] * 5], "bet": call}
    right = {"": [[0] + [1] * 6 + [0] * 2, [1] + [0] * 6 + [1] * 2], "bet": call}
    seeds = (blind, right, blind)
    text = leaderboard_page([row("von_neumann", policy=policy, seed=seed) for seed, policy in enumerate(seeds)], {})
    off = (1 / 9 * 0.75 + 3 / 9 * 0.25 + 3 / 9 * 0.4 + 2 / 9 * 0.6) + 0  # the median of three
    assert f"| ppo | 0.1111, 0.7778 ({off:.3f}) | 0.5556 (0.000) |" in text
    assert "how far the learned probabilities" in text


def test_no_distance_where_the_row_has_means_over_several_hands_or_a_family_is_published():
    halves = {"": [[1, 0], [0, 1]], "bet": [[1, 0], [0, 1]]}
    assert set(distances(make("von_neumann(hands=2)"), halves)) == {"", "bet"}
    assert distances(make("von_neumann(hands=4)"), halves) == {}
    game = make("one_card_poker(raises=0)")
    assert distances(game, rows.compact(game, game.published())) == {}


def test_the_entries_in_the_documentation_are_those_of_its_results():
    docs = Path(__file__).parents[2] / "docs"
    rows = gathered([docs / "results" / "field.jsonl"])
    assert (docs / "leaderboard.csv").read_text() == table_of(rows)


def test_a_search_beside_the_results_is_told_with_its_cost(tmp_path):
    pytest.importorskip("yaml", reason="needs the extra sweep")
    (tmp_path / "r.settings.yaml").write_text(
        "games: [one_card_poker(cards=5), ponssard]\nseeds: [100, 101]\nseconds: 10.0\nsamples: null\nfound:\n"
        "  cfr+: {settings: {}, score: 0.05, default: 0.1, trials: 8, failed: 1, stopped: 3, seconds: 158.3, samples: 123456}\n"
        "  mmd: {settings: {rate: 2.0}, score: 0.02, default: null, trials: 8, failed: 2, seconds: 160.0, samples: 7}\n"
    )
    (search,) = searches_of([tmp_path / "r.jsonl", tmp_path / "other.jsonl"])
    text = leaderboard_page([row()], {}, [search])
    assert "with 2 other seeds, each run for 10 s. The first" in text
    assert text.index("| mmd | average | 8 | 2 | 0 | 160 | 7 | - | 0.02 |") < text.index(
        "| cfr+ | average | 8 | 1 | 3 | 158 | 123,456 | 0.1 | 0.05 |"
    )
    assert "Search for settings" not in leaderboard_page([row()], {})
