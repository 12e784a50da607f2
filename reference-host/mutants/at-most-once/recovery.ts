import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isObject, member, parseJson, type JsonObject } from '../../json.ts';
import type { Decision } from '../../policies/decide.ts';
import type { Acquire } from '../../policies/ledger.ts';
import type { EventDraft } from '../../store/event.ts';
import { type Defects, type Parts, within } from '../mutant.ts';
import { answering, showingEvents, withoutMember } from '../shared/run-wire.ts';

const withoutEffects = within('ledger', ({ decide }) => ({
  decide: (found, attempt) => decide({ ...found, effect: found.effect && found.ledger !== 'RECOVERABLE' }, attempt),
}));

/** Decides otherwise about a call than the conformant host. */
function deciding(change: (decision: Decision) => Decision): Parts {
  return within('ledger', ({ decide }) => ({ decide: (found, attempt) => change(decide(found, attempt)) }));
}

/** What catch-up writes, forks write that begin within a call. */
const IN_REPLAYS = {
  'sequence.state-equal.every-fixture': 'a replay that begins within a call shows its end as catch-up writes it',
};

/** What a recovery does. */
export const defects: Defects = {
  'commit-before-append': {
    breaks: 'The ledger commits before the stream has the result.',
    kills: ['once.write-order.found'],
    parts: within('ledger', () => ({
      steps: () => ['append started', 'execute', 'put effect', 'commit', 'append finished', 'append committed'],
    })),
  },
  'no-started-barrier': {
    breaks: 'A tool is called before the stream declares the call.',
    kills: ['once.write-order', 'once.executed-not-recorded', 'once.write-order.found'],
    parts: within('ledger', () => ({
      steps: () => ['execute', 'put effect', 'append started', 'append finished', 'append committed', 'commit'],
    })),
  },
  'committed-before-finished': {
    breaks: 'The stream commits a call before it says how the call ended.',
    kills: ['once.write-order', 'sequence.side-effects-cached'],
    alsoBreaks: {
      'once.write-order.found': 'what is found after a cut shows the order',
      'once.appended-not-committed': 'the sweep of all cuts meets this one, too',
      'once.single-owner': 'the run that is taken over fails',
      'once.single-owner.reclaim': 'the run that is taken over fails',
    },
    parts: within('ledger', () => ({
      steps: () => ['append started', 'execute', 'put effect', 'append committed', 'append finished', 'commit'],
    })),
  },
  'effect-after-append': {
    breaks: 'The effect store is written after the stream.',
    kills: ['once.write-order.found'],
    alsoBreaks: {
      'once.effect-not-appended': 'a replay of the run that was recovered finds no effect, and calls the tool again',
    },
    parts: within('ledger', () => ({
      steps: () => ['append started', 'execute', 'append finished', 'put effect', 'append committed', 'commit'],
    })),
  },
  'acquire-reads-then-writes': {
    breaks: 'Acquire looks for a record first and makes one a moment later.',
    kills: ['once.single-owner'],
    parts: within('ledger', () => ({ acquire: () => readThenWrite })),
  },
  'empty-result-is-none': {
    breaks: 'An empty result counts as none, and the tool is called again.',
    kills: ['once.committed.empty-result'],
    alsoBreaks: { 'replay.no-second-external-call': 'a replay calls a tool again whose answer was empty' },
    parts: within('ledger', () => ({
      isResult: (kept) => kept.kind !== 'answered' || Object.keys(Object(kept.answer)).length > 0,
      acquire: () => readThenWrite,
    })),
  },
  'empty-result-not-committed': {
    breaks: 'The commit of a call is not written where its result is empty.',
    kills: ['once.write-order.every-run'],
    seenIn: 'replay.no-second-external-call',
    parts: () => {
      const empty = new Set<unknown>();
      return {
        middleware: showingEvents(
          () => true,
          (event) => {
            const { type, runId, payload } = event;
            if (type === 'tool_invocation_finished' && Object.keys(Object(member(payload, 'result'))).length === 0)
              empty.add(runId);
            return type === 'command_committed' && empty.has(runId) ? [] : [event];
          },
        ),
      };
    },
  },
  'result-made-up': {
    breaks: 'A call that the stream says has succeeded is injected after a death with another result.',
    kills: ['once.appended-not-committed', 'once.committed'],
    parts: within('ledger', () => ({
      injected: (answer, { stream, ledger }) =>
        stream === 'committed' && ledger !== 'NEW'
          ? { kind: 'answered', answer: { nonce: randomUUID(), count: 1 } }
          : answer,
    })),
  },
  'injected-result-is-a-text': {
    breaks: 'A result that the stream holds is injected after a death as its JSON text.',
    kills: ['once.appended-not-committed', 'once.committed'],
    parts: within('ledger', () => ({
      injected: (kept, { stream, ledger }) =>
        stream === 'committed' &&
        ledger !== 'NEW' &&
        kept.kind === 'answered' &&
        member(kept.answer, 'nonce') !== undefined
          ? { kind: 'answered', answer: JSON.stringify(kept.answer) }
          : kept,
    })),
  },
  'injected-result-leaves-no-variable': {
    breaks: 'A result that the stream holds is injected after a death without the variable that it is the value of.',
    kills: ['once.appended-not-committed', 'once.committed'],
    // Nothing is written between the injection and what the call did.
    parts: afterInjection(
      () => true,
      (draft) => (draft.type === 'variable.changed' ? [] : undefined),
    ),
  },
  'injected-result-is-no-output': {
    breaks: "A result that the stream holds is injected after a death, and the node's end shows another one.",
    kills: ['once.stream-is-authority'],
    alsoBreaks: { 'once.committed.empty-result': 'an empty answer is the output of its node, too' },
    parts: afterInjection(
      ({ type }) => type === 'node.completed',
      (draft) => (draft.type === 'node.completed' ? [{ ...draft, payload: { output: {} } }] : undefined),
    ),
  },
  'effect-store-ignored': {
    breaks: 'Recovery does not ask the effect store.',
    kills: ['once.effect-not-appended'],
    parts: withoutEffects,
  },
  'effect-store-not-opened': {
    breaks: 'Recovery never looks into the effect store, and tells that it found nothing there.',
    kills: ['once.effect-not-appended'],
    parts: (conformant) => ({
      ...withoutEffects(conformant),
      ...tellingFound(({ effect: _effect, ...found }) => ({ ...found, effect: false })),
    }),
  },
  'commit-not-kept': {
    breaks: 'What the ledger has committed is in flight again after a death.',
    kills: ['once.write-order.found'],
    parts: () =>
      tellingFound((found) => (found['ledger'] === 'COMMITTED' ? { ...found, ledger: 'RECOVERABLE' } : found)),
  },
  'catch-up-twice': {
    breaks: 'Catch-up writes the missing events twice.',
    kills: ['once.effect-not-appended'],
    alsoBreaks: IN_REPLAYS,
    parts: within('ledger', () => ({ caughtUp: (missing) => missing.flatMap((event) => [event, event]) })),
  },
  'catch-up-left-out': {
    breaks: 'Catch-up injects the result and leaves the stream without it.',
    kills: ['once.catch-up-complete'],
    alsoBreaks: IN_REPLAYS,
    parts: within('ledger', () => ({ caughtUp: () => [] })),
  },
  'caught-up-under-another-key': {
    breaks: 'Catch-up writes the missing events under another key than the call was declared with.',
    kills: ['once.catch-up-complete'],
    alsoBreaks: IN_REPLAYS,
    parts: catchingUp((payload) => ({ ...payload, idempotency_key: randomUUID() })),
  },
  'caught-up-without-outcome': {
    breaks: 'Catch-up does not write how the call ended.',
    kills: ['once.catch-up-complete'],
    alsoBreaks: {
      ...IN_REPLAYS,
      'once.every-cut.recovery': 'who recovers once more reads what was caught up',
    },
    parts: catchingUp(({ outcome: _outcome, ...payload }) => payload),
  },
  'caught-up-without-result': {
    breaks: 'Catch-up writes the end of the call without what came of it.',
    kills: ['once.catch-up-complete'],
    alsoBreaks: {
      ...IN_REPLAYS,
      'once.every-cut.recovery': 'who recovers once more reads what was caught up',
      'once.committed.empty-result': 'an empty answer is caught up, too',
    },
    parts: catchingUp(({ result: _result, ...payload }) => payload),
  },
  'caught-up-again-under-another-key': {
    breaks: 'Catch-up writes the missing events, and once more under a key of its own.',
    kills: ['once.effect-not-appended'],
    alsoBreaks: IN_REPLAYS,
    parts: within('ledger', () => ({
      caughtUp: (missing) => [
        ...missing,
        ...missing.map(rewritten((payload) => ({ ...payload, idempotency_key: randomUUID() }))),
      ],
    })),
  },
  'reclaimed-call-leaves-no-events': {
    breaks: 'A call that is taken over before it was declared is executed, and the stream tells nothing of it.',
    kills: ['once.before-execution'],
    parts: within('ledger', ({ decide, steps }) => {
      let isTakenOver = false;
      return {
        decide: (found, attempt) => {
          const decision = decide(found, attempt);
          isTakenOver = decision.kind === 'AllowExecute' && decision.takeOver;
          return decision;
        },
        // It is decided before the steps are taken.
        steps: () => steps().filter((step) => !isTakenOver || !step.startsWith('append')),
      };
    }),
  },
  'node-ends-before-commit': {
    breaks: 'The node ends before the ledger has committed.',
    kills: ['once.write-order.found'],
    parts: within('ledger', () => ({ commits: afterwards })),
  },
  'outcome-not-said': {
    breaks: 'A finished call does not say how it ended.',
    kills: ['once.write-order'],
    parts: withoutMember('outcome', ({ payload }) => isObject(payload) && payload['outcome'] === 'success'),
  },
  'in-flight-for-ever': {
    breaks: 'A call that was in flight when its worker was lost is waited for without end.',
    kills: ['once.executed-not-recorded'],
    waits: true,
    parts: deciding((decision) => (decision.kind === 'Rejected' ? { kind: 'WaitOtherWorker' } : decision)),
  },
  'in-doubt-executed-again': {
    breaks: 'A call that may have been executed is executed again.',
    kills: ['once.executed-not-recorded'],
    parts: deciding((decision) => (decision.kind === 'Rejected' ? { kind: 'AllowExecute', takeOver: true } : decision)),
  },
  'second-tool-in-doubt-executed-again': {
    breaks: 'A call that may have been executed is executed again where it is that of the second tool of a run.',
    kills: ['once.executed-not-recorded.second-tool'],
    parts: within('ledger', ({ decide, isSameCall }) => {
      // The log is looked at before it is decided.
      let tool = '';
      return {
        isSameCall: (start, call) => {
          ({ tool } = call);
          return isSameCall(start, call);
        },
        decide: (found, attempt) => {
          const decision = decide(found, attempt);
          const isMeant = decision.kind === 'Rejected' && tool === 'second-tool';
          return isMeant ? { kind: 'AllowExecute', takeOver: true } : decision;
        },
      };
    }),
  },
  'second-tool-in-doubt-made-up': {
    breaks: 'A run whose second tool may have been called completes with an answer that nobody gave.',
    kills: ['once.executed-not-recorded.second-tool'],
    parts: ({ written }) => ({
      written: (draft, writing) => written(writing.run.workflowId.endsWith('-twice') ? madeUp(draft) : draft, writing),
    }),
  },
  'doubt-executed-by-forks': {
    breaks: 'A replay executes a call that its source has given up.',
    kills: ['once.doubt-in-forks'],
    parts: within('ledger', ({ decide }) => ({
      decide: (found, attempt) => {
        const decision = decide(found, attempt);
        // Who gives a call up in the run itself comes to it later than the first worker.
        return decision.kind === 'Rejected' && attempt === '1' ? { kind: 'AllowExecute', takeOver: false } : decision;
      },
    })),
  },
  'never-reclaimed': {
    breaks: 'A call whose worker was lost before it declared the call is given up.',
    kills: ['once.before-execution'],
    parts: deciding((decision) =>
      decision.kind === 'AllowExecute' && decision.takeOver ? { kind: 'Rejected' } : decision,
    ),
  },
  'ledger-before-stream': {
    breaks: 'Recovery believes the ledger where the stream holds more.',
    kills: ['once.appended-not-committed'],
    alsoBreaks: {
      'once.effect-not-appended': 'the same order is seen from the window before',
    },
    parts: within('ledger', ({ decide }) => ({
      decide: (found, attempt) =>
        found.ledger === 'RECOVERABLE' && found.stream !== 'none' ? { kind: 'Rejected' } : decide(found, attempt),
    })),
  },
  'ledger-over-stream': {
    breaks: "Where the ledger has committed, its result is injected and not the stream's.",
    kills: ['once.stream-wins'],
    parts: within('ledger', ({ decide }) => ({
      decide: (found, attempt) =>
        found.ledger === 'COMMITTED' ? { kind: 'ReturnRecordedResult', from: 'ledger' } : decide(found, attempt),
    })),
  },
  'effect-over-stream': {
    breaks: "Where the effect store holds a result, that is injected and not the stream's.",
    kills: ['once.stream-wins'],
    parts: within('ledger', ({ decide }) => ({
      decide: (found, attempt) => {
        const decision = decide(found, attempt);
        const isInjected = decision.kind === 'ReturnRecordedResult' && found.effect;
        return isInjected ? { kind: 'ReturnRecordedResult', from: 'effect' } : decision;
      },
    })),
  },
  'ledger-not-caught-up': {
    breaks: 'A result that the ledger alone holds is not caught up.',
    kills: ['once.stream-wins.ledger-only'],
    parts: within('ledger', ({ decide }) => ({
      decide: (found, attempt) =>
        found.ledger === 'COMMITTED' && found.stream === 'started' && !found.effect
          ? { kind: 'Rejected' }
          : decide(found, attempt),
    })),
  },
  'committed-executed-again': {
    breaks: 'A committed call is executed again by the worker that recovers.',
    kills: ['once.committed'],
    alsoBreaks: {
      'once.every-cut.recovery': 'a second death meets it behind a first one that does not',
      'once.single-owner': 'whoever takes over executes again',
      'once.single-owner.reclaim': 'whoever takes over executes again',
    },
    parts: within('ledger', ({ decide }) => ({
      decide: (found, attempt) =>
        found.ledger === 'COMMITTED' ? { kind: 'AllowExecute', takeOver: false } : decide(found, attempt),
      acquire: () => readThenWrite,
    })),
  },
  'patience-lost-at-the-third-attempt': {
    breaks: 'A call in doubt is executed again by the third worker that comes to it.',
    kills: ['once.every-cut.recovery'],
    parts: within('ledger', ({ decide, acquire }) => ({
      decide: (found, attempt) => {
        const decision = decide(found, attempt);
        return decision.kind === 'Rejected' && attempt === '3' ? { kind: 'AllowExecute', takeOver: false } : decision;
      },
      acquire: (attempt) => (attempt === '3' ? readThenWrite : acquire(attempt)),
    })),
  },
  'ended-call-written-again': {
    breaks: 'Where all nodes of a run had ended when the host died, the end of a call is in the log once more.',
    kills: ['once.every-cut'],
    alsoBreaks: { 'once.every-cut.recovery': 'a second death may fall there' },
    parts: () => ({ middleware: (next) => showingEvents(() => true, endingAgain(Date.now()))?.(next) ?? next }),
  },
  'stale-worker-writes': {
    breaks: "A worker's writes are taken after another one has written.",
    kills: ['once.single-owner'],
    parts: within('ledger', () => ({ refusesStale: () => false })),
  },
  'late-worker-writes': {
    breaks: "A worker's writes are taken after its call was taken over.",
    kills: ['once.single-owner.reclaim'],
    parts: within('ledger', ({ decide }) => {
      let isTakenOver = false;
      const late = new Set<string>();
      return {
        decide: (found, attempt) => {
          const decision = decide(found, attempt);
          isTakenOver ||= decision.kind === 'AllowExecute' && decision.takeOver;
          return decision;
        },
        // Nobody else stands still: who is stale next is the one from whom it was taken.
        refusesStale: (runId) => {
          if (isTakenOver) late.add(runId);
          isTakenOver = false;
          return !late.has(runId);
        },
      };
    }),
  },
};

