import { isObject } from '../../reference-host/json.ts';
import type { Variant } from './variant.ts';
import { inDiscovery } from './wire.ts';

/** The older layout: everything but the implementation stands under `capabilities` alone. */
export const nestedCapabilities: Variant = {
  id: 'nested-capabilities',
  parts: inDiscovery(({ capabilities, implementation, ...members }) => ({
    implementation,
    capabilities: { ...members, ...(isObject(capabilities) ? capabilities : {}) },
  })),
};
