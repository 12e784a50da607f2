import { isObject, type JsonObject, member, stringMember } from '../../json.ts';
import type { HostParts } from '../../parts.ts';
import { isTerminal, type RunEvent } from '../../store/event.ts';
import type { RefusalDivergence } from '../../types/world.ts';
import { because, type Defects, type Parts, within } from '../mutant.ts';
import { BOTH_CONTRACTS, isOfRefused, raising, sourceAnswer } from '../shared/refusal-parts.ts';
import { withPayload } from '../shared/replay-parts.ts';
import { notThere, showingEvents } from '../shared/run-wire.ts';
import { losingEvents, writingPayloads } from '../shared/silent-replays.ts';

/** What a refusal may change. */
export const defects: Defects = {
  'source-answer-kept': {
    breaks: 'A replay that met the other kind of envelope goes on with the one of its source.',
    kills: BOTH_CONTRACTS,
    parts: within('refusal', () => ({ onDivergence: () => 'go on', goesOnWith: sourceAnswer })),
  },
  'replayed-refusal-hidden': {
    breaks: 'The log of a replay that is served a recorded refusal does not show it.',
    kills: ['refusal.cached-refusal'],
    parts: losingEvents('envelope.refusal'),
  },
  'replayed-refusal-in-other-words': {
    breaks: 'The log of a replay that is served a recorded refusal shows that the model stopped for another reason.',
    kills: ['refusal.cached-refusal'],
    parts: writingPayloads('envelope.refusal', (payload) => ({ ...payload, stopReason: 'replayed' })),
  },
  'history-of-a-chain-rewritten': {
    breaks: 'A replay of several model calls has other values before the call that diverges.',
    kills: ['refusal.mid-graph'],
    parts: ({ written }) => ({
      written: (draft, writing) =>
        written(draft, writing).map((each) =>
          writing.run.fork?.mode === 'replay' &&
          writing.run.workflowId === 'conformance-determinism-llm-chain' &&
          each.type === 'variable.changed'
            ? withPayload(each, { value: 'rewritten' })
            : each,
        ),
    }),
  },
  'refusal-writes-the-answer': {
    breaks:
      'The answer that a replay gets instead of a refusal is written into the state before the divergence is reported.',
    kills: ['refusal.no-silent-substitution.refusal-to-valid'],
    parts: raising((raised) => {
      const isValid = stringMember(raised.payload, 'replayEnvelopeKind') === 'valid';
      const change = { type: 'variable.changed', payload: { name: 'answer', value: { valid: true } } } as const;
      return isValid ? [change, raised] : [raised];
    }),
  },
  'refusal-keeps-the-answer': {
    breaks: 'The snapshot of a replay that was refused holds the answer of its source.',
    kills: ['refusal.no-silent-substitution.valid-to-refusal'],
    parts: raising((raised, { source }) => {
      const kept = source().find(({ type, nodeId }) => type === 'variable.changed' && nodeId === raised.nodeId);
      return kept === undefined ? [raised] : [{ type: 'variable.changed', payload: kept.payload }, raised];
    }),
  },
  'answer-remembered-behind-the-divergence': {
    breaks: 'The answer that a replay gets instead of a refusal is written into the memory behind the divergence.',
    kills: ['refusal.no-silent-substitution.refusal-to-valid'],
    parts: raising((raised) => {
      const { nodeId } = raised;
      const payload = { memoryId: 'answers', content: '{"valid":true}' };
      const memory = { type: 'memory.written', payload, ...(nodeId === undefined ? {} : { nodeId }) } as const;
      return isOfRefused(raised) ? [raised, memory] : [raised];
    }),
  },
  'answer-in-the-node-state': {
    breaks: 'The snapshot of a replay that is answered instead of refused shows the answer as the output of its node.',
    kills: ['refusal.no-silent-substitution.refusal-to-valid'],
    parts: onceRaisedShowing({ valid: true }),
  },
  'refusal-rewrites-the-source': {
    breaks: "A replay that met the other kind of envelope changes what its source's log says about the node.",
    kills: ['refusal.source-untouched.valid-to-refusal'],
    parts: rewritingTheSource(() => true),
  },
  'answer-rewrites-the-source': {
    breaks: 'A replay that is answered where its source was refused changes what the log of that says about the node.',
    kills: ['refusal.source-untouched.refusal-to-valid'],
    parts: rewritingTheSource(({ originalEnvelopeKind }) => originalEnvelopeKind === 'refusal'),
  },
  'refusal-empties-variables': {
    breaks: 'A replay that diverged at a refusal loses the variables that were written before.',
    kills: ['run.snapshot-agrees'],
    seenIn: 'refusal.mid-graph',
    parts: ({ snapshotOnWire, refusal }) => ({
      snapshotOnWire: (snapshot) =>
        snapshotOnWire(
          member(snapshot['error'], 'code') === refusal.errorCode() ? { ...snapshot, variables: {} } : snapshot,
        ),
    }),
  },
  'refusal-in-the-source-snapshot': {
    breaks: "A replay that met the other kind of envelope shows in its source's snapshot.",
    kills: ['refusal.source-untouched.valid-to-refusal'],
    parts: onceDiverged('sourceRunId', (isTouched, { snapshotOnWire }) => ({
      snapshotOnWire: (snapshot) =>
        snapshotOnWire(isTouched(snapshot['runId']) ? { ...snapshot, channels: { diverged: true } } : snapshot),
    })),
  },
  'refusal-tags-the-source': {
    breaks: 'A replay that met the other kind of envelope puts a tag on its source.',
    kills: ['refusal.source-untouched.valid-to-refusal'],
    parts: onceDiverged('sourceRunId', (isTouched, { snapshotOnWire }) => ({
      snapshotOnWire: (snapshot) =>
        snapshotOnWire(isTouched(snapshot['runId']) ? { ...snapshot, tags: ['touched'] } : snapshot),
    })),
  },
  'refusal-stamps-the-source-anew': {
    breaks: "A replay that met the other kind of envelope gives the events of its source's log other times.",
    kills: ['refusal.source-untouched.valid-to-refusal'],
    parts: onceDiverged('sourceRunId', (isTouched) => ({
      middleware: showingEvents(isTouched, (event) => [{ ...event, timestamp: '2030-01-01T00:00:00.000Z' }]),
    })),
  },
  'answer-rewrites-the-error-of-the-source': {
    breaks: 'A replay that is answered where its source was refused changes the message of the error in its snapshot.',
    kills: ['refusal.source-untouched.refusal-to-valid'],
    parts: onceDiverged(
      'sourceRunId',
      (isTouched, { snapshotOnWire }) => ({
        snapshotOnWire: (snapshot) => {
          const { error } = snapshot;
          const isMeant = isTouched(snapshot['runId']) && isObject(error);
          return snapshotOnWire(isMeant ? { ...snapshot, error: { ...error, message: 'It was replayed.' } } : snapshot);
        },
      }),
      ({ originalEnvelopeKind }) => originalEnvelopeKind === 'refusal',
    ),
  },
  'refusal-cuts-the-source': {
    breaks: "A replay that met the other kind of envelope takes the end of its source's log away.",
    kills: ['refusal.source-untouched.valid-to-refusal'],
    alsoBreaks: because('a log without an end is one, whoever took it', 'sequence.single-terminal-event'),
    waits: true,
    parts: onceDiverged('sourceRunId', (isTouched) => ({
      middleware: showingEvents(isTouched, (event) => (isTerminal(event['type'] as RunEvent['type']) ? [] : [event])),
    })),
  },
  'refusal-deletes-the-source': {
    breaks: 'The source of a replay that met the other kind of envelope is not there any more.',
    kills: ['refusal.source-untouched.valid-to-refusal'],
    waits: true,
    parts: onceDiverged('sourceRunId', (isTouched) => ({ middleware: notThere(isTouched) })),
  },
};

