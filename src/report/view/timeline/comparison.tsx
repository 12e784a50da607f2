import type { Comparison as Compared, FirstDivergence, PairRow } from './comparison-model.ts';
import { eventPage, runPage } from './links.ts';
import type { RunHead } from './model.ts';
import { Status, text } from './text.tsx';
import { JsonTree, type TreeBudget } from './tree.tsx';

const MOST_NODES = 8000;

/** A source and its replay side by side, the first divergence marked and named. */
export function Comparison({ comparison }: { readonly comparison: Compared }) {
  const { source, replay, rows, first, left } = comparison;
  const budget: TreeBudget = { left: MOST_NODES };
  const parting = rows.findIndex(({ kind }) => kind !== 'same' && kind !== 'note');
  return (
    <div id="comparison">
      <h1>Source and replay</h1>
      <div class="sides">
        <Named title="Source" run={source} />
        <Named title="Replay" run={replay} />
      </div>
      {comparison.unreadable === undefined ? <Verdict comparison={comparison} budget={budget} /> : null}
      {comparison.unreadable === undefined ? null : (
        <p class="problem">The comparison ends here: {text(comparison.unreadable, 300)}</p>
      )}
      {left.before === 0 ? null : <p class="muted">{left.before} rows before these are left out: all are alike.</p>}
      <div class="scroll" tabindex={0} role="region" aria-label="Events of both runs">
        <table class="pairs">
          <thead>
            <tr>
              <th scope="col">
                <span class="unseen">How they compare</span>
              </th>
              <th scope="col">Source</th>
              <th scope="col">Replay</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <Pair row={row} runs={comparison} isFirst={first !== undefined && index === parting} budget={budget} />
            ))}
          </tbody>
        </table>
      </div>
      {left.after === 0 ? null : <p class="muted">{left.after} rows behind these are left out.</p>}
    </div>
  );
}

function Named({ title, run }: { readonly title: string; readonly run: RunHead }) {
  return (
    <div class="side">
      <h2>{title}</h2>
      <p>
        {text(run.workflowId ?? 'run', 80)} · <Status status={run.status} />
      </p>
      <p>
        <a href={runPage(run.runId)} class="id">
          {text(run.runId, 80)}
        </a>
      </p>
    </div>
  );
}

function Verdict({ comparison, budget }: { readonly comparison: Compared; readonly budget: TreeBudget }) {
  const { first, matched = 0, compared = 0, masks = [], renamedIds = 0 } = comparison;
  return (
    <section class={first === undefined ? 'panel good' : 'panel bad'} aria-labelledby="first-title">
      <h2 id="first-title">{first === undefined ? 'No divergence' : `First divergence: ${first.name}`}</h2>
      {first === undefined ? null : <First first={first} budget={budget} />}
      <p class="muted">
        {matched} of {compared} events match. Masked: {masks.length === 0 ? 'nothing' : text(masks.join(', '), 200)}{' '}
        (envelope only);
        {` ${renamedIds} `}event ids renamed one to one.
        {comparison.onlyFirstMarked === true ? ' There are more differences than are marked below.' : ''}
      </p>
    </section>
  );
}

function First({ first, budget }: { readonly first: FirstDivergence; readonly budget: TreeBudget }) {
  const { sequence, pointer, alsoAt } = first;
  return (
    <>
      <p>
        {first.meaning}. Sequence {sequence.source ?? '(none)'} in the source, {sequence.replay ?? '(none)'} in the
        replay
        {pointer === '' ? ', the whole event' : ', at '}
        {pointer === '' ? null : <code>{text(pointer, 200)}</code>}
        {alsoAt.length === 0 ? '' : `; also at ${text(alsoAt.join(', '), 300)}`}. <a href="#first">Show it</a>
      </p>
      <div class="sides">
        <div class="side gone">
          <h3>source</h3>
          {'source' in first ? <JsonTree value={first.source} budget={budget} /> : <span class="muted">nothing</span>}
        </div>
        <div class="side come">
          <h3>replay</h3>
          {'replay' in first ? <JsonTree value={first.replay} budget={budget} /> : <span class="muted">nothing</span>}
        </div>
      </div>
    </>
  );
}

const MARKS: Readonly<Record<PairRow['kind'], { readonly sign: string; readonly words: string }>> = {
  same: { sign: '=', words: 'the same' },
  changed: { sign: '≠', words: 'different' },
  missing: { sign: '−', words: 'missing in the replay' },
  extra: { sign: '+', words: 'extra in the replay' },
  note: { sign: '·', words: 'about the replay' },
};

function Pair({ row, runs, isFirst, budget }: PairProps) {
  const { sign, words } = MARKS[row.kind];
  const isOpen = row.kind !== 'same' && row.kind !== 'note';
  return (
    <tr class={row.kind} {...(isFirst ? { id: 'first', 'aria-current': 'true' } : {})}>
      <td>
        <span aria-hidden="true">{sign}</span>
        <span class="unseen">{words}</span>
      </td>
      <Side side={row.source} run={runs.source} isOpen={isOpen} budget={budget} />
      <Side side={row.replay} run={runs.replay} isOpen={isOpen} budget={budget} />
    </tr>
  );
}

interface PairProps {
  readonly row: PairRow;
  readonly runs: Pick<Compared, 'source' | 'replay'>;
  readonly isFirst: boolean;
  readonly budget: TreeBudget;
}

function Side({ side, run, isOpen, budget }: SideProps) {
  if (side === undefined) return <td class="muted">–</td>;
  const { sequence, type, nodeId, payload } = side;
  return (
    <td>
      <details open={isOpen}>
        <summary>
          <span class="seq">{sequence}</span> <span class="type">{text(type, 60)}</span>{' '}
          <span class="node">{nodeId === undefined ? '' : text(nodeId, 60)}</span>
        </summary>
        <JsonTree value={payload} budget={budget} />
        <a href={eventPage(run.runId, sequence)}>in its timeline</a>
      </details>
    </td>
  );
}

interface SideProps {
  readonly side: PairRow['source'];
  readonly run: RunHead;
  readonly isOpen: boolean;
  readonly budget: TreeBudget;
}
