"""The looks of the report: one page that asks nothing of the network and runs no script."""

PAGE = """<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{title}: {source}</title>
<style>{style}</style>
</head>
<body>
<main>
<header>
<p class="kind">{kind}</p>
<h1>{title}</h1>
<p class="source">{source_line}</p>
</header>
{cover}{decision}{contents}{body}
<footer>{footer}</footer>
</main>
</body>
</html>
"""  # noqa: E501

SECTION = '<section aria-labelledby="{id}">\n<h2 id="{id}">{title}</h2>\n{body}\n</section>\n'
DECISION = SECTION.replace("<section", '<section class="decision"', 1)
SUBHEAD = "<h3>{title}</h3>\n"
PARAGRAPH = "<p>{text}</p>\n"
REASON = '<p class="reason"><span>{word}</span> <bdi>{text}</bdi></p>\n'
NOTE = '<p class="note">{text}</p>\n'
FIGURE = '<figure role="group" aria-label="{label}">\n{picture}\n<figcaption>{caption}</figcaption>\n</figure>\n'  # noqa: E501
VERDICT = '<p class="verdict {colour}"><strong>{headline}</strong> {text}</p>\n'
TABLE = (
    "<table{keep}>\n{caption}<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n"
)
PAIRS = '<table class="pairs keep">\n{caption}<tbody>\n{rows}</tbody>\n</table>\n'
CAPTION = "<caption>{text}</caption>\n"
HEAD = '<th scope="col"{number}>{text}</th>'
ROW = '<tr><th scope="row">{name}</th>{cells}</tr>\n'
CELL = "<td{number}>{text}</td>"
BAR = (
    '<svg class="bar" width="72" height="9" viewBox="0 0 72 9" aria-hidden="true">'
    '<rect width="72" height="9" fill="#eef1f3"/><rect width="{width}" height="9" fill="#6f8fa9"/>'
    "</svg>"
)
FIELD = '<span class="line">{line}</span>'
SPANS = {
    "name": "<bdi>{text}</bdi>",
    "label": " <small><bdi>{text}</bdi></small>",
    "met": '<span class="met">{text}</span>',
    "unmet": '<span class="unmet">{text}</span>',
    "checksum": '<code class="hash">{text}</code>',
}
LISTING = '<ul class="notices">\n{items}</ul>\n'
ITEM = "<li>{text}</li>\n"
COVER = '<div class="cover">\n{body}</div>\n'
CONTENTS = (
    '<nav aria-label="{title}">\n<p class="contents">{title}</p>\n<ol>\n{items}</ol>\n</nav>\n'
)
CONTENTS_ITEM = '<li><a href="#{id}">{title}</a></li>\n'
ATTACHED = '<a download="{file}" href="data:application/toml;base64,{data}">{file}</a>'

