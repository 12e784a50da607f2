import type { Mutant } from '../mutant.ts';

export const jsonPayloadDiffers: Mutant = {
  id: 'json-payload-differs',
  breaks: 'The JSON log shows payloads without their node.',
  kills: ['sequence.transports-agree'],
  parts: () => ({
    eventOnWire: (event, reading) =>
      reading === 'json' && event.type.startsWith('node.') ? { ...event, payload: { node: event.nodeId } } : event,
  }),
};
