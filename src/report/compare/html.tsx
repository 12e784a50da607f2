import { Document, documentText } from '../html/document.tsx';
import { Table, WideTable } from '../view/table.tsx';
import { text } from '../view/text.tsx';
import { CHANGES, type Change, type ReportComparison, type RunFacts, type Side } from './compare-reports.ts';
import { conclusionOf, type Grouped, groupedByCause, KINDS, whyOf } from './words.ts';

const REASON_CHARACTERS = 600;

/** Renders a comparison as one page for browsers, from disk, without a script and without a network. */
export function renderComparison(comparison: ReportComparison): string {
  return documentText(<Page comparison={comparison} />);
}

function Page({ comparison }: { readonly comparison: ReportComparison }) {
  const { before, after, settings, checks, timings, exitCode } = comparison;
  const grouped = groupedByCause(checks);
  return (
    <Document title={exitCode === 0 ? 'Nothing is worse' : 'Something is worse'}>
      <main>
        <header class={`headline ${exitCode === 0 ? 'good' : 'bad'}`}>
          <h1>
            <span aria-hidden="true">{exitCode === 0 ? '✓' : '✗'}</span> {conclusionOf(comparison)}
          </h1>
          {settings.map(({ name, before: was, after: is }) => (
            <p>
              {was === is ? 'neither run is whole: ' : `not the same: ${name} was `}
              <code>{text(was)}</code>
              {was === is ? (
                ''
              ) : (
                <>
                  , is <code>{text(is)}</code>
                </>
              )}
            </p>
          ))}
        </header>
        <Table columns={['run', 'host', 'build', 'verdict', 'at', 'tool']}>
          <tbody>
            <Run name="before" run={before} />
            <Run name="after" run={after} />
          </tbody>
        </Table>
        {CHANGES.map((change) => (
          <Changed change={change} all={grouped.filter(({ check }) => check.change === change)} />
        ))}
        {timings.length === 0 ? null : (
          <section aria-labelledby="times">
            <h2 id="times">Other times, beyond noise</h2>
            <ul>
              {timings.map(({ scenario, beforeMs, afterMs, ratio }) => (
                <li>{`${text(scenario)}: ${beforeMs} ms, now ${afterMs} ms (${ratio}x)`}</li>
              ))}
            </ul>
          </section>
        )}
      </main>
    </Document>
  );
}

function Run({ name, run }: { readonly name: string; readonly run: RunFacts }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {[run.baseUrl, run.implementation ?? '–', run.verdict, run.startedAt, run.tool].map((cell) => (
        <td>{text(cell, 200)}</td>
      ))}
    </tr>
  );
}

function Changed({ change, all }: { readonly change: Change; readonly all: readonly Grouped[] }) {
  if (all.length === 0) return null;
  const [words, sign, tone] = KINDS[change];
  return (
    <section aria-labelledby={change}>
      <h2 id={change}>
        <span class={`sign ${tone}`} aria-hidden="true">
          {sign}
        </span>{' '}
        {`${words}: ${all.length}`}
      </h2>
      <WideTable kind="register" label={`Checks: ${words}`} columns={['Check', 'Before', 'After']}>
        <tbody>
          {all.map(({ check, resting }) => (
            <tr id={`check=${check.id}`}>
              <th scope="row">
                {text(check.id)} <span class="muted">{check.level}</span>
                {resting.length === 0 ? null : (
                  <details>
                    <summary class="muted">{`${resting.length} rest on it`}</summary>
                    <ul>
                      {resting.map(({ id }) => (
                        <li>{text(id)}</li>
                      ))}
                    </ul>
                  </details>
                )}
              </th>
              <Shown side={check.before} />
              <Shown side={check.after} />
            </tr>
          ))}
        </tbody>
      </WideTable>
    </section>
  );
}

function Shown({ side }: { readonly side: Side | undefined }) {
  return <td>{side === undefined ? '–' : text(whyOf(side), REASON_CHARACTERS)}</td>;
}
