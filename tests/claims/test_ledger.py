"""The ledger: every claim ends as recorded, and every check notices a moved number."""

import sys
import tomllib
import zlib
from dataclasses import replace
from fractions import Fraction
from importlib import resources
from itertools import islice

import pytest

import relance.claims
from relance.claims.checks import each, positive, together, tried_at
from relance.claims.finding import At, Cases, Finding
from relance.claims.ledger import Claim, Paper, decide, load_claims, look, moved_numbers, papers, plant
from relance.claims.numbers import Numbers
from relance.claims.proof import Region
from relance.claims.verify import errata, selected, verify
from relance.envs import catalogue
from relance.solvers.exact import gains

CLAIMS = selected()


def test_ids_are_unique_and_claims_complete():
    ids = [f"{paper.key}/{claim.id}" for paper, claim in CLAIMS]
    assert len(ids) == len(set(ids))
    assert len(papers()) >= 2
    for _, claim in CLAIMS:
        assert claim.section
        assert claim.statement.endswith((".", ")"))
        assert (claim.recorded == "refuted") == bool(claim.correction)
        assert claim.domain or not claim.recorded.startswith("proved")


@pytest.fixture
def touched(monkeypatch):
    """The regions whose symbols are used while a test runs."""
    regions, symbol = {}, Region.__getitem__
    monkeypatch.setattr(Region, "__getitem__", lambda self, name: regions.setdefault(self) or symbol(self, name))
    return regions


@pytest.fixture
def built(monkeypatch):
    """The names of the registered games that are built while a test runs."""
    names, build = set(), catalogue.build
    monkeypatch.setattr(catalogue, "build", lambda spec, **given: names.add(spec.name) or build(spec, **given))
    return names


@pytest.fixture
def looked_once(monkeypatch):
    """While a test runs, no check is run twice on the same numbers."""
    found = {}

    def once(check, texts):
        key = (id(check), *texts.items())
        if key not in found:
            found[key] = look(check, texts)
        return found[key]

    monkeypatch.setattr("relance.claims.ledger.look", once)


every_claim = pytest.mark.parametrize(("paper", "claim"), CLAIMS, ids=[f"{p.key}/{c.id}" for p, c in CLAIMS])


def few_moves(claim):
    """One move of one number, by turns another one and another way; `make test-all` moves every one in every way."""
    every, turn = [*moved_numbers(claim).items()], zlib.crc32(claim.id.encode())
    return {symbol: [texts[turn % len(texts)]] for symbol, texts in every[turn % len(every) :][:1]} if every else {}


@pytest.mark.usefixtures("looked_once")
@every_claim
def test_ends_as_recorded_and_planted_errors_are_caught(paper, claim, built, touched):
    """With the recorded verdict, for regions that were used; and every registered game that its check builds is named by the claim."""
    verdict, finding = claim.decide()
    assert built <= set(claim.games) <= set(catalogue.games())
    assert verdict == claim.recorded, finding.evidence
    assert finding.evidence
    assert finding.method != "proved" or finding.domain
    assert all(region in touched for region in regions_of(finding.where))

    parts = [scope for scopes in finding.cases.values() for scope in scopes]
    assert not any(isinstance(part, Cases) for part in parts)  # each member is a part of its own
    assert claim.domain or len(parts) < 2
    moved = few_moves(claim)
    planted = list(plant(paper, claim, moved))
    cases = [error for error in planted if error.changed == "cases"]
    assert len(cases) == len(parts) * (len(parts) > 1)
    assert len(planted) == len(moved) + len(claim.wrong) + len(cases)
    assert len(moved) == bool(claim.true_numbers)
    assert all(error.caught for error in planted), [error for error in planted if not error.caught]


@pytest.mark.slow
@pytest.mark.usefixtures("looked_once")
@every_claim
def test_every_other_planted_error_is_caught(paper, claim):
    tried, every = few_moves(claim), moved_numbers(claim)
    others = {symbol: [text for text in texts if text not in tried.get(symbol, ())] for symbol, texts in every.items()}
    formulas = [text for text in claim.true_numbers.values() if any(map(str.isalpha, text))]
    count = sum(map(len, others.values()))
    assert count == 2 * len(claim.true_numbers) + len(formulas) - len(tried)
    planted = list(islice(plant(paper, claim, others), count))
    assert all(error.caught for error in planted), [error for error in planted if not error.caught]


def regions_of(where):
    for scope in where:
        if isinstance(scope, Cases):
            yield from (region for scopes in scope.members.values() for region in regions_of(scopes))
        elif isinstance(scope, Region):
            yield scope


