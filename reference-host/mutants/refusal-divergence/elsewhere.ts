import { isObject, member } from '../../json.ts';
import type { HostParts } from '../../parts.ts';
import type { EventDraft } from '../../store/event.ts';
import { type Defects, type Parts } from '../mutant.ts';
import { isOfRefused, raising } from '../shared/refusal-parts.ts';
import { withPayload } from '../shared/replay-parts.ts';

/** What is red where a call between two others is replayed otherwise than that of a run of one. */
const CHAIN = ['refusal.mid-graph'];
const KINDS = 'refusal.valid-to-refusal.kinds';

const SECOND = /^second-call$/u;
const OTHER_KINDS = /^(?:chat|tool-calling)-/u;

/** Writes something else where a replay says that calls of these nodes diverged. */
function raisingFor(nodes: RegExp, change: (raised: EventDraft) => readonly EventDraft[]): Parts {
  return raising((raised) => (nodes.test(raised.nodeId ?? '') ? change(raised) : [raised]));
}

/** Ends otherwise where a replay has said that a call of these nodes diverged. */
function endingFor(nodes: RegExp, change: (end: EventDraft) => EventDraft): Parts {
  return ({ written }) => {
    const diverged = new Set<string>();
    return {
      written: (draft, writing) => {
        const isEnd = draft.type === 'run.failed' && diverged.has(writing.run.runId);
        const drafts = written(isEnd ? change(draft) : draft, writing);
        const raised = drafts.find(({ type }) => type === 'replay.divergedAtRefusal');
        if (nodes.test(raised?.nodeId ?? '')) diverged.add(writing.run.runId);
        return drafts;
      },
    };
  };
}

function completing(): EventDraft {
  return { type: 'run.completed', payload: {} };
}

function withCode(end: EventDraft): EventDraft {
  const error = member(end.payload, 'error');
  return withPayload(end, { error: { ...(isObject(error) ? error : {}), code: 'node_failed' } });
}

/** The nodes behind run all the same. */
function goingOnBehind(nodes: RegExp): Parts {
  return ({ refusal, written }: HostParts) => {
    let isMeant = false;
    return {
      written: (draft, writing) => {
        const drafts = written(draft, writing);
        const raised = drafts.find(({ type }) => type === 'replay.divergedAtRefusal');
        if (raised !== undefined) isMeant = nodes.test(raised.nodeId ?? '');
        return drafts;
      },
      endsRun: ({ code }) => code !== refusal.errorCode() || !isMeant,
    };
  };
}

function completedWith(raised: EventDraft): readonly EventDraft[] {
  return [raised, { ...raised, type: 'node.completed', payload: { output: { valid: false } } }];
}

/** Replays that keep the contract about refusals in a run of one structured call, and nowhere else. */
export const defects: Defects = {
  'refusal-in-a-longer-graph-does-not-fail': {
    breaks: 'A replay that is refused behind another model call says so and completes.',
    kills: CHAIN,
    parts: endingFor(SECOND, completing),
  },
  'refusal-in-a-longer-graph-under-another-code': {
    breaks: 'A replay that is refused behind another model call fails as at any other failure of a node.',
    kills: CHAIN,
    parts: endingFor(SECOND, withCode),
  },
  'refusal-in-a-longer-graph-does-not-stop': {
    breaks: 'The nodes after a model call that was refused behind another one run all the same.',
    kills: CHAIN,
    parts: goingOnBehind(SECOND),
  },
  'refusal-in-a-longer-graph-as-output': {
    breaks: 'A model call that was refused behind another one completes after it has said so.',
    kills: CHAIN,
    parts: raisingFor(SECOND, completedWith),
  },
  'refusal-in-a-longer-graph-with-generic-divergence': {
    breaks: 'A replay that is refused behind another model call says so with both events.',
    kills: CHAIN,
    parts: raisingFor(SECOND, (raised) => [raised, { ...raised, type: 'replay.diverged' }]),
  },
  'refusal-in-a-longer-graph-past-the-end': {
    breaks:
      'Where a model call is refused behind another one, the event points at a sequence number that neither log has.',
    kills: CHAIN,
    parts: raisingFor(SECOND, (raised) => [withPayload(raised, { atSequence: 9999 })]),
  },
  'refusal-of-the-third-call-at-the-start': {
    breaks: "Where a model call is refused behind two others, the event points at the start of the source's log.",
    kills: ['refusal.mid-graph.other-calls'],
    parts: raising((raised, { source }) =>
      raised.nodeId === 'third-call' ? [withPayload(raised, { atSequence: source()[0]?.sequence ?? 0 })] : [raised],
    ),
  },
  'refusal-of-other-nodes-as-output': {
    breaks: 'A chat or a tool-calling node that met the other kind of envelope completes after it has said so.',
    kills: ['refusal.no-silent-substitution.valid-to-refusal'],
    seenIn: KINDS,
    parts: raisingFor(OTHER_KINDS, completedWith),
  },
  'refusal-of-other-nodes-raised-twice': {
    breaks: 'Of a chat or a tool-calling node a replay says twice that it met the other kind of envelope.',
    kills: ['refusal.distinct-event.valid-to-refusal'],
    seenIn: KINDS,
    parts: raisingFor(OTHER_KINDS, (raised) => [raised, raised]),
  },
  'refusal-of-other-nodes-without-kinds': {
    breaks: 'Of a chat or a tool-calling node the event does not say which kinds of envelope it had.',
    kills: ['refusal.payload.valid-to-refusal'],
    seenIn: KINDS,
    parts: raisingFor(OTHER_KINDS, (raised) => [
      withPayload(raised, { originalEnvelopeKind: undefined, replayEnvelopeKind: undefined }),
    ]),
  },
  'refusal-of-other-nodes-past-the-end': {
    breaks: 'Of a chat or a tool-calling node the event points at a sequence number that neither log has.',
    kills: ['refusal.locates-the-call.valid-to-refusal'],
    seenIn: KINDS,
    parts: raisingFor(OTHER_KINDS, (raised) => [withPayload(raised, { atSequence: 1_000_000 })]),
  },
  'refusal-text-of-other-nodes': {
    breaks: "Of a chat or a tool-calling node the event gives the provider's own words as the reason.",
    kills: ['refusal.reason-redacted.valid-to-refusal'],
    seenIn: KINDS,
    parts: (conformant) => {
      let said = '';
      const { refusal } = conformant;
      return {
        refusal: { ...refusal, reason: (text) => refusal.reason((said = text ?? said)) },
        ...raisingFor(OTHER_KINDS, (raised) =>
          isOfRefused(raised) ? [raised] : [withPayload(raised, { refusalReason: said })],
        )(conformant),
      };
    },
  },
};
