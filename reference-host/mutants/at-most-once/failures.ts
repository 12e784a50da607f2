import { member } from '../../json.ts';
import type { Acquire } from '../../policies/ledger.ts';
import { because, type Defects, within } from '../mutant.ts';
import { withPayload } from '../shared/replay-parts.ts';
import { writingInstead } from '../shared/silent-replays.ts';

/** Takes the record of a call that has failed, too, and that of a process that is gone. */
const overFailures: Acquire = (ledger, place, { owner, leaseUntil }) => {
  if (ledger.acquire(place, owner, leaseUntil)) return true;
  const record = ledger.get(place);
  if (record?.state === 'COMMITTED') return record.result?.includes('"failed"') === true;
  return record !== undefined && record.host !== owner.host;
};

/** Calls that fail. */
export const defects: Defects = {
  'failure-is-no-record': {
    breaks: 'A recorded failure counts as nothing, and the tool is called again.',
    kills: ['once.failed-call.crash'],
    alsoBreaks: because('a replay calls a tool again that has failed', 'replay.no-second-external-call'),
    parts: within('ledger', () => ({ isResult: ({ kind }) => kind !== 'failed', acquire: () => overFailures })),
  },
  'failure-forgotten': {
    breaks: 'A failure that the stream holds is injected after a death as an answer.',
    kills: ['once.failed-call.crash'],
    parts: within('ledger', () => ({
      injected: (answer, { stream, ledger }) =>
        answer.kind === 'failed' && stream === 'finished' && ledger !== 'NEW'
          ? { kind: 'answered', answer: {} }
          : answer,
    })),
  },
  'unheard-failure-is-no-record': {
    breaks: 'The recorded failure of a call that got no answer counts as nothing, and the tool is called again.',
    kills: ['replay.no-second-external-call'],
    parts: within('ledger', () => ({
      isResult: (answer) => answer.kind !== 'failed' || answer.message.includes('status'),
    })),
  },
  'recorded-failure-in-other-words': {
    breaks: 'A replay writes of a call that failed that this was in a replay, and does not report it.',
    kills: ['once.failed-call.replay'],
    parts: writingInstead('tool_invocation_finished', (draft) => [
      member(draft.payload, 'outcome') === 'failure'
        ? withPayload(draft, { error: { code: 'replayed', message: 'This was replayed.' } })
        : draft,
    ]),
  },
  'failure-as-success': {
    breaks: 'A call that got no answer is recorded as one that succeeded.',
    kills: ['once.failed-call'],
    parts: within('ledger', () => ({
      kept: (answer) =>
        answer.kind === 'failed' && !answer.message.includes('status') ? { kind: 'answered', answer: null } : answer,
    })),
  },
  'failure-without-outcome': {
    breaks: 'The end of a call that failed does not say how it ended.',
    kills: ['once.failed-call'],
    parts: () => ({
      eventOnWire: (event) =>
        event.type === 'tool_invocation_finished' && member(event.payload, 'outcome') === 'failure'
          ? { ...event, payload: { idempotency_key: member(event.payload, 'idempotency_key') } }
          : event,
    }),
  },
  'failure-left-in-flight': {
    breaks: 'A call that was answered with an error is left as if nobody knew of it.',
    kills: ['once.failed-call'],
    parts: within('ledger', () => ({ kept: (answer) => (answer.kind === 'failed' ? { kind: 'lost' } : answer) })),
  },
  'unheard-call-left-in-flight': {
    breaks: 'A call that got no answer is left as if nobody knew of it, and its run fails.',
    kills: ['once.failed-call'],
    parts: within('ledger', () => ({
      kept: (answer) => (answer.kind === 'failed' && !answer.message.includes('status') ? { kind: 'lost' } : answer),
    })),
  },
};
