import { member } from '../../reference-host/json.ts';
import type { Variant } from './variant.ts';

/** replay.divergedAtRefusal has the four required members only, and its atSequence counts in the replay's own log. */
export const bareRefusalEvent: Variant = {
  id: 'bare-refusal-event',
  parts: ({ eventOnWire }) => ({
    eventOnWire: (event, reading) => {
      if (event.type !== 'replay.divergedAtRefusal') return eventOnWire(event, reading);
      const { nodeId: _, ...bare } = event;
      const payload = {
        sourceRunId: member(event.payload, 'sourceRunId'),
        atSequence: event.sequence,
        originalEnvelopeKind: member(event.payload, 'originalEnvelopeKind'),
        replayEnvelopeKind: member(event.payload, 'replayEnvelopeKind'),
      };
      return eventOnWire({ ...bare, payload }, reading);
    },
  }),
};
