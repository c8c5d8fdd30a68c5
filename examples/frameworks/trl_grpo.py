# group: trl
# quick: 0 1
"""TRL: GRPOTrainer plays Kuhn's game in words, paid by exploitability descent, and an exact score shows how far it comes.

The language model is built here, so that nothing is downloaded: a Qwen3 of two layers that has read 400 hands of a beginner. So it knows
the words and how to call the tool. Put your own model and tokenizer in its place.

python trl_grpo.py [seed] [steps]
"""

import random
import sys
import tempfile

import numpy as np
import torch
from datasets import Dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, PrinterCallback, Qwen3Config, Qwen3ForCausalLM, TrainerCallback
from transformers.utils import get_json_schema
from trl import GRPOConfig, GRPOTrainer
from trl.chat_template_utils import qwen3_instruct_2507_chat_template

import relance
from relance.baselines import Average
from relance.words import hand_environment, hand_rewards, hand_rows, question_rows

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
steps = int(sys.argv[2]) if len(sys.argv) > 2 else 60
random.seed(seed), torch.manual_seed(seed), torch.set_num_threads(1)
game = relance.make("one_card_poker", raises=0)
sets = {row["prompt"][-1]["content"]: row for row in question_rows(game)}  # information sets by question
Hand = hand_environment(str(game))
tools = [get_json_schema(Hand().act)]
BETS = {"Q": 0.25, "K": 0.5, "A": 0.75}  # how often the beginner bets and calls


def call(hand, action):
    """An answer of the model, which says its hand first."""
    function = {"name": "act", "arguments": {"action": action}}
    return {
        "role": "assistant",
        "content": f"I hold {hand}.",
        "tool_calls": [{"type": "function", "function": function}],
    }


def hands_of_a_beginner():
    """Conversations, and by question the conversation that leads to it."""
    Against = hand_environment(str(game), "chips", "uniform")
    hands, asked = [], {}
    for row in hand_rows(400, seed=1):
        table, (first,) = Against(), row["prompt"]
        told = table.reset(**row)
        said = [{**first, "content": first["content"] + told}]
        while told in sets:
            asked[told], hand = list(said), sets[told]["hand"]
            action = sets[told]["actions"][random.random() < BETS[hand]]
            told = table.act(action)
            said += [call(hand, action), {"role": "tool", "name": "act", "content": told}]
        hands.append([*said, {"role": "assistant", "content": "Done."}])
    return hands, asked


def written(tokenizer, said, **options):
    """Conversations as the model reads them."""
    return tokenizer.apply_chat_template(said, tools=tools, tokenize=False, **options)


def tokenizer_of(hands):
    """Its tokens are parts of lines."""
    special = ["<|endoftext|>", "<|im_end|>", "<|im_start|>"]
    template = {"chat_template": qwen3_instruct_2507_chat_template, "padding_side": "left"}
    symbols = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokens = Tokenizer(models.BPE())
    tokens.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split("\n", "merged_with_previous"), symbols])
    tokens.decoder = decoders.ByteLevel()
    texts = written(PreTrainedTokenizerFast(tokenizer_object=tokens, **template), hands)
    how = trainers.BpeTrainer(vocab_size=2000, special_tokens=special, initial_alphabet=symbols.alphabet())
    tokens.train_from_iterator(texts, how)
    return PreTrainedTokenizerFast(tokenizer_object=tokens, pad_token=special[0], eos_token=special[1], **template)


def model_that_read(hands, tokenizer, updates=400):
    """Learn to write such conversations."""
    config = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=4,
        head_dim=16,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
    )
    model = Qwen3ForCausalLM(config)
    optimiser = torch.optim.AdamW(model.parameters(), lr=3e-3)
    schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.0, updates)
    texts = written(tokenizer, hands)
    for _ in range(updates):
        batch = tokenizer(random.sample(texts, 16), padding=True, return_tensors="pt", return_token_type_ids=False)
        loss = model(**batch, labels=batch.input_ids.masked_fill(batch.attention_mask == 0, -100)).loss
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    return model


@torch.no_grad()
def policy(model):
    """The probabilities with which the model writes each legal call, scaled to sum to 1."""

    def ids(said, **options):
        text = written(tokenizer, said, **options)
        return tokenizer(text, return_tensors="pt", return_token_type_ids=False).input_ids[0]

    model.eval()
    plan = {name: {action: np.zeros(3) for action in node.actions} for name, node in game.tree.decisions.items()}
    for question, said in asked.items():
        row, before = sets[question], len(ids(said, add_generation_prompt=True))
        logs = []
        for action in row["actions"]:
            whole = ids([*said, call(row["hand"], action)])
            chances = model(whole[None]).logits[0, :-1].double().log_softmax(1)
            logs.append(chances.gather(1, whole[1:, None])[before - 1 :].sum())
        for action, chance in zip(row["actions"], torch.stack(logs).softmax(0).tolist(), strict=True):
            plan[row["node"]][action]["QKA".index(row["hand"])] = chance
    model.train()
    return game.profile(plan)


class Averaging(TrainerCallback):
    """Keeps policies for the average."""

    def on_step_end(self, args, state, control, model, **options):
        average.after_step(state.global_step, lambda: policy(model))


hands, asked = hands_of_a_beginner()
tokenizer = tokenizer_of(hands)
model = model_that_read(hands, tokenizer)
average = Average(game)
before = float(relance.nash_conv(game, policy(model)))
with tempfile.TemporaryDirectory() as folder:
    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        train_dataset=Dataset.from_list(hand_rows(10_000)),
        reward_funcs=hand_rewards,
        environment_factory=Hand,
        callbacks=[Averaging()],
        args=GRPOConfig(
            folder,
            max_steps=steps,
            per_device_train_batch_size=128,
            num_generations=8,
            learning_rate=3e-4,
            loss_type="dr_grpo",
            scale_rewards="none",
            max_completion_length=128,
            max_tool_calling_iterations=2,  # no hand has more decisions of one player
            use_cpu=True,
            disable_tqdm=True,
            logging_strategy="no",
            save_strategy="no",
            report_to="none",
            seed=seed,
        ),
    )
    trainer.remove_callback(PrinterCallback)
    trainer.train()
last, mean = (float(relance.score(game, agent).nash_conv) for agent in (policy(model), average.policy()))
print(f"{steps} steps: NashConv {last:.3f} of the last policy, {mean:.3f} of the average; {before:.3f} before")