/** The snapshot of a run that diverged where its source was refused shows an output of the node that did. */
function onceRaisedShowing(output: JsonObject): Parts {
  return (conformant) => {
    const nodes = new Map<string, string>();
    const { written, snapshotOnWire } = conformant;
    return {
      written: (draft, writing) => {
        const drafts = written(draft, writing);
        const raised = drafts.find((each) => each.type === 'replay.divergedAtRefusal' && isOfRefused(each));
        if (raised?.nodeId !== undefined) nodes.set(writing.run.runId, raised.nodeId);
        return drafts;
      },
      snapshotOnWire: (snapshot) => {
        const nodeId = nodes.get(String(snapshot['runId']));
        if (nodeId === undefined) return snapshotOnWire(snapshot);
        const states = { ...(member(snapshot, 'nodeStates') as object), [nodeId]: { status: 'failed', output } };
        return snapshotOnWire({ ...snapshot, nodeStates: states });
      },
    };
  };
}

/** The event at which such a replay diverged says something else in the log of its source. */
function rewritingTheSource(isMeant: (divergence: RefusalDivergence) => boolean): Parts {
  return onceDiverged(
    'originalEventId',
    (isTouched, { eventOnWire }) => ({
      eventOnWire: (event, reading) =>
        eventOnWire(isTouched(event.eventId) ? { ...event, payload: { diverged: true } } : event, reading),
    }),
    isMeant,
  );
}

/** Does otherwise by what replays that met the other kind of envelope name: their sources, or the events of these. */
function onceDiverged(
  name: 'originalEventId' | 'sourceRunId',
  otherwise: (isTouched: (id: unknown) => boolean, conformant: HostParts) => Partial<HostParts>,
  isMeant: (divergence: RefusalDivergence) => boolean = () => true,
): Parts {
  return (conformant) => {
    const touched = new Set<unknown>();
    const { refusal } = conformant;
    return {
      refusal: {
        ...refusal,
        payload: (divergence) => {
          if (isMeant(divergence)) touched.add(divergence[name]);
          return refusal.payload(divergence);
        },
      },
      ...otherwise((id) => touched.has(id), conformant),
    };
  };
}
