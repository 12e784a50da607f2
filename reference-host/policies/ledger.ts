import type { JsonObject } from '../json.ts';
import { digest } from '../recipe/cache-key.ts';
import type { EventDraft } from '../store/event.ts';
import type { KeptAnswer, VerificationMode } from '../types/world.ts';
import type { Decision, Found } from './decide.ts';
import { decide } from './decide.ts';

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

/** How tool calls are kept from happening twice (provable-semantics). */
export interface LedgerPolicy {
  /** The formula of §4.1; `canonical` is the JCS text of the arguments. */
  readonly idempotencyKey: (call: ToolCall, canonical: string) => string;
  /** The formula of §4.2. */
  readonly externalKey: (call: ToolCall) => string;
  /** Whether a record is made in one step where there is none, or is looked for first and made a moment later. */
  readonly acquire: (call: ToolCall) => 'insert if absent' | 'read, then write';
  readonly decide: (found: Found, attempt: string) => Decision;
  /** The order of §3. */
  readonly steps: () => readonly Step[];
  /** Whether the recorded answer of a tool counts as its result. */
  readonly isResult: (answer: unknown) => boolean;
  /** Whether what a worker writes into a log in which others have written since it looked is refused. */
  readonly refusesStale: (runId: string) => boolean;
  /** What a recorded answer is injected as, given what was found of the call. */
  readonly injected: (answer: KeptAnswer, found: Found) => KeptAnswer;
  /** The events that catch-up writes, given those that are missing in the log. */
  readonly caughtUp: (missing: readonly EventDraft[]) => readonly EventDraft[];
  /** What happens where the outside world is not what the record says (§5). */
  readonly onFailedVerification: (mode: VerificationMode) => 'fail' | 'count and inject' | 'inject' | 'park';
  /** Whether a verification that succeeds is counted among those that failed and were let pass. */
  readonly countsAgreement: () => boolean;
  /** Whether what a person answers lets the recorded result be injected. */
  readonly confirms: (resumeValue: unknown) => boolean;
}

/** What the host does. */
export const ledgerPolicy: LedgerPolicy = {
  idempotencyKey: ({ runId, nodeId, tool }, canonical) => digest([runId, nodeId, tool, canonical].join('\0')),
  externalKey: ({ runId, nodeId, attempt }) => `aetheris:${runId}:${nodeId}:${attempt}`,
  acquire: () => 'insert if absent',
  decide,
  steps: () => ['append started', 'execute', 'put effect', 'append finished', 'append committed', 'commit'],
  isResult: () => true,
  refusesStale: () => true,
  injected: (answer) => answer,
  caughtUp: (missing) => missing,
  onFailedVerification: (mode) => WHEN_IT_FAILS[mode],
  countsAgreement: () => false,
  confirms: (resumeValue) => resumeValue !== false,
};

const WHEN_IT_FAILS = { strict: 'fail', warn: 'count and inject', 'human-in-loop': 'park' } as const;
