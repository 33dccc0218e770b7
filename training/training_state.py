"""The whole state of a training run in one file, to resume it: modules, optimizers and the number of steps."""

import os

import torch


def save_state(path, parts, step):
    """`parts`: modules and optimizers by name. The file is replaced at once, so an interrupted run leaves a whole one."""
    torch.save({"step": step, **{key: part.state_dict() for key, part in parts.items()}}, path + ".tmp")
    os.replace(path + ".tmp", path)


def load_state(path, parts, device):
    """-> the number of steps; 0 where there is no file."""
    if not os.path.exists(path):
        return 0
    saved = torch.load(path, map_location=device, weights_only=True)
    for key, part in parts.items():
        part.load_state_dict(saved[key])
    return saved["step"]
