import { advertisedModes, readPart } from '../../src/contract/discovery.ts';
import { executionModel } from '../../src/contract/gates.ts';
import { isOutcome, type Outcome, undecidedUntil } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { readDebugStream } from '../../src/host/log/debug.ts';
import type { HostHandle } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import {
  annotationsPath,
  cancelPath,
  debugPath,
  diffPath,
  eventsPath,
  forkPath,
  pollPath,
  runPath,
} from '../../src/protocol/paths.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { childrenNamedIn } from '../shared/read-event.ts';
import { bounds, eventsOf, named } from '../shared/compare-runs.ts';
import { firstExecuted } from '../shared/first-executed.ts';
import { judgeInvisibleReading, rowsOf } from '../shared/judge-invisible-reading.ts';
import { need } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { replays } from '../shared/replays.ts';
import { type Kind, requestAbout } from '../shared/request-about.ts';
import { type RequestedObservation, requestsOf } from '../shared/requested.ts';
import { isObserved, type RunObservation, startFork, startRun } from '../shared/run-observation.ts';
import { startOwn, whereServed } from '../shared/second-tenant.ts';
import { settle } from '../shared/settle.ts';

const ROW = 'fork.invisible-run.child';
const SOURCE = 'source';
const HANDOFF = 'conformance-multi-agent-handoff';
/** One that dispatches two children goes before. */
export const TWO_CHILDREN = 'conformance-dispatch-cross-worker-handoff';

/** What another tenant requests of the child. */
export const OF_A_CHILD: readonly Kind[] = [
  { kind: 'child', path: ({ runId }) => runPath(runId), isEverywhere: true },
  { kind: 'events of a child', path: ({ runId }) => eventsPath(runId), isLog: true },
  { kind: 'fork of a child', path: ({ runId }) => forkPath(runId), bodies: [{ mode: 'replay' }] },
];

/** Kinds that nobody else requests where another tenant is refused: that is seen of the child itself. */
const strangerFirst = (kinds: readonly Kind[]): readonly Kind[] =>
  kinds.map((each) => ({ ...each, strangerFirst: true }));

/** The other readings of a child's log, by what it is called. */
function logsOf(child: string): readonly Kind[] {
  return [
    { kind: `poll of ${child}`, path: ({ runId }) => pollPath(runId) },
    { kind: `debug stream of ${child}`, path: ({ runId }) => debugPath(runId), isLog: true },
  ];
}

/** What else there is of the child; what would end it comes last. */
export const OTHERS_OF_A_CHILD = strangerFirst([
  ...logsOf('a child'),
  { kind: 'comparison of a child', path: ({ runId, against }) => diffPath(runId, against) },
  { kind: 'annotations of a child', path: ({ runId }) => annotationsPath(runId) },
  { kind: 'cancellation of a child', path: ({ runId }) => cancelPath(runId), bodies: [{}] },
]);

/** The readings of one, where another child was asked about before. */
function readingsOf(child: string): readonly Kind[] {
  return strangerFirst([
    { kind: child, path: ({ runId }) => runPath(runId), isEverywhere: true },
    { kind: `events of ${child}`, path: ({ runId }) => eventsPath(runId), isLog: true },
    ...logsOf(child),
  ]);
}

/** The same of the child that comes after it, and of those that forks of the run dispatch. */
export const OF_ANOTHER_CHILD = readingsOf('another child');
export const OF_A_BRANCH = readingsOf('child of a branch');
export const OF_A_REPLAY = readingsOf('child of a replay');

const ALL = [...OF_A_CHILD, ...OTHERS_OF_A_CHILD, ...OF_ANOTHER_CHILD, ...OF_A_BRANCH, ...OF_A_REPLAY];

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const { run: source } = await firstExecuted(
    [{ workflowId: TWO_CHILDREN }, { workflowId: HANDOFF }],
    ({ workflowId }) => startRun(probe, { workflowId, inputs: {} }, { role: SOURCE }),
    (run) => childrenNamedIn(eventsOf(run)).length > 1,
  );
  const { otherTenant } = probe;
  if (!isObserved(source) || otherTenant === undefined) return [source];
  const [child, another] = await childrenOf(probe, source);
  if (child === undefined) return [source];
  const ask = (runId: string | undefined, kinds: readonly Kind[]): Promise<readonly RequestedObservation[]> =>
    runId === undefined ? Promise.resolve([]) : askAbout(probe, otherTenant, runId, kinds);
  const requested = [
    ...(await ask(child, [...OF_A_CHILD, ...OTHERS_OF_A_CHILD])),
    ...(await ask(another, OF_ANOTHER_CHILD)),
  ];
  const own = await startOwn(probe, otherTenant);
  const forks: Observation[] = [];
  for (const { mode, role, kinds } of FORKS_OF_IT) {
    if (advertisedModes(readPart(probe.discovery, 'replay'))?.includes(mode) === false) continue;
    const fork = await startFork(
      probe,
      source,
      mode === 'branch' ? { mode, fromSeq: bounds(source).first } : { mode },
      { role },
    );
    if (!isObserved(fork)) continue;
    // A replay may show the recorded child, about which somebody was asked.
    const dispatched = (await childrenOf(probe, fork)).find((each) => each !== child && each !== another);
    forks.push(fork, ...(await ask(dispatched, kinds)));
  }
  return [source, own, ...requested, ...forks];
}

const FORKS_OF_IT = [
  { mode: 'branch', role: 'branch', kinds: OF_A_BRANCH },
  { mode: 'replay', role: 'replay', kinds: OF_A_REPLAY },
] as const;

/** What the other tenant is answered about a child. */
async function askAbout(
  probe: Probe,
  otherTenant: HostHandle,
  runId: string,
  kinds: readonly Kind[],
): Promise<readonly RequestedObservation[]> {
  const requested: RequestedObservation[] = [];
  for (const kind of kinds) {
    requested.push(...(await requestAbout(probe, otherTenant, kind, { runId, against: runId, after: 0 })));
  }
  return requested;
}

/** The children that a run's log names; a host may show them in the stream mode debug alone. */
async function childrenOf(
  probe: Probe,
  { runId, events }: Pick<RunObservation, 'events'> & { readonly runId: string },
): Promise<readonly string[]> {
  const children = childrenNamedIn(eventsOf({ events }));
  return children.length > 0 ? children : childrenNamedIn((await readDebugStream(probe.host, runId)).events);
}

/** Judges that the child of another tenant's run is no more disclosed than that run. */
export function judgeInvisibleChild(recorded: Recordings): Outcome {
  const runs = need(recorded, SOURCE);
  if (isOutcome(runs)) return runs;
  const driven = ALL.filter(({ kind }) => requestsOf(recorded, rowsOf(kind).owner).length > 0);
  if (driven.length > 0) return settle(driven.map((kind) => judgeInvisibleReading(recorded, kind)));
  const { source } = runs;
  return undecidedUntil('name the child in the log of its parent', `the log of ${named(source)} names no child`, [
    source,
  ]);
}

/** replay.md, Endpoint and Privacy, of a run that another one dispatched: it belongs to the tenant of that (0037 §A). */
export const invisibleChild = defineScenario({
  id: ROW,
  suite: 'fork-contract',
  gate: executionModel,
  title: "The child of another tenant's run cannot be told from a run that there is not",
  needs: [replays, { kind: 'second-tenant' }, { kind: 'fixture', workflowId: HANDOFF }],
  drive,
  checks: [
    {
      id: ROW,
      title:
        "Another tenant is refused a run's children, as runs that there are not: their snapshots, their events and forks",
      judge: whereServed(judgeInvisibleChild),
    },
  ],
});
