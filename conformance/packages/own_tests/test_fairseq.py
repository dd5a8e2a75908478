"""fairseq's `SequenceGenerator`, scripted: three batches by each search, as eager translates them.

fairseq's source distribution has no tests, and it is not installed: its C parts, which only build
data sets, are not compiled. Stand-ins take their names while its source is imported, and its
dataclasses get a hash, without which Python 3.11 refuses them as defaults of fields.
"""

import dataclasses
import functools
import io
import sys
import types
from argparse import Namespace

import pytest
import torch
import torch.distributed  # before `dataclass` is another one
from torch import Tensor, nn

PARTS_IN_C = {
    "data_utils_fast": ("batch_by_size_fn", "batch_by_size_vec", "batch_fixed_shapes_fast"),
    "token_block_utils_fast": ("_get_slice_indices_fast", "_get_block_to_dataset_index_fast"),
}

with pytest.MonkeyPatch.context() as patch:
    for name, functions in PARTS_IN_C.items():
        stand_in = types.ModuleType(f"fairseq.data.{name}")
        vars(stand_in).update(dict.fromkeys(functions))
        patch.setitem(sys.modules, stand_in.__name__, stand_in)
    hashed = functools.partial(dataclasses.dataclass, unsafe_hash=True)
    patch.setattr(dataclasses, "dataclass", hashed)
    from fairseq import search
    from fairseq.data.dictionary import Dictionary
    from fairseq.models.lstm import LSTMModel
    from fairseq.models.lstm import base_architecture as lstm_architecture
    from fairseq.models.transformer import TransformerModel
    from fairseq.models.transformer.transformer_legacy import base_architecture
    from fairseq.sequence_generator import SequenceGenerator

Hypotheses = list[list[dict[str, Tensor]]]
Sample = dict[str, dict[str, Tensor]]


@pytest.fixture
def words() -> Dictionary:
    """Twenty words, and the four that each dictionary has."""
    dictionary = Dictionary()
    for i in range(20):
        dictionary.add_symbol(f"word{i}")
    return dictionary


def transformer(words: Dictionary, **options: object) -> nn.Module:
    """A small transformer whose weights depend on the seed alone."""
    arguments = Namespace(
        encoder_embed_dim=16, encoder_ffn_embed_dim=32, encoder_layers=2, encoder_attention_heads=2,
        decoder_layers=2, decoder_attention_heads=2, max_source_positions=64,
        max_target_positions=64, **options,
    )  # fmt: skip
    base_architecture(arguments)
    task = Namespace(source_dictionary=words, target_dictionary=words)
    return TransformerModel.build_model(arguments, task).eval()


def lstm(words: Dictionary) -> nn.Module:
    """A small LSTM with attention."""
    arguments = Namespace(
        encoder_embed_dim=16, decoder_embed_dim=16, decoder_out_embed_dim=16, criterion=""
    )
    lstm_architecture(arguments)
    task = Namespace(source_dictionary=words, target_dictionary=words)
    return LSTMModel.build_model(arguments, task).eval()


def samples(words: Dictionary) -> list[Sample]:
    """Batches of other sizes, padded at the left as fairseq does it."""
    made = []
    for lengths in ((7, 5), (3,), (4, 9, 2)):
        tokens = torch.full((len(lengths), max(lengths)), words.pad())
        for row, length in zip(tokens, lengths, strict=True):
            row[-length:] = torch.randint(4, len(words), (length,))
            row[-1] = words.eos()
        made.append({"net_input": {"src_tokens": tokens, "src_lengths": torch.tensor(lengths)}})
    return made


def agree(generator: SequenceGenerator, batches: list[Sample], **further: object) -> None:
    """Compare what eager, the compiled generator and its saved copy translate."""
    compiled = torch.jit.script(generator)
    file = io.BytesIO()
    torch.jit.save(compiled, file)
    file.seek(0)
    loaded = torch.jit.load(file)
    for batch in batches:
        results = []
        for translate in (generator, compiled, loaded):
            torch.manual_seed(3)
            results.append(translate(batch, **further))
        for other in results[1:]:
            equal(results[0], other)


def equal(expected: Hypotheses, found: Hypotheses) -> None:
    """Compare hypotheses, the scores to a float's precision."""
    assert len(expected) == len(found)
    for ours, theirs in zip(expected, found, strict=True):
        assert len(ours) == len(theirs) > 0
        for one, other in zip(ours, theirs, strict=True):
            assert one.keys() == other.keys()
            assert one["tokens"].tolist() == other["tokens"].tolist()
            for key in one:
                torch.testing.assert_close(other[key], one[key], rtol=1e-4, atol=1e-5)