@pytest.mark.parametrize("paper", papers().values(), ids=lambda paper: paper.key)
def test_every_claim_has_a_place_and_can_fail(paper):
    """Each claim is made somewhere in its paper, and some change makes it false."""
    assert paper.sections
    for claim in paper.claims:
        assert claim.places, claim.id
        assert claim.true_numbers or claim.wrong, claim.id
    for section in paper.sections:
        assert section.opinion >= 0
        assert section.opinion or section.decided or section.undecided, section.name
        assert all(len(reason) > 10 for reason in section.undecided.values()), section.name


@pytest.mark.parametrize(("blind", "name"), [(0, "ponssard-1974/bluffs"), (1, "borel-von-neumann/borel-three-ways")])
def test_some_planted_errors_are_caught_by_one_players_gain_alone(monkeypatch, blind, name):
    def half_blind(game, profile):
        return tuple(gain * (player != blind) for player, gain in enumerate(gains(game, profile)))

    ((paper, claim),) = selected(name)
    monkeypatch.setattr("relance.claims.checks.gains", half_blind)
    assert claim.decide()[0] == claim.recorded
    assert not all(move.caught for move in plant(paper, claim))


def paper_with(**entries):
    claim = Claim("test", "1", (), "A statement.", **entries)
    return Paper("paper", "citation", (claim,)), claim


def is_half(numbers):
    return Finding(numbers["x"] == numbers["x"].__class__(1, 2), f"x = {numbers['x']}")


POSITIVE = Region("B", "B > 0")


@pytest.mark.parametrize(
    ("finding", "verdict", "domain"),
    [
        (Finding(True, "so"), "exact", ""),
        (Finding(True, "so", (POSITIVE,)), "proved", "all B with B > 0"),
        (Finding(True, "so", (POSITIVE,)).given("Induction."), "proved, given the argument", "all B with B > 0"),
        (Finding(True, "so", (POSITIVE, At("B = 2"))), "exact", "all B with B > 0; B = 2"),
        (Finding(True, "so", (At("B = 2"),)).given("Continuity."), "exact", "B = 2"),
        (Finding(True, "so", (POSITIVE,), tolerance="1e-9"), "numeric", "all B with B > 0; 1e-9"),
        (tried_at({"B": 2}, True, "no gain"), "open", "B = 2"),
        (
            each("n", (1, 2), lambda k: Finding(True, "so", (POSITIVE,)), "both"),
            "exact",
            "n = 1, 2; all B with B > 0",
        ),
        (
            each("n", (1, 2), lambda k: Finding(True, "so", (POSITIVE,)), "both").given("Induction."),
            "proved, given the argument",
            "n = 1, 2; all B with B > 0",
        ),
        (  # an argument for one part says nothing about the family of the other
            together(
                [
                    Finding(True, "so", (POSITIVE,)).given("Continuity."),
                    each("n", (1, 2), lambda k: Finding(True, "so", (POSITIVE,)), "both"),
                ]
            ),
            "exact",
            "all B with B > 0; n = 1, 2; all B with B > 0",
        ),
        (
            together([Finding(True, "so", (POSITIVE,)), tried_at({"B": 2}, True, "no gain")]),
            "open",
            "all B with B > 0; B = 2",
        ),
        (  # a sample that a statement needs too is shown, and takes nothing from the proof
            together([Finding(True, "so", (POSITIVE,)).only_if(Finding(True, "too", (At("B = 2"),)))]),
            "proved",
            "all B with B > 0; also at B = 2",
        ),
        (
            Finding(True, "so", (POSITIVE,)).only_if(Finding(True, "too", (At("B = 2"),), tolerance="1e-9")),
            "numeric",
            "all B with B > 0; also at B = 2; 1e-9",
        ),
        (
            Finding(True, "so", (POSITIVE,)).only_if(tried_at({"B": 2}, True, "no gain")),
            "open",
            "all B with B > 0; also at B = 2",
        ),
    ],
)
def test_a_verdict_says_what_was_shown(finding, verdict, domain):
    assert (finding.verdict, finding.domain) == (verdict, domain)


def test_a_statement_fails_with_a_sample_that_it_needs():
    sample = tried_at({"B": 2}, False, "a gain")
    found = Finding(True, "so", (POSITIVE,)).only_if(sample)
    assert not found.holds
    assert found.evidence == sample.evidence
    assert found.point == {"B": "2"}
    assert found.domain == "all B with B > 0; also at B = 2"