/**
 * Writes events otherwise, or undefined as they are, from the injection of a result that the stream holds on, up to the first one
 * that `isLast`.
 */
function afterInjection(
  isLast: (draft: EventDraft) => boolean,
  change: (draft: EventDraft) => readonly EventDraft[] | undefined,
): Parts {
  return ({ ledger, written }) => {
    let isInjected = false;
    return {
      ledger: {
        ...ledger,
        injected: (answer, found) => {
          isInjected = found.stream === 'committed';
          return ledger.injected(answer, found);
        },
      },
      written: (draft, writing) => {
        const changed = isInjected && writing.run.fork === undefined ? change(draft) : undefined;
        if (isLast(draft)) isInjected = false;
        return changed ?? written(draft, writing);
      },
    };
  };
}

/** Looks for a record, and makes one a moment later, whosever it is by then. */
const readThenWrite: Acquire = async (ledger, place, { owner, leaseUntil }) => {
  await nextTurn();
  const found = ledger.get(place);
  if (found === undefined) ledger.acquire(place, owner, leaseUntil);
  else ledger.reclaim(place, { from: found, to: owner, leaseUntil });
  return true;
};

/** An event with another payload. */
function rewritten(change: (payload: JsonObject) => JsonObject): (event: EventDraft) => EventDraft {
  return (event) => (isObject(event.payload) ? { ...event, payload: change(event.payload) } : event);
}

