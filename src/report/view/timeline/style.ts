/** The view's style sheet: both colour schemes, narrow screens, no colour that says anything alone. */
export const TIMELINE_STYLE = `
:root {
  color-scheme: light dark;
  --back: #ffffff; --panel: #f5f6f8; --line: #d4d8df; --ink: #1b1f27; --muted: #59616f;
  --link: #0a58b5; --good: #116b36; --bad: #b3261e; --waits: #7a5200; --gone: #fdeceb; --come: #e8f5ec; --chosen: #fff6d6;
  --lane: #5b6472;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14171c; --panel: #1d2128; --line: #383f4a; --ink: #e6e9ef; --muted: #a3acba;
    --link: #86b8ff; --good: #6fd195; --bad: #ff9c94; --waits: #f0c060; --gone: #3a2222; --come: #1b3324; --chosen: #3a3418;
    --lane: #8b95a5;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.35rem; margin: 0.6rem 0 0.2rem; overflow-wrap: anywhere; }
h2 { font-size: 1rem; margin: 0.7rem 0 0.25rem; }
h3 { font-size: 0.9rem; margin: 0 0 0.2rem; color: var(--muted); overflow-wrap: anywhere; }
p { margin: 0.3rem 0; }
a { color: var(--link); }
a:focus-visible, button:focus-visible, summary:focus-visible, input:focus-visible, select:focus-visible, textarea:focus-visible,
[tabindex]:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
#content:focus-visible { outline: none; }
.top { display: flex; gap: 1rem; align-items: center; padding: 0.5rem 1rem; border-bottom: 1px solid var(--line); background: var(--panel); }
.top .home { font-weight: 600; color: var(--ink); text-decoration: none; }
.top #live { color: var(--muted); flex: 1; }
main { max-width: 82rem; margin: 0 auto; padding: 0 1rem 3rem; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 0.5rem; top: 0.5rem; background: var(--back); padding: 0.3rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.muted { color: var(--muted); }
.id, code, pre, .seq, .offset, .leaf, .json { font-family: ui-monospace, monospace; font-size: 0.86rem; overflow-wrap: anywhere; }
.panel { border: 1px solid var(--line); border-left: 4px solid var(--lane); background: var(--panel); border-radius: 4px; padding: 0.5rem 0.9rem; margin: 0.8rem 0; }
#sign-in { margin: 1rem auto; padding: 0.5rem 1rem; max-width: 44rem; }
#sign-in[hidden], [hidden] { display: none !important; }
.panel.bad { border-left-color: var(--bad); }
.panel.good { border-left-color: var(--good); }
.panel.fork { border-left-color: var(--link); }
.panel h2 { margin-top: 0.1rem; }
.problem { color: var(--bad); }
.problem:empty { display: none; }
.empty { color: var(--muted); padding: 0.6rem; }
button, input, select, textarea { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--muted); border-radius: 4px; padding: 0.2rem 0.5rem; }
button { cursor: pointer; background: var(--panel); }
button.strong { background: var(--link); border-color: var(--link); color: var(--back); font-weight: 600; }
select { max-width: 14rem; }
textarea { width: 100%; max-width: 44rem; display: block; font-family: ui-monospace, monospace; font-size: 0.86rem; }
.bar { display: flex; flex-wrap: wrap; gap: 0.5rem 1.4rem; align-items: center; margin: 0.7rem 0; }
.bar form { display: flex; flex-wrap: wrap; gap: 0.4rem 0.7rem; align-items: center; }
.links a { margin-right: 0.8rem; }
.request { background: var(--back); border: 1px solid var(--line); border-radius: 4px; padding: 0.5rem 0.7rem; white-space: pre-wrap; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.6rem; border-bottom: 1px solid var(--line); }
th { color: var(--muted); font-weight: 600; font-size: 0.88rem; }
.status { white-space: nowrap; }
.status.good { color: var(--good); } .status.bad { color: var(--bad); } .status.waits { color: var(--waits); } .status.goes { color: var(--link); }
td[data-age] { white-space: nowrap; }
dl.facts { display: flex; flex-wrap: wrap; gap: 0.35rem 1.6rem; margin: 0.4rem 0; }
dl.facts dt { color: var(--muted); font-size: 0.84rem; }
dl.facts dd { margin: 0; overflow-wrap: anywhere; }
ul.plain { list-style: none; margin: 0; padding: 0; }
.lanes { display: flex; align-items: flex-end; padding-left: 1.75rem; min-height: 3rem; }
.lanes .lane { width: 20px; flex: none; }
.lane-name { display: block; writing-mode: vertical-rl; transform: rotate(180deg); font-size: 0.76rem; color: var(--muted); max-height: 8.4rem; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
ol.events { list-style: none; margin: 0; padding: 0; min-width: 44rem; }
.event { position: relative; border-top: 1px solid var(--line); }
.event.chosen { background: var(--chosen); }
.event > details > summary { display: flex; align-items: center; gap: 0.7rem; padding: 0 10.5rem 0 0.4rem; min-height: 1.9rem; cursor: pointer; }
.event > details > summary::marker { content: ''; }
.event > details > summary::-webkit-details-marker { display: none; }
.event > details > summary::before { content: '▸'; width: 0.7rem; flex: none; color: var(--muted); }
.event > details[open] > summary::before { content: '▾'; }
.event > details > summary:hover { background: var(--panel); }
.dots { display: flex; align-self: stretch; flex: none; }
.dot { width: 20px; flex: none; text-align: center; color: var(--lane); line-height: 1.9rem; position: relative; }
.dot.on::before { content: ''; position: absolute; left: 9px; top: 0; bottom: 0; width: 2px; background: var(--lane); opacity: 0.45; }
.seq { min-width: 2.4rem; text-align: right; flex: none; }
.offset { min-width: 5rem; text-align: right; color: var(--muted); flex: none; }
.event .type { min-width: 14rem; font-weight: 600; overflow-wrap: anywhere; }
.event .node { min-width: 7rem; overflow-wrap: anywhere; }
.event .what { color: var(--muted); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; flex: 1; min-width: 0; }
.acts { position: absolute; right: 0.4rem; top: 0.2rem; display: flex; gap: 0.7rem; font-size: 0.9rem; }
.inside { padding: 0.1rem 1rem 0.8rem 1.5rem; border-left: 3px solid var(--line); margin-left: 0.6rem; }
.sides + .sides { margin-top: 0.6rem; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: 0.8rem; }
.side { border: 1px solid var(--line); border-radius: 4px; padding: 0.4rem 0.7rem; min-width: 0; overflow-x: auto; }
.side.gone { background: var(--gone); } .side.come { background: var(--come); }
.side h2 { margin-top: 0; }
details.json > summary { cursor: pointer; color: var(--muted); }
details.json > ul { margin: 0; padding-left: 1.1rem; list-style: none; border-left: 1px dotted var(--line); }
.leaf { white-space: pre-wrap; }
.leaf.string { color: var(--good); } .leaf.number, .leaf.boolean, .leaf.null { color: var(--link); }
.mark { color: var(--bad); font-weight: 700; }
.name { color: var(--ink); }
.pairs { table-layout: fixed; min-width: 44rem; }
.pairs th:first-child, .pairs td:first-child { width: 2.4rem; text-align: center; }
.pairs tr.changed td, .pairs tr.missing td:nth-child(2) { background: var(--gone); }
.pairs tr.changed td:last-child, .pairs tr.extra td:last-child { background: var(--come); }
.pairs tr.changed td:first-child, .pairs tr.missing td:first-child, .pairs tr.extra td:first-child { background: none; color: var(--bad); font-weight: 700; }
.pairs tr[aria-current] { outline: 3px solid var(--bad); outline-offset: -3px; }
.pairs summary { cursor: pointer; }
.pairs .type { font-weight: 600; }
@media (max-width: 46rem) {
  .event > details > summary { padding-right: 0.4rem; flex-wrap: wrap; padding-bottom: 1.6rem; }
  .event .type, .event .node { min-width: 0; }
  .event .what { flex-basis: 100%; }
  ol.events, .pairs { min-width: 0; }
  .acts { top: auto; bottom: 0.1rem; }
  .event > details[open] ~ .acts { position: static; padding: 0.2rem 0.4rem; }
}
@media print { .top, .bar, .acts, #sign-in { display: none; } }
`;
