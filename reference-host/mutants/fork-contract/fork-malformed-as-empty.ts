import type { Mutant } from '../mutant.ts';
import { parseJson } from '../../json.ts';
import { forking } from '../shared/fork-parts.ts';

export const forkMalformedAsEmpty: Mutant = {
  id: 'fork-malformed-as-empty',
  breaks: 'A body that is not JSON counts as a replay.',
  kills: ['fork.rejects-malformed-body'],
  parts: forking(({ text, send }) => (parseJson(text).ok ? send() : send({ body: { mode: 'replay' } }))),
};