/** Catches up with other payloads. */
function catchingUp(change: (payload: JsonObject) => JsonObject): Parts {
  return within('ledger', () => ({ caughtUp: (missing) => missing.map(rewritten(change)) }));
}

/** When the node has ended; a host that has been closed by then writes nothing more. */
function afterwards(commit: () => void): void {
  setImmediate(() => {
    try {
      commit();
    } catch {
      // The store is closed.
    }
  });
}

/** Tells otherwise of what workers found. */
function tellingFound(change: (found: JsonObject) => JsonObject): ReturnType<Parts> {
  return answering('POST', /\/test\/invocations$/, async (answer) => {
    const response = await answer();
    const reading = parseJson(await response.text());
    return Response.json(otherwise(reading.ok ? reading.value : null, change), { status: response.status });
  })();
}

/** What a success would be shown as, where the second tool of two is given up, and where its run fails over that. */
function madeUp(draft: EventDraft): EventDraft {
  const { type, nodeId, payload } = draft;
  if (member(member(payload, 'error'), 'code') !== 'invocation_in_doubt') return draft;
  if (type === 'node.failed' && nodeId === 'second') {
    return { ...draft, type: 'node.completed', payload: { nodeId, output: { nonce: randomUUID(), count: 1 } } };
  }
  return type === 'run.failed' ? { ...draft, type: 'run.completed', payload: {} } : draft;
}

