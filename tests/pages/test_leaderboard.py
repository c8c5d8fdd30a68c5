"""The leaderboard: what counts for a budget, how machines are named, and the pictures."""

import csv
import io
import re
from dataclasses import asdict
from pathlib import Path
from xml.etree import ElementTree

import pytest
from board_rows import MACHINE, ORIGIN, VERSIONS, policy, row, written

from relance.baselines import rows
from relance.baselines.algorithms import algorithms, code_of
from relance.baselines.boards import boards_of, gathered, parted
from relance.baselines.openspiel_games import uniform_nash_conv
from relance.baselines.runs import train
from relance.envs.catalogue import make
from relance.pages.board_files import table_of
from relance.pages.board_notes import short_name, slug
from relance.pages.leaderboard import (
    distances,
    leaderboard_page,
    searches_of,
    write_leaderboard,
)


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
    """Rows name the learner's code; those of other code, or that were interrupted, are not finished; old rows did not name it."""
    file = tmp_path / "results.jsonl"
    same, changed, old = (
        row(algorithm="cfr+", seed=seed, settings={}, **given)
        for seed, given in enumerate(({"code": code_of("cfr+")}, {"code": "0" * 12}, {"code": ""}))
    )
    file.write_text("".join(rows.as_text(one) for one in (same, changed, old)))
    assert rows.finished(file) == {same["key"], old["key"]}


def table(text, game):
    """The rows of a game's table, as dictionaries, with the heading of their part as "part"."""
    lines = (
        text.replace("\N{NO-BREAK SPACE}", " ")
        .partition(f"## {short_name(make(game)) if game else 'Over games'}\n")[2]
        .partition("##")[0]
        .splitlines()
    )
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    out, part = [], ""
    for first, *others in cells[2:]:
        part = first if first.startswith("*") else part
        if first != part:
            out.append(dict(zip(cells[0], [first, *others], strict=True)) | {"part": part})
    return out


LAST, LATE = "last, 100,000 samples", "last, 1,000,000 samples"


def test_the_page_has_medians_with_their_intervals_best_first_and_bold():
    results = [row(seed=seed, last=last) for seed, last in enumerate((0.3, 0.1, 0.2))]
    results += [row(algorithm="nash_pg", seed=seed, last=0.05) for seed in range(2)]
    first, second = table(leaderboard_page(results, {}), "one_card_poker")
    assert (first["learner"], first["runs"], first[LATE]) == ("nash_pg", "2 (few)", "**0.05**")
    # of three runs the middle one of a resample is the least in 7 of 27, so the interval is the range
    assert (second["learner"], second["runs"], second[LATE]) == ("ppo", "3", "0.2 (0.1 to 0.3)")
    assert first["part"] == "*sees samples*"
    assert second[LAST] == "≈ 0.75"
    assert list(first) == ["learner", LAST, LATE, "runs", "parameters", "part"], "nothing scored the average"
    assert not [name for name in first if name.endswith(" s")]


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
    assert [line["learner"] for line in lines] == ["nash_pg", "ppg", "rnad", "ppo"]


def test_a_learner_stands_once_with_both_policies():
    both = [
        row(seed=seed, scored="last", other=[0.5, 0.4, last / 2], parameters=1234)
        for seed, last in enumerate((0.3, 0.1, 0.2))
    ]
    text = leaderboard_page([*both, row(algorithm="mmd_sampled"), row(algorithm="openspiel_deep_cfr")], {})
    lines = table(text, "one_card_poker")
    assert [line["learner"] for line in lines] == ["ppo", "mmd_sampled, ours", "openspiel_deep_cfr"]
    policies = [(line[LATE], line["average, 1,000,000 samples"]) for line in lines[:2]]
    assert policies == [("0.5", "**0.1** (0.05 to 0.15)"), ("-", "0.5")]
    assert lines[0]["parameters"] == "1,234"
    assert lines[2]["part"] == "*sees tree*"


def test_a_run_that_scored_both_policies_replaces_one_that_scored_one():
    both = row(seconds=1.0, samples=1_000_000, scored="last", other=[0.5, 0.4, 0.2])
    (board,) = boards_of([row(seed=0), both, row(seed=1)]).values()
    assert board["ppo"] == [both, row(seed=1)]