STYLE = """
@page { size: A4; margin: 18mm 17mm 20mm;
  @bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif; color: #55636e; } }
:root { color-scheme: light; }
* { box-sizing: border-box; }
html { background: #fff; font-size: 15px; -webkit-text-size-adjust: 100%; }
body { margin: 0; color: #1f2a33; background: #fff; font: 1rem/1.55 system-ui, -apple-system,
  "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: break-word; }
main { max-width: 47rem; margin: 0 auto; padding: 3rem 1.25rem 4rem; }
header { border-bottom: 2px solid #1f2a33; padding-bottom: 1.1rem; margin-bottom: 1.6rem; }
h1 { font-size: 2.05rem; line-height: 1.15; font-weight: 650; margin: .1rem 0 .5rem; letter-spacing: -.012em; }
h2 { font-size: 1.22rem; font-weight: 650; margin: 2.6rem 0 .7rem; letter-spacing: -.005em; }
h3 { font-size: 1rem; font-weight: 650; margin: 1.7rem 0 .4rem; }
p { margin: .5rem 0 .8rem; }
.kind { margin: 0 0 .5rem; color: #55636e; font-size: .87rem; }
.source { margin: 0; color: #384752; }
.verdict { border-left: 5px solid #4b7a5a; background: #f1f6f2; padding: .75rem 1rem; margin: 0 0 1.2rem; }
.verdict.stop { border-color: #b4442c; background: #fbf1ee; }
.verdict.plain { border-color: #6f8fa9; background: #f2f5f7; }
table { border-collapse: collapse; width: 100%; margin: .9rem 0 1.4rem; font-size: .88rem; line-height: 1.4; }
caption { text-align: left; color: #55636e; font-size: .85rem; padding-bottom: .35rem; }
th, td { text-align: left; vertical-align: baseline; padding: .3rem .9rem .3rem 0; border-bottom: 1px solid #e3e7ea; }
thead th { border-bottom: 1px solid #1f2a33; font-weight: 600; vertical-align: bottom; line-height: 1.25; }
tbody th { font-weight: 400; }
tbody th, td { overflow-wrap: anywhere; min-width: 3.5rem; }
tbody th { min-width: 6.5rem; }
.pairs th { width: 34%; color: #46545f; }
.decision tr:has(.line) > * { padding-top: .75rem; }
.decision h2 { margin-top: 1.4rem; }
.decision thead th:first-child { width: 42%; }
.decision .pairs th { width: 22%; }
.decision table { margin: .5rem 0 .9rem; }
.decision tbody td { overflow-wrap: break-word; }
th small, td small { color: #55636e; font-size: .88em; }
th small { display: block; line-height: 1.3; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
td.number { white-space: nowrap; }
td.number bdi { white-space: normal; }
table:has(td > small) { font-size: .8rem; }
table:has(td > small) :is(th, td) { padding-right: .5rem; }
td:has(> small) { min-width: 9rem; overflow-wrap: break-word; }
td small { display: block; line-height: 1.3; }
table:has(td > small) td.number { white-space: normal; overflow-wrap: normal; }
table:has(td > small) tbody th { min-width: 4rem; }
.met, .unmet { overflow-wrap: normal; }
th:last-child, td:last-child { padding-right: 0; }
.bar { margin-left: .55rem; vertical-align: baseline; }
.met { color: #2f6642; font-weight: 600; }
.unmet { color: #a03a24; font-weight: 600; }
.reason { border-left: 3px solid #c5ced5; padding-left: .8rem; color: #384752; }
.reason span { display: block; font-size: .8rem; color: #55636e; }
.note { font-size: .87rem; color: #46545f; }
ul.notices { margin: .4rem 0 1rem; padding-left: 1.1rem; font-size: .9rem; }
ul.notices li { margin: .25rem 0; }
figure { margin: 1rem 0 1.4rem; }
figure svg { display: block; width: 100%; height: auto; }
figure svg text { font-family: inherit !important; }
figcaption { font-size: .85rem; color: #55636e; margin-top: .35rem; }
.line { color: #8a969f; overflow-wrap: normal; white-space: nowrap; }
.cover th, .cover td { padding-top: .5rem; padding-bottom: .5rem; }
nav { margin: 1.6rem 0 2rem; }
.contents { font-weight: 650; margin: 0 0 .3rem; }
nav ol { margin: 0; padding-left: 1.4rem; }
a { color: #2b5a80; }
code { font: .92em ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.hash { font-size: .73rem; }
footer { margin-top: 3rem; padding-top: .8rem; border-top: 1px solid #c5ced5; font-size: .82rem; color: #55636e; }
@media screen and (max-width: 40rem) {
  table:not(.pairs) { display: block; overflow-x: auto; }
  tbody th, td { overflow-wrap: break-word; }
  .bar { display: none; }
  th, td { padding-right: .5rem; }
}
@media print {
  html { font-size: 9.4pt; }
  body { line-height: 1.45; }
  main { max-width: none; padding: 0; }
  header { padding-bottom: .6rem; margin-bottom: .8rem; }
  .cover table { margin: 0; }
  .decision table { font-size: .84rem; line-height: 1.32; }
  .decision :is(th, td) { padding-top: .2rem; padding-bottom: .2rem; }
  .decision .verdict { padding: .5rem .8rem; margin-bottom: .8rem; }
  h2 { margin-top: 1.9rem; }
  h2, h3, caption { break-after: avoid; }
  p, li { orphans: 3; widows: 3; }
  footer { margin-top: 1.2rem; break-before: avoid; }
  thead { display: table-header-group; }
  tr, figure, .keep, .verdict, .reason { break-inside: avoid; }
  .decision, nav { break-after: page; }
  nav a { color: inherit; text-decoration: none; }
  nav a::after { content: leader(".") target-counter(attr(href), page); }
  .verdict, .bar { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
}
"""  # noqa: E501
