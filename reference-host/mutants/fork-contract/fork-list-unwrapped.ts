import type { Mutant } from '../mutant.ts';
import { parseJson } from '../../json.ts';
import { forking } from '../shared/fork-parts.ts';

export const forkListUnwrapped: Mutant = {
  id: 'fork-list-unwrapped',
  breaks: 'Of a list of fork requests the first one is carried out.',
  kills: ['fork.rejects-malformed-body'],
  parts: forking(({ text, send }) => {
    const reading = parseJson(text);
    const first: unknown = reading.ok && Array.isArray(reading.value) ? reading.value[0] : undefined;
    return first === undefined ? send() : send({ body: first });
  }),
};
