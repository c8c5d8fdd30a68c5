"""The leaderboard: what counts for a budget, how machines are named, and the pictures."""

import re
from dataclasses import asdict
from pathlib import Path
from xml.etree import ElementTree

import pytest
from board_rows import MACHINE, VERSIONS, policy, row, written

from relance.baselines import rows
from relance.baselines.algorithms import algorithms, code_of
from relance.baselines.boards import boards_of, gathered
from relance.baselines.runs import train
from relance.envs.catalogue import make
from relance.pages.board_notes import short_name
from relance.pages.leaderboard import (
    distances,
    leaderboard_page,
    searches_of,
    slug,
    write_leaderboard,
)
from relance.pages.submissions import table_of


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


def test_where_nothing_is_random_one_run_stands_for_all():
    results = [row(algorithm="cfr+", seconds=600.0), row(algorithm="cfr+", seed=1, last=0.4)]
    (line,) = table(leaderboard_page(results, {}), "one_card_poker")
    assert (line["runs"], line["60 s"], line["600 s"]) == ("1", "0.75", "0.5")


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


def test_the_page_ends_with_the_settings_of_each_label_and_with_what_was_not_run():
    today = asdict(algorithms()["ppo"].Settings())
    given = [("ppo", today), ("ppo", {**today, "learning_rate": 0.5}), ("cfr+", {"method": "cfr"}), ("mine", {})]
    made = [row(settings=settings, algorithm=name) for name, settings in given]
    lines = leaderboard_page(made, {}).partition("## Settings")[2].strip().splitlines()
    shown = dict(line.strip("| ").split(" | ")[:2] for line in lines if line.startswith("| "))
    assert shown == {
        "algorithm": "default",
        "cfr+": "no",
        "mine": "-",
        f"ppo (learning_rate={today['learning_rate']})": "yes",
        "ppo (learning_rate=0.5)": "no",
    }
    assert "| cfr+ | no | method=cfr |" in lines
    assert "learning_rate=0.5, " in next(line for line in lines if "(learning_rate=0.5)" in line)
    assert lines[-1].startswith("No run yet: emagnet, mmd, ")
    assert not {"ppo", "cfr+"} & set(lines[-1].removeprefix("No run yet: ").rstrip(".").split(", "))


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
        "  mmd: {settings: {learning_rate: 2.0}, score: 0.02, default: null, trials: 8, failed: 2, seconds: 160.0, samples: 7}\n"
    )
    (search,) = searches_of([tmp_path / "r.jsonl", tmp_path / "other.jsonl"])
    text = leaderboard_page([row()], {}, [search])
    assert "with 2 other seeds, each run for 10 s. The first" in text
    assert text.index("| mmd | average | 8 | 2 | 0 | 160 | 7 | - | 0.02 |") < text.index(
        "| cfr+ | average | 8 | 1 | 3 | 158 | 123,456 | 0.1 | 0.05 |"
    )
    assert "Search for settings" not in leaderboard_page([row()], {})
