import type { Observation } from '../evidence/types.ts';
import { runMadeAt } from '../protocol/paths.ts';
import { isSuccess } from '../protocol/status.ts';
import type { Exchange, HostHandle, HostRequest } from './client.ts';
import { headerOf } from './request.ts';
import { isRecord } from './run-event.ts';
import { canStandInPath } from './runs.ts';

/** The id of one run, given to another run as well: whatever was read of it may be of either. */
export interface RunIdAgain extends Observation {
  readonly type: 'run-id-again';
  readonly runId: string;
  /** The scenarios that made the two runs. `exchanges` are the two answers, the earlier one first. */
  readonly scenarios: readonly string[];
}

/** Whose runs are watched: the ids of another host, or of another credential, are others. */
export interface Watched {
  readonly caller: string;
  readonly scenario: string;
}

/** The ids that a host gave to the runs and forks of a whole conformance run. */
export interface RunIds {
  /** A handle that does the same and watches what the host calls the runs that it makes. */
  watching(handle: HostHandle, at: Watched): HostHandle;
  /** Notes a run that the host made by itself, such as a handoff's child, as `exchange` told of it. */
  dispatched(runId: string, exchange: string, at: Watched): void;
}

interface Named {
  readonly exchange: string;
  readonly scenario: string;
  /** The Idempotency-Key of the request, under which the same answer may come again. */
  readonly key: string | undefined;
}

/**
 * Watches the ids of runs. `onAgain` gets each answer that names a run which an earlier answer named, but for repetitions
 * under one Idempotency-Key, and each fork that is its own source (replay.md, Endpoint: a new runId).
 */
export function createRunIds(onAgain: (again: RunIdAgain) => void): RunIds {
  const callers = new Map<string, Map<string, Named>>();
  const note = (runId: string, now: Named, { caller }: Watched, isSource = false): void => {
    const known = callers.get(caller) ?? new Map<string, Named>();
    callers.set(caller, known);
    const before = known.get(runId) ?? (isSource ? now : undefined);
    if (before === undefined) known.set(runId, now);
    else if (before === now || before.key === undefined || before.key !== now.key) onAgain(again(runId, before, now));
  };
  return {
    watching: (handle, at) => ({
      ...handle,
      exchange: async (request) => {
        const exchange = await handle.exchange(request);
        const runId = runIdIn(request, exchange);
        if (runId === undefined) return exchange;
        const now = { exchange: exchange.id, scenario: at.scenario, key: headerOf(request, 'idempotency-key') };
        note(runId, now, at, runId === runMadeAt(request.path)?.source);
        return exchange;
      },
    }),
    dispatched: (runId, exchange, at) => note(runId, { exchange, scenario: at.scenario, key: undefined }, at),
  };
}

function again(runId: string, before: Named, now: Named): RunIdAgain {
  const scenarios = [...new Set([before.scenario, now.scenario])];
  return { type: 'run-id-again', runId, scenarios, exchanges: [...new Set([before.exchange, now.exchange])] };
}

/** The id of the run that a request made, where it can be asked for: no other is followed. */
function runIdIn({ method, path }: HostRequest, exchange: Exchange): string | undefined {
  if (method !== 'POST' || runMadeAt(path) === undefined) return undefined;
  if (exchange.kind === 'failure' || !isSuccess(exchange.status) || !exchange.json.ok) return undefined;
  const { value } = exchange.json;
  const runId = isRecord(value) && Object.hasOwn(value, 'runId') ? value['runId'] : undefined;
  return typeof runId === 'string' && runId !== '' && canStandInPath(runId) ? runId : undefined;
}