def test_who_sees_less_of_the_game_comes_first():
    results = [row(algorithm=name, last=0.1 * place) for place, name in enumerate(("cfr+", "openspiel_cfr"), 1)]
    results.append(row(algorithm="openspiel_nfsp", last=0.9))
    lines = table(leaderboard_page(results, {}), "one_card_poker")
    assert [(line["learner"], line["part"]) for line in lines] == [
        ("openspiel_nfsp", "*sees samples*"),
        ("openspiel_cfr", "*sees tree*"),
        ("cfr+", "*sees tables*"),
    ]
    assert all("**" in line["average, 100,000 samples"] for line in lines)  # the least of each part


def test_an_entry_of_fewer_runs_says_so():
    results = [row(seed=0, last=0.3), row(seed=1, last=0.1), row(seed=2, points=[[0.4, 10_000, 1.0]])]
    (line,) = table(leaderboard_page(results, {}), "one_card_poker")
    assert line[LATE] == "**0.2** (0.1 to 0.3, 2 of 3)"
    results = [row(points=[[600.0, 10**7, 0.5]]), row(seed=1)]
    (line,) = table(leaderboard_page(results, {}), "one_card_poker")
    assert line["last, 10,000,000 samples"] == "**0.5** (1 of 2)"


def test_rows_that_do_not_say_their_origin_are_named_and_counted_and_not_ranked(tmp_path):
    full = row()
    changes = (
        {"code": ""},
        {"commit": "1" * 12 + "-dirty"},
        {"commit": "", "versions": {"relance": "0.1.0.dev3"}},
        {"sees": ""},
    )
    lacking = [row(seed=seed, **given) for seed, given in enumerate(changes, 1)]
    old = row(seed=9)
    for name in ("code", "commit", "sees", "scored"):
        del old[name]
    released = row(seed=8, commit="")
    ranked, left = parted([full, *lacking, old, released])
    assert (ranked, left) == ([full, released], [*lacking, old])
    text = leaderboard_page(ranked, {}, (), left)
    assert "5 rows do not say all" in text
    told = text.partition("## Not ranked")[2].partition("## Settings")[0]
    a_commit = "a commit without changes, or a released version"
    assert f"| ppo | 2 | {a_commit} |" in told
    assert f"what the learner sees, which policy is scored, {a_commit} |" in told
    assert "Not ranked" not in leaderboard_page(ranked, {})
    with pytest.raises(ValueError, match="none of 1 rows can be ranked: ppo on .* lacks the learner's code"):
        write_leaderboard([written(tmp_path / "r.jsonl", lacking[0])], tmp_path / "board.md")


def test_over_games_shares_of_uniform_play_are_averaged_without_the_outer_quarters():
    """Games count alike, whatever their stakes and their number of runs, and only for learners that have all of them."""
    games = ("one_card_poker(raises=0)", "one_card_poker(raises=0, ante=2, bet=2)")
    uniform = [uniform_nash_conv(make(game)) for game in games]
    assert uniform[1] == pytest.approx(2 * uniform[0])
    shares = (0.1, 0.2, 0.3, 0.4)
    results = [
        row(game, seed=seed, last=share * scale)
        for game, scale in zip(games, uniform, strict=True)
        for seed, share in enumerate(shares)
    ]
    results += [row(games[0], algorithm="ppg", last=0.01), row(games[1], algorithm="rnad", last=0.5 * uniform[1])]
    results += [row(games[0], algorithm="rnad", seed=seed, last=0.1 * uniform[0]) for seed in range(2)]
    lines = {line["learner"]: line for line in table(leaderboard_page(results, {}), "")}
    assert set(lines) == {"ppo", "rnad"}
    late = "last, 1,000,000 samples, 2 games"
    assert lines["ppo"][late].startswith("**25** (")  # the mean of 0.2, 0.2, 0.3 and 0.3
    low, high = (float(part) for part in lines["ppo"][late].partition("(")[2].strip(")").split(" to "))
    assert 10 < low < 25 < high < 40
    assert lines["rnad"][late] == "30"  # of halves at 0.1 and 0.5; of one run there is no interval
    assert "Over games" not in leaderboard_page(results[:4], {})


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
    assert "- A: Z80" in two


