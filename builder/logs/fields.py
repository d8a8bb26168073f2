"""Which column means what, and the value in it as text, list or turns."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from builder.errors import InputError, UsageError
from builder.model.case import Turn

Names = Mapping[str, tuple[str, ...]]
"""Usual column names by field, the best first. Case, spaces, `_` and `-` do not count."""

LOG_NAMES: Names = {
    "question": (
        "question", "query", "user_input", "user_query", "user_question", "problem_text", "input", "prompt",
        "问题", "用户问题", "提问", "用户提问",
    ),
    "answer": (
        "answer", "response", "output", "ai_response", "answer_text", "model_answer", "completion",
        "回答", "答案", "回复", "系统回答",
    ),
    "contexts": (
        "contexts", "retrieved_contexts", "context", "retriever_resources", "source_documents", "sources", "documents",
        "上下文", "检索内容", "引用",
    ),
    "rating": (
        "rating", "feedback_rating_raw", "feedback_rating", "thumb", "thumbs", "thumbup", "vote", "feedback_score",
        "user_score", "user_feedback", "score", "feedback", "评价", "评分", "用户评价", "用户反馈", "反馈",
    ),
    "comment": (
        "comment", "comments", "feedback_comment", "feedback_text", "reason", "remark",
        "留言", "评论", "备注", "原因", "反馈内容", "用户留言",
    ),
    "id": (
        "id", "record_id", "trace_id", "message_id", "msg_id", "feedback_id", "request_id",
        "编号", "记录编号", "消息编号",
    ),
    "time": (
        "time", "created_at", "timestamp", "message_date", "feedback_date", "sent_at", "create_time", "date",
        "时间", "提问时间", "创建时间",
    ),
    "user": ("user", "user_id", "username", "from_end_user_id", "用户", "用户编号"),
    "conversation": ("conversation", "history", "chat_history", "messages", "对话", "历史", "历史对话"),
    "link": ("link", "url", "trace_url", "链接"),
}  # fmt: skip
"""Column names of logs."""

_DEEPEST = 64
_TEXTS = ("content", "text", "value", "page_content", "segment", "parts")


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Which columns of a file mean what."""

    paths: Mapping[str, tuple[str, ...]]
    """Columns (dotted paths reach inwards) by field; the first that is filled in a row is taken."""
    names: Names
    """Usual names, for values that are objects themselves."""

    def value(self, row: Mapping[str, Any], field: str) -> Any:
        """The value of `field` in `row`; None where all its columns are empty."""
        found = (look_up(row, path) for path in self.paths.get(field, ()))
        return next((value for value in found if value not in (None, "", [], {})), None)

    def text(self, row: Mapping[str, Any], field: str) -> str:
        """The value of `field` as one text."""
        return as_text(self.value(row, field), self.names.get(field, ()))

    def taken(self) -> dict[str, str]:
        """Columns by field, for people."""
        return {field: ", ".join(paths) for field, paths in self.paths.items() if paths}

    def ignored(self, columns: Iterable[str]) -> tuple[str, ...]:
        """Those of `columns` that mean nothing here."""
        used = {path.split(".")[0] for paths in self.paths.values() for path in paths}
        used |= {path for paths in self.paths.values() for path in paths}
        return tuple(column for column in columns if column not in used)


def find_columns(
    file: str, rows: Sequence[Mapping[str, Any]], names: Names, field_map: Mapping[str, str] | None = None
) -> Columns:
    """Find out which columns mean what; `field_map` wins over the usual names, which then do not count for its fields.

    Raises:
        UsageError: `field_map` speaks of a field that is not known.
        InputError: a column of `field_map` is in no row.
    """
    given = field_map or {}
    seen = list(dict.fromkeys(name for row in rows for name in row))
    for field, column in given.items():
        if field not in names:
            raise UsageError("import_map_field", field=field, known=", ".join(names))
        if all(look_up(row, column) is None for row in rows):
            raise InputError("import_map_column", file=file, column=column, columns=", ".join(seen))
    free = {_bare(column): column for column in reversed(seen) if column not in given.values()}
    usual = {field: tuple(free[_bare(name)] for name in known if _bare(name) in free) for field, known in names.items()}
    return Columns(paths=usual | {field: (column,) for field, column in given.items()}, names=names)


def look_up(value: Any, path: str) -> Any:
    """The value at a dotted path; None where there is none. A name that holds dots itself is found too."""
    if path == "":
        return value
    if isinstance(value, list):
        head, _, tail = path.partition(".")
        return look_up(value[int(head)], tail) if head.isdecimal() and int(head) < len(value) else None
    if not isinstance(value, Mapping):
        return None
    borders = [len(path), *(match.start() for match in re.finditer(r"\.", path))]
    found = (look_up(value[path[:at]], path[at + 1 :]) for at in sorted(borders, reverse=True) if path[:at] in value)
    return next((item for item in found if item is not None), None)


def as_text(value: Any, names: Sequence[str] = ()) -> str:
    """One text. Of an object the field that `names` or habit point to; of chat messages what the user said last."""
    if value is None:
        return ""
    if isinstance(value, Mapping):
        wanted = {_bare(name) for name in (*names, *_TEXTS)}
        return next((as_text(item, names) for name, item in value.items() if _bare(name) in wanted), "")
    if isinstance(value, list):
        turns = as_turns(value)
        said = [turn.text for turn in turns if turn.role == "user"]
        return said[-1] if said else "\n".join(filter(None, (as_text(item, names) for item in value)))
    return _clean(json.dumps(value) if isinstance(value, bool) else str(value))


def as_texts(value: Any) -> tuple[str, ...]:
    """Several texts: a list, a list written as JSON, or one text."""
    found = _parsed(value)
    items = found if isinstance(found, list) else [found]
    return tuple(text for text in (as_text(item) for item in items) if text)


def as_turns(value: Any) -> tuple[Turn, ...]:
    """Turns of a conversation, oldest first; what is neither user nor assistant (system, tool) is left out."""
    found = _parsed(value)
    turns = (_turn(item) for item in found) if isinstance(found, list) else ()
    return tuple(turn for turn in turns if turn is not None)


_ROLES = {
    **dict.fromkeys(("user", "human", "usermessage", "customer", "用户", "问"), "user"),
    **dict.fromkeys(("assistant", "ai", "bot", "apimessage", "model", "agent", "助手", "答", "客服"), "assistant"),
}


def _turn(item: Any) -> Turn | None:
    if not isinstance(item, Mapping):
        return None
    role = next((_ROLES.get(_bare(str(item[name]))) for name in ("role", "type", "from", "obj") if name in item), None)
    text = next((as_text(item[name]) for name in _TEXTS if name in item), "")
    return Turn(role=role, text=text) if role and text else None


def is_deep(value: Any) -> bool:
    """Nested deeper than any log is: hostile, or broken."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(_DEEPEST):
        level = [
            child
            for item in level
            for child in (item.values() if isinstance(item, dict) else item)
            if isinstance(child, dict | list)
        ]
        if not level:
            return False
    return True


def _parsed(value: Any) -> Any:
    """A list or object that is written as JSON in a cell; other texts, also those that only look like it, as is."""
    if not isinstance(value, str) or value.strip()[:1] not in ("[", "{"):
        return value
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return value if is_deep(found) else found


def _bare(name: str) -> str:
    return re.sub(r"[\s_-]", "", name).casefold()


def _clean(text: str) -> str:
    """Without what no store takes: NUL, and halves of surrogate pairs (a broken export)."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text.replace("\0", "")).strip()
