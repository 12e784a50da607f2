import { inStream } from '../ledger/call-events.ts';
import { invoke } from '../ledger/invoke.ts';
import type { Declared, LedgerParts } from '../ledger/look.ts';
import type { Worker } from '../ledger/worker.ts';
import type { DeclaredCall } from '../policies/ledger.ts';
import { serialise, whereCanonical } from '../recipe/cache-key.ts';
import { ancestryOf, type ShownBy } from '../store/ancestry.ts';
import type { RunState } from '../store/fold.ts';
import type { Observation } from '../store/observations.ts';
import type { RunRecord } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { answerKey, answerRequest, isAbout } from '../types/interrupts.ts';
import type { Workflow } from '../types/workflow.ts';
import type { Act, InvocationOutcome, World } from '../types/world.ts';
import type { WorkflowCatalogue } from './catalogue.ts';
import { handoffWorld, type ChildRuns } from './handoff-world.ts';
import { llmWorld, type WorldParts } from './llm-world.ts';

export interface RecordedWorldParts extends WorldParts, LedgerParts {
  /** Whether runs may call addresses outside the host: they come from whoever starts a run. */
  readonly outbound: boolean;
  /** How long whoever is waited for may take, in milliseconds. */
  readonly patienceMs: number;
  readonly workflows: WorkflowCatalogue;
  readonly children: ChildRuns;
}

/** A run that a worker carries out. */
export interface CarriedOut {
  readonly run: RunRecord;
  readonly workflow: Workflow;
  readonly worker: Worker;
  /** The state of the run now. */
  readonly now: () => RunState;
}

/** The world of a run: whatever it observes is recorded, and what was recorded for it is not observed again. */
export function createWorld(shared: RecordedWorldParts, carried: CarriedOut): World {
  const { run, worker } = carried;
  const ancestry = ancestryOf(shared.store, run);
  const { observations, runs } = shared.store;
  const { actKey, replay } = shared.parts;
  const logLength = (): number => shared.store.events.read(run.runId).length;

  /** What was deleted of another run's record stays so: the act is not performed again to have it back. */
  const deletedOf = (place: Parameters<typeof observations.get>[0]): Observation | undefined => {
    const found = ancestry.withDeletions().map((runId) => observations.get({ ...place, runId }));
    const deleted = found.find((observation) => observation?.deleted === true);
    if (deleted !== undefined) observations.record(place, deleted);
    return deleted;
  };

  /** What comes from another run's records becomes a record of this run, for its own replays. */
  const recall = ({ nodeId, request, cacheKey, shownBy }: Recollection): Observation | undefined => {
    const place = { runId: run.runId, nodeId, cacheKey };
    const own = observations.get(place);
    if (own !== undefined || run.fork === undefined) return own;
    for (const runId of ancestry.recordsFor(nodeId, shownBy)) {
      const recorded = observations.get({ ...place, runId });
      if (recorded === undefined) continue;
      const ofFork = runs.parent(run)?.fork !== undefined;
      const shown = replay.observation(recorded, { ...run.fork, ofFork, nodeId, request });
      if (shown !== undefined) observations.record(place, shown);
      return shown;
    }
    return shownBy === undefined ? deletedOf(place) : undefined;
  };

  /** Whether another run's record stands for the act, shown or not. */
  const isOnRecord = ({ nodeId, cacheKey, shownBy }: Recollection): boolean =>
    ancestry.recordsFor(nodeId, shownBy).some((runId) => observations.get({ runId, nodeId, cacheKey }) !== undefined);

  return {
    runId: run.runId,
    outbound: shared.outbound,
    patienceMs: shared.patienceMs,
    now: shared.store.now,
    sleep: (milliseconds) => sleep(shared.store, run.runId, milliseconds),
    llm: llmWorld(shared, run, ancestry),
    answer: (nodeId, key) =>
      recall({
        nodeId,
        request: answerRequest(key),
        cacheKey: answerKey(key),
        shownBy: (events) => events.some((event) => isAbout(event, 'interrupt.resolved', key)),
      }),
    handoffs: handoffWorld(shared, carried, { recall, isOnRecord }),
    async observe({ nodeId, request, perform, shownBy }) {
      const cacheKey = actKey(request, { runId: run.runId, nodeId, logLength });
      const recorded = recall({ nodeId, request, cacheKey, shownBy });
      if (recorded !== undefined) return recorded;
      const observation = await perform();
      observations.record({ runId: run.runId, nodeId, cacheKey }, observation);
      return observations.get({ runId: run.runId, nodeId, cacheKey }) ?? observation;
    },
    async *invoke(invocation) {
      const { nodeId, tool, args, request } = invocation;
      const { runId } = run;
      const keyOf = (from: string): string => {
        const call = { runId: from, nodeId, tool, args, attempt: worker.attempt() };
        return shared.parts.ledger.idempotencyKey(call, serialise(args));
      };
      const names = whereCanonical(() => ({
        cacheKey: actKey(request, { runId, nodeId, logLength }),
        place: { runId, key: keyOf(runId) },
        keys: new Set([runId, ...ancestry.recordsFor(nodeId)].map(keyOf)),
      }));
      if (names === undefined) return NO_KEY;
      const { keys, ...named } = names;
      const isDeclaredBy = (start: DeclaredCall): boolean =>
        shared.parts.ledger.isSameCall(start, { tool, args, keys });
      const at = { shared, run, worker, invocation, isDeclaredBy, ...named };
      const declared = (): Declared | undefined =>
        ancestry
          .recordsFor(nodeId)
          .map((from) => ({ runId: from, stream: inStream(shared.store.events.read(from), nodeId, isDeclaredBy) }))
          .find(({ stream }) => stream.count > 0);
      return yield* invoke({ ...at, declared, recall: () => recall({ nodeId, request, cacheKey: at.cacheKey }) });
    },
  };
}

/** Waits by the clock, but no longer than the run and the host are there. */
async function sleep({ events }: Store, runId: string, milliseconds: number): Promise<void> {
  const signal = AbortSignal.timeout(Math.min(milliseconds, LONGEST_SLEEP_MS));
  while (!signal.aborted && !events.hasEnded(runId)) {
    const isNews = await events.changed(runId, events.last(runId)?.sequence, signal);
    if (!isNews && !events.isOpen()) throw new Error('the host is closing');
  }
}

const LONGEST_SLEEP_MS = 2 ** 31 - 1;

/** The arguments hold what RFC 8785 cannot write, such as a lone surrogate: the call has no name to be known by. */
const NO_KEY: InvocationOutcome = {
  kind: 'failed',
  error: { code: 'no_idempotency_key', message: 'The call has no canonical form to make a key from.' },
};

export interface Recollection extends Pick<Act, 'nodeId' | 'request'> {
  readonly cacheKey: string;
  readonly shownBy?: ShownBy | undefined;
}
