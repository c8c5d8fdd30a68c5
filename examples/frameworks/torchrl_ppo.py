# extra: torchrl
# quick: 0 80000
"""TorchRL: PPO with one network for both seats on a batch of tables, where the player who waits has a single action.

python torchrl_ppo.py [seed] [frames]
"""

import sys
import warnings

import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss, ValueEstimators

import relance
from relance.baselines import Average, BatchEnv, network_policy

warnings.simplefilter("ignore")  # TorchRL warns of its own deprecations
seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
frames, batch = int(sys.argv[2]) if len(sys.argv) > 2 else 600_000, 4000
torch.manual_seed(seed)
game = relance.make("one_card_poker", raises=0)
env = BatchEnv(game, 250, seed=seed)
seen, mask = ("agents", "observation"), ("agents", "action_mask")
size, actions = env.observation_spec[seen].shape[-1], env.observation_spec[mask].shape[-1]
net = nn.Sequential(nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, actions))
actor = ProbabilisticActor(
    TensorDictModule(net, in_keys=[seen], out_keys=[("agents", "logits")]),
    in_keys={"logits": ("agents", "logits"), "mask": mask},
    out_keys=[env.action_key],
    distribution_class=MaskedCategorical,
    return_log_prob=True,
    log_prob_key=("agents", "log_prob"),
)
critic = ValueOperator(
    nn.Sequential(nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, 1)), [seen], [("agents", "state_value")]
)
loss = ClipPPOLoss(actor, critic, clip_epsilon=0.1, entropy_coeff=0.07, critic_coeff=0.5, loss_critic_type="l2")
loss.set_keys(
    reward=env.reward_key,
    action=env.action_key,
    sample_log_prob=("agents", "log_prob"),
    value=("agents", "state_value"),
    done=("agents", "done"),
    terminated=("agents", "terminated"),
    advantage=("agents", "advantage"),
    value_target=("agents", "value_target"),
)
loss.make_value_estimator(ValueEstimators.GAE, gamma=1.0, lmbda=1.0)
optimiser = torch.optim.Adam(loss.parameters(), lr=5e-3)
schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.0, max(1, frames // batch))
average = Average(game)
for number, data in enumerate(Collector(env, actor, frames_per_batch=batch, total_frames=frames), 1):
    with torch.no_grad():
        loss.value_estimator(data, params=loss.critic_network_params, target_params=loss.target_critic_network_params)
    for _ in range(4):
        for rows in torch.randperm(batch).chunk(4):
            terms = loss(data.reshape(-1)[rows])
            optimiser.zero_grad()
            (terms["loss_objective"] + terms["loss_critic"] + terms["loss_entropy"]).backward()
            optimiser.step()
    schedule.step()
    average.after_step(number * batch, lambda: network_policy(net))

last, mean = (float(relance.score(game, agent).nash_conv) for agent in (network_policy(net), average.policy()))
print(f"{frames} frames: NashConv {last:.3f} of the last policy, {mean:.3f} of the average")
