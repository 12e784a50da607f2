import type { Report } from '../../contract/report.ts';
import { isStopped, totalsOf, verdictOf } from '../closing.ts';
import { Fact } from '../view/table.tsx';
import { text, Time } from '../view/text.tsx';
import { Shares } from './suites.tsx';

const SIGNS: Readonly<Record<Report['verdict'], readonly [sign: string, tone: string]>> = {
  conformant: ['✓', 'good'],
  'non-conformant': ['✗', 'bad'],
  inconclusive: ['?', 'open'],
  error: ['!', 'bad'],
};

/** The verdict, of whom, and what it does not say. */
export function Headline({ report }: { readonly report: Report }) {
  const { verdict, target, tool, preflight, leftOut, unmet = [], baseline, startedAt, durationMs, options } = report;
  const [sign, tone] = SIGNS[verdict];
  const facts: readonly (readonly [string, string | null])[] = [
    ['host', target.baseUrl],
    ['build', target.implementation],
    ['execution model', target.executionModelVersion === null ? null : String(target.executionModelVersion)],
    ['recipe advertised', target.recipeAdvertised],
    ['recipe observed', target.recipeObserved],
    ['tool', `${tool.name} ${tool.version}`],
    ['seed', typeof options['seed'] === 'number' ? String(options['seed']) : null],
    ['took', `${(durationMs / 1000).toFixed(1)} s`],
  ];
  return (
    <header class={`headline ${tone}`}>
      <h1>
        <span aria-hidden="true">{sign}</span> {text(verdictOf(report), 600)}
      </h1>
      {isStopped(report) ? null : (
        <>
          <p class="totals">{totalsOf(report)}</p>
          <Shares report={report} />
        </>
      )}
      {preflight === undefined ? null : (
        <p>
          <strong>{text(preflight.code)}</strong>: {text(preflight.message, 1000)}
        </p>
      )}
      {leftOut === undefined ? null : <p>{text(leftOut, 1000)}</p>}
      {unmet.map(({ id, reason }) => (
        <p>
          <code>--require {text(id)}</code>: nothing of it was decided: {text(reason, 600)}
        </p>
      ))}
      {(baseline?.problems ?? []).map(({ message }) => (
        <p>baseline: {text(message, 600)}</p>
      ))}
      <dl class="facts">
        {facts.map(([name, value]) => (value === null ? null : <Fact name={name}>{text(value, 300)}</Fact>))}
        <Fact name="started">
          <Time at={startedAt} />
        </Fact>
      </dl>
      <NotJudged report={report} />
    </header>
  );
}

/** Suites of which nothing was judged, with the reason. */
function NotJudged({ report: { suites, preflight } }: { readonly report: Report }) {
  const left = suites.filter(({ verdict }) => verdict === 'not-judged');
  if (left.length === 0) return null;
  return (
    <details class="block" open={left.length <= 4}>
      <summary>{left.length === 1 ? '1 suite was not judged' : `${left.length} suites were not judged`}</summary>
      <ul>
        {left.map(({ id, reason = '' }) => (
          <li>
            <strong>{text(id)}</strong>
            {reason === '' || reason === preflight?.message ? '' : `: ${text(reason, 600)}`}
          </li>
        ))}
      </ul>
    </details>
  );
}
