import { newId } from '../ids.ts';
import { stringMember } from '../json.ts';
import { digest } from '../recipe/cache-key.ts';
import type { EventDraft } from '../store/event.ts';
import { answerKey } from '../types/interrupts.ts';
import type { KeptAnswer } from '../types/world.ts';
import type { CallPlace } from './look.ts';

/** A recorded result on its way into a run. */
interface Injection {
  readonly answer: KeptAnswer;
  /** Every event of the call. */
  readonly events: readonly EventDraft[];
  /** How many of them the log holds. */
  readonly written: number;
}

export type Confirmation = 'confirmed' | 'refused' | 'parked';

/** What the question whether a result may be injected is called. */
const QUESTION = 'verification';

/**
 * Yields the events of a recorded call, and before those that the log lacks, asks the world outside whether it is what the
 * record says (provable-semantics §5): strict refuses, warn counts and goes on, human-in-loop waits for a person.
 */
export async function* confirm(at: CallPlace, injection: Injection): AsyncGenerator<EventDraft, Confirmation> {
  const { answer, events, written } = injection;
  const known = asked(at);
  const before = known?.written ?? written;
  yield* events.slice(0, before);
  const found = known ?? (await verify(at, answer, before));
  const confirmation = typeof found === 'string' ? found : yield* person(at, found);
  if (confirmation !== 'confirmed') return confirmation;
  const missing = events.slice(before);
  yield* written === 0 ? missing : at.shared.parts.ledger.caughtUp(missing);
  return 'confirmed';
}

/** The question that was put to a person. */
interface Question {
  readonly interruptId: string;
  /** How many events of the call stood before it. */
  readonly written: number;
}

/** What the world outside says; a question where a person has to decide. */
async function verify(at: CallPlace, answer: KeptAnswer, written: number): Promise<'confirmed' | 'refused' | Question> {
  const { shared, run, invocation } = at;
  const { verification } = invocation;
  if (verification === undefined || answer.kind !== 'answered') return 'confirmed';
  const { ledger } = shared.parts;
  const mode = verification.mode ?? ledger.unnamedMode();
  if (!ledger.verifies(run.fork?.mode === 'replay', mode, run.fork?.fromSeq)) return 'confirmed';
  const agrees = await verification.agrees(answer.answer);
  if (ledger.counts(mode, agrees)) shared.diary.warn(run.runId);
  if (agrees) return 'confirmed';
  switch (ledger.onFailedVerification(mode)) {
    case 'fail':
      return 'refused';
    case 'inject':
      return 'confirmed';
    case 'park': {
      const question: Question = { interruptId: newId('int', shared.store.now()), written };
      shared.store.observations.record(questionPlace(at), { value: question, events: [] });
      // Another worker may have asked before: its question is the run's.
      return asked(at) ?? question;
    }
  }
}

/** Asks a person, once; the run goes on when the answer has come. */
async function* person(at: CallPlace, { interruptId }: Question): AsyncGenerator<EventDraft, Confirmation> {
  const { run, invocation, place, shared } = at;
  const { nodeId } = invocation;
  const data = { idempotency_key: place.key };
  const payload = { runId: run.runId, nodeId, interruptId, kind: 'approval', key: QUESTION, data };
  yield { type: 'interrupt.requested', nodeId, payload };
  yield { type: 'node.suspended', nodeId, payload: { nodeId, interruptId } };
  const answer = shared.store.observations.get({ runId: run.runId, nodeId, cacheKey: answerKey(QUESTION) });
  if (answer === undefined) return 'parked';
  yield { type: 'interrupt.resolved', nodeId, payload: { ...payload, resumeValue: answer.value } };
  yield { type: 'node.resumed', nodeId, payload: { nodeId, interruptId } };
  return shared.parts.ledger.confirms(answer.value) ? 'confirmed' : 'refused';
}

function asked(at: CallPlace): Question | undefined {
  return at.shared.store.observations.get(questionPlace(at))?.value as Question | undefined;
}

/** A question is a run's own: a replay of this run verifies again. */
function questionPlace({ run, invocation, place }: CallPlace) {
  return { runId: run.runId, nodeId: invocation.nodeId, cacheKey: digest(`${QUESTION} ${place.key}`) };
}

/** The verifier over HTTP: the resource holds the nonce that the recorded answer has. */
export function sameNonce(resource: unknown, answer: unknown): boolean {
  const nonce = stringMember(answer, 'nonce');
  return nonce !== undefined && stringMember(resource, 'nonce') === nonce;
}
