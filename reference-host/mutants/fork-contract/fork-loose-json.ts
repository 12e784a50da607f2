import type { Mutant } from '../mutant.ts';
import { parseJson } from '../../json.ts';
import { forking } from '../shared/fork-parts.ts';

export const forkLooseJson: Mutant = {
  id: 'fork-loose-json',
  breaks: 'The parser takes single quotes and NaN.',
  kills: ['fork.rejects-malformed-body'],
  parts: forking(({ text, send }) => {
    const loose = parseJson(text.replaceAll("'", '"').replaceAll('NaN', 'null'));
    return parseJson(text).ok || !loose.ok ? send() : send({ body: loose.value });
  }),
};
