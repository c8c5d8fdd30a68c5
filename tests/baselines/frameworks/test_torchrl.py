"""The environment of TorchRL: its own checks, the games of a batch, and forfeits."""

import numpy as np
import pytest
from conftest import SAMPLES

import relance
from relance.play.batch import Batch
from relance.play.rules import rules

torch = pytest.importorskip("torch", reason="needs the extra torchrl")
pytest.importorskip("torchrl", reason="needs the extra torchrl", exc_type=ImportError)
pytestmark = pytest.mark.filterwarnings("ignore")  # TorchRL warns of its own deprecations

from torchrl.envs.utils import check_env_specs  # noqa: E402 - TorchRL is needed for it

from relance.baselines.frameworks.torchrl import BatchEnv  # noqa: E402 - likewise


@pytest.mark.parametrize("game", SAMPLES, ids=str)
def test_its_specs_are_right(game):
    check_env_specs(BatchEnv(game, 3, seed=1))


@pytest.mark.parametrize("is_large", [False, True])
@pytest.mark.parametrize("game", SAMPLES[::3], ids=str)
def test_it_plays_the_games_of_a_batch(game, is_large, large):
    """With the same seed and actions: hands, who moves, what is seen and legal, chips, and hands dealt again."""
    n, game = 40, large(game) if is_large else game
    env, batch = BatchEnv(game, n, seed=3), Batch(game, n, seed=3)
    td, rng, ended = env.reset(), np.random.default_rng(0), 0
    for _ in range(30):
        assert (env.batch.hands == batch.hands).all()
        mover, tables, mask = batch.to_move, np.arange(n), batch.mask()
        group = {key: value.numpy() for key, value in td["agents"].items()}
        for player in (0, 1):
            assert (group["observation"][:, player] == batch.observe(player)).all()
        assert (group["action_mask"][tables, mover, :-1] == mask).all()
        assert group["action_mask"][tables, 1 - mover].sum() == group["action_mask"][:, :, -1].sum() == n
        assert not group["action_mask"][tables, mover, -1].any()
        actions = (rng.random(mask.shape) * mask).argmax(1)
        both = np.full((n, 2), env.wait)
        both[tables, mover] = actions
        td["agents", "action"] = torch.as_tensor(both)
        result, td = env.step_and_maybe_reset(td)
        batch.step(actions)
        assert result["next", "agents", "reward"][..., 0].numpy() == pytest.approx(batch.rewards)
        assert (result["next", "done"][:, 0].numpy() == batch.done).all()
        assert (result["next", "agents", "terminated"][:, 1, 0].numpy() == batch.done).all()
        assert not result["next", "truncated"].any()
        ended += batch.done.sum()
    assert ended > n


def test_random_play_obeys_the_masks_and_has_its_value():
    game = relance.make("one_card_poker")
    env = BatchEnv(game, 2000, seed=5)
    env.set_seed(5)
    torch.manual_seed(0)
    data = env.rollout(20, break_when_any_done=False)
    taken = data["agents", "action_mask"].gather(-1, data["agents", "action"][..., None])
    assert taken.all()
    chips = data["next", "agents", "reward"][..., 0, 0][data["next", "done"][..., 0]].double()
    assert len(chips) > 8000
    worth = float(relance.value(game, game.uniform()))
    assert float(chips.mean()) == pytest.approx(worth, abs=5 * float(chips.std()) / len(chips) ** 0.5)
    assert (data["next", "agents", "reward"].sum(-2) == 0).all()


def test_a_seed_decides_the_hands():
    env = BatchEnv("von_neumann", 50, seed=1)
    first = env.reset()["agents", "observation"]
    env.rollout(5, break_when_any_done=False)
    env.set_seed(1, static_seed=True)
    assert (env.reset()["agents", "observation"] == first).all()
    assert not (env.reset()["agents", "observation"] == first).all()
    env.set_seed(2, static_seed=True)
    assert not (env.reset()["agents", "observation"] == first).all()


def test_only_the_chosen_tables_are_dealt_again():
    env = BatchEnv("von_neumann", 6, seed=1)
    td = env.reset()
    before = env.batch.hands.copy()
    chosen = torch.tensor([[True], [False], [True], [False], [False], [False]])
    td["_reset"] = chosen.clone()
    env.reset(td)
    assert ((env.batch.hands != before).all(1) == chosen[:, 0].numpy()).all()


@pytest.mark.parametrize(("actions", "offender"), [((3, 4), 0), ((-1, 4), 0), ((99, 0), 0), ((0, 0), 1), ((0, 99), 1)])
def test_an_illegal_action_forfeits(actions, offender):
    """Of the player to move; else of the one who should wait. The game then stays over until it is reset."""
    env = BatchEnv("one_card_poker", 2, seed=1, raises=0)
    td = env.reset()
    td["agents", "action"] = torch.tensor([actions, (0, env.wait)])
    after = env.step(td)["next"]
    most = rules(env.game).worst[offender]
    assert after["done"][:, 0].tolist() == [True, False]
    assert after["agents", "reward"][0, :, 0].tolist() == ([-most, most] if offender == 0 else [most, -most])
    assert after["agents", "action_mask"][0].all()
    again = after.clone()
    again["agents", "action"] = torch.tensor([(0, env.wait), (env.wait, 0)])
    later = env.step(again)["next"]
    assert later["done"][0]
    assert (later["agents", "reward"][0] == 0).all()


def test_bad_arguments():
    with pytest.raises(ValueError, match="n=0"):
        BatchEnv("von_neumann", 0)
    with pytest.raises(ValueError, match="no game 'von_neuman'"):
        BatchEnv("von_neuman", 2)
    with pytest.raises(ValueError, match="seed"):
        BatchEnv("von_neumann", 2, seed=-1)


def test_the_hook_scores_logs_saves_and_stops(tmp_path):
    """It speaks to a trainer as TorchRL's own hooks do; the trainer here records what it is told."""
    from relance.baselines.frameworks.torchrl import TorchRLNashConvHook, network_policy

    class Recorder:
        collected_frames, total_frames = 600, 10_000

        def __init__(self):
            self.ops, self.modules = {}, {}

        def register_op(self, place, op):
            self.ops[place] = op

        def register_module(self, name, module):
            self.modules[name] = module

    game = relance.make("one_card_poker", raises=0)
    env = BatchEnv(game, 4, seed=0)
    size, actions = env.observation_spec["agents", "observation"].shape[-1], env.wait + 1
    net = torch.nn.Linear(size, actions)
    torch.nn.init.zeros_(net.weight), torch.nn.init.zeros_(net.bias)
    trainer, hook = (
        Recorder(),
        TorchRLNashConvHook(game, network_policy(net), best=tmp_path / "best.pt", module=net, below=2.0),
    )
    hook.register(trainer)
    told = trainer.ops["post_steps_log"](None)
    assert told["relance/nash_conv"] == pytest.approx(float(relance.nash_conv(game, game.uniform())))
    assert trainer.total_frames == 600
    assert torch.load(tmp_path / "best.pt").keys() == net.state_dict().keys()
    again = TorchRLNashConvHook(game, network_policy(net))
    again.load_state_dict(trainer.modules["nash_conv"].state_dict())
    assert again.scores.points == [(600, told["relance/nash_conv"])]
    with pytest.raises(ValueError, match="needs module="):
        TorchRLNashConvHook(game, network_policy(net), best="here")
