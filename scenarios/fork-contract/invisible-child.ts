import { advertisedModes, readPart } from '../../src/contract/discovery.ts';
import { executionModel } from '../../src/contract/gates.ts';
import { isOutcome, type Outcome, undecidedUntil } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { readDebugStream } from '../../src/host/log/debug.ts';
import type { HostHandle } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import { eventsPath, forkPath, runPath } from '../../src/protocol/paths.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { childrenNamedIn } from '../shared/read-event.ts';
import { bounds, eventsOf, named } from '../shared/compare-runs.ts';
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

/** What another tenant requests of the child. */
export const OF_A_CHILD: readonly Kind[] = [
  { kind: 'child', path: ({ runId }) => runPath(runId), isEverywhere: true },
  { kind: 'events of a child', path: ({ runId }) => eventsPath(runId), isLog: true },
  { kind: 'fork of a child', path: ({ runId }) => forkPath(runId), bodies: [{ mode: 'replay' }] },
];

/** The same of the child that a branch of the run dispatches. */
export const OF_A_BRANCH: readonly Kind[] = [
  { kind: 'child of a branch', path: ({ runId }) => runPath(runId), isEverywhere: true },
  { kind: 'events of a child of a branch', path: ({ runId }) => eventsPath(runId), isLog: true },
];

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const source = await startRun(probe, { workflowId: HANDOFF, inputs: {} }, { role: SOURCE });
  const { otherTenant } = probe;
  if (!isObserved(source) || otherTenant === undefined) return [source];
  const requested = await askAboutChild(probe, otherTenant, source, OF_A_CHILD);
  if (requested.length === 0) return [source];
  const own = await startOwn(probe, otherTenant);
  const modes = advertisedModes(readPart(probe.discovery, 'replay'));
  if (modes?.includes('branch') === false) return [source, own, ...requested];
  const body = { mode: 'branch', fromSeq: bounds(source).first } as const;
  const branch = await startFork(probe, source, body, { role: 'branch' });
  if (!isObserved(branch)) return [source, own, ...requested];
  return [source, own, ...requested, branch, ...(await askAboutChild(probe, otherTenant, branch, OF_A_BRANCH))];
}

/** What the other tenant is answered about the child of a run; nothing where the run names none. */
async function askAboutChild(
  probe: Probe,
  otherTenant: HostHandle,
  parent: RunObservation & { readonly runId: string },
  kinds: readonly Kind[],
): Promise<readonly RequestedObservation[]> {
  const runId = await childOf(probe, parent);
  if (runId === undefined) return [];
  const about = { runId, against: runId, after: bounds(parent).first };
  const requested: RequestedObservation[] = [];
  for (const kind of kinds) requested.push(...(await requestAbout(probe, otherTenant, kind, about)));
  return requested;
}

/** The child that a run's log names; a host may show it in the stream mode debug alone. */
async function childOf(
  probe: Probe,
  { runId, events }: Pick<RunObservation, 'events'> & { readonly runId: string },
): Promise<string | undefined> {
  const [child] = childrenNamedIn(eventsOf({ events }));
  if (child !== undefined) return child;
  const debug = await readDebugStream(probe.host, runId);
  return childrenNamedIn(debug.events)[0];
}

/** Judges that the child of another tenant's run is no more disclosed than that run. */
export function judgeInvisibleChild(recorded: Recordings): Outcome {
  const runs = need(recorded, SOURCE);
  if (isOutcome(runs)) return runs;
  const driven = [...OF_A_CHILD, ...OF_A_BRANCH].filter(
    ({ kind }) => requestsOf(recorded, rowsOf(kind).owner).length > 0,
  );
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
      title: "Another tenant is refused a run's child, as a run that there is not: its snapshot, its events and a fork",
      judge: whereServed(judgeInvisibleChild),
    },
  ],
});
