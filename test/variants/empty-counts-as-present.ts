import { member } from '../../reference-host/json.ts';
import type { Variant } from './variant.ts';

const OPTIONALS = ['tools', 'temperature', 'topP', 'topK', 'responseFormat'];

function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** An explicit empty list of tools and an explicit null count as present in the key. */
export const emptyCountsAsPresent: Variant = {
  id: 'empty-counts-as-present',
  parts: ({ projectRequest }) => ({
    projectRequest: (request) => ({
      ...Object.fromEntries(
        OPTIONALS.filter((name) => isEmpty(member(request, name))).map((name) => [name, member(request, name)]),
      ),
      ...projectRequest(request),
    }),
  }),
};
