/** The report's style sheet: both colour schemes, narrow screens, print; no colour says anything alone. */
export const REPORT_STYLE = `
:root {
  color-scheme: light dark;
  --back: #ffffff; --panel: #f6f7f9; --line: #d9dde3; --ink: #1b1f27; --muted: #565f6d;
  --link: #0a58b5; --good: #116b36; --bad: #b3261e; --open: #7a5200; --gone: #fdeceb; --come: #e8f5ec;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14171c; --panel: #1b1f26; --line: #363d48; --ink: #e6e9ef; --muted: #a3acba;
    --link: #86b8ff; --good: #6fd195; --bad: #ff9c94; --open: #f0c060; --gone: #3a2222; --come: #1b3324;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 5.5rem; }
body { margin: 0; background: var(--back); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 74rem; margin: 0 auto; padding: 0 1.25rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.3; letter-spacing: -0.01em; margin: 0 0 0.3rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2.6rem 0 0.7rem; padding-bottom: 0.35rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 0 0 0.3rem; overflow-wrap: anywhere; }
h4 { font-size: 1rem; margin: 0 0 0.3rem; overflow-wrap: anywhere; }
h5, h6 { font-size: 0.9rem; margin: 0.7rem 0 0.2rem; }
p { margin: 0.35rem 0; overflow-wrap: anywhere; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
.muted { color: var(--muted); font-weight: 400; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 0.5rem; top: 0.5rem; background: var(--back); padding: 0.3rem; z-index: 2; }
[hidden] { display: none !important; }
code, pre, .id, .seq, .leaf, .json { font-family: ui-monospace, 'SFMono-Regular', Menlo, Consolas, monospace; font-size: 0.85rem; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; margin: 0.3rem 0; padding: 0.5rem 0.7rem; background: var(--panel); border: 1px solid var(--line); border-radius: 4px; }
.problem, .bad { color: var(--bad); }
.headline { border-left: 5px solid var(--line); background: var(--panel); padding: 0.9rem 1.2rem; margin: 1.2rem 0; border-radius: 4px; color: var(--ink); }
.headline.good { border-left-color: var(--good); } .headline.bad { border-left-color: var(--bad); } .headline.open { border-left-color: var(--open); }
.headline.good h1 span { color: var(--good); } .headline.bad h1 span { color: var(--bad); } .headline.open h1 span { color: var(--open); }
.totals { font-variant-numeric: tabular-nums; }
code, pre, dd, .leaf { unicode-bidi: isolate; }
.shares { display: block; width: 100%; height: 8px; border-radius: 4px; margin: 0.2rem 0 1rem; }
.shares .good { fill: var(--good); } .shares .bad { fill: var(--bad); } .shares .open { fill: var(--open); } .shares .quiet { fill: var(--line); }
dl.facts { display: flex; flex-wrap: wrap; gap: 0.4rem 1.8rem; margin: 0.7rem 0 0.2rem; }
dl.facts dt { color: var(--muted); font-size: 0.82rem; }
dl.facts dd { margin: 0; overflow-wrap: anywhere; }
.filter { position: sticky; top: 0; z-index: 1; background: var(--back); border-bottom: 1px solid var(--line); padding: 0.5rem 0; display: flex; flex-wrap: wrap; gap: 0.4rem 0.9rem; align-items: center; }
.filter label:last-of-type { flex: 1 1 12rem; display: flex; gap: 0.35rem; align-items: center; } .filter input { flex: 1; min-width: 6rem; max-width: none; }
.filter label { color: var(--muted); font-size: 0.88rem; }
input, select, button { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--muted); border-radius: 4px; padding: 0.15rem 0.45rem; max-width: 14rem; }
button { cursor: pointer; background: var(--panel); }
.cause { margin-top: 1.8rem; }
.cause > h3 { line-height: 1.5; margin: 0; } .cause > h3 code { color: var(--bad); font-size: 0.92rem; margin-right: 0.35rem; }
.cause > p { margin: 0.1rem 0 0; }
article.red h4 a { color: inherit; text-decoration: none; } article.red h4 a:hover { text-decoration: underline; }
article.red { border: 1px solid var(--line); border-left: 4px solid var(--line); border-radius: 4px; padding: 0.8rem 1.1rem; margin: 0.9rem 0; color: var(--ink); }
article.red.bad { border-left-color: var(--bad); } article.red.open { border-left-color: var(--open); }
article:target, tr:target td { background: var(--panel); }
.sign.good, .verdict.conformant { color: var(--good); } .sign.bad, .verdict.non-conformant, .verdict.error { color: var(--bad); }
.sign.open, .verdict.inconclusive { color: var(--open); } .sign.quiet, .verdict.not-judged { color: var(--muted); }
td.sign { white-space: nowrap; }
.clause { color: var(--muted); }
.diagnosis { border-left: 3px solid var(--line); padding-left: 0.7rem; }
dl.two { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.25rem 0.9rem; margin: 0.5rem 0; }
dl.sided { gap: 0; border: 1px solid var(--line); border-radius: 4px; overflow: hidden; }
dl.sided > * { padding: 0.35rem 0.8rem; } dl.sided dt, dl.sided dd { background: var(--come); } dl.sided dt + dd ~ * { background: var(--gone); }
dl.sided dt { color: var(--ink); font-size: 0.88rem; } dl.sided del, dl.sided ins { background: none; font-weight: 700; text-decoration: underline; text-decoration-thickness: 2px; text-underline-offset: 3px; }
dl.two dt { color: var(--muted); } dl.two dd { margin: 0; overflow-wrap: anywhere; }
del, ins { text-decoration: none; border-radius: 2px; padding: 0 0.1rem; }
del { background: var(--come); } ins { background: var(--gone); }
details.block { margin: 0.6rem 0; }
summary { cursor: pointer; }
details.block > summary, details.suite > summary { padding: 0.2rem 0; }
details.suite { border-top: 1px solid var(--line); padding: 0.25rem 0; }
ul.plain { list-style: none; margin: 0; padding: 0; } ul.plain > li { border-bottom: 1px solid var(--line); padding: 0.3rem 0; overflow-wrap: anywhere; }
.figure { text-align: right; font-variant-numeric: tabular-nums; } .plain summary { padding-left: 3.3rem; text-indent: -3.3rem; } .plain summary > * { text-indent: 0; }
li .figure { display: inline-block; min-width: 2rem; padding-right: 0.5rem; font-weight: 600; }
.inset { padding-left: 3.1rem; margin: 0.2rem 0; }
.figures th[scope='row'] { font-weight: 400; } .figures td, .figures th { white-space: nowrap; padding: 0.35rem 0.8rem; }
ol > li { padding: 0.15rem 0; }
ul.names { columns: 18rem; margin: 0.3rem 0; } ul.names li { break-inside: avoid; overflow-wrap: anywhere; }
ol.exchanges { list-style: none; margin: 0.3rem 0 0; padding: 0; }
ol.exchanges > li { border-top: 1px solid var(--line); padding: 0.2rem 0; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); gap: 0.8rem; margin: 0.4rem 0; }
.side { border: 1px solid var(--line); border-radius: 4px; padding: 0.4rem 0.7rem; min-width: 0; }
.side.gone { background: var(--gone); } .side.come { background: var(--come); }
.panel { border-left: 3px solid var(--line); padding: 0 0.8rem; margin: 0.5rem 0; color: var(--ink); }
.panel.bad { border-left-color: var(--bad); } .panel.good { border-left-color: var(--good); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.6rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
thead th { color: var(--muted); font-size: 0.85rem; font-weight: 600; }
.hosts th, .hosts td:nth-child(4) { white-space: nowrap; } .hosts td:nth-child(2) { min-width: 13rem; } .hosts td:last-child { min-width: 16rem; }
.register { min-width: 40rem; table-layout: fixed; }
.register th:nth-child(1) { width: 9.5rem; } .register th:nth-child(2) { width: 19rem; }
.register th[scope='rowgroup'] { width: auto; padding-top: 0.7rem; }
.register tr.requirement th { background: var(--panel); font-weight: 600; }
.diff ul, details.json > ul { list-style: none; margin: 0; padding-left: 1.2rem; border-left: 1px dotted var(--line); }
details.json { display: inline-block; vertical-align: top; }
details.json > summary, details.same > summary { color: var(--muted); }
.leaf { white-space: pre-wrap; }
.place .sign { color: var(--bad); font-weight: 700; padding-right: 0.3rem; }
.status.good { color: var(--good); } .status.bad { color: var(--bad); } .status.waits { color: var(--open); } .status.goes { color: var(--link); }
.pairs { table-layout: fixed; min-width: 40rem; }
.pairs th:first-child, .pairs td:first-child { width: 2.4rem; text-align: center; }
.pairs tr.changed td, .pairs tr.missing td:nth-child(2) { background: var(--gone); }
.pairs tr.changed td:last-child, .pairs tr.extra td:last-child { background: var(--come); }
.pairs tr.changed td:first-child, .pairs tr.missing td:first-child, .pairs tr.extra td:first-child { background: none; color: var(--bad); font-weight: 700; }
.pairs tr[aria-current] { outline: 2px solid var(--bad); outline-offset: -2px; }
.pairs .type { font-weight: 600; }
.crashes { width: auto; }
.crashes th[scope='row'] { white-space: nowrap; font-weight: 400; }
.crashes thead th { vertical-align: bottom; }
h2:focus-visible { outline: none; }
.tilted { display: inline-block; white-space: nowrap; writing-mode: vertical-rl; transform: rotate(180deg); }
.crashes thead th:first-child .tilted, .crashes thead th:nth-child(2) .tilted { writing-mode: horizontal-tb; transform: none; }
.cell { border: 1px solid var(--line); border-radius: 3px; min-width: 3.2rem; padding: 0 0.4rem; color: var(--ink); font-size: 0.88rem; }
.cell.other { background: var(--panel); } .cell.good { background: var(--come); } .cell.bad { background: var(--gone); }
.cell > summary { list-style: none; text-align: center; white-space: nowrap; }
.cell > summary::-webkit-details-marker { display: none; }
ol.types { margin: 0.2rem 0; padding-left: 1.4rem; }
.help kbd { border: 1px solid var(--line); border-radius: 3px; padding: 0 0.3rem; font-size: 0.85rem; }
@media (max-width: 46rem) {
  main { padding: 0 0.8rem 3rem; }
  .filter { position: static; }
  .register, .pairs { min-width: 0; table-layout: auto; }
  .register th:nth-child(n) { width: auto; }
  dl.two { grid-template-columns: minmax(0, 1fr); }
}
@media print {
  .filter, .skip, .help { display: none !important; }
  :root { color-scheme: light; --back: #fff; --panel: #f6f7f9; --line: #d9dde3; --ink: #000; --muted: #444; --link: #000; --good: #116b36; --bad: #b3261e; --open: #7a5200; --gone: #fdeceb; --come: #e8f5ec; }
  .register, .pairs { min-width: 0; } .figures { font-size: 9pt; } .figures td, .figures th { padding: 0.2rem 0.4rem; white-space: normal; } .hosts th, .hosts td { white-space: normal; min-width: 0; } .crashes { font-size: 8pt; } .crashes th, .crashes td { padding: 0.15rem 0.25rem; } .cell { min-width: 0; }
  h2, h3, h4, summary { break-after: avoid; } tr, .exchanges > li { break-inside: avoid; } .scroll { overflow: visible; }
  body { font-size: 11pt; }
}
`;