def test_where_nothing_is_random_one_run_stands_for_all():
    results = [row(algorithm="cfr+", seconds=600.0), row(algorithm="cfr+", seed=1, last=0.4)]
    results += [row(algorithm="openspiel_cfr", seed=seed, last=0.5) for seed in range(3)]
    walker, (line) = table(leaderboard_page(results, {}), "one_card_poker")
    assert (walker["runs"], line["runs"]) == ("1", "1")
    assert line["average, 1,000,000 samples"] == "**0.5**"


def test_bad_results_are_refused(tmp_path):
    first, second = written(tmp_path / "a", row()), written(tmp_path / "b", row(seed=1), row())
    with pytest.raises(ValueError, match="seed 0 appear twice, in .*a and .*b"):
        gathered([first, second])
    with pytest.raises(ValueError, match="there is no file of results"):
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
        ({"game": "one_card_poker(bet=1e1000000000)"}, "the row's game cannot be made: bet='1e1000000000' is too long"),
        ({"game": "<b>"}, "the row's game cannot be made: there is no game '<b>'"),
        ({"policy": policy(nowhere=[[1.0] * 3])}, "no node 'nowhere'"),
        ({"policy": policy(check=None)}, "lacks the node 'check'"),
        ({"policy": policy(check=[[1.0] * 3])}, "1 lists at 'check', which has 2 actions"),
    ],
)
def test_a_row_that_no_run_made_is_refused(tmp_path, given, message):
    made = row("one_card_poker(raises=0)") | given
    path = written(tmp_path / "a", made | {"key": rows.key_of(made)}, row(seed=7))
    with pytest.raises(ValueError, match=f"line 1 is not the row of a run: .*({message})"):
        gathered([path])


def test_rows_hold_no_markdown_or_html():
    text = "<script>x</script>|y`[z](http://a)\n\n# big"
    results = [row(algorithm=text, sees="tree", machine=MACHINE | {"cpu": text}, date=text), row(versions={text: text})]
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
            lines.append({**rows.as_row(run), **ORIGIN, "sees": "tables"})
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


def test_a_page_that_is_stopped_leaves_no_half_set_of_pictures(tmp_path):
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    results = written(tmp_path / "r.jsonl", row(), row("one_card_poker(raises=0)"))

    def stop(total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_leaderboard([results], tmp_path / "board.md", stop)
    assert [path.name for path in tmp_path.iterdir()] == ["r.jsonl"]


def test_a_page_of_one_game(tmp_path):
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    results = written(tmp_path / "r.jsonl", row(), row("one_card_poker(raises=0)"))
    paths = write_leaderboard([results], tmp_path / "board.md", games=["kuhn"])
    assert len([path for path in paths if path.suffix == ".svg"]) == 1
    assert "## Kuhn, 3 cards" in paths[0].read_text()
    with pytest.raises(ValueError, match="there is no run on von_neumann.*; the runs are on one_card_poker"):
        write_leaderboard([results], tmp_path / "board.md", games=["von_neumann"])


def test_the_page_ends_with_the_settings_of_each_label_and_with_what_was_not_run():
    today = asdict(algorithms()["ppo"].Settings())
    given = [("ppo", today), ("ppo", {**today, "learning_rate": 0.5}), ("cfr+", {"method": "cfr"})]
    made = [row(settings=settings, algorithm=name) for name, settings in given]
    lines = leaderboard_page(made, {}).partition("## Settings")[2].strip().splitlines()
    shown = dict(line.strip("| ").split(" | ")[:2] for line in lines if line.startswith("| "))
    assert shown == {
        "algorithm": "default",
        "cfr+": "no",
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
    rows, _ = parted(gathered([docs / "results" / "board.jsonl"]))
    told, made = (
        [
            {**line, "low": "", "high": ""} for line in csv.DictReader(io.StringIO(text))
        ]  # they vary with SciPy's version
        for text in ((docs / "leaderboard.csv").read_text(), table_of(rows))
    )
    assert told == made


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
