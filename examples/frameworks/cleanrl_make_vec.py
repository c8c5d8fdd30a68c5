# extra: torch
# quick: 8192
"""CleanRL's way, one file on `gymnasium.make_vec`: PPO against itself, in a seat drawn for each game, and the average of its policies.

One policy is kept before each update. The average draws one of them for each game; its NashConv is below 0.05, that of the last is not.

python cleanrl_make_vec.py [steps]
"""

import sys

import gymnasium
import torch
from torch import nn

import relance

steps, tables, length, epochs, parts = int(sys.argv[1]) if len(sys.argv) > 1 else 500_000, 512, 8, 4, 4
torch.manual_seed(0)
game = relance.make("one_card_poker", raises=0)


def distribution(seen, masks):
    return torch.distributions.Categorical(logits=actor(seen).masked_fill(~masks, -1e9))


def opponent(seen, masks):
    with torch.no_grad():
        return distribution(torch.tensor(seen), torch.tensor(masks)).sample().numpy()


envs = gymnasium.make_vec(
    "relance:relance/OneCardPoker-v0", tables, raises=0, opponent=opponent, seat="random", autoreset_mode="SameStep"
)
size, actions = envs.single_observation_space.shape[0], int(envs.single_action_space.n)
actor = nn.Sequential(nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, actions))
critic = nn.Sequential(nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, 1))
optimiser = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=5e-3)
updates = max(1, steps // (tables * length))
schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.0, updates)

seen, infos = envs.reset(seed=0)
kept = []
for _ in range(updates):
    kept.append(relance.score(game, actor).profile)
    batch, rewards, ends = [], [], []
    for _ in range(length):
        x, mask = torch.tensor(seen), torch.tensor(infos["action_mask"], dtype=torch.bool)
        with torch.no_grad():
            chosen = distribution(x, mask)
            action = chosen.sample()
        batch.append((x, mask, action, chosen.log_prob(action)))
        seen, reward, over, _, infos = envs.step(action.numpy())
        rewards.append(torch.tensor(reward, dtype=torch.float32))
        ends.append(torch.tensor(over))
    with torch.no_grad():
        following, returns = critic(torch.tensor(seen)).squeeze(-1), []
        for reward, end in zip(reversed(rewards), reversed(ends), strict=True):
            following = reward + following * ~end
            returns.insert(0, following)
    x, mask, action, old, returns = (torch.cat(part) for part in (*zip(*batch, strict=True), returns))
    gain = returns - critic(x).squeeze(-1).detach()
    for _ in range(epochs):
        for rows in torch.randperm(len(x)).chunk(parts):
            chosen = distribution(x[rows], mask[rows])
            ratio = (chosen.log_prob(action[rows]) - old[rows]).exp()
            clipped = torch.minimum(ratio * gain[rows], ratio.clamp(0.9, 1.1) * gain[rows])
            wrong = (critic(x[rows]).squeeze(-1) - returns[rows]).square()
            optimiser.zero_grad()
            (0.5 * wrong.mean() - clipped.mean() - 0.07 * chosen.entropy().mean()).backward()
            optimiser.step()
    schedule.step()

last, average = (float(relance.score(game, agent).nash_conv) for agent in (actor, kept[updates // 2 :]))
uniform = float(relance.nash_conv(game, game.uniform()))
print(
    f"{steps} steps: NashConv {last:.3f}, of the average since half time {average:.3f}; of uniform play {uniform:.3f}"
)
