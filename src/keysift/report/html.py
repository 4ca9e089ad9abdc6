"""HTML as a tree of elements: text is escaped because there is no other way to put it in."""

from collections.abc import Mapping
from typing import TypeAlias
from xml.etree import ElementTree as ET

__all__ = ["Child", "element", "render"]

Child: TypeAlias = "str | ET.Element"

# A page may not hold control characters, and they say nothing to a reader.
CONTROLS = {code: " " for code in range(32) if chr(code) not in "\t\n\r"} | {0x7F: " "}


def element(tag: str, *children: Child, attributes: Mapping[str, str] | None = None, **plain: str) -> ET.Element:
    """An element with text and elements in it; `class_` stands for the attribute `class`.

    >>> render(element("p", "a < b ", element("b", "bold"), " end", class_="note"))
    '<p class="note">a &lt; b <b>bold</b> end</p>'
    """
    given = {name.rstrip("_").replace("_", "-"): value for name, value in plain.items()}
    node = ET.Element(tag, {**given, **(attributes or {})})
    last: ET.Element | None = None
    for child in children:
        if isinstance(child, str):
            text = child.translate(CONTROLS).encode("utf-8", "replace").decode()
            if last is None:
                node.text = (node.text or "") + text
            else:
                last.tail = (last.tail or "") + text
        else:
            node.append(child)
            last = child
    return node


def render(node: ET.Element) -> str:
    """The element as HTML."""
    return ET.tostring(node, encoding="unicode", method="html")
