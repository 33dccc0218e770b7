"""A training step as one CUDA graph: thousands of small kernels take longer to launch than to run."""

import torch


def recorded(step, modules, optimizers, sums):
    """-> a function that replays `step`, which must not synchronize with the device. The warm-up steps are undone."""
    tensors = lambda: [tensor for module in modules for tensor in module.parameters()]
    saved = [tensor.detach().clone() for tensor in tensors()]
    moments = lambda: [tensor for optimizer in optimizers for state in optimizer.state.values() for tensor in state.values()]
    saved_moments = {id(tensor): tensor.clone() for tensor in moments()}
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(side)
    for optimizer in optimizers:
        optimizer.zero_grad(set_to_none=True)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    with torch.no_grad():
        for tensor, old in zip(tensors(), saved):
            tensor.copy_(old)
        for tensor in moments():
            tensor.copy_(saved_moments[id(tensor)]) if id(tensor) in saved_moments else tensor.zero_()
        for total in sums.values():
            total.zero_()
    torch.cuda.synchronize()
    return graph.replay


def set_rate(optimizer, rates):
    """Sets the learning rate of each parameter group. A CUDA graph reads it from the device."""
    for group, rate in zip(optimizer.param_groups, rates):
        if torch.is_tensor(group["lr"]):
            group["lr"].fill_(rate)
        else:
            group["lr"] = rate
