"""The loopback server of benchmarks/generate.py: it answers what the prompt of each tool asks, in the form asked for.

    python benchmarks/generate_server.py PORT LOGFILE [SHARE [DELAY_SECONDS]]

All tools get questions made alike: one a sentence of the passage, in turn; the same request once more gets the next
ones. Judges are content with all. SHARE per cent of the answers are bad, which ones follows from the request and the
number of its try alone: 429, 500, a reply cut at its token limit, a reply with a draft in a think block before it, a
null reply. The log has one line a request: characters of the prompt, what was wrong with the answer, and the questions
of the items that stand in it whole.
"""

import hashlib
import json
import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.servers.openai_server import Answer, OpenAIServer, completion  # noqa: E402

BAD = ("429", "500", "cut", "think", "null")
_PASSAGE = re.compile(r"^\[(?:片段|Passage )(\d+)\]")
_SENTENCE = re.compile(r"^(\d+)\) (.+)$")
_ASKED = re.compile(r"(?:出|Write) (\d+)")
_QUOTED = re.compile(r'"""\n?(.*?)"""', re.DOTALL)
_ENDS = re.compile(r"(?<=[。！？；])|(?<=[.!?])\s+|\n+")
_CJK = re.compile(r"[\u4e00-\u9fff]")
_ITEM = re.compile(r"\{[^{}]*\}")
_DRAFTED = re.compile(r'"(question|answer|gold_answer|ground_truth)": ?"(?:[^"\\]|\\.)*"')
_DRAFT = r'"\1":"a draft that was given up again"'
_CONTENT = {"faithful": True, "score": 0.95, "reason": ""}
_WELL_POSED = {"unambiguous": True, "answerable": True, "self_contained": True, "reason": ""}
Made = list[dict[str, Any]]


def sentences(text: str) -> list[str]:
    """The sentences of a passage."""
    return [part.strip() for part in _ENDS.split(text) if part and len(part.strip()) > 8] or ["-"]


def pairs(text: str, count: int, first: int, names: tuple[str, str]) -> Made:
    """So many questions and answers about a passage, from sentence number `first` on."""
    found, chinese = sentences(text), len(_CJK.findall(text)) * 4 > len(text)
    made = []
    for number in range(first, first + count):
        said = found[number % len(found)]
        made.append({names[0]: question(said, number, chinese), names[1]: said})
    return made


def question(said: str, number: int, chinese: bool) -> str:
    """A question that takes a few words of the sentence and is not the sentence."""
    if chinese:
        return f"关于“{said[:14].rstrip('，。：；、')}”的规定，第 {number + 1} 问怎么答？"
    return f"What should staff know about “{' '.join(said.split()[:4]).rstrip('.,;:')}” (point {number + 1})?"


def ours(user: str, first: int) -> str:
    """builder: numbered passages with numbered sentences."""
    rows: list[tuple[int, int, str]] = []
    passage = 0
    for line in user.splitlines():
        if found := _PASSAGE.match(line):
            passage = int(found.group(1))
        elif (found := _SENTENCE.match(line)) and passage:
            rows.append((int(found.group(1)), passage, found.group(2)))
    wanted = _ASKED.search(user)
    made = []
    for number in range(first, first + (int(wanted.group(1)) if wanted else 1)):
        place, source, said = rows[number % len(rows)]
        asked = question(said, number, "片段" in user)
        made.append({"question": asked, "ground_truth": said, "source_index": source, "sentences": [place]})
    return _compact({"items": made})


def reply(body: dict[str, Any], turn: int) -> str:
    """What the model says at its `turn`-th reply (from 0) to these messages."""
    system, user = str(body["messages"][0]["content"]), str(body["messages"][-1]["content"])
    quoted = "\n".join(_QUOTED.findall(user))
    if "source_index" in system:
        return ours(user, turn * 2)
    if system.startswith("You write evaluation questions for a RAG system"):  # proofrag
        return _compact(pairs(quoted, 1, turn + _apart(user, _TIERS), ("question", "gold_answer"))[0])
    if "question-answer pairs of type" in user:  # evalseed
        made = pairs(quoted, 2, turn * 2 + _apart(user, _TYPES), ("question", "answer"))
        return _compact({"pairs": [pair | {"difficulty": "medium"} for pair in made]})
    for sign, verdict in _JUDGED:
        if sign in user:
            return _compact(verdict)
    if system.startswith("Create question-answer pairs"):  # synthetic-data-kit: no number is named, two are shown
        return json.dumps(pairs(system.partition("Text:")[2], 2, turn * 2, ("question", "answer")), ensure_ascii=False)
    if system.startswith("Summarize this document"):
        return " ".join(sentences(user)[:3])
    raise ValueError(f"a prompt that no tool is known to send: {system[:80]}")


