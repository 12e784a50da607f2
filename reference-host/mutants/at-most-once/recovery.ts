import { randomUUID } from 'node:crypto';
import { isObject, parseJson } from '../../json.ts';
import type { Defects } from '../mutant.ts';
import { withLedger } from '../shared/ledger-parts.ts';

const withoutEffects = withLedger(({ decide }) => ({
  decide: (found, attempt) => decide({ ...found, effect: found.effect && found.ledger !== 'RECOVERABLE' }, attempt),
}));

/** What a recovery does. */
export const defects: Defects = {
  'commit-before-append': {
    breaks: 'The ledger commits before the stream has the result.',
    kills: ['once.write-order.found'],
    parts: withLedger({
      steps: () => ['append started', 'execute', 'put effect', 'commit', 'append finished', 'append committed'],
    }),
  },
  'no-started-barrier': {
    breaks: 'A tool is called before the stream declares the call.',
    kills: ['once.write-order', 'once.executed-not-recorded', 'once.every-cut'],
    parts: withLedger({
      steps: () => ['execute', 'put effect', 'append started', 'append finished', 'append committed', 'commit'],
    }),
  },
  'committed-before-finished': {
    breaks: 'The stream commits a call before it says how the call ended.',
    kills: ['once.write-order', 'sequence.side-effects-cached', 'sequence.parallel-branches'],
    parts: withLedger({
      steps: () => ['append started', 'execute', 'put effect', 'append committed', 'append finished', 'commit'],
    }),
  },
  'effect-after-append': {
    breaks: 'The effect store is written after the stream.',
    kills: ['once.write-order.found'],
    parts: withLedger({
      steps: () => ['append started', 'execute', 'append finished', 'put effect', 'append committed', 'commit'],
    }),
  },
  'acquire-reads-then-writes': {
    breaks: 'Acquire looks for a record first and makes one a moment later.',
    kills: ['once.single-owner'],
    parts: withLedger({ acquire: () => 'read, then write' }),
  },
  'empty-result-is-none': {
    breaks: 'An empty result counts as none, and the tool is called again.',
    kills: ['once.committed.empty-result'],
    parts: withLedger({
      isResult: (answer) => answer !== null && Object.keys(Object(answer)).length > 0,
      acquire: () => 'read, then write',
    }),
  },
  'result-made-up': {
    breaks: 'A call that the stream says has succeeded is injected after a death with another result.',
    kills: ['once.appended-not-committed', 'once.committed', 'once.every-cut', 'once.stream-is-authority'],
    parts: withLedger({
      injected: (answer, { stream, ledger }) =>
        stream === 'committed' && ledger !== 'NEW'
          ? { kind: 'answered', answer: { nonce: randomUUID(), count: 1 } }
          : answer,
    }),
  },
  'effect-store-ignored': {
    breaks: 'Recovery does not ask the effect store.',
    kills: ['once.effect-not-appended'],
    parts: withLedger(({ decide }) => ({
      decide: (found, attempt) => decide({ ...found, effect: found.effect && found.ledger !== 'RECOVERABLE' }, attempt),
    })),
  },
  'effect-store-not-opened': {
    breaks: 'Recovery never looks into the effect store, and tells that it found nothing there.',
    kills: ['once.effect-not-appended'],
    parts: (conformant) => ({
      ...withoutEffects(conformant),
      middleware: (next) => async (request) => {
        const response = await next(request);
        if (!new URL(request.url).pathname.endsWith('/test/invocations')) return response;
        const reading = parseJson(await response.text());
        return Response.json(blind(reading.ok ? reading.value : null), { status: response.status });
      },
    }),
  },
  'catch-up-twice': {
    breaks: 'Catch-up writes the missing events twice.',
    kills: ['once.effect-not-appended'],
    parts: withLedger({ caughtUp: (missing) => missing.flatMap((event) => [event, event]) }),
  },
  'in-flight-for-ever': {
    breaks: 'A call that was in flight when its worker was lost is waited for without end.',
    kills: ['once.executed-not-recorded'],
    waits: true,
    parts: withLedger(({ decide }) => ({
      decide: (found, attempt) => {
        const decision = decide(found, attempt);
        return decision.kind === 'Rejected' ? { kind: 'WaitOtherWorker' } : decision;
      },
    })),
  },
  'in-doubt-executed-again': {
    breaks: 'A call that may have been executed is executed again.',
    kills: ['once.executed-not-recorded', 'once.every-cut'],
    parts: withLedger(({ decide }) => ({
      decide: (found, attempt) => {
        const decision = decide(found, attempt);
        return decision.kind === 'Rejected' ? { kind: 'AllowExecute', takeOver: true } : decision;
      },
    })),
  },
  'never-reclaimed': {
    breaks: 'A call whose worker was lost before it declared the call is given up.',
    kills: ['once.before-execution'],
    parts: withLedger(({ decide }) => ({
      decide: (found, attempt) => {
        const decision = decide(found, attempt);
        return decision.kind === 'AllowExecute' && decision.takeOver ? { kind: 'Rejected' } : decision;
      },
    })),
  },
  'ledger-before-stream': {
    breaks: 'Recovery believes the ledger where the stream holds more.',
    kills: ['once.appended-not-committed', 'once.stream-is-authority'],
    parts: withLedger(({ decide }) => ({
      decide: (found, attempt) =>
        found.ledger === 'RECOVERABLE' && found.stream !== 'none' ? { kind: 'Rejected' } : decide(found, attempt),
    })),
  },
  'committed-executed-again': {
    breaks: 'A committed call is executed again by the worker that recovers.',
    kills: ['once.committed'],
    parts: withLedger(({ decide }) => ({
      decide: (found, attempt) =>
        found.ledger === 'COMMITTED' ? { kind: 'AllowExecute', takeOver: false } : decide(found, attempt),
      acquire: () => 'read, then write',
    })),
  },
  'patience-lost-at-the-third-attempt': {
    breaks: 'A call in doubt is executed again by the third worker that comes to it.',
    kills: ['once.every-cut.recovery'],
    parts: withLedger(({ decide, acquire }) => ({
      decide: (found, attempt) => {
        const decision = decide(found, attempt);
        return decision.kind === 'Rejected' && attempt === '3' ? { kind: 'AllowExecute', takeOver: false } : decision;
      },
      acquire: (call) => (call.attempt === '3' ? 'read, then write' : acquire(call)),
    })),
  },
  'stale-worker-writes': {
    breaks: "A worker's writes are taken after another one has written.",
    kills: ['once.single-owner', 'once.single-owner.reclaim'],
    parts: withLedger({ refusesStale: () => false }),
  },
};

/** What was found, without the effects. */
function blind(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(blind);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, name === 'effect' ? false : blind(each)]),
  );
}
