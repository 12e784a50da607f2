import { isObject } from '../../json.ts';
import type { Defects } from '../mutant.ts';
import { bothDirections, describing, raising, withoutMember } from '../shared/refusal-parts.ts';

/** What the divergence event says. */
export const defects: Defects = {
  'refusal-kinds-equal': {
    breaks: "The event names the kind of the replay's envelope twice.",
    kills: [...bothDirections('payload')],
    parts: describing((divergence) => ({ ...divergence, originalEnvelopeKind: divergence.replayEnvelopeKind })),
  },
  'refusal-kinds-swapped': {
    breaks: 'The event names the two kinds of envelope the wrong way round.',
    kills: [...bothDirections('payload')],
    parts: describing((divergence) => ({
      ...divergence,
      originalEnvelopeKind: divergence.replayEnvelopeKind,
      replayEnvelopeKind: divergence.originalEnvelopeKind,
    })),
  },
  'refusal-without-source': {
    breaks: 'The event has no sourceRunId.',
    kills: [...bothDirections('payload')],
    parts: withoutMember('sourceRunId'),
  },
  'refusal-without-place': {
    breaks: 'The event has no atSequence.',
    kills: [...bothDirections('payload')],
    parts: withoutMember('atSequence'),
  },
  'refusal-without-original-kind': {
    breaks: 'The event has no originalEnvelopeKind.',
    kills: [...bothDirections('payload')],
    parts: withoutMember('originalEnvelopeKind'),
  },
  'refusal-without-replay-kind': {
    breaks: 'The event has no replayEnvelopeKind.',
    kills: [...bothDirections('payload')],
    parts: withoutMember('replayEnvelopeKind'),
  },
  'refusal-names-the-replay': {
    breaks: 'The event names the replay as its source.',
    kills: [...bothDirections('payload')],
    parts: raising((raised, { run }) => [
      { ...raised, payload: { ...(isObject(raised.payload) ? raised.payload : {}), sourceRunId: run.runId } },
    ]),
  },
  'refusal-kind-misnamed': {
    breaks: 'The event calls a valid envelope `ok`.',
    kills: [...bothDirections('payload')],
    parts: describing((divergence) => ({
      ...divergence,
      originalEnvelopeKind: named(divergence.originalEnvelopeKind),
      replayEnvelopeKind: named(divergence.replayEnvelopeKind),
    })),
  },
  'refusal-past-the-end': {
    breaks: 'The event points at a sequence number that neither log has.',
    kills: [...bothDirections('locates-the-call')],
    parts: describing((divergence) => ({ ...divergence, atSequence: divergence.atSequence + 1_000_000 })),
  },
  'refusal-names-another-event': {
    breaks: "The event gives the id of the source's first event as the original.",
    kills: [...bothDirections('locates-the-call')],
    parts: raising((raised, { source }) => [
      {
        ...raised,
        payload: { ...(isObject(raised.payload) ? raised.payload : {}), originalEventId: source()[0]?.eventId ?? '' },
      },
    ]),
  },
  'refusal-names-another-node': {
    breaks: 'The event names another node.',
    kills: [...bothDirections('locates-the-call')],
    alsoBreaks: { 'refusal.mid-graph': 'the replay from the middle names it, too' },
    parts: describing((divergence) => ({ ...divergence, nodeId: 'another-node' })),
  },
  'refusal-text-as-reason': {
    breaks: "The event gives the provider's own words as the reason.",
    kills: [...bothDirections('reason-redacted')],
    parts: ({ refusal }) => ({ refusal: { ...refusal, reason: (text) => text } }),
  },
  'refusal-text-in-base64': {
    breaks: "The event gives the provider's own words in base64.",
    kills: [...bothDirections('reason-redacted')],
    parts: ({ refusal }) => ({
      refusal: { ...refusal, reason: (text) => (text === undefined ? text : Buffer.from(text).toString('base64')) },
    }),
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
