import type { RunRequest } from '../../src/host/runs.ts';
import type { NodeAnswer } from './answered-run.ts';
import { EVERY_VALUE } from './every-value.ts';

/** A workflow whose replays are the same as their sources while the code is unchanged. */
export interface SweptFixture {
  readonly workflowId: string;
  /** What its source run is given. */
  readonly given?: Pick<RunRequest, 'inputs' | 'configurable'>;
  /** What its source run needs besides the host: calls to the witness, chat answers there. */
  readonly needs?: 'effects' | 'chat';
  /** The person who resumes its source run, where it waits for one. */
  readonly answer?: NodeAnswer;
  /** How its source run ends where it does not complete; one that does not end by itself is cancelled. */
  readonly ends?: 'failed' | 'cancelled';
  /** A fixture that holds the same kinds of events and more: a short sweep takes that one where the host has it. */
  readonly like?: string;
  /** How many forks are made of its long log at most; a short sweep leaves it out. */
  readonly most?: number;
}

/** The interrupting node of its fixture, and what resumes it. */
export const INTERRUPT = {
  nodeId: 'ask',
  resumeValue: { approved: true, note: EVERY_VALUE.blanks, letters: EVERY_VALUE.letters, every: EVERY_VALUE },
} as const;

/** What a replay takes over from its source; one value of its own is 0, not only members of another one. */
const OPTIONS = { inputs: { value: EVERY_VALUE }, configurable: { value: 0 } };

const [MEMORY, EFFECTS, PROVIDER] = [
  'conformance-determinism-memory-write',
  'conformance-determinism-side-effects',
  'conformance-determinism-llm-provider',
];

/** In the order in which they are reported. */
export const SWEPT: readonly SweptFixture[] = [
  { workflowId: 'conformance-noop', like: MEMORY },
  { workflowId: 'conformance-multi-node', like: EFFECTS },
  { workflowId: 'conformance-phase4-replay-divergence', like: PROVIDER },
  { workflowId: 'conformance-determinism-constant', like: EFFECTS },
  { workflowId: 'conformance-determinism-identity', given: OPTIONS },
  { workflowId: 'conformance-determinism-variable-write', like: EFFECTS },
  { workflowId: 'conformance-determinism-channel-write', like: EFFECTS },
  { workflowId: 'conformance-determinism-clock', like: MEMORY },
  { workflowId: 'conformance-determinism-random', like: MEMORY },
  { workflowId: 'conformance-determinism-version-pin', like: MEMORY },
  { workflowId: MEMORY },
  { workflowId: 'conformance-determinism-llm-nodes', like: PROVIDER },
  { workflowId: 'conformance-determinism-llm-chain', like: PROVIDER },
  { workflowId: 'conformance-determinism-llm-gate', like: PROVIDER },
  { workflowId: EFFECTS, needs: 'effects' },
  { workflowId: 'conformance-determinism-parallel', needs: 'effects' },
  { workflowId: PROVIDER, needs: 'chat' },
  { workflowId: 'conformance-determinism-interrupt', answer: INTERRUPT },
  { workflowId: 'conformance-determinism-long', most: 4 },
];

/** How many forks are made of a workflow's log, of so many. */
export function mostForks(workflowId: string, forks: number): number {
  return Math.min(forks, SWEPT.find((each) => each.workflowId === workflowId)?.most ?? forks);
}

/** What no two scenarios that drive these fixtures may do at the same time: change their code, stage their models. */
export const SWEPT_ALONE: readonly string[] = [
  'workflow:conformance-determinism-constant',
  'workflow:conformance-determinism-version-pin',
  'workflow:conformance-determinism-two-constants',
  'workflow:conformance-determinism-side-effects',
  'mock-ai:structured-call',
  'mock-ai:llm-nodes',
  'mock-ai:llm-chain',
  'mock-ai:gated-call',
];

/** Below this many forks of a log, a sweep is short: one fixture for each kind of events. */
export const SHORT = 10;

/** The requirement that says what replays of a fixture show, by the fixture's name. */
export const ROW_OF: ReadonlyMap<string, string> = new Map([
  ['determinism-clock', 'replay.logical-clock'],
  ['determinism-interrupt', 'replay.interrupt-short-circuits'],
  ['determinism-memory-write', 'replay.recorded-facts-verbatim'],
  ['determinism-version-pin', 'replay.version-pins-kept'],
  ['determinism-side-effects', 'sequence.side-effects-cached'],
  ['determinism-parallel', 'sequence.parallel-branches'],
]);
