import { causes, type Cause } from '../shared/causes.ts';

const WINDOWS = [
  'once.before-execution',
  'once.executed-not-recorded',
  'once.effect-not-appended',
  'once.appended-not-committed',
  'once.committed',
  'once.every-cut',
];
const RECOVERY = 'once.verified-recovery';
const MODES = ['once.verification-strict', 'once.verification-warn', 'once.verification-human', RECOVERY];
const ORDER = 'once.write-order';
const OWNER = 'once.single-owner';
const KEY = 'once.idempotency-key';
const EXTERNAL = 'once.external-key';
const AUTHORITY = 'once.stream-is-authority';
const CATCH_UP = 'once.catch-up-complete';

/** Causes that break the same requirements, by their names. */
function breaking<const Code extends string>(
  breaks: readonly string[],
  messages: Readonly<Record<Code, string>>,
): readonly Cause<Code>[] {
  return (Object.keys(messages) as Code[]).map((code) => [code, messages[code], breaks]);
}

/** Every cause that the judges of at-most-once name. */
export const { diagnoses, wrong } = causes([
  ...breaking([...WINDOWS, OWNER, EXTERNAL], {
    'duplicate-call':
      'The witness counted more than one call of one step. Ask stream, ledger and effect store before executing, and never execute what was declared and has no result.',
  }),
  ...breaking(WINDOWS, {
    'lost-event':
      'A client was shown an event before the host died, and the log does not have it. Show events when they are durable.',
    'renamed-event':
      'An event that a client was shown has another id after the death. Ids are stored with their events, not made when these are read.',
    'changed-event':
      'An event that a client was shown has another type, number, node, time, payload or other member after the death. Events are never written again.',
    'ended-twice': 'The log has two terminal events: two workers, or two lives of the host, ended the run.',
    'numbers-out-of-order': 'Sequence numbers repeat or go back after a death.',
    'lost-run': 'POST /v1/runs was answered, and the run is unknown after the death. Answer when it is durable.',
    'invented-result': 'The run completed and nobody called the tool: a result was made up.',
    'other-arguments':
      'After a death the tool was called without the arguments that the run was given. Keep the inputs of a run with it.',
    'lost-result': 'The run completed, and what the tool had answered is neither in log nor in snapshot.',
    'lost-variable':
      'The run went on with the recorded result, and the variable that the call gives a value was not written. Inject what the call did to the state, too.',
    'snapshot-otherwise':
      'After a death the snapshot of a finished run is not what its log ends with. Fold the whole log into the state when it is read again.',
    'effect-ignored':
      'The host died behind its own failpoint after PutEffect, found no effect when it came back, and gave the call up. Ask the effect store whenever the stream has no result, also where a ledger record is in flight.',
    'not-executed': 'The host died before the call was declared, and the run failed or waits. Execute it.',
  }),
  ...breaking([...WINDOWS, ORDER, OWNER], {
    'written-twice':
      'An event of one call stands in the log twice. Catch-up writes what is missing only, and of two workers one writes.',
  }),
  ...breaking([...WINDOWS, ORDER], {
    'missing-event': 'A step of the call has no event in the stream.',
  }),
  ...breaking([...WINDOWS, 'once.verification-human'], {
    'in-flight-for-ever':
      'After a death the run is neither completed nor failed nor parked in the time that it is given. A record in flight whose owner is gone has to be reclaimed or given up, and a run that a person has confirmed goes on.',
  }),
  ...breaking([...WINDOWS, AUTHORITY], {
    'other-answer':
      'The run completed with an answer that the tool never gave: result, variable, output or state hold another nonce than the witness sent, or its answer in part or as a text. Inject what is recorded, and nothing else.',
    'result-not-injected':
      'A result was recorded, be it in the effect store alone, and the run failed or waits. Catch up from it.',
  }),
  ...breaking([AUTHORITY], {
    'other-result': 'The run went on with something else than the result in the stream.',
  }),
  ...breaking(['once.failed-call'], {
    'failure-as-success':
      'The tool gave no answer, and the log says that its call succeeded. A connection that breaks off is no result.',
    'failure-forgotten':
      'The tool failed, and its run completed after a death as if it had succeeded; without a death it does not. A recorded failure is what came of the call: inject it as one.',
    'replayed-failure-otherwise':
      'A replay shows another failure of a call than the one that is recorded, and says nothing of it. Inject the recorded failure as it is, with its code and its message, and let the node and the run fail with it as they did.',
    'failure-without-outcome':
      'The tool answered with an error, or nobody heard from it; the run has failed, and tool_invocation_finished says that the call is over and not how. Whoever reads the stream takes it for one that succeeded: write its outcome.',
    'failure-left-in-flight':
      'The tool answered with an error, or nobody heard from it; the run has failed, and the log holds the start of the call alone. Write how the call ended, and close its record, before the node fails.',
  }),
  ...breaking(['once.committed'], {
    'empty-result-lost':
      'The tool answered null, {}, "", false, 0 or [], and the run shows something else after a death. Ask whether there is a record, not whether its result is truthy.',
  }),
  ...breaking([...WINDOWS, OWNER], {
    'not-completed': 'The tool was called and answered, and the run does not complete.',
  }),
  ...breaking([ORDER], {
    'outcome-not-success':
      'The tool answered and the run completed, and tool_invocation_finished does not say outcome success.',
    'wrong-order': 'started, finished and command_committed are not written in this order.',
    'no-started-barrier':
      'The tool was called while the stream did not declare the call: after a death nobody would know of it.',
    'written-before-execution': 'The stream held a result while the tool had not answered yet.',
    'written-out-of-order':
      'After a death a later step was found without an earlier one, or the host passes its own failpoints in such an order: started, effect, finished, command_committed, commit of the ledger.',
  }),
  ...breaking([CATCH_UP], {
    'not-caught-up':
      'The host died with a result in its effect store and not in the stream; the run completed, and the stream is without tool_invocation_finished or command_committed. Write what is missing before the node goes on.',
    'caught-up-otherwise':
      'What catch-up wrote into the stream is not what the worker of the call would have written: another idempotency_key or none, no outcome success, or no result. Nobody can inject the result from such a stream.',
    'caught-up-late':
      'The missing events of a call were written behind what comes after them. Catch up before the node goes on.',
  }),
  ...breaking(['once.doubt-in-forks'], {
    'doubt-called-by-fork':
      'A replay called a tool of which nobody knows whether its source has called it. What the source gave up stays given up in its forks.',
    'doubt-completed-by-fork':
      'A replay completed of a run whose call is in doubt, and called nobody: its result was made up. Let it fail or wait as its source.',
  }),
  ...breaking(['once.stream-wins'], {
    'store-over-stream':
      'The stream held the result of the call, a store another one, and the run went on with that of the store. Ask the stream first.',
    'stream-not-believed':
      'The stream held the result of the call, a store another one, and the run did not complete. The stream is the authority: inject its result.',
    'ledger-not-caught-up':
      'The ledger held a committed result, the stream none, and the run did not complete with it. Catch up from the ledger as from the effect store.',
  }),
  ...breaking([OWNER], {
    'two-owners': 'Two workers were told to execute one step. Acquire is one insert-if-absent, not a read and a write.',
    'stale-call':
      'The call carries the attempt of the worker that had lost it. A worker calls under its own claim, and not when its record is another one’s.',
    'stale-write':
      'A worker whose record was reclaimed wrote into the log. Refuse what it writes: fence by attempt or by the log’s length.',
  }),
  ...breaking([EXTERNAL], {
    'no-external-key':
      'The call carries no key in any header, in its query or in its body, so that nobody downstream can tell a repetition.',
    'internal-key-sent': 'The call carries the key of the ledger, which knows no attempt.',
    'other-form': 'The key of the call is not aetheris:job:step:attempt with this run and step.',
    'attempt-not-stable': 'The attempt changes within one claim of a run that nothing interrupted.',
    'attempt-kept': 'A run that was reclaimed calls under the attempt of its dead worker.',
  }),
  ...breaking([KEY], {
    'key-changes': 'One call has two keys, at once or after its worker died.',
    'no-idempotency-key':
      'tool_invocation_started and tool_invocation_finished hold no idempotency_key, so that nobody finds the record again.',
    'injected-by-node':
      'A node makes two calls, and one was given the result of the other, or neither made nor given one. Look for what is recorded by idempotency_key, not by the node, and keep the inputs of a run with it.',
    'key-in-one-only':
      'Of tool_invocation_started and tool_invocation_finished one holds idempotency_key and the other does not: each has to tell which call it is of.',
    'key-shared-between-runs':
      'Calls of different runs have one key, so that one would be given the result of the other.',
    'unknown-key': 'The key is not SHA-256 of run NUL node NUL tool NUL canonical arguments, nor a known mistake.',
    'args-unsorted': 'The names of the arguments are hashed in the order in which they came. Use JCS (RFC 8785).',
    'args-shallow-sort': 'The names of the arguments are sorted at the top only. Use JCS (RFC 8785).',
    'args-as-given': 'The arguments are hashed as the text that was sent. Use JCS (RFC 8785).',
    'args-omitted': 'The arguments are left out of the key, so that different calls share it.',
    'args-empty': 'No arguments are hashed as something else than {}.',
    'run-omitted': 'The run is left out of the key.',
    'node-omitted': 'The node is left out of the key.',
    'tool-omitted': 'The tool’s name is left out of the key.',
    'other-order': 'The parts of the key are in another order than run, node, tool, arguments.',
    'attempt-in-key': 'The attempt is part of the key, so that the next worker does not find the record.',
    'no-separators': 'Nothing stands between the parts of the key, so that different parts give one text.',
    'other-separator': 'Something else than NUL stands between the parts of the key.',
    truncated: 'The digest is right, and cut short.',
  }),
  ...breaking(MODES, {
    'not-verified': 'The recorded result was injected, and nobody asked whether the world agrees.',
  }),
  ...breaking(['once.verification-strict', RECOVERY], {
    'injected-over-failed-verification': 'Mode strict: the world disagrees, and the recorded result was injected.',
    'not-failed': 'Mode strict: the world disagrees, and the run did not fail.',
    'not-for-good': 'Mode strict: a run that had failed went on when the world agreed again.',
  }),
  ...breaking(['once.verification-warn', RECOVERY], {
    'not-injected': 'Mode warn: a failed verification kept the result out, or ended the run.',
    'not-counted': 'Mode warn: ConfirmationReplayWarnTotal did not count a failed verification.',
    'counted-in-vain':
      'Mode warn: ConfirmationReplayWarnTotal was raised by a replay in the world that the record tells of.',
  }),
  ...breaking(['once.verification-human', RECOVERY], {
    'injected-without-confirmation':
      'Mode human-in-loop: the recorded result was injected before a person had confirmed it.',
    'not-parked': 'Mode human-in-loop: the run neither waits nor ends with ErrReplayVerificationHumanRequired.',
    'not-resumed': 'Mode human-in-loop: a person confirmed, and the run does not go on with the result.',
  }),
]);
