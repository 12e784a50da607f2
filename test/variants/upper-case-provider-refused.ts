import { stringMember } from '../../reference-host/json.ts';
import type { Variant } from './variant.ts';

/** A provider id that is not in lower case is refused. */
export const upperCaseProviderRefused: Variant = {
  id: 'upper-case-provider-refused',
  parts: ({ validateKeyRequest }) => ({
    validateKeyRequest: (request) => {
      const provider = stringMember(request, 'provider') ?? '';
      return provider === provider.toLowerCase() ? validateKeyRequest(request) : 'provider must be in lower case.';
    },
  }),
};
