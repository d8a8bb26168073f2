"""Question/answer pairs that stand in a text already, found by rules. Better none than a silly one."""
