import type { Requirement } from '../requirement.ts';

/** The rows of the register's group `discovery`, in its order. */
export const discovery: readonly Requirement[] = [
  {
    id: 'discovery.reachable',
    suite: 'discovery',
    level: 'MUST',
    gate: '-',
    clause: 'GET /.well-known/openwop answers 200 with a JSON object, without credentials',
    source: '0041 §D',
  },
  {
    id: 'discovery.shape',
    suite: 'discovery',
    level: 'MUST',
    gate: '-',
    clause: 'the blocks in scope validate against the bundled schema; unknown members are tolerated',
    source: '0041 §D',
  },
  {
    id: 'discovery.execution-model',
    suite: 'discovery',
    level: 'MUST',
    gate: '-',
    clause: 'executionModel, when present, has boolean `supported` and integer `version` >= 1',
    source: '0037 §C',
  },
  {
    id: 'discovery.replay-determinism',
    suite: 'discovery',
    level: 'MUST',
    gate: '-',
    clause: 'replayDeterminism, when present, is a closed object with boolean `supported`',
    source: '0041 §D',
  },
  {
    id: 'discovery.recipe-identifier',
    suite: 'discovery',
    level: 'MUST',
    gate: '-',
    clause: 'llmCacheKeyRecipe is `spec-rfc-0041` or `x-host-<host>-<recipe>`',
    source: '0041 §D',
  },
  {
    id: 'discovery.version-four-complete',
    suite: 'discovery',
    level: 'MUST',
    gate: '-',
    clause: 'version >= 4 comes with supported: true, a named recipe and refusalDivergenceEmission: true',
    source: '0041 §D',
  },
  {
    id: 'discovery.vendor-recipe-documented',
    suite: 'discovery',
    level: 'MUST',
    gate: 'vendor recipe',
    clause: "a vendor recipe's algorithm is documented at the discovery document",
    source: '0041 §D',
  },
  {
    id: 'schema.discovery',
    suite: 'discovery',
    level: 'SHOULD',
    gate: '-',
    clause: 'members of the discovery document that the wire contract alone describes fit their schema',
    source: 'wire',
  },
];
