import { Document, documentText } from '../report/html/document.tsx';
import { Table } from '../report/view/table.tsx';
import { text } from '../report/view/text.tsx';
import { type AuditHead, describeHead } from './head.ts';
import type { AuditLine, AuditTotals, Counted } from './line.ts';

const NAMED = 50;

/** What an audit was asked for, and the signal that ended it early. */
interface About {
  readonly head: AuditHead;
  readonly by: string | undefined;
}

/** Renders an audit as one page for browsers, from disk, without a script and without a network: what was asked, totals, then runs that diverged and those that were not decided. */
export function renderAudit(totals: AuditTotals, shown: readonly AuditLine[], about: About): string {
  return documentText(<Page totals={totals} shown={shown} {...about} />);
}

function Page(props: About & { readonly totals: AuditTotals; readonly shown: readonly AuditLine[] }) {
  const { totals, shown, head, by } = props;
  const { runs, same, diverged, undecided } = totals;
  const isOpen = undecided > 0 || runs === 0 || by !== undefined;
  const tone = diverged > 0 ? 'bad' : isOpen ? 'open' : 'good';
  return (
    <Document title={`Audit: ${diverged} of ${runs} diverged`}>
      <main>
        <header class={`headline ${tone}`}>
          <h1>{`${diverged} of ${runs} runs diverged`}</h1>
          <p>{`${same} the same, ${undecided} not decided`}</p>
          {by === undefined ? null : <p>{`Interrupted by ${by}: the runs that came after these were not audited.`}</p>}
          {describeHead(head).map((part) => (
            <p class="muted">{text(part, 1000)}</p>
          ))}
        </header>
        <Counts title="By class of the first divergence" counted={totals.byClass} />
        <Counts title="By workflow" counted={totals.byWorkflow} />
        <Counts title="By node" counted={totals.byNode} />
        <Lines title="Diverged" lines={shown.filter(({ verdict }) => verdict === 'diverged')} all={diverged} />
        <Lines title="Not decided" lines={shown.filter(({ verdict }) => verdict === 'undecided')} all={undecided} />
      </main>
    </Document>
  );
}

function Counts({ title, counted }: { readonly title: string; readonly counted: Counted }) {
  if (counted.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <Table columns={['name', 'runs']}>
        <tbody>
          {counted.slice(0, NAMED).map(([name, count]) => (
            <tr>
              <th scope="row">{text(name)}</th>
              <td>{count}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      {counted.length > NAMED ? <p class="muted">{`${counted.length - NAMED} more`}</p> : null}
    </section>
  );
}

function Lines(props: { readonly title: string; readonly lines: readonly AuditLine[]; readonly all: number }) {
  const { title, lines, all } = props;
  if (all === 0) return null;
  return (
    <section aria-label={title}>
      <h2>{`${title}: ${all}`}</h2>
      <ul>
        {lines.map(({ id, workflowId, divergence, reason }) => (
          <li>
            <span class="id">{text(id)}</span> {workflowId === null ? '' : text(workflowId)}{' '}
            {divergence === undefined ? (
              text(reason ?? '', 300)
            ) : (
              <>
                <strong>{divergence.class}</strong>
                {` at ${divergence.sequence.source ?? '–'} / ${divergence.sequence.replay ?? '–'}, ${text(divergence.type, 80)} `}
                <code>{text(divergence.pointer, 200)}</code>
              </>
            )}
          </li>
        ))}
      </ul>
      {all > lines.length ? <p class="muted">{`${all - lines.length} more stand in the lines of the audit`}</p> : null}
    </section>
  );
}