_TIERS = ("ONE specific question", "from these TWO passages", "CANNOT be answered")
_TYPES = ('of type "single_hop"', 'of type "multi_hop"', 'of type "distractor"')


def _apart(user: str, kinds: tuple[str, ...]) -> int:
    """Where to begin: prompts of another kind about the same passage get other questions."""
    return next((100 * number for number, sign in enumerate(kinds) if sign.casefold() in user.casefold()), 0)


_JUDGED: tuple[tuple[str, dict[str, Any]], ...] = (
    ('"faithful"', _CONTENT),
    ('"unambiguous"', _WELL_POSED),
    ('"trivial"', {"trivial": False, "reason": ""}),
    ('"predicted"', {"predicted": "medium", "reason": ""}),
)
"""evalseed's four judges: what the prompt asks for, what they say."""


def kind(log: Path, share: int = 0) -> Callable[[dict[str, Any], int], Answer]:
    """The behaviour of the server, which writes the log."""
    tries: dict[str, int] = {}
    answered: dict[str, int] = {}
    lock = threading.Lock()

    def answer(body: dict[str, Any], number: int) -> Answer:
        asked = json.dumps(body["messages"], ensure_ascii=False, sort_keys=True)
        with lock:
            tries[asked] = tries.get(asked, 0) + 1
            turn = answered.get(asked, 0)
            sign = hashlib.sha256(f"{tries[asked]} {asked}".encode()).digest()
            bad = BAD[sign[1] % len(BAD)] if sign[0] * 100 < share * 256 else ""
            if bad not in ("429", "500", "null"):
                answered[asked] = turn + 1
            text = reply(body, turn)
            _note(log, body, bad, [] if bad in ("429", "500", "null") else _whole(_cut(text) if bad == "cut" else text))
        return _bad(bad, text, body)

    return answer


def _note(log: Path, body: dict[str, Any], bad: str, questions: list[str]) -> None:
    chars = sum(len(str(message["content"])) for message in body["messages"])
    with log.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"chars": chars, "bad": bad, "questions": questions}) + "\n")


def _whole(text: str) -> list[str]:
    """The questions of the items that are whole."""
    items = [json.loads(found) for found in _ITEM.findall(text)]
    return [item["question"] for item in items if "question" in item]


def _cut(text: str) -> str:
    """Without the end of the last item."""
    return text[: -max(12, len(text) // 6)]


def _bad(bad: str, text: str, body: dict[str, Any]) -> Answer:
    if bad == "429":
        return _error(429, "Rate limit reached for requests", "rate_limit_exceeded", {"Retry-After": "0"})
    if bad == "500":
        return _error(500, "Internal server error", "server_error", {})
    if bad == "cut":
        return completion(_cut(text), body, finish="length")
    if bad == "think":
        return completion(f"<think>\nPerhaps so:\n{_DRAFTED.sub(_DRAFT, text)}\nNo, better:\n</think>\n\n{text}", body)
    return completion(text, body, content=None) if bad == "null" else completion(text, body)


def _error(status: int, message: str, code: str, headers: dict[str, str]) -> Answer:
    said = {"error": {"message": message, "type": code, "code": code, "param": None}}
    return Answer(status, json.dumps(said).encode(), headers)


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def main() -> None:
    """Serve until killed; prints the address once it listens."""
    port, log, *rest = sys.argv[1:]
    share, delay = (int(rest[0]) if rest else 0), (float(rest[1]) if len(rest) > 1 else 0.0)
    server = OpenAIServer(kind(Path(log), share), port=int(port), delay=delay)
    # Headers and body go out in two writes: without this the second waits 40 ms for the client's acknowledgement.
    server._http.RequestHandlerClass.disable_nagle_algorithm = True  # type: ignore[attr-defined]
    server.bodies = _Forgetful()
    server.raw = _Forgetful()
    sys.stdout.write(f"{server.base_url}\n")
    sys.stdout.flush()
    server.serve()


class _Forgetful(list[Any]):
    """Counts what it is given and keeps none of it."""

    def __init__(self) -> None:
        super().__init__()
        self._count = 0

    def append(self, value: Any) -> None:
        self._count += 1

    def __len__(self) -> int:
        return self._count


if __name__ == "__main__":
    main()
