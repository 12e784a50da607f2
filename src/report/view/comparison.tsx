import type { Child } from 'hono/jsx';
import { type Divergence, type LogDiff, meaningOf } from '../../event-log/index.ts';
import { type Comparison as Compared, isParting, type PairRow } from './build-comparison.ts';
import { WideTable } from './table.tsx';
import { Status, text } from './text.tsx';
import { eventPage, runPage } from './timeline/links.ts';
import type { RunHead } from './timeline/model.ts';
import { JsonTree, type TreeBudget } from './tree.tsx';

/** A heading's level on its page. */
type Level = 1 | 2 | 3 | 4 | 5 | 6;

const TAGS = { 1: 'h1', 2: 'h2', 3: 'h3', 4: 'h4', 5: 'h5', 6: 'h6' } as const;

/** A heading of a component that stands on pages of its own and within others. */
function Heading({ level, children }: HeadingProps) {
  const Tag = TAGS[level];
  return <Tag>{children}</Tag>;
}

interface HeadingProps {
  readonly level: Level;
  readonly children?: Child;
}

/** The level of what stands so many steps below a heading. */
function below(level: Level, steps: 1 | 2): Level {
  return Math.min(6, level + steps) as Level;
}

const MOST_NODES = 8000;

interface Props {
  readonly comparison: Compared;
  /** Begins the ids of its elements, where a page has several. */
  readonly name?: string;
  /** The level of its heading: 1 on a page of its own, which has pages of the runs beside it. */
  readonly level?: Level;
  readonly budget?: TreeBudget;
}

/** A source and its replay side by side, the first divergence marked and named. */
export function Comparison({ comparison, name = '', level = 1, budget = { left: MOST_NODES } }: Props) {
  const { source, replay, rows, left, compared } = comparison;
  const isLinked = level === 1;
  const isReadable = typeof compared !== 'string';
  const parting = isReadable && compared.first !== undefined ? rows.findIndex(isParting) : -1;
  return (
    <div id={`${name}comparison`} class="comparison">
      <Heading level={level}>Source and replay</Heading>
      <div class="sides">
        <Named title="Source" run={source} level={level} />
        <Named title="Replay" run={replay} level={level} />
      </div>
      {isReadable ? (
        <Verdict diff={compared} name={name} level={level} budget={budget} />
      ) : (
        <p class="problem">The comparison ends here: {text(compared, 300)}</p>
      )}
      {left.before === 0 ? null : <p class="muted">{left.before} rows before these are left out: all are alike.</p>}
      <WideTable
        kind="pairs"
        label={`Events of both runs${of(name)}`}
        columns={[<span class="unseen">How they compare</span>, 'Source', 'Replay']}
      >
        <tbody>
          {rows.map((row, index) => (
            <Pair
              row={row}
              runs={comparison}
              {...(index === parting ? { first: `${name}first` } : {})}
              isLinked={isLinked}
              budget={budget}
            />
          ))}
        </tbody>
      </WideTable>
      {left.after === 0 ? null : <p class="muted">{left.after} rows behind these are left out.</p>}
    </div>
  );
}

interface NamedProps {
  readonly title: string;
  readonly run: RunHead;
  readonly level: Level;
}

function Named({ title, run, level }: NamedProps) {
  const id = <span class="id">{text(run.runId, 80)}</span>;
  return (
    <div class="side">
      <Heading level={below(level, 1)}>{title}</Heading>
      <p>
        {text(run.workflowId ?? 'run', 80)} · <Status status={run.status} />
      </p>
      <p>{level === 1 ? <a href={runPage(run.runId)}>{id}</a> : id}</p>
    </div>
  );
}

interface VerdictProps extends Required<Pick<Props, 'name' | 'level' | 'budget'>> {
  readonly diff: LogDiff;
}

function Verdict({ diff, name, level, budget }: VerdictProps) {
  const { first, determinism, masks, renamedIds } = diff;
  return (
    <section class={first === undefined ? 'panel good' : 'panel bad'} aria-label={`How they compare${of(name)}`}>
      <Heading level={below(level, 1)}>
        {first === undefined ? 'No divergence' : `First divergence: ${first.class}`}
      </Heading>
      {first === undefined ? null : <First first={first} name={name} level={level} budget={budget} />}
      <p class="muted">
        {determinism.matchedEvents} of {determinism.comparedEvents} events match. Masked:{' '}
        {masks.length === 0 ? 'nothing' : text(masks.join(', '), 200)} (envelope only);
        {` ${renamedIds} `}event ids renamed one to one.
        {diff.eventDiffsTruncated ? ' There are more differences than are marked below.' : ''}
      </p>
    </section>
  );
}

interface FirstProps extends Omit<VerdictProps, 'diff'> {
  readonly first: Divergence;
}

function First({ first, name, level, budget }: FirstProps) {
  const { sequence, pointer, alsoAt } = first;
  return (
    <>
      <p>
        {meaningOf(first.class)}. Sequence {sequence.source ?? '(none)'} in the source, {sequence.replay ?? '(none)'} in
        the replay
        {pointer === '' ? ', the whole event' : ', at '}
        {pointer === '' ? null : <code>{text(pointer, 200)}</code>}
        {alsoAt.length === 0 ? '' : `; also at ${text(alsoAt.join(', '), 300)}`}. <a href={`#${name}first`}>Show it</a>
      </p>
      <div class="sides">
        <div class="side gone">
          <Heading level={below(level, 2)}>source</Heading>
          {'source' in first ? <JsonTree value={first.source} budget={budget} /> : <span class="muted">nothing</span>}
        </div>
        <div class="side come">
          <Heading level={below(level, 2)}>replay</Heading>
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

/** Tells the parts of several comparisons on one page apart. */
function of(name: string): string {
  return name === '' ? '' : ` (${text(name.replace(/:$/u, ''), 100)})`;
}

function Pair({ row, runs, first, isLinked, budget }: PairProps) {
  const { sign, words } = MARKS[row.kind];
  const shown = { isOpen: isParting(row), isLinked, budget, marks: row.marks ?? [] };
  return (
    <tr class={row.kind} {...(first === undefined ? {} : { id: first, 'aria-current': 'true' })}>
      <td>
        <span aria-hidden="true">{sign}</span>
        <span class="unseen">{words}</span>
      </td>
      <Side side={row.source} run={runs.source} {...shown} />
      <Side side={row.replay} run={runs.replay} {...shown} />
    </tr>
  );
}

interface PairProps {
  readonly row: PairRow;
  readonly runs: Pick<Compared, 'source' | 'replay'>;
  /** Its id, where the logs part in it. */
  readonly first?: string;
  readonly isLinked: boolean;
  readonly budget: TreeBudget;
}

function Side({ side, run, isOpen, isLinked, marks, budget }: SideProps) {
  if (side === undefined) return <td class="muted">–</td>;
  const { sequence, type, nodeId, payload } = side;
  return (
    <td>
      <details open={isOpen}>
        <summary>
          <span class="seq">{sequence}</span> <span class="type">{text(type, 60)}</span>{' '}
          <span class="node">{nodeId === undefined ? '' : text(nodeId, 60)}</span>
        </summary>
        <JsonTree value={payload} marks={marks} budget={budget} />
        {isLinked ? (
          <p>
            <a href={eventPage(run.runId, sequence)}>in its timeline</a>
          </p>
        ) : null}
      </details>
    </td>
  );
}

interface SideProps {
  readonly side: PairRow['source'];
  readonly run: RunHead;
  readonly isOpen: boolean;
  readonly isLinked: boolean;
  readonly marks: readonly string[];
  readonly budget: TreeBudget;
}
