# extra: torch
# quick: 8192
"""CleanRL's way, one file on `gymnasium.make_vec`: actor-critic against an opponent who plays at random.

python cleanrl_make_vec.py [steps]
"""

import sys

import gymnasium
import numpy as np
import torch
from torch import nn

import relance

steps, tables, length = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000, 256, 16
torch.manual_seed(0)
envs = gymnasium.make_vec("relance:relance/OneCardPoker-v0", num_envs=tables, raises=0, opponent="uniform", seat=0)
size, actions = envs.single_observation_space.shape[0], int(envs.single_action_space.n)
actor = nn.Sequential(nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, actions))
critic = nn.Sequential(nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, 1))
optimiser = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=5e-3)


def law(seen, masks):
    return torch.distributions.Categorical(logits=actor(seen).masked_fill(~masks, -1e9))


seen, infos = envs.reset(seed=0)
over = np.zeros(tables, bool)
for _ in range(max(1, steps // (tables * length))):
    batch, rewards, ends, real = [], [], [], []
    for _ in range(length):
        x, mask = torch.tensor(seen), torch.tensor(infos["action_mask"], dtype=torch.bool)
        with torch.no_grad():
            action = law(x, mask).sample()
        batch.append((x, mask, action))
        real.append(torch.tensor(~over))  # under NEXT_STEP the step after the end only deals: nobody acted
        seen, reward, over, _, infos = envs.step(action.numpy())
        rewards.append(torch.tensor(reward, dtype=torch.float32))
        ends.append(torch.tensor(over))
    x, mask, action = (torch.stack(part) for part in zip(*batch, strict=True))
    with torch.no_grad():
        following = critic(torch.tensor(seen)).squeeze(-1)
        returns = []
        for reward, end in zip(reversed(rewards), reversed(ends), strict=True):
            following = reward + following * ~end
            returns.insert(0, following)
    kept = torch.stack(real)
    value, returns, chosen = critic(x).squeeze(-1)[kept], torch.stack(returns)[kept], law(x[kept], mask[kept])
    gain = chosen.log_prob(action[kept]) * (returns - value.detach())
    loss = (value - returns).square().mean() - gain.mean() - 0.005 * chosen.entropy().mean()
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()

game = relance.make("one_card_poker", raises=0)
mine = relance.score(game, (actor, game.uniform()))
most = relance.best_response(game, game.uniform(), 0).value
print(f"{steps} steps: earns {float(mine.value):.4f} chips a game against uniform play; {float(most):.4f} is the most")
