import type { Requirement } from '../requirement.ts';
import { must, rowsOf, should } from './row.ts';

/** The rows of the register's group `discovery`, in its order. */
export const discovery: readonly Requirement[] = rowsOf('discovery', [
  must('discovery.reachable', {
    clause: 'GET /.well-known/openwop answers 200 with a JSON object, without credentials',
    source: '0041 §D',
  }),
  must('discovery.shape', {
    clause: 'the blocks in scope validate against the bundled schema; unknown members are tolerated',
    source: '0041 §D',
  }),
  must('discovery.execution-model', {
    clause: 'executionModel, when present, has boolean `supported` and integer `version` >= 1',
    source: '0037 §C',
  }),
  must('discovery.replay-determinism', {
    clause: 'replayDeterminism, when present, is a closed object with boolean `supported`',
    source: '0041 §D',
  }),
  must('discovery.recipe-identifier', {
    clause: 'llmCacheKeyRecipe is `spec-rfc-0041` or `x-host-<host>-<recipe>`',
    source: '0041 §D',
  }),
  must('discovery.version-four-complete', {
    clause: 'version >= 4 comes with supported: true, a named recipe and refusalDivergenceEmission: true',
    source: '0041 §D',
  }),
  must('discovery.vendor-recipe-documented', {
    clause: "a vendor recipe's algorithm is documented at the discovery document",
    source: '0041 §D',
  }),
  should('schema.discovery', {
    clause: 'members of the discovery document that the wire contract alone describes fit their schema',
    source: 'wire',
  }),
]);
