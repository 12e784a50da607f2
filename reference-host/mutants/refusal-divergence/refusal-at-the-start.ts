import type { Mutant } from '../mutant.ts';
import { isObject } from '../../json.ts';
import { bothDirections, raising } from '../shared/refusal-parts.ts';

export const refusalAtTheStart: Mutant = {
  id: 'refusal-at-the-start',
  breaks: "The event points at the start of the source's log.",
  kills: [...bothDirections('locates-the-call')],
  parts: raising((raised, { source }) => [
    {
      ...raised,
      payload: { ...(isObject(raised.payload) ? raised.payload : {}), atSequence: source()[0]?.sequence ?? 0 },
    },
  ]),
};
