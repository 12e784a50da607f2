import { isObject, type JsonObject } from '../json.ts';
import { digest, serialise } from '../recipe/cache-key.ts';
import type { EventDraft } from '../store/event.ts';
import type { Ledger, LedgerPlace, Owner } from '../store/ledger.ts';
import type { KeptAnswer, ToolAnswer, VerificationMode } from '../types/world.ts';
import { decide, type Decision, type Found } from './decide.ts';

/** A tool call as a run's node makes it, by one worker's attempt at the run. */
export interface ToolCall {
  readonly runId: string;
  readonly nodeId: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly attempt: string;
}

/** What a call consists of; all but `execute` are durable writes. */
export type Step = 'append started' | 'execute' | 'put effect' | 'append finished' | 'append committed' | 'commit';

/** Makes a call's record its owner's until `leaseUntil`, where it is nobody's; whether it did. */
export type Acquire = (ledger: Ledger, place: LedgerPlace, lease: Lease) => boolean | Promise<boolean>;

interface Lease {
  readonly owner: Owner;
  readonly leaseUntil: number;
}

/** A call as its start declares it. */
export interface DeclaredCall {
  readonly key: string;
  readonly tool: string;
  readonly args: unknown;
}

/** A call of a node, and its keys in the run and in those that the run was forked from. */
interface NodeCall extends Pick<ToolCall, 'tool' | 'args'> {
  readonly keys: ReadonlySet<string>;
}

/** How tool calls are kept from happening twice (provable-semantics). */
export interface LedgerPolicy {
  /** The formula of §4.1; `canonical` is the JCS text of the arguments. */
  readonly idempotencyKey: (call: ToolCall, canonical: string) => string;
  /** The formula of §4.2. */
  readonly externalKey: (call: ToolCall) => string;
  /** How a worker at this attempt makes a record. */
  readonly acquire: (attempt: string) => Acquire;
  readonly decide: (found: Found, attempt: string) => Decision;
  /** The order of §3. */
  readonly steps: () => readonly Step[];
  /**
   * Whether a start in the log of a run, or of one that it was forked from, declares a call of the same node: by its key, else
   * by what the key is made of (§4.1).
   */
  readonly isSameCall: (start: DeclaredCall, call: NodeCall) => boolean;
  /** Carries out the last step of §3, when its turn has come. */
  readonly commits: (commit: () => void) => void;
  /** What is kept of a call, given what it came to. */
  readonly kept: (answer: ToolAnswer) => KeptAnswer;
  /** Whether what is recorded of a tool's call counts as what came of it. */
  readonly isResult: (answer: KeptAnswer) => boolean;
  /** Whether what a worker writes into a log in which others have written since it looked is refused. */
  readonly refusesStale: (runId: string) => boolean;
  /** What a recorded answer is injected as, given what was found of the call. */
  readonly injected: (answer: KeptAnswer, found: Found) => KeptAnswer;
  /** The events that catch-up writes, given those that are missing in the log. */
  readonly caughtUp: (missing: readonly EventDraft[]) => readonly EventDraft[];
  /** Whether a recorded result is verified, given whether a replay asks for it (else a crash is recovered), the mode, and where the run was forked. */
  readonly verifies: (isReplay: boolean, mode: VerificationMode, fromSeq?: number) => boolean;
  /** The mode of a tool whose definition names none (§5). */
  readonly unnamedMode: () => VerificationMode;
  /** What happens where the outside world is not what the record says (§5). */
  readonly onFailedVerification: (mode: VerificationMode) => 'fail' | 'inject' | 'park';
  /** Whether a verification is counted among those that failed and were let pass. */
  readonly counts: (mode: VerificationMode, agrees: boolean) => boolean;
  /** Whether what a person answers lets the recorded result be injected. */
  readonly confirms: (resumeValue: unknown) => boolean;
}

/** What the host does. */
export const ledgerPolicy: LedgerPolicy = {
  idempotencyKey: ({ runId, nodeId, tool }, canonical) => digest([runId, nodeId, tool, canonical].join('\0')),
  externalKey: ({ runId, nodeId, attempt }) => `aetheris:${runId}:${nodeId}:${attempt}`,
  acquire: () => insertIfAbsent,
  decide,
  steps: () => ['append started', 'execute', 'put effect', 'append finished', 'append committed', 'commit'],
  isSameCall,
  commits: (commit) => commit(),
  kept: (answer) => answer,
  isResult: () => true,
  refusesStale: () => true,
  injected: (answer) => answer,
  caughtUp: (missing) => missing,
  verifies: () => true,
  unnamedMode: () => 'strict',
  onFailedVerification: (mode) => WHEN_IT_FAILS[mode],
  counts: (mode, agrees) => mode === 'warn' && !agrees,
  confirms: (resumeValue) => resumeValue !== false,
};

function isSameCall(start: DeclaredCall, { tool, args, keys }: NodeCall): boolean {
  if (keys.has(start.key)) return true;
  return start.tool === tool && isObject(start.args) && serialise(start.args) === serialise(args);
}

const WHEN_IT_FAILS = { strict: 'fail', warn: 'inject', 'human-in-loop': 'park' } as const;

/** In one step: of two workers that come at the same time one finds the other's record. */
const insertIfAbsent: Acquire = (ledger, place, { owner, leaseUntil }) => ledger.acquire(place, owner, leaseUntil);