SEARCHES = {
    "beam": lambda words: search.BeamSearch(words),
    "sampling": lambda words: search.Sampling(words),
    "sampling of five": lambda words: search.Sampling(words, sampling_topk=5),
    "sampling of a mass": lambda words: search.Sampling(words, sampling_topp=0.7),
    "groups": lambda words: search.DiverseBeamSearch(words, 2, 0.5),
    "length": lambda words: search.LengthConstrainedBeamSearch(words, 0.5, 1, 1.0, 3),
}
REFUSED = {
    "siblings": lambda words: search.DiverseSiblingsSearch(words, 0.5),
    "prefix": lambda words: search.PrefixConstrainedBeamSearch(words, lambda batch, prefix: [5, 6]),
    "ordered words": lambda words: search.LexicallyConstrainedBeamSearch(words, "ordered"),
    "words": lambda words: search.LexicallyConstrainedBeamSearch(words, "unordered"),
}


@pytest.mark.parametrize("how", SEARCHES)
def test_searches(words: Dictionary, how: str) -> None:
    """Each search that is TorchScript."""
    torch.manual_seed(1)
    strategy = SEARCHES[how](words)
    generator = SequenceGenerator(
        [transformer(words)], words, beam_size=4, max_len_b=12, search_strategy=strategy
    )
    agree(generator, samples(words))


@pytest.mark.parametrize("how", REFUSED)
def test_refused_searches(words: Dictionary, how: str) -> None:
    """The searches that are not: they define functions, or declare names without a value."""
    strategy = REFUSED[how](words)
    with pytest.raises((RuntimeError, torch.jit.frontend.NotSupportedError)):
        torch.jit.script(SequenceGenerator([transformer(words)], words, search_strategy=strategy))


@pytest.mark.parametrize("kind", ["ordered", "unordered"])
def test_required_words(words: Dictionary, kind: str) -> None:
    """Lexically constrained search in Python over a compiled ensemble, which keeps no state."""
    torch.manual_seed(1)
    strategy = search.LexicallyConstrainedBeamSearch(words, kind)
    generator = SequenceGenerator(
        [transformer(words)], words, beam_size=4, max_len_b=10, search_strategy=strategy
    )
    generator.model.has_incremental = False
    eager, compiled = generator.model, torch.jit.script(generator.model)
    first, second, _ = samples(words)
    for batch, required in (
        (first, [[1, 5, 0], [1, 9, 0]]),
        (second, [[2, 7, 0, 8, 0]]),
        (first, [[2, 6, 6, 0, 11, 0], [0, 0, 0, 0, 0, 0]]),
    ):
        results = []
        for generator.model in (eager, compiled):
            results.append(generator.generate([], batch, constraints=torch.tensor(required)))
        equal(*results)


@pytest.mark.parametrize(
    "options",
    [
        {"no_repeat_ngram_size": 2},
        {"temperature": 1.7, "len_penalty": 0.6, "unk_penalty": 0.3, "min_len": 4},
        {"normalize_scores": False, "max_len_a": 1.0, "max_len_b": 3},
        {"match_source_len": True},
        {"tokens_to_suppress": ("word3", "word7")},
    ],
    ids=lambda options: "+".join(options),
)
def test_options(words: Dictionary, options: dict[str, object]) -> None:
    """Options of the generator."""
    torch.manual_seed(1)
    agree(SequenceGenerator([transformer(words)], words, beam_size=3, **options), samples(words))


def test_ensemble(words: Dictionary) -> None:
    """Two models at once, one with other layers."""
    torch.manual_seed(1)
    models = [transformer(words), transformer(words, encoder_normalize_before=True)]
    agree(SequenceGenerator(models, words, beam_size=2, no_repeat_ngram_size=2), samples(words))


def test_prefix_tokens(words: Dictionary) -> None:
    """Translations that begin with given words."""
    torch.manual_seed(1)
    generator = SequenceGenerator([transformer(words)], words, beam_size=3, max_len_b=10)
    first, *_ = samples(words)
    agree(generator, [first], prefix_tokens=torch.tensor([[5, 6], [7, words.pad()]]))
    agree(generator, [first], bos_token=9)


@pytest.mark.parametrize("model", [transformer, lstm])
def test_models(words: Dictionary, model: type) -> None:
    """The models themselves, called three times and saved."""
    torch.manual_seed(1)
    eager = model(words)
    compiled = torch.jit.script(eager)
    for batch in samples(words):
        source = dict(batch["net_input"])
        source["src_lengths"] = torch.full_like(source["src_lengths"], len(source["src_tokens"][0]))
        previous = source["src_tokens"].roll(1, 1)
        arguments = (source["src_tokens"], source["src_lengths"], previous)
        torch.testing.assert_close(compiled(*arguments)[0], eager(*arguments)[0])
