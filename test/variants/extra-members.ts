import { isObject, member, type JsonObject } from '../../reference-host/json.ts';
import type { Variant } from './variant.ts';
import { inDiscovery, onWire, rewritingJson } from './wire.ts';

function more(block: unknown): unknown {
  return isObject(block) ? { ...block, acmeExtra: true } : block;
}

/** replayDeterminism is the one closed block. */
function withExtra(document: unknown): JsonObject {
  const multiAgent = member(document, 'multiAgent');
  return {
    ...(isObject(multiAgent) ? multiAgent : {}),
    executionModel: more(member(multiAgent, 'executionModel')),
    acmeAgents: 12,
  };
}

/** Members that no document names stand in every JSON answer but refusals, whose envelope is closed, in the blocks of discovery and in every event. */
export const extraMembers: Variant = {
  id: 'extra-members',
  parts: (conformant) => ({
    ...rewritingJson(/^/, (body, { ok }) => (ok ? { acmeTrace: 'f00d', __acme: { deep: [null] }, ...body } : body))(),
    ...onWire((shown) => ({ ...shown, acmeShard: 7, engineVersion: '9.9.9', schemaVersion: 3 }))(conformant),
    ...inDiscovery((document) => ({
      ...Object.fromEntries(Object.entries(document).map(([name, block]) => [name, more(block)])),
      acme: { tier: 'gold' },
      multiAgent: withExtra(document),
    }))(conformant),
  }),
};
