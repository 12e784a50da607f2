import type { Mutant } from './mutant.ts';
import { isObject, member } from '../json.ts';
import { OFFLINE } from './shared/checks.ts';
import { projecting, without } from './shared/key-parts.ts';

export const responseSchemaOmitted: Mutant = {
  id: 'response-schema-omitted',
  breaks: 'The schema of responseFormat is left out of the key.',
  kills: [...OFFLINE, 'cache-key.includes-recipe-fields'],
  parts: projecting((projected) => {
    const format = member(projected, 'responseFormat');
    return isObject(format) ? { ...projected, responseFormat: without(format, 'schema') } : projected;
  }),
};
