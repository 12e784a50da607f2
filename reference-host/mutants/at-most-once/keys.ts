import { hash } from 'node:crypto';
import { stringMember } from '../../json.ts';
import type { EventDraft, RunEvent } from '../../store/event.ts';
import { type Defects, type Parts, within } from '../mutant.ts';
import { recalling, withPayload } from '../shared/replay-parts.ts';
import { withoutMember } from '../shared/run-wire.ts';

/** Idempotency keys and external keys. */
export const defects: Defects = {
  'attempt-in-internal-key': {
    breaks: 'The internal idempotency key contains the first attempt.',
    kills: ['once.idempotency-key'],
    parts: within('ledger', ({ idempotencyKey }) => ({
      // That of each worker's own attempt would give each a claim of its own.
      idempotencyKey: (call, canonical) => idempotencyKey(call, `${canonical}1`),
    })),
  },
  'second-attempt-in-internal-key': {
    breaks: 'The internal idempotency key contains the attempt, from the second one on.',
    kills: ['once.idempotency-key.retry'],
    parts: within('ledger', ({ idempotencyKey }) => ({
      idempotencyKey: (call, canonical) =>
        idempotencyKey(call, call.attempt === '1' ? canonical : `${canonical}${call.attempt}`),
    })),
  },
  'key-args-unsorted': {
    breaks: 'The internal idempotency key hashes the arguments in the order in which they came.',
    kills: ['once.idempotency-key'],
    parts: within('ledger', ({ idempotencyKey }) => ({
      idempotencyKey: (call) => idempotencyKey(call, JSON.stringify(call.args)),
    })),
  },
  'key-without-separators': {
    breaks: 'The internal idempotency key runs its members together.',
    kills: ['once.idempotency-key'],
    parts: within('ledger', () => ({
      idempotencyKey: ({ runId, nodeId, tool }, canonical) =>
        hash('sha256', `${runId}${nodeId}${tool}${canonical}`, 'hex'),
    })),
  },
  'key-without-args': {
    breaks: 'The internal idempotency key leaves the arguments out.',
    kills: ['once.idempotency-key'],
    parts: within('ledger', ({ idempotencyKey }) => ({ idempotencyKey: (call) => idempotencyKey(call, '{}') })),
  },
  'recorded-by-node': {
    breaks: 'What is recorded of a call is found by its node, whatever its key.',
    kills: ['once.idempotency-key.per-call'],
    parts: within('ledger', () => ({ isSameCall: () => true })),
  },
  'keys-not-written': {
    breaks: 'The events of a tool call hold no idempotency key.',
    kills: ['once.idempotency-key'],
    parts: withoutMember('idempotency_key', () => true),
  },
  'key-not-in-started': {
    breaks: 'The start of a tool call holds no idempotency key, its end does.',
    kills: ['once.idempotency-key'],
    parts: withoutMember('idempotency_key', ({ type }) => type === 'tool_invocation_started'),
  },
  'key-not-in-finished': {
    breaks: 'The end of a tool call holds no idempotency key, its start does.',
    kills: ['once.idempotency-key'],
    parts: withoutMember('idempotency_key', ({ type }) => type === 'tool_invocation_finished'),
  },
  'key-other-in-finished': {
    breaks: 'The end of a tool call holds another idempotency key than its start does.',
    kills: ['once.idempotency-key'],
    parts: () => ({
      eventOnWire: (event) =>
        event.type === 'tool_invocation_finished' ? withPayload(event, { idempotency_key: 'f'.repeat(64) }) : event,
    }),
  },
  'key-of-the-second-tool-hashed-again': {
    breaks: 'The key of a second tool is hashed once more.',
    kills: ['once.idempotency-key.every-run'],
    seenIn: 'once.external-key',
    parts: showingSecond((event) => {
      const key = keyIn(event);
      return key === undefined ? event : withPayload(event, { idempotency_key: hash('sha256', key, 'hex') });
    }),
  },
  'key-of-the-second-tool-not-in-finished': {
    breaks: 'The end of the call of a second tool holds no idempotency key.',
    kills: ['once.idempotency-key.every-run'],
    seenIn: 'once.external-key',
    parts: withoutMember(
      'idempotency_key',
      ({ type, nodeId }) => nodeId === 'second' && type === 'tool_invocation_finished',
    ),
  },
  'key-of-the-second-tool-not-that-of-its-commit': {
    breaks: 'The commit of the call of a second tool holds another key than the call.',
    kills: ['once.idempotency-key.every-run'],
    seenIn: 'once.external-key',
    parts: showingSecond((event) =>
      event.type === 'command_committed' ? withPayload(event, { idempotency_key: 'f'.repeat(64) }) : event,
    ),
  },
  'key-of-a-child-hashed-again': {
    breaks: 'The key of a call of a run that was dispatched is hashed once more.',
    kills: ['once.idempotency-key.every-run'],
    seenIn: 'handoff.replays',
    parts: ({ written }) => ({
      written: (draft, writing) => {
        const key = writing.run.dispatchedBy === undefined ? undefined : keyIn(draft);
        if (key === undefined) return written(draft, writing);
        return written(withPayload(draft, { idempotency_key: hash('sha256', key, 'hex') }), writing);
      },
    }),
  },
  'second-tool-committed-before-finished': {
    breaks: 'The call of a second tool is committed before its end is written.',
    kills: ['once.write-order.every-run'],
    seenIn: 'once.external-key',
    parts: showingSecond((event) => ({ ...event, type: SWAPPED[event.type] ?? event.type })),
  },
  'second-tool-finished-as-failure': {
    breaks: 'The end of the call of a second tool that succeeded says that it failed.',
    kills: ['once.write-order.every-run'],
    seenIn: 'once.external-key',
    parts: showingSecond((event) =>
      event.type === 'tool_invocation_finished' ? withPayload(event, { outcome: 'failure' }) : event,
    ),
  },
  'call-of-a-child-not-committed': {
    breaks: 'The tool calls of runs that were dispatched are never committed.',
    kills: ['once.write-order.every-run'],
    seenIn: 'handoff.replays',
    parts: ({ written }) => ({
      written: (draft, writing) =>
        draft.type === 'command_committed' && writing.run.dispatchedBy !== undefined ? [] : written(draft, writing),
    }),
  },
  'call-of-a-branch-not-committed': {
    breaks: 'The tool calls that branches make themselves are never committed.',
    kills: ['once.write-order.every-run'],
    seenIn: 'once.external-key',
    parts: ({ written }) => ({
      written: (draft, writing) =>
        draft.type === 'command_committed' && writing.run.fork?.mode === 'branch' ? [] : written(draft, writing),
    }),
  },
  'external-key-without-step': {
    breaks: 'All tool calls of a run carry the same external key.',
    kills: ['once.external-key'],
    parts: within('ledger', ({ externalKey }) => ({
      externalKey: (call) => externalKey({ ...call, nodeId: 'run' }),
    })),
  },
  'external-key-not-without-arguments': {
    breaks: 'Tool calls without arguments carry no external key.',
    kills: ['once.external-key'],
    seenIn: 'once.tool-call',
    parts: within('ledger', ({ externalKey }) => ({
      externalKey: (call) => (Object.keys(call.args).length === 0 ? '' : externalKey(call)),
    })),
  },
  'external-key-without-attempt': {
    breaks: 'The external key is the same after a reclaim.',
    kills: ['once.external-key.reclaim'],
    parts: within('ledger', ({ externalKey }) => ({
      externalKey: (call) => externalKey({ ...call, attempt: '0' }),
    })),
  },
  'external-key-anew': {
    breaks: 'Each tool call carries an external key of its own.',
    kills: ['once.external-key'],
    parts: within('ledger', () => ({ externalKey: ({ runId, nodeId }) => `${runId}/${nodeId}` })),
  },
  'branch-names-the-key-of-its-source': {
    breaks: 'The call that a branch makes itself is written under the key of the call that its source made.',
    kills: ['once.idempotency-key'],
    parts: ({ written }) => ({
      written: (draft, writing) => {
        const { run, source } = writing;
        const named =
          run.fork?.mode === 'branch' && keyIn(draft) !== undefined ? source().find(isSameStep(draft)) : undefined;
        const key = keyIn(named);
        return written(key === undefined ? draft : withPayload(draft, { idempotency_key: key }), writing);
      },
    }),
  },
  'branch-called-in-the-name-of-its-source': {
    breaks: 'The calls that a branch makes itself carry the external key of those that its source made.',
    kills: ['once.external-key'],
    parts: ({ ledger, replay }) => {
      const sources = new Map<string, string>();
      return {
        replay: {
          ...replay,
          startsFrom: (state, run) => {
            if (run.fork?.mode === 'branch') sources.set(run.runId, run.fork.parentRunId);
            return replay.startsFrom(state, run);
          },
        },
        ledger: {
          ...ledger,
          externalKey: (call) => ledger.externalKey({ ...call, runId: sources.get(call.runId) ?? call.runId }),
        },
      };
    },
  },
  'child-called-in-the-name-of-its-parent': {
    breaks:
      'The tool calls of runs that were dispatched carry an external key that names the run that dispatched them.',
    kills: ['once.external-key'],
    seenIn: 'handoff.replays',
    parts: ({ ledger, written }) => {
      const parents = new Map<string, string>();
      return {
        written: (draft, writing) => {
          const { runId, dispatchedBy } = writing.run;
          if (dispatchedBy !== undefined) parents.set(runId, dispatchedBy.runId);
          return written(draft, writing);
        },
        ledger: {
          ...ledger,
          externalKey: (call) => ledger.externalKey({ ...call, runId: parents.get(call.runId) ?? call.runId }),
        },
      };
    },
  },
  'charge-called-on-replay': {
    breaks: 'A replay calls a tool that charges again; others it does not call.',
    kills: ['once.idempotency-key.replay'],
    parts: recalling('core.tool.http', (recorded, { nodeId }) => (nodeId === 'charge' ? undefined : recorded)),
  },
  'replay-names-another-key': {
    breaks: 'A replay shows a tool call under a key that is neither its own nor that of its source.',
    kills: ['once.idempotency-key.replay'],
    parts: recalling('core.tool.http', (recorded) => ({
      ...recorded,
      call: { attempt: '1', idempotencyKey: hash('sha256', JSON.stringify(recorded.call ?? {}), 'hex') },
    })),
  },
};

const SWAPPED: Readonly<Record<string, RunEvent['type']>> = {
  tool_invocation_finished: 'command_committed',
  command_committed: 'tool_invocation_finished',
};

/** Shows the events of a second tool otherwise. */
function showingSecond(change: (event: RunEvent) => RunEvent): Parts {
  return () => ({ eventOnWire: (event) => (event.nodeId === 'second' ? change(event) : event) });
}

function keyIn(event: EventDraft | undefined): string | undefined {
  return stringMember(event?.payload, 'idempotency_key');
}

function isSameStep({ type, nodeId }: EventDraft): (event: EventDraft) => boolean {
  return (event) => event.type === type && event.nodeId === nodeId;
}
