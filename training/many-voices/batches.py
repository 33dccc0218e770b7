"""Samples the inputs of training steps from the training data."""

import torch
import torch.nn as nn

import paths  # noqa: F401  adds the other folders to the import path
from contrast import OTHERS
from encoder import NETWORK, PITCH, XVECTOR
from speaker_input import with_unit_vectors
from training_data import CHUNK

CROP, LONG = 120, 240  # frames of 80 Hz
PIPER_ITEMS, RECORDING_ITEMS, STOCK_ITEMS, SIMILARITY_ITEMS = 16, 12, 12, 24
DRAWN = 25  # batches that are sampled at once
HELD_OUT_STEP = 20  # every twentieth of Piper's speakers is for evaluation
WITHOUT_NETWORK = 0.1  # share of inputs without the vector of the speaker network: earlier versions did not measure it


def draw_batches(data):
    """Samples the inputs of the next DRAWN steps: each slot is [DRAWN, …]."""
    device, n = data.device, DRAWN
    integers = lambda low, high, *shape: torch.randint(low, high, shape, device=device)
    training_rows = torch.tensor([i for i in range(len(data.rows)) if i % HELD_OUT_STEP], device=device)
    speaker = training_rows[integers(0, len(training_rows), n, PIPER_ITEMS)]
    chunk = speaker * data.excerpts + integers(0, data.excerpts, n, PIPER_ITEMS)
    real = people_of(data, data.recording_rows, n, RECORDING_ITEMS)
    by_person = lambda of: data.speaker_sampler.perturbed(inputs_of(data, of, data.people.given, data.people.means), data.options.input_noise)
    by_piper = lambda of: inputs_of(data, of, *data.piper_inputs)
    slots = {
        "real": real, "real_start": 2 * integers(0, CHUNK - CROP // 2 + 1, n, RECORDING_ITEMS),
        "real_given": with_missing_vectors(by_person(data.real_of[real])),
        "piper": chunk, "piper_start": 2 * integers(0, CHUNK - CROP // 2 + 1, n, PIPER_ITEMS),
        "piper_given": with_missing_vectors(by_piper(speaker)),
        "stock": data.learned_chunks[integers(0, len(data.learned_chunks), n, STOCK_ITEMS)], "stock_start": 2 * integers(0, CHUNK - CROP // 2 + 1, n, STOCK_ITEMS),
        "text_start": 2 * integers(0, CHUNK - LONG // 2 + 1, n, SIMILARITY_ITEMS),
    }
    # The voices that are compared by x-vector are Piper's speakers, random speakers, people, some of these mixes of two, and stock voices.
    person = people_of(data, data.person_rows, n, SIMILARITY_ITEMS)
    given, reference = by_person(person), data.people.reference[person]
    share = torch.rand(n, SIMILARITY_ITEMS, 1, device=device) * 1.3
    share = torch.where(torch.rand_like(share) < data.options.mixed_share, share, torch.ones_like(share))
    mixed = lambda x: share * x + (1 - share) * x[:, torch.randperm(SIMILARITY_ITEMS, generator=torch.Generator().manual_seed(data.step)).to(device)]
    given, reference = with_unit_vectors(torch.where(share == 1, given, mixed(given))), with_unit_vectors(torch.where(share == 1, reference, mixed(reference)))
    speaker = training_rows[integers(0, len(training_rows), n, SIMILARITY_ITEMS)]
    kind = torch.rand(n, SIMILARITY_ITEMS, 1, device=device)
    by_stock = kind >= 0.9
    of_people = (kind >= 0.9 - data.options.people_share) & ~by_stock
    of_piper = kind < 0.9 - data.options.people_share - data.options.random_share
    is_random = ~(by_stock | of_people | of_piper)
    random_given, random_reference, random_by_networks = data.speaker_sampler.draw(data.options.random_spread, n, SIMILARITY_ITEMS)
    for selected, their_inputs, their_references in ((of_piper, by_piper(speaker), data.piper_references[speaker]), (is_random, random_given, random_reference)):
        given, reference = torch.where(selected, their_inputs, given), torch.where(selected, their_references, reference)
    # Stock voices in languages that are not their own.
    as_stock = data.natives[integers(0, len(data.natives), n, SIMILARITY_ITEMS)]
    reference = torch.where(by_stock, data.stock_features[as_stock], reference)
    # Texts with a similar pitch, which is then shifted to that of the speaker.
    pitch = torch.where(reference[..., PITCH].isnan(), torch.full_like(reference[..., PITCH], 7.3), reference[..., PITCH])
    pick = data.learned_chunks[integers(0, len(data.learned_chunks), n, SIMILARITY_ITEMS, 6)]
    nearest = (data.stock.median[pick] - pitch[..., None]).abs().argmin(-1, keepdim=True)
    text = pick.gather(-1, nearest)[..., 0]
    factor = torch.where(reference[..., PITCH].isnan(), torch.ones_like(pitch), 2 ** (pitch - data.stock.median[text])).clamp(0.5, 2)
    # A stock voice has no offset in its own language.
    offset = torch.where(by_stock[..., 0] & (data.language[as_stock] == data.language[text]), torch.zeros_like(text), data.language[text])
    other = integers(0, len(data.people.reference), n, OTHERS)
    if data.network_loss:
        by_networks = mixed(data.people_by_networks[person // data.options.microphones].flatten(2))
        by_networks = torch.where(is_random, random_by_networks, by_networks)
        by_networks = nn.functional.normalize(by_networks.unflatten(2, (-1, 128)), dim=-1)
        by_networks = torch.where(of_piper[..., None], data.piper_by_networks[speaker], by_networks)
        known = torch.where(is_random, data.options.random_known, (~by_stock).float())[..., 0]
        slots |= {"by_networks": by_networks, "others_by_networks": data.people_by_networks[other // data.options.microphones], "known": known}
    return slots | {"others": data.people.reference[other][..., XVECTOR], "as_stock": as_stock, "by_stock": by_stock, "offset": offset, "text": text, "given": with_missing_vectors(given), "reference": reference[..., XVECTOR], "factor": factor}


def people_of(data, rows, *shape):
    """Random ones of `rows`, which are those of people with their own formants and those with others."""
    own, other = (table[torch.randint(0, len(table), shape, device=data.device)] for table in rows)
    return torch.where(torch.rand(shape, device=data.device) < data.options.formants_share, other, own)


def with_missing_vectors(given):
    missing = torch.rand(*given.shape[:-1], 1, device=given.device) < WITHOUT_NETWORK
    return torch.cat([given[..., : NETWORK.start], given[..., NETWORK] * ~missing], -1)


def inputs_of(data, speakers, singles, means):
    """Encoder inputs of speakers: `singles` and `means` are [speakers, n, FEATURES], features of single clips and of several."""
    pick = lambda table: table[speakers, torch.randint(0, table.shape[1], speakers.shape, device=data.device)]
    return torch.where(torch.rand(*speakers.shape, 1, device=data.device) < data.options.mean_inputs, pick(means), pick(singles))