def test_a_search_refutes_but_does_not_confirm():
    claim = {"printed": {"x": "1/3"}, "correction": "It is 1/2.", "corrected": {"x": "1/2"}, "recorded": "refuted"}
    searched = paper_with(check=lambda n: tried_at({"x": n["x"]}, is_half(n).holds, "half or not"), **claim)
    assert decide(*searched).verdict == "failed"
    assert decide(*paper_with(check=searched[1].check, right=is_half, **claim)).verdict == "refuted"


def test_a_false_statement_without_correction_fails():
    result = decide(*paper_with(check=is_half, printed={"x": "1/3"}))
    assert result.verdict == "failed"
    assert not result.as_recorded


def test_a_refutation_needs_a_correction_that_holds():
    good = paper_with(
        check=is_half, printed={"x": "1/3"}, correction="It is 1/2.", corrected={"x": "1/2"}, recorded="refuted"
    )
    assert decide(*good).verdict == "refuted"
    bad = paper_with(
        check=is_half, printed={"x": "1/3"}, correction="It is 1/4.", corrected={"x": "1/4"}, recorded="refuted"
    )
    assert decide(*bad).verdict == "failed"
    assert "the correction fails too" in decide(*bad).evidence


def test_a_counterexample_is_a_point():
    """What is false for some values of a parameter comes with values, as exact numbers; they show that it is false."""
    for paper, claim in CLAIMS:
        if claim.id in ("bb-no-folds", "kuhn-opener-tree", "size-border", "dealer-ace-figure"):
            result = decide(paper, claim)
            printed, corrected = (Numbers(texts).at(**result.point) for texts in (result.printed, result.corrected))
            assert any(printed[symbol] != corrected[symbol] for symbol in printed)


def test_where_two_intervals_fail_they_fail():
    """Printed: if c > 1/3, A bets on two intervals. The worst hand gains 4c - 2 by a bet, which is below 0 at the point that is told."""
    (result,) = verify("cutler-1975/two-intervals")
    c = Fraction(result.point["c"])
    assert result.verdict == "refuted"
    assert c > Fraction(1, 3)
    assert 4 * c - 2 < 0


@pytest.fixture
def new_paper(tmp_path, monkeypatch):
    """Write a paper's folder, with these claims and modules, and load it."""
    monkeypatch.setattr(relance.claims, "__path__", [*relance.claims.__path__, str(tmp_path)])
    folder = tmp_path / "new_paper"
    folder.mkdir()

    def loaded(claims, **modules):
        (folder / "claims.toml").write_text('key = "new"\ncitation = "New"\n' + claims)
        for name, text in modules.items():
            (folder / f"{name}.py").write_text(text)
        return load_claims("new_paper")

    yield loaded
    for name in [name for name in sys.modules if name.startswith("relance.claims.new_paper")]:
        del sys.modules[name]


CLAIM = '[[claim]]\nid = "one"\nsection = "1"\nstatement = "It is."\ncheck = "sure"\n'

SURE = "from relance.claims.finding import Finding\n\n\ndef sure(n):\n    return Finding(True, 'so it is')\n"


PLACES = 'places = { 1 = ["p1 s2", "(3)"], "2.1" = ["p4 s1"] }'

SECTIONS = '[sections]\n1 = 3\n"2.1" = 0\n[open.1]\n"p1 s3" = "says only that it is small"\n'


def test_places_say_where_a_claim_stands(new_paper):
    two = CLAIM.replace('"one"', '"two"').replace('section = "1"', 'places = { "2.1" = ["p4 s1"] }')
    paper = new_paper('games = ["ponssard"]\n' + CLAIM + PLACES + "\n" + two + SECTIONS, checks=SURE)
    assert [claim.places for claim in paper.claims] == [("1: p1 s2, (3)", "2.1: p4 s1"), ("2.1: p4 s1",)]
    assert [claim.section for claim in paper.claims] == ["1", "2.1"]
    first, second = paper.sections
    assert (first.name, first.opinion, first.undecided) == ("1", 3, {"p1 s3": "says only that it is small"})
    assert first.decided == {"p1 s2": ("one",), "(3)": ("one",)}
    assert (second.name, second.opinion, second.decided) == ("2.1", 0, {"p4 s1": ("one", "two")})


def test_false_variants_are_planted(new_paper):
    text = 'games = ["ponssard"]\n' + CLAIM + "with = { x = 1 }\nfalse_with = [{ x = 2 }, { x = 1 }]\n"
    odd = "from relance.claims.finding import Finding\n\n\ndef sure(n, x):\n    return Finding(x == 1, 'x')\n"
    paper = new_paper(text, checks=odd)
    assert [(error.text, error.caught) for error in plant(paper, paper.claims[0])] == [
        ("x = 2", True),
        ("x = 1", False),
    ]


