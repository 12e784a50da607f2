import { executionModel } from '../../src/contract/gates.ts';
import { isOutcome, type Outcome, undecidedUntil } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { readDebugStream } from '../../src/host/log/debug.ts';
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
import { isObserved, type RunObservation, startRun } from '../shared/run-observation.ts';
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

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const source = await startRun(probe, { workflowId: HANDOFF, inputs: {} }, { role: SOURCE });
  const { otherTenant } = probe;
  if (!isObserved(source) || otherTenant === undefined) return [source];
  const runId = await childOf(probe, source);
  if (runId === undefined) return [source];
  const about = { runId, against: runId, after: bounds(source).first };
  const requested: RequestedObservation[] = [];
  for (const kind of OF_A_CHILD) requested.push(...(await requestAbout(probe, otherTenant, kind, about)));
  return [source, await startOwn(probe, otherTenant), ...requested];
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
  const driven = OF_A_CHILD.filter(({ kind }) => requestsOf(recorded, rowsOf(kind).owner).length > 0);
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
