"""The next turn of a conversation: what went before names the subject, the question only points back to it."""

import re

from builder.generate.styles.keeping import bare, codes, kept, numbers, spoken
from builder.generate.terms import held, terms
from builder.model.case import Case, Turn
from builder.text.negation import negations
from builder.text.quotes import find_quote

_KEPT = 50
"""Per cent of the meaning that must stand in turns and question together."""
# Words that point back to what was named before, in both languages.
_BACK = re.compile(
    r"它们?|[这那此该其](?:个|款|种|台|单|件|张|份|条|项|次|些|里|样|家|类|边)?|前者|后者|同样|上面|刚才"
    r"|\b(?:it|its|this|that|these|those|they|them|their|one|ones|there|then|such|same)\b",
    re.IGNORECASE,
)


def refusal(case: Case, question: str, conversation: tuple[Turn, ...]) -> str:
    """Why the conversation and its last question are not taken.

    `no_conversation` (not user and assistant in turn, the assistant last), `same_question`, `no_reference` (nothing
    points back), `names_subject` (the question names it again), `subject_missing` (the turns do not name it),
    `conversation_tells` (they hold the answer, or a number of their own), a fact changed (see keeping), `meaning_lost`.
    """
    said = spoken(conversation)
    both = f"{said}\n{question}"
    if not _in_turn(conversation):
        return "no_conversation"
    if bare(question) == bare(case.question):
        return "same_question"
    if not _BACK.search(question):
        return "no_reference"
    if reason := _subject(case.question, question, said):
        return reason
    if _tells(case, said):
        return "conversation_tells"
    if reason := _facts(case.question, question, both):
        return reason
    return "meaning_lost" if kept(case.question, both) < _KEPT else ""


def _in_turn(conversation: tuple[Turn, ...]) -> bool:
    roles = [turn.role for turn in conversation]
    return len(roles) >= 2 and roles == ["user", "assistant"] * (len(roles) // 2) and all(map(_says, conversation))


def _says(turn: Turn) -> bool:
    return bool(turn.text.strip())


def _subject(original: str, question: str, said: str) -> str:
    """The subject: the codes of the original, else all its words that the question leaves out."""
    named = codes(original)
    if named:
        if named & codes(question):
            return "names_subject"
        return "" if named <= codes(said) else "subject_missing"
    left_out = [term for term in terms(original) if term not in held(terms(original), question)]
    if not left_out:
        return "names_subject"
    return "" if held(left_out, said) else "subject_missing"


def _tells(case: Case, said: str) -> bool:
    if numbers(said) - numbers(case.question):
        return True
    answer = bare(case.ground_truth)
    return bool(answer) and (answer in bare(said) or find_quote(case.ground_truth, said) is not None)


def _facts(original: str, question: str, both: str) -> str:
    """Numbers and codes may stand in the turns; what is denied must be denied in the question."""
    if set(numbers(both)) != set(numbers(original)):
        return "numbers_changed"
    if codes(both) != codes(original):
        return "code_changed"
    return "negation_changed" if negations(question) != negations(original) else ""
