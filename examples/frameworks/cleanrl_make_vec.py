# extra: torch
# quick: 0 65536
"""CleanRL's way: PPO by self-play in one file, on a Gymnasium vector environment whose opponent is the learner.

python cleanrl_make_vec.py [seed] [steps]
"""

import sys

import gymnasium
import torch
from torch import nn

import relance
from relance.baselines import Average

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
steps = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
num_envs, num_steps, update_epochs, num_minibatches = 512, 8, 4, 4
clip_coef, ent_coef, vf_coef, learning_rate = 0.1, 0.07, 0.5, 5e-3

torch.manual_seed(seed)
game = relance.make("one_card_poker", raises=0)
envs = gymnasium.make_vec(
    "relance/OneCardPoker-v0", num_envs, raises=0, opponent="self", seat="random", autoreset_mode="SameStep"
)
size, actions = envs.single_observation_space.shape[0], int(envs.single_action_space.n)
actor = nn.Sequential(nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, actions))
critic = nn.Sequential(nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, 1))
optimizer = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=learning_rate)
num_updates = max(1, steps // (num_envs * num_steps))
schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, num_updates)
average = Average(game)


def distribution(obs, masks):
    return torch.distributions.Categorical(logits=actor(obs).masked_fill(~masks, -1e9))


next_obs, infos = envs.reset(seed=seed)
for update in range(1, num_updates + 1):
    envs.refresh(actor)  # the opponent is the learner as it is now
    rollout, rewards, dones = [], [], []
    for _ in range(num_steps):
        obs, mask = torch.tensor(next_obs), torch.tensor(infos["action_mask"], dtype=torch.bool)
        with torch.no_grad():
            chosen = distribution(obs, mask)
            action = chosen.sample()
        rollout.append((obs, mask, action, chosen.log_prob(action)))
        next_obs, reward, done, _, infos = envs.step(action.numpy())
        rewards.append(torch.tensor(reward, dtype=torch.float32))
        dones.append(torch.tensor(done))

    with torch.no_grad():  # returns are whole games, and only what the rollout cuts off is estimated
        following, returns = critic(torch.tensor(next_obs)).squeeze(-1), []
        for reward, done in zip(reversed(rewards), reversed(dones), strict=True):
            following = reward + following * ~done
            returns.insert(0, following)
    obs, mask, action, logprob, returns = (torch.cat(part) for part in (*zip(*rollout, strict=True), returns))
    advantage = returns - critic(obs).squeeze(-1).detach()

    for _ in range(update_epochs):
        for rows in torch.randperm(len(obs)).chunk(num_minibatches):
            chosen = distribution(obs[rows], mask[rows])
            ratio = (chosen.log_prob(action[rows]) - logprob[rows]).exp()
            clipped = ratio.clamp(1 - clip_coef, 1 + clip_coef)
            pg_loss = -torch.minimum(ratio * advantage[rows], clipped * advantage[rows]).mean()
            v_loss = (critic(obs[rows]).squeeze(-1) - returns[rows]).square().mean()
            optimizer.zero_grad()
            (pg_loss + vf_coef * v_loss - ent_coef * chosen.entropy().mean()).backward()
            optimizer.step()
    schedule.step()
    average.after_step(update * num_envs * num_steps, lambda: actor)

last, mean = (float(relance.score(game, agent).nash_conv) for agent in (actor, average.policy()))
print(f"{steps} steps: NashConv {last:.3f} of the last policy, {mean:.3f} of the average")