def test_a_claim_says_what_a_person_argued_for_it(new_paper):
    """For any check, and for the correction where the print is wrong; a list may name shared arguments."""
    sure = "from relance.claims.finding import Cases, Finding, spot, unproved\n\n\n@unproved('others')\ndef sure(n, x=1):\n"
    sure += "    return Finding(x == 1, 'so', (Cases('n', {1: (spot({'n': 1}),)}),))\n"
    argued = CLAIM + 'argument = ["shared", "And more."]\n'
    wrong = argued.replace('"one"', '"two"') + 'with = { x = 2 }\ncorrection = "It is 1."\nright_with = { x = 1 }\n'
    paper = new_paper('games = ["ponssard"]\n' + argued + wrong + '[arguments]\nshared = "So are all."\n', checks=sure)
    found = [claim.decide()[1] for claim in paper.claims]
    assert [finding.argument for finding in found] == ["So are all. And more."] * 2
    assert [scope.closed for finding in found for scope in finding.where] == [True, True]


@pytest.mark.parametrize(
    ("folder", "name", "argument", "message"),
    [
        (
            "borel_von_neumann",
            "masses",
            "",
            "needs an `argument`, a person's reasons for what Relance does not decide: distributions other than",
        ),
        (
            "cutler",
            "simple-many",
            "",
            "needs an `argument`, a person's reasons for what Relance does not decide: that no other strategy",
        ),
        ("endgame", "basic", "This is clear.", "must not have an `argument`: Relance decides the whole statement"),
    ],
)
def test_an_argument_is_there_where_the_check_asks_for_one(monkeypatch, folder, name, argument, message):
    """An author who takes it out, and writes "proved", is told of which claim; and so is one who argues what was decided."""
    text = resources.files(f"relance.claims.{folder}").joinpath("claims.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    entry = next(entry for entry in data["claim"] if entry["id"] == name)
    entry |= {"argument": argument, "recorded": "proved"}
    monkeypatch.setattr("relance.claims.ledger.tomllib.loads", lambda text: data)
    with pytest.raises(ValueError, match=f"claim '{name}' of relance.claims.{folder} {message}"):
        load_claims(folder)


def test_a_folder_is_a_paper(new_paper):
    paper = new_paper('games = ["ponssard"]\n' + CLAIM, checks=SURE)
    assert paper.claims[0].games == ("ponssard",)
    assert decide(paper, paper.claims[0]).verdict == "exact"


@pytest.mark.parametrize(
    ("claims", "modules", "message"),
    [
        (CLAIM + "games = []", {"one": SURE, "two": SURE}, r"new_paper\.one and .*new_paper\.two both define 'sure'"),
        (CLAIM + "games = []", {"one": ""}, "claim 'one' of .*new_paper names the check 'sure', which no module"),
        (CLAIM, {"one": SURE}, "claim 'one' of .*new_paper names no games"),
        (
            CLAIM.replace('section = "1"', "games = []"),
            {"one": SURE},
            "claim 'one' of .*new_paper needs `places` or `section`",
        ),
        (CLAIM + PLACES, {}, r"section '1', which its table \[sections\] lacks"),
        (CLAIM + '[sections]\n[open]\n9 = { "p1 s2" = "small" }', {}, r"names section '9', which its table"),
        (
            CLAIM + PLACES + "\n" + SECTIONS.replace("s3", "s2"),
            {},
            r"new_paper: \[open\] has 'p1 s2' of section '1', which is decided by one",
        ),
        (
            CLAIM + "games = []\nequal = [['a', 'a']]",
            {"one": SURE},
            "needs either `check`, a function's name, or some of nash, equal, always, short, signs",
        ),
        (
            CLAIM.replace("check", "let") + "games = []",
            {},
            "needs either `check`, a function's name, or some of nash, equal, always, short, signs",
        ),
    ],
)
def test_a_folder_that_is_no_paper(new_paper, claims, modules, message):
    with pytest.raises(ValueError, match=message):
        new_paper(claims, **modules)


def test_what_is_proved_needs_a_domain():
    _, claim = paper_with(check=lambda numbers: positive(POSITIVE, POSITIVE["B"], "so"))
    assert claim.decide()[0] == "open"
    assert replace(claim, domain=["B > 0"]).decide()[0] == "proved"
    assert replace(claim, domain=["B > -1"]).decide()[0] == "open"


@pytest.mark.parametrize(
    ("ground", "verdict"),
    [
        ("borel-von-neumann/borel-theorem", "proved"),
        ("borel-von-neumann/r-continuous", "proved, given the argument"),
        ("borel-von-neumann/vn-averages", "open"),  # false as printed
        ("endgame/stud", "open"),  # exact for one hand
    ],
)
def test_a_claim_is_proved_as_far_as_what_it_rests_on(ground, verdict):
    _, claim = paper_with(
        check=lambda numbers: positive(POSITIVE, POSITIVE["B"], "so"), domain=["B > 0"], rests_on=(ground,)
    )
    assert claim.decide()[0] == verdict


def test_a_claim_rests_on_claims_that_exist():
    _, claim = paper_with(
        check=lambda numbers: positive(POSITIVE, POSITIVE["B"], "so"), domain=["B > 0"], rests_on=("miao/x",)
    )
    with pytest.raises(ValueError, match="a claim rests on 'miao/x', but there is no such claim"):
        claim.decide()


def test_no_claim_rests_on_itself():
    grounds = {f"{paper.key}/{claim.id}": set(claim.rests_on) for paper, claim in CLAIMS}
    while grounds:
        sure = {name for name, below in grounds.items() if not below}
        assert sure, grounds
        grounds = {name: below - sure for name, below in grounds.items() if name not in sure}


def test_claims_share_parts_of_domains(new_paper):
    shared = '[domains.sides]\nlow = ["B < 1"]\nhigh = ["B >= 1"]\n'
    domain = 'domain = { all = "sides", more = ["B > 1"] }\n'
    (claim,) = new_paper('games = ["ponssard"]\n' + CLAIM + domain + shared, checks=SURE).claims
    assert claim.domain == {"all, low": ["B < 1"], "all, high": ["B >= 1"], "more": ["B > 1"]}


def test_a_broken_check_is_a_failure_and_not_a_crash():
    result = decide(*paper_with(check=lambda numbers: 1 / 0))
    assert result.verdict == "failed"
    assert "ZeroDivisionError" in result.evidence


def test_verify_takes_papers_and_single_claims():
    heard = []
    (one,) = verify("miao-2014/stakes", tick=heard.append)
    assert heard == [one]
    assert (one.id, one.verdict, one.games) == ("miao-2014/stakes", "exact", ("one_card_poker",))
    assert [result.id for result in verify(["ponssard-1974/payoffs", "miao-2014/stakes"])] == [
        "miao-2014/stakes",
        "ponssard-1974/payoffs",
    ]
    assert len(selected("ponssard-1974")) == len(papers()["ponssard-1974"].claims)
    assert {bool(result.correction) for result in errata("ponssard-1974")} == {True, False}
    for kind, key in (("paper", "miao-2041"), ("claim", "miao-2014/stake")):
        with pytest.raises(ValueError, match=f"there is no {kind} '{key}'.*[Dd]id you mean"):
            verify(key)


def test_what_holds_for_several_members_of_a_family_states_them_as_its_domain():
    """So a member that a check leaves out is noticed."""
    found = Finding(True, "so").for_each("n", {1: (At("one"),), 3: (At("three"),)})
    assert (found.method, found.domain) == ("exact", "n = 1, 3; three")
    paper, claim = paper_with(check=lambda numbers: found, domain={"n = 1": [], "n = 3": []})
    assert claim.decide()[0] == "exact"
    verdict, left = replace(claim, domain={**claim.domain, "n = 5": []}).decide()
    assert (verdict, left.evidence) == ("open", "not decided for n = 5")
    assert [move.text for move in plant(paper, claim)] == ["without n = 1: one", "without n = 3: three"]


def test_what_was_decided_in_several_cases_needs_a_domain():
    """Otherwise a case could be left out, and nothing would say so."""
    found = Finding(True, "so", (At("one"), At("another")))
    _, claim = paper_with(check=lambda numbers: found)
    verdict, left = claim.decide()
    assert (verdict, left.evidence) == ("open", "not decided for a domain, which the claim does not state")
    stated = replace(claim, domain={"one": [], "another": []})
    assert stated.decide()[0] == "exact"
    assert replace(stated, check=lambda numbers: replace(found, where=found.where[:1])).decide()[0] == "open"


@pytest.mark.parametrize("kind", ["smtlib", "certificates", "coq"])
@pytest.mark.parametrize("folder", ["a\0b", "file/below", "file"])
def test_folders_that_cannot_be_written_are_refused_before_work(tmp_path, monkeypatch, kind, folder):
    """Also where no file is due: this claim rests on no fact for a prover."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    monkeypatch.setattr("relance.claims.verify._decide", None)
    with pytest.raises(ValueError, match="cannot be written"):
        verify("miao-2014/value", **{kind: folder})
