"""What names suggest: counts of large things stay small, lengths do not."""

from __future__ import annotations

import pytest

from migrate.analysis.roles import role_of


@pytest.mark.parametrize("name", ["num_layers", "cfg.n_layer", "num_processes", "world_size", "l", "layer", "rank"])
def test_counts_and_numbers_of_large_things_are_small(name: str) -> None:
    role, guess = role_of(name)
    assert role == "small" and guess is not None and guess <= 2


@pytest.mark.parametrize("name", ["L", "size", "n_size", "length", "num_elements"])
def test_lengths_are_sizes(name: str) -> None:
    assert role_of(name)[0] in ("size", "other") and role_of(name)[1] != 1


def test_a_padded_length_is_a_length_and_a_padding_is_not() -> None:
    assert role_of("cfg.padded_vocab_size")[0] == "size" and role_of("padded_width")[0] == "size"
    assert role_of("padding")[0] == role_of("pad_h")[0] == role_of("conv_pad")[0] == "small"
