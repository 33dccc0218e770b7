"""A loss for voices that are nearest to their own speaker."""

import torch
import torch.nn.functional as F

#: Cosines are multiplied by this before the softmax. Those of two people differ by about 0.1 to 0.5.
SCALE = 15.0
#: References of people that each voice is compared with, beside those of the batch.
OTHERS = 128


def contrast_loss(vectors, references, others, weights=None):
    """`vectors` [B, D] of the voices, `references` [B, D] of their speakers, `others` [N, D]; all of length 1. `weights` [B]: of the voices.

    The cross-entropy of the speakers by their similarity to the voice. Its target is the similarity to the speaker's own reference instead of one
    speaker: a person with another microphone or in a mix is in the batch as well, and must not be pushed away.
    """
    compared = torch.cat([references, others])
    target = (SCALE * references @ compared.T).softmax(1)
    predicted = (SCALE * vectors @ compared.T).log_softmax(1)
    # Without the entropy of the target, so that the loss is zero where both agree.
    each = F.kl_div(predicted, target, reduction="none").sum(1)
    return each.mean() if weights is None else weighted_mean(each, weights)


def weighted_mean(values, weights):
    return (values * weights).sum() / weights.sum().clamp(min=1)
