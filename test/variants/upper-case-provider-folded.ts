import { stringMember } from '../../reference-host/json.ts';
import type { Variant } from './variant.ts';

/** A provider id is folded to lower case before it is hashed. */
export const upperCaseProviderFolded: Variant = {
  id: 'upper-case-provider-folded',
  parts: ({ projectRequest }) => ({
    projectRequest: (request) => {
      const provider = stringMember(request, 'provider') ?? '';
      return { ...projectRequest(request), provider: provider.toLowerCase() };
    },
  }),
};
