import type { Exchange, HostHandle } from '../host/client.ts';
import type { CrashBench } from '../host/crash.ts';
import type { Probe } from '../host/probe.ts';
import { DISCOVERY_PATH } from '../protocol/paths.ts';
import type { Scenario } from '../runner/scenario.ts';
import type { Reads } from './reads.ts';

/**
 * The scenario, with what its drive reads of the discovery document noted. What is read of it before, for the gate and the
 * needs, is not: these can be asked about another document.
 */
export function watchedScenario(scenario: Scenario, reads: Reads): Scenario {
  return {
    ...scenario,
    drive: (probe, options) => scenario.drive(watchedProbe(probe, reads), options),
  };
}

function watchedProbe(probe: Probe, reads: Reads): Probe {
  const handle = (each: HostHandle | undefined) => each && watchedHandle(each, reads);
  return {
    ...probe,
    host: watchedHandle(probe.host, reads),
    otherTenant: handle(probe.otherTenant),
    limited: handle(probe.limited),
    blind: handle(probe.blind),
    // The second host keeps the conformant document.
    crash: probe.crash && watchedBench(probe.crash, reads),
    discoveryExchange: watchedAnswer(probe.discoveryExchange, ID, reads),
    get discovery() {
      reads.handedOut(probe.discovery);
      return reads.view(probe.discovery);
    },
  };
}

function watchedBench(bench: CrashBench, reads: Reads): CrashBench {
  const lend = <L extends { readonly host: HostHandle }>(lane: L): L => ({
    ...lane,
    host: watchedHandle(lane.host, reads),
  });
  return {
    ...bench,
    use: (work) => bench.use((lane) => work(lend(lane))),
    each: (jobs, work) => bench.each(jobs, (lane, job) => work(lend(lane), job)),
  };
}

function watchedHandle(handle: HostHandle, reads: Reads): HostHandle {
  return {
    ...handle,
    exchange: async (request) => {
      const answer = await handle.exchange(request);
      const mayHoldIt = answer.kind === 'response' && request.path.startsWith(DISCOVERY_PATH);
      return mayHoldIt ? watchedAnswer(answer, STATUS, reads) : answer;
    },
    stream: (request, reader) => {
      if (request.path.startsWith(DISCOVERY_PATH)) reads.whole();
      return handle.stream(request, reader);
    },
  };
}

/** The name of an answer says nothing of what was answered. */
const ID: ReadonlySet<string | symbol> = new Set(['id']);

/** Requests beside the planner's are compared as they are answered: what is noted here is who reads the document. */
const STATUS: ReadonlySet<string | symbol> = new Set([
  'id',
  'kind',
  'status',
  // Read of whatever an async function returns.
  'then',
]);

function watchedAnswer(answer: Exchange, free: ReadonlySet<string | symbol>, reads: Reads): Exchange {
  return new Proxy(answer, {
    get: (target, name, self) => {
      if (!free.has(name)) reads.whole();
      return Reflect.get(target, name, self);
    },
  });
}
