# extra: torchrl
# quick: 500
"""TorchRL: PPO with one network for both seats on the parallel environment, where whoever waits has one action of his own.

python torchrl_ppo.py [frames]
"""

import sys
import warnings

import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss, ValueEstimators

import relance

warnings.simplefilter("ignore")  # TorchRL warns of its own deprecations
frames, batch = int(sys.argv[1]) if len(sys.argv) > 1 else 4000, 500
torch.manual_seed(0)
group = {"both": ["player_0", "player_1"]}
env = PettingZooWrapper(relance.parallel_env("one_card_poker", raises=0), group_map=group, seed=0)
seen, mask = ("both", "observation", "observation"), ("both", "action_mask")
size, actions = env.observation_spec[seen].shape[-1], env.observation_spec[mask].shape[-1]
net = nn.Sequential(nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, actions))
actor = ProbabilisticActor(
    TensorDictModule(net, in_keys=[seen], out_keys=[("both", "logits")]),
    in_keys={"logits": ("both", "logits"), "mask": mask},
    out_keys=[env.action_key],
    distribution_class=MaskedCategorical,
    return_log_prob=True,
    log_prob_key=("both", "log_prob"),
)
critic = ValueOperator(
    nn.Sequential(nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, 1)), [seen], [("both", "state_value")]
)
loss = ClipPPOLoss(actor, critic, entropy_coeff=0.02, critic_coeff=1.0, normalize_advantage=True)
loss.set_keys(
    reward=env.reward_key,
    action=env.action_key,
    sample_log_prob=("both", "log_prob"),
    value=("both", "state_value"),
    done=("both", "done"),
    terminated=("both", "terminated"),
    advantage=("both", "advantage"),
    value_target=("both", "value_target"),
)
loss.make_value_estimator(ValueEstimators.GAE, gamma=1.0, lmbda=1.0)
optimiser = torch.optim.Adam(loss.parameters(), lr=2e-2)
for data in Collector(env, actor, frames_per_batch=batch, total_frames=frames):
    with torch.no_grad():
        loss.value_estimator(data, params=loss.critic_network_params, target_params=loss.target_critic_network_params)
    for _ in range(4):
        terms = loss(data)
        optimiser.zero_grad()
        (terms["loss_objective"] + terms["loss_critic"] + terms["loss_entropy"]).backward()
        optimiser.step()


def plays(seen, masks):
    """Probabilities (N, A); the network's last action is to wait."""
    with torch.no_grad():
        logits = net(torch.tensor(seen))[:, :-1]
    return logits.masked_fill(~torch.tensor(masks), -torch.inf).softmax(-1).numpy()


game = relance.make("one_card_poker", raises=0)
score = relance.score(game, plays)
uniform = float(relance.nash_conv(game, game.uniform()))
print(f"{frames} frames: NashConv {float(score.nash_conv):.3f}; of uniform play {uniform:.3f}")
