import type { Observation } from '../src/evidence/types.ts';
import type { Recorded } from '../src/runner/scenario.ts';
import type { RunObservation } from '../scenarios/shared/run-observation.ts';
import { BEGUN, cellOf, type CellFacts, IN_DOUBT } from './crash-cells.ts';
import { observed, runCalled, say } from './recorded-runs.ts';

const START = 'replay from the start';
const BEHIND = 'replay from behind the start of the call';

/** What a host did with replays of a run whose call is in doubt. */
export interface DoubtFacts {
  readonly cell?: CellFacts;
  /** Calls that the witness had after each replay. */
  readonly after?: readonly [start: number, behind: number];
  readonly fork?: Partial<RunObservation>;
  /** Whether each replay asked whether the world agrees. */
  readonly asks?: boolean;
}

const call = { kind: 'effect', name: 'charge', idempotencyKey: null, answer: { nonce: 'n-1' } };

const asked = { kind: 'resource', name: 'receipt', idempotencyKey: null, answer: { nonce: 'n-1' } };

function calls(role: string, count: number, asks = false): Recorded<Observation> {
  const witnessed = Array.from({ length: count }, () => call);
  return observed(`c ${role}`, 'calls', {
    after: role,
    url: 'http://w',
    calls: asks ? [...witnessed, asked] : witnessed,
  });
}

/** Observations of them: of a host that is right where nothing else is given. */
export function doubtRuns({
  cell = {},
  after = [1, 1],
  fork = {},
  asks,
}: DoubtFacts): readonly Recorded<Observation>[] {
  const replayed = (role: string) => {
    const facts = { sourceRunId: 'r', mode: 'replay', fromSeq: 0, advertised: true };
    return runCalled(role, [say('run.started'), say('node.started', {}, 'charge'), say('run.failed')], {
      role,
      fork: facts,
      ...fork,
    });
  };
  const doubt = cellOf({ cut: 'after-execute', shown: `${BEGUN} started`, log: IN_DOUBT, callsThen: 1, ...cell });
  return [
    observed('d', 'doubt', { cell: doubt }),
    calls('source', 1),
    replayed(START),
    calls(START, after[0], asks),
    replayed(BEHIND),
    calls(BEHIND, after[1], asks),
  ];
}
