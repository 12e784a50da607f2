import type { CrashCell, CrashMatrix } from '../../contract/crash-matrix.ts';
import { WideTable } from '../view/table.tsx';
import { text } from '../view/text.tsx';

const SIGNS: Readonly<Record<CrashCell['outcome'], string>> = {
  completed: '✓',
  failed: '▽',
  parked: '◷',
  'not reached': '·',
  unknown: '?',
};

/** The tool was called more than once: no outcome makes that good. */
const TWICE = '✗';

/** Events of one run that are named. */
const MOST_EVENTS = 40;

/** The run that was put through a cut: what it is called, and its events in the end. */
export interface CutRun {
  readonly runId: string;
  readonly events: readonly string[];
}

interface Props {
  readonly matrix: CrashMatrix;
  readonly runAt: (cell: CrashCell) => CutRun | undefined;
}

/** What the host did at each cut, alone and with a second one in its recovery: by sign and colour, each with how often the tool was called. */
export function CrashPicture({ matrix, runAt }: Props) {
  const cuts = [...new Set(matrix.cells.map(({ cut }) => cut))];
  const seconds = [...new Set(matrix.cells.map(({ second }) => second))].toSorted(
    (a, b) => Number(a !== null) - Number(b !== null),
  );
  const cellAt = new Map(matrix.cells.map((cell) => [`${cell.cut} ${cell.second ?? ''}`, cell]));
  const { figures } = matrix;
  const tilted = seconds.map((second) => (
    <span class="tilted">{second === null ? 'once' : `then ${text(second, 60)}`}</span>
  ));
  return (
    <section aria-labelledby="crashes">
      <h2 id="crashes">Crash matrix</h2>
      <p>
        {figures.cuts} cuts and {figures.pairs} pairs; {figures.duplicateCalls} duplicate calls, {figures.lostEvents}{' '}
        lost events
        {figures.medianCycleMs === null ? '' : `; half of the cycles took up to ${figures.medianCycleMs} ms`}.
      </p>
      <p class="muted">
        {[...Object.entries(SIGNS), ['called more than once', TWICE]]
          .map(([outcome, sign]) => `${sign} ${outcome}`)
          .join(' · ')}
        . The number is how often the tool was called: never twice. A run that gave a call up, for nobody can know
        whether it was made, has failed as it has to. A cell opens what was found.
      </p>
      <WideTable kind="crashes" label="Outcomes by cut and second cut" columns={['death at', ...tilted]}>
        <tbody>
          {cuts.map((cut) => (
            <tr>
              <th scope="row">{text(cut, 60)}</th>
              {seconds.map((second) => (
                <Cell cell={cellAt.get(`${cut} ${second ?? ''}`)} runAt={runAt} />
              ))}
            </tr>
          ))}
        </tbody>
      </WideTable>
    </section>
  );
}

function Cell({ cell, runAt }: Pick<Props, 'runAt'> & { readonly cell: CrashCell | undefined }) {
  if (cell === undefined) return <td class="muted">–</td>;
  const { outcome, calls, found, window, cycleMs } = cell;
  const run = runAt(cell);
  const tone = (calls ?? 0) > 1 ? 'bad' : outcome === 'completed' ? 'good' : 'other';
  return (
    <td>
      <details id={`cut=${cell.cut}${cell.second === null ? '' : `,${cell.second}`}`} class={`cell ${tone}`}>
        <summary>
          <span aria-hidden="true">{(calls ?? 0) > 1 ? TWICE : SIGNS[outcome]}</span>
          <span class="unseen">{outcome}, calls: </span> {calls ?? '?'}
        </summary>
        <p>{outcome}</p>
        {window === null ? null : <p>{`window ${window}`}</p>}
        {found === null ? null : (
          <p>
            stream {text(found.stream, 60)}, ledger {text(found.ledger, 60)}, effect{' '}
            {found.effect ? 'there' : 'missing'}
          </p>
        )}
        {cycleMs === null ? null : <p>{`${cycleMs} ms from start to end`}</p>}
        {run === undefined ? null : (
          <>
            <p class="id">{text(run.runId, 80)}</p>
            <ol class="types">
              {run.events.slice(0, MOST_EVENTS).map((type) => (
                <li>{text(type, 60)}</li>
              ))}
            </ol>
          </>
        )}
      </details>
    </td>
  );
}
