# extra: torch
# quick: 3
"""Self-play in which the decisions of both players are one trajectory, against self-play in which each has their own.

Wrappers that show a turn-based environment to a single-agent learner, such as that of PettingZoo's masked-PPO tutorial, make one
trajectory of both players' steps. A value then follows the other player's, whose sign is the opposite, and only the player who
acts last gets their chips. Same network, same games, same updates in both cases.

    python one_trajectory.py [updates]
"""

import sys
from statistics import median

import numpy as np
import torch
from torch import nn

import relance
from relance.play import Batch

updates, games, rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 200, 512, 3
torch.set_num_threads(1)
game = relance.make("one_card_poker", raises=0)


def play(actor, batch):
    """Play all tables to the end: observations, masks, actions, the player of each and whether anyone acted; the chips of both."""
    batch.deal(np.arange(games))
    steps, chips = [], np.zeros((games, 2))
    alive = np.ones(games, bool)
    for _ in range(rounds):
        player, mask = batch.to_move.copy(), torch.tensor(batch.mask())
        seen = torch.tensor(batch.observe(np.maximum(player, 0)))
        with torch.no_grad():
            action = torch.distributions.Categorical(logits=actor(seen).masked_fill(~mask, -1e9)).sample()
        steps.append((seen, mask, action, torch.tensor(player), torch.tensor(alive)))
        tables = np.flatnonzero(alive)
        batch.move(tables, action.numpy()[tables])
        alive = alive & (batch.to_move >= 0)
        chips[tables] += batch.rewards[tables] * ~alive[tables, None]
        if not alive.any():
            break
    return [torch.stack(part) for part in zip(*steps, strict=True)], torch.tensor(chips, dtype=torch.float32)


def advantages(values, player, acted, chips, one_trajectory, trace=0.95):
    """Generalised advantage estimates, shape (steps, games), undiscounted."""
    out, length = torch.zeros_like(values), len(values)
    if not one_trajectory:
        return torch.where(acted, chips.gather(1, player.clamp(min=0).T).T - values, 0.0)
    for t in reversed(range(length)):
        more = acted[t + 1] if t + 1 < length else torch.zeros_like(acted[t])
        following, later = (values[t + 1], out[t + 1]) if t + 1 < length else (0.0, 0.0)
        reward = torch.where(more, 0.0, chips.gather(1, player[t].clamp(min=0)[:, None])[:, 0])
        out[t] = torch.where(acted[t], reward + more * (following + trace * later) - values[t], 0.0)
    return out


def train(one_trajectory, seed):
    torch.manual_seed(seed)
    batch = Batch(game, games, seed=seed)
    size, actions = batch.observe(0).shape[1], len(game.actions)
    actor = nn.Sequential(nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, actions))
    critic = nn.Sequential(nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, 1))
    optimiser = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=3e-3)
    for _ in range(updates):
        (seen, mask, action, player, acted), chips = play(actor, batch)
        values = critic(seen).squeeze(-1)
        gain = advantages(values.detach(), player, acted, chips, one_trajectory)
        distribution = torch.distributions.Categorical(logits=actor(seen[acted]).masked_fill(~mask[acted], -1e9))
        better = distribution.log_prob(action[acted]) * gain[acted] + 0.2 * distribution.entropy()
        loss = (values[acted] - (gain + values.detach())[acted]).square().mean() - better.mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return float(relance.score(game, actor).nash_conv)


uniform = float(relance.nash_conv(game, game.uniform()))
print(f"NashConv of uniform play       {uniform:.2f}")
for one, name in ((True, "one trajectory for both"), (False, "one for each player")):
    found = [train(one, seed) for seed in range(3)]
    print(f"NashConv, {name:23} {median(found):.2f}   ({', '.join(f'{x:.2f}' for x in found)})")