/** A value in which each member `found` is changed, at any depth. */
function otherwise(value: unknown, change: (found: JsonObject) => JsonObject): unknown {
  if (Array.isArray(value)) return value.map((each) => otherwise(each, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      name === 'found' && isObject(each) ? change(each) : otherwise(each, change),
    ]),
  );
}

/** Shows the end of a call once more in logs of which only the last event is younger than a life of the host. */
function endingAgain(begun: number): (event: JsonObject) => readonly JsonObject[] {
  const last = new Map<string, JsonObject>();
  const ends = new Map<string, JsonObject>();
  return (event) => {
    const runId = String(event['runId']);
    const [before, end] = [last.get(runId), ends.get(runId)];
    last.set(runId, event);
    if (event['type'] === 'tool_invocation_finished') ends.set(runId, event);
    const isPickedUpHere =
      event['type'] === 'run.completed' && before !== undefined && timeOf(before) < begun && timeOf(event) >= begun;
    if (!isPickedUpHere || end === undefined) return [event];
    const sequence = Number(event['sequence']);
    return [
      { ...end, eventId: `${String(end['eventId'])}-again`, sequence },
      { ...event, sequence: sequence + 1 },
    ];
  };
}

function timeOf(event: JsonObject): number {
  return Date.parse(String(event['timestamp']));
}
