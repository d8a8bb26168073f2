"""Whether evidence that came early enough was read: not lost on the way, not cut off, not compressed away."""

from builder.score.compression import Loss
from builder.score.layers.finding import Finding, Layer, broken, fine, idle, untold
from builder.score.layers.looked import Looked
from builder.score.layers.ranking import cut_of
from builder.score.view import Stage


def look(at: Looked) -> Finding:
    """What the model read, against what was found for it."""
    if not at.wanted:
        return idle(Layer.CONTEXT)
    if at.unread is None:
        return untold(Layer.CONTEXT, "no_context")
    found = [finding for group in at.unread if (finding := _of_group(at, group))]
    return next((one for one in found if one.reason in _PROVEN), found[0]) if found else _rest(at)


_PROVEN = ("compressed", "cut_off", "not_in_text", "lost")


def _rest(at: Looked) -> Finding:
    """All was read, or what was not had been lost before."""
    return idle(Layer.CONTEXT) if at.unread else fine(Layer.CONTEXT)


def _of_group(at: Looked, group: int) -> Finding | None:
    """What happened to evidence that was not read; none where an earlier stage did not have it, or too late."""
    if at.rank(group, Stage.CONTEXT) is not None:
        return _in_text(at, group, at.losses[group])
    stage = Stage.RERANKED if at.told(Stage.RERANKED) else Stage.RETRIEVED
    if not at.told(stage):
        return _text_alone(at, group)
    rank = at.rank(group, stage)
    if rank is None:
        return None
    used = cut_of(at, stage)
    if used is None:
        return _text_alone(at, group)
    return broken(Layer.CONTEXT, "lost", document=at.names((group,)), rank=rank, cut=used) if rank <= used else None


def _in_text(at: Looked, group: int, loss: Loss) -> Finding:
    """A passage that was taken, and is not whole in the text that was read."""
    document = at.names((group,))
    if loss.cut_off:
        return broken(Layer.CONTEXT, "cut_off", document=document, words=_shown(loss))
    if loss.gone and not loss.numbers:
        return broken(Layer.CONTEXT, "not_in_text", document=document)
    return broken(Layer.CONTEXT, "compressed", document=document, words=_shown(loss))


def _text_alone(at: Looked, group: int) -> Finding:
    """Only the text is told. Where it holds a part, the rest was lost on its way there; else nobody can say where."""
    loss = at.losses.get(group)
    if loss is not None and not loss.gone:
        return _in_text(at, group, loss)
    return untold(Layer.CONTEXT, "no_retrieved")


def _shown(loss: Loss) -> str:
    return " / ".join(loss.words[:5])
