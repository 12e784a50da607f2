import { isObject, member } from '../../json.ts';
import type { RefusalDivergence } from '../../types/world.ts';
import { type Defect, type Defects, within } from '../mutant.ts';
import { describing, isOfRefused, raising, raisingAgain } from '../shared/refusal-parts.ts';
import { withPayload } from '../shared/replay-parts.ts';

/** What is red where the event says something else, whichever envelope was refused. */
const PAYLOAD = ['refusal.payload.valid-to-refusal'];
/** What is red where it points somewhere else. */
const PLACE = ['refusal.locates-the-call.valid-to-refusal'];

/** A defect of the divergence event: some members say something else, or nothing. */
function saying(breaks: string, members: (divergence: RefusalDivergence) => object): Defect {
  const parts = describing((divergence) => ({ ...divergence, ...members(divergence) }));
  return { breaks, kills: PAYLOAD, parts };
}

/** What the divergence event says. */
export const defects: Defects = {
  'refusal-kinds-equal': saying("The event names the kind of the replay's envelope twice.", (divergence) => ({
    originalEnvelopeKind: divergence.replayEnvelopeKind,
  })),
  'refusal-kinds-swapped': saying('The event names the two kinds of envelope the wrong way round.', (divergence) => ({
    originalEnvelopeKind: divergence.replayEnvelopeKind,
    replayEnvelopeKind: divergence.originalEnvelopeKind,
  })),
  'refusal-without-source': saying('The event has no sourceRunId.', () => ({ sourceRunId: undefined })),
  'refusal-without-place': saying('The event has no atSequence.', () => ({ atSequence: undefined })),
  'refusal-without-original-kind': saying('The event has no originalEnvelopeKind.', () => ({
    originalEnvelopeKind: undefined,
  })),
  'refusal-without-replay-kind': saying('The event has no replayEnvelopeKind.', () => ({
    replayEnvelopeKind: undefined,
  })),
  'answer-without-replay-kind': {
    breaks: 'The event has no replayEnvelopeKind where the source was refused.',
    kills: ['refusal.payload.refusal-to-valid'],
    parts: raising((raised) => [isOfRefused(raised) ? withPayload(raised, { replayEnvelopeKind: undefined }) : raised]),
  },
  'refusal-names-the-replay': {
    breaks: 'The event names the replay as its source.',
    kills: PAYLOAD,
    parts: raising((raised, { run }) => [withPayload(raised, { sourceRunId: run.runId })]),
  },
  'refusal-kind-misnamed': saying('The event calls a valid envelope `ok`.', (divergence) => ({
    originalEnvelopeKind: named(divergence.originalEnvelopeKind),
    replayEnvelopeKind: named(divergence.replayEnvelopeKind),
  })),
  'refusal-past-the-end': {
    breaks: 'The event points at a sequence number that neither log has.',
    kills: PLACE,
    parts: describing((divergence) => ({ ...divergence, atSequence: divergence.atSequence + 1_000_000 })),
  },
  'answer-past-the-end': {
    breaks: 'The event points at a sequence number that neither log has where the source was refused.',
    kills: ['refusal.locates-the-call.refusal-to-valid'],
    parts: raising((raised) => [isOfRefused(raised) ? withPayload(raised, { atSequence: 1_000_000 }) : raised]),
  },
  'refusal-names-another-event': {
    breaks: "The event gives the id of the source's first event as the original.",
    kills: PLACE,
    parts: raising((raised, { source }) => [withPayload(raised, { originalEventId: source()[0]?.eventId ?? '' })]),
  },
  'refusal-names-another-node': {
    breaks: 'The event names another node.',
    kills: PLACE,
    parts: describing((divergence) => ({ ...divergence, nodeId: 'another-node' })),
  },
  'refusal-names-the-first-calls-event': {
    breaks: 'The event gives the id of the first model call of the run as the original, whichever diverged.',
    kills: ['refusal.mid-graph'],
    parts: raising((raised, { source }) => {
      const first = source().find(({ nodeId }) => nodeId === 'first-call');
      const isLater = raised.nodeId === 'second-call' && first !== undefined;
      return [isLater ? withPayload(raised, { originalEventId: first.eventId }) : raised];
    }),
  },
  'refusal-kind-of-the-first-call': {
    breaks: 'After a model call that was answered as recorded, the event calls both envelopes valid.',
    kills: ['refusal.payload.mid-graph'],
    parts: raising((raised) => [
      raised.nodeId === 'second-call' ? withPayload(raised, { replayEnvelopeKind: 'valid' }) : raised,
    ]),
  },
  'refusal-kind-of-the-third-call': {
    breaks: 'After two model calls that were answered as recorded, the event calls both envelopes valid.',
    kills: ['refusal.payload.mid-graph'],
    parts: raising((raised) => [
      raised.nodeId === 'third-call' ? withPayload(raised, { replayEnvelopeKind: 'valid' }) : raised,
    ]),
  },
  'refusal-of-a-replay-past-the-end': {
    breaks: 'In a replay of a replay the event points at a sequence number that no log has.',
    kills: ['refusal.locates-the-call.valid-to-refusal'],
    parts: raisingAgain((raised) => [withPayload(raised, { atSequence: 1_000_000 })]),
  },
  'refusal-names-the-first-source': {
    breaks: 'In a replay of a replay the event names the run that was replayed first.',
    kills: ['refusal.payload.valid-to-refusal'],
    parts: ({ written }) => {
      const sources = new Map<string, string>();
      return {
        written: (draft, writing) => {
          const { runId, fork } = writing.run;
          if (fork !== undefined) sources.set(runId, fork.parentRunId);
          const first = sources.get(fork?.parentRunId ?? '');
          return written(draft, writing).map((each) =>
            each.type === 'replay.divergedAtRefusal' && first !== undefined
              ? withPayload(each, { sourceRunId: first })
              : each,
          );
        },
      };
    },
  },
  'refusal-text-as-reason': {
    breaks: "The event gives the provider's own words as the reason.",
    kills: ['refusal.reason-redacted.valid-to-refusal'],
    parts: within('refusal', () => ({ reason: (text) => text })),
  },
  'refusal-text-in-the-failure': {
    breaks: "A replay that met the other kind of envelope repeats the provider's own words where it fails.",
    kills: ['refusal.reason-redacted.valid-to-refusal'],
    parts: ({ refusal, written }) => {
      let said = '';
      return {
        refusal: { ...refusal, reason: (text) => refusal.reason((said = text ?? said)) },
        written: (draft, writing) =>
          written(draft, writing).map((each) => {
            const error = member(each.payload, 'error');
            const isRefusal = each.type === 'run.failed' && member(error, 'code') === refusal.errorCode();
            return isRefusal ? withPayload(each, { error: { ...Object(error), message: said } }) : each;
          }),
      };
    },
  },
  'answer-repeats-the-refusal': {
    breaks: "The event gives the provider's own words as the reason where the source was refused.",
    kills: ['refusal.reason-redacted.refusal-to-valid'],
    parts: ({ refusal, written }) => {
      let refusalReason = '';
      return {
        refusal: { ...refusal, reason: (text) => refusal.reason((refusalReason = text ?? refusalReason)) },
        written: (draft, writing) =>
          written(draft, writing).map((each) =>
            each.type === 'replay.divergedAtRefusal' && isOfRefused(each) ? withPayload(each, { refusalReason }) : each,
          ),
      };
    },
  },
  'refusal-text-in-base64': {
    breaks: "The event gives the provider's own words in base64.",
    kills: ['refusal.reason-redacted.valid-to-refusal'],
    parts: within('refusal', () => ({
      reason: (text) => (text === undefined ? text : Buffer.from(text).toString('base64')),
    })),
  },
  'refusal-blamed-on-the-first-call': {
    breaks: 'The event names the first model call of the run, whichever diverged.',
    kills: ['refusal.mid-graph'],
    parts: raising((raised) =>
      raised.nodeId === 'second-call'
        ? [
            {
              ...raised,
              nodeId: 'first-call',
              payload: { ...(isObject(raised.payload) ? raised.payload : {}), nodeId: 'first-call' },
            },
          ]
        : [raised],
    ),
  },
};

function named(kind: string): string {
  return kind === 'valid' ? 'ok' : kind;
}
