import type { Mutant } from '../mutant.ts';
import { isObject } from '../../json.ts';
import { bothDirections, raising } from '../shared/refusal-parts.ts';

export const refusalNamesAnotherEvent: Mutant = {
  id: 'refusal-names-another-event',
  breaks: "The event gives the id of the source's first event as the original.",
  kills: [...bothDirections('locates-the-call')],
  parts: raising((raised, { source }) => [
    {
      ...raised,
      payload: { ...(isObject(raised.payload) ? raised.payload : {}), originalEventId: source()[0]?.eventId ?? '' },
    },
  ]),
};
