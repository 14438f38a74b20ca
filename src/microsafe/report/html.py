"""A report as one HTML file: no script, no request, the same bytes for the same content."""

from __future__ import annotations

from base64 import b64encode

from microsafe.report import templates as t
from microsafe.report.document import (
    FIELD,
    Attachment,
    Block,
    FormField,
    Grid,
    Heading,
    Inline,
    Judgement,
    LineBreak,
    Paragraph,
    Picture,
    Reason,
    ReportDocument,
    Section,
    SentenceList,
    ShareBar,
    Span,
)
from microsafe.report.markup import Html, concatenate, escape, fill_template
from microsafe.report.texts import LANGUAGES, speaking

_BAR_WIDTH = 72.0  # of a full bar, in pixels
_ON_ONE_PAGE = 14  # rows; a longer table may be broken in print


def render_html(document: ReportDocument) -> str:
    """Return a report as the text of an HTML file."""
    with speaking(document.language):  # pictures hold words, too
        return fill_template(
            t.PAGE,
            language=LANGUAGES[document.language].html,
            title=document.title,
            source=document.subject,
            source_line=fill_template(t.SPANS["name"], text=document.subject),
            kind=document.kind,
            style=Html(t.STYLE),
            cover=_cover(document),
            decision=_section(document.decision, t.DECISION) if document.decision else Html(""),
            contents=_contents(document),
            body=concatenate(map(_section, document.sections)),
            footer=document.footer,
        )


def _cover(document: ReportDocument) -> Html:
    blocks = _blocks(document.cover)
    return fill_template(t.COVER, body=blocks) if blocks else Html("")


def _contents(document: ReportDocument) -> Html:
    if not document.listed:
        return Html("")
    items = concatenate(
        fill_template(t.CONTENTS_ITEM, id=each.identity, title=each.title)
        for each in document.listed
    )
    return fill_template(t.CONTENTS, title=document.contents, items=items)


def _section(section: Section, template: str = t.SECTION) -> Html:
    body = _blocks(section.blocks)
    return fill_template(template, id=section.identity, title=section.title, body=body)


def _blocks(blocks: tuple[Block, ...]) -> Html:
    return concatenate(map(_block, blocks))


def _block(block: Block) -> Html:
    match block:
        case Heading(text):
            return fill_template(t.SUBHEAD, title=_inline(text))
        case Paragraph(text, note):
            return fill_template(t.NOTE if note else t.PARAGRAPH, text=_inline(text))
        case Reason(word, text):
            return fill_template(t.REASON, word=word, text=text)
        case Judgement(colour, headline, text):
            return fill_template(t.VERDICT, colour=colour, headline=headline, text=text)
        case SentenceList(items):
            lines = concatenate(fill_template(t.ITEM, text=_inline(item)) for item in items)
            return fill_template(t.LISTING, items=lines)
        case Grid():
            return _table(block)
        case Picture():
            return _picture(block)


def _table(block: Grid) -> Html:
    caption = Html("")
    if block.caption:
        caption = fill_template(t.CAPTION, text=_inline(block.caption))
    rows = concatenate(_row(row, block.numbers) for row in block.rows)
    if not block.head:
        return fill_template(t.PAIRS, caption=caption, rows=rows)
    head = concatenate(
        fill_template(t.HEAD, text=text, number=_aligned(at in block.numbers))
        for at, text in enumerate(block.head)
    )
    keep = Html(' class="keep"' if len(block.rows) <= _ON_ONE_PAGE else "")
    return fill_template(t.TABLE, caption=caption, head=head, rows=rows, keep=keep)


def _row(row: tuple[Inline, ...], numbers: frozenset[int]) -> Html:
    cells = concatenate(
        fill_template(t.CELL, text=_inline(text), number=_aligned(at in numbers))
        for at, text in enumerate(row[1:], 1)
    )
    return fill_template(t.ROW, name=_inline(row[0]), cells=cells)


def _aligned(number: bool) -> Html:
    return Html(' class="number"' if number else "")


def _picture(block: Picture) -> Html:
    from microsafe.report.plots import draw_svg  # matplotlib takes a while to load

    return fill_template(
        t.FIGURE,
        label=block.label,
        picture=Html(draw_svg(block)),
        caption=_inline(block.caption),
    )


def _inline(text: Inline) -> Html:
    match text:
        case str():
            return escape(text)
        case tuple():
            return concatenate(map(_inline, text))
        case Span(said, style):
            return fill_template(t.SPANS[style], text=said)
        case ShareBar(share):
            return fill_template(t.BAR, width=f"{_BAR_WIDTH * share:.2f}")
        case LineBreak():
            return Html("<br>")
        case FormField():
            return fill_template(t.FIELD, line=FIELD)
        case Attachment(name, content):
            data = b64encode(content.encode("utf-8", "replace")).decode("ascii")
            return fill_template(t.ATTACHED, file=name, data=data)
