import { fail, pass, rests, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { named, shown } from '../shared/compare-runs.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { leftWithout, runOf, runsOf, type Forked, type SeenRun } from '../shared/need.ts';
import { settle } from '../shared/settle.ts';
import { isAgainstItsLog } from '../shared/snapshot-fault.ts';
import { childrenIn, readChain } from './chain.ts';
import { wrong } from './diagnoses.ts';
import { GIVEN, HANDOFF } from './fixtures.ts';
import { recordedAs, valueIn, type AllRecorded } from './handoff-run.ts';

/** The role of the run of a workflow. */
export function sourceRole(workflowId: string): string {
  return `source of ${workflowId}`;
}

/** The role of a replay of it. */
export function replayRole(workflowId: string, fromSeq: number | undefined): string {
  return `replay of ${workflowId} from ${fromSeq ?? 'the start'}`;
}

/** replay.md, Determinism; rfc-0037 §B: judges the replays of each workflow that was driven, and of whatever else was swept. */
export function judgeReplayedChildren(recorded: AllRecorded, swept: readonly Forked[]): Outcome {
  const driven = [...GIVEN, { workflowId: HANDOFF, variable: undefined }].flatMap(({ workflowId, variable }) => {
    const source = runOf(recorded, sourceRole(workflowId));
    return source === undefined ? [] : [judgeSource(recorded, source, variable)];
  });
  const all = [...driven, ...swept.flatMap((log) => judgeSwept(recorded, log))];
  return all.length === 0 ? undecided('no handoff was driven', []) : settle(all);
}

/** What the replays of a workflow of somebody else show: those that have a dispatch whole in their history, or before them. */
function judgeSwept(recorded: AllRecorded, { source, replays }: Forked): readonly Outcome[] {
  const { events } = readChain(source);
  const children = childrenIn({ events });
  if (children.length === 0) return [];
  const isWhole = ({ fork }: SeenRun): boolean => {
    const fromSeq = fork?.fromSeq ?? 0;
    const later = childrenIn({ events: events.filter(({ sequence }) => sequence >= fromSeq) });
    return !childrenIn({ events: events.filter(({ sequence }) => sequence < fromSeq) }).some((id) =>
      later.includes(id),
    );
  };
  return replays
    .filter(isWhole)
    .map((replay) => judgeReplay(recorded, { source, replay, children, variable: undefined }));
}

function judgeSource(recorded: AllRecorded, source: SeenRun, variable: string | undefined): Outcome {
  const left = leftWithout([source]);
  if (left !== undefined) return left;
  const children = childrenIn(readChain(source));
  if (children.length === 0) return undecided(`no event of ${named(source)} names a childRunId`, [source]);
  const replays = runsOf(recorded).filter(({ fork }) => fork !== null && fork.sourceRunId === source.runId);
  if (replays.length === 0) return undecided(`no replay of ${named(source)} was driven`, [source]);
  return settle(replays.map((replay) => judgeReplay(recorded, { source, replay, children, variable })));
}

interface Replayed {
  readonly source: SeenRun;
  readonly replay: SeenRun;
  /** The children that the source names. */
  readonly children: readonly string[];
  /** The variable in which they show what they were given; undefined where they were given nothing. */
  readonly variable: string | undefined;
}

function judgeReplay(recorded: AllRecorded, { source, replay, children, variable }: Replayed): Outcome {
  const left = leftWithout([replay]);
  if (left !== undefined) return left;
  const dispatched = childrenIn(readChain(replay));
  if (dispatched.length > children.length) {
    const expected = `${children.length} child runs in the log of ${named(replay)}, as in its source's`;
    const actual = `${dispatched.length}: ${dispatched.slice(0, 4).join(', ')}`;
    const diagnosis = wrong('second-child');
    return fail({ expected, actual, diagnosis, restsOn: 'handoff.replays' }, [replay, source]);
  }
  if (dispatched.length === 0) return undecided(`no event of ${named(replay)} names a childRunId`, [replay]);
  const evidence = [replay, source];
  const others = dispatched.filter((id) => !children.includes(id));
  if (others.length === 0 || variable === undefined) return pass(evidence);
  const all = recordedAs(recorded, 'child');
  const given = all.filter(({ runId }) => children.includes(runId)).map((child) => valueIn(child, variable));
  const [expected] = given.filter((value) => value !== undefined);
  if (expected === undefined) {
    return undecided(`nothing shows what the children of ${named(source)} were given as ${variable}`, evidence);
  }
  for (const child of all.filter(({ runId }) => others.includes(runId))) {
    if (child.problem !== null) return undecided(`the child ${child.runId} was not seen: ${child.problem}`, [child]);
    const value = valueIn(child, variable);
    if (shown(value) === shown(expected)) continue;
    const place = `variable ${variable} of the child ${child.runId} of ${named(replay)}`;
    const mismatch = fail(
      { expected: `${place}: ${shown(expected)}`, actual: shown(value), diagnosis: wrong('child-given-otherwise') },
      [child, ...evidence],
    );
    // Inputs may stand in snapshots alone: where these are not to be believed, another row says so.
    const isBySnapshot = mismatch.kind === 'fail' && isAgainstItsLog({ ...child, role: 'child' });
    return isBySnapshot ? rests(FOUNDATIONS.snapshots, mismatch) : mismatch;
  }
  return pass([...evidence, ...all.filter(({ runId }) => others.includes(runId))]);
}
