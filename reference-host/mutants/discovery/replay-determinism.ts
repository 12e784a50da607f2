import type { JsonObject } from '../../json.ts';
import type { Defect, Defects } from '../mutant.ts';
import { REPLAY_DETERMINISM, advertising, advertisingWith } from '../shared/discovery-parts.ts';

/** A defect of the replayDeterminism block: it has other members. */
function replaying(breaks: string, kills: readonly string[], members: JsonObject): Defect {
  return { breaks, kills, parts: advertisingWith(REPLAY_DETERMINISM, members) };
}

/** What the replayDeterminism block claims. */
export const defects: Defects = {
  'discovery-replay-determinism-open': replaying(
    'replayDeterminism has a member that does not belong to the closed block.',
    ['discovery.replay-determinism'],
    { cacheTtlSeconds: 3600 },
  ),
  'discovery-replay-supported-missing': {
    breaks: 'replayDeterminism.supported is missing.',
    kills: ['discovery.replay-determinism', 'discovery.version-four-complete'],
    parts: advertising([...REPLAY_DETERMINISM, 'supported'], () => undefined),
  },
  'discovery-replay-supported-as-text': replaying(
    'replayDeterminism.supported is the string "true".',
    ['discovery.replay-determinism', 'discovery.version-four-complete'],
    { supported: 'true' },
  ),
  'discovery-replay-determinism-as-flag': {
    breaks: 'replayDeterminism is true instead of a block.',
    kills: ['discovery.replay-determinism', 'discovery.version-four-complete'],
    parts: advertising(REPLAY_DETERMINISM, () => true),
  },
  'discovery-recipe-misnamed': replaying(
    'The cache-key recipe has a name of no known form.',
    ['discovery.recipe-identifier'],
    { llmCacheKeyRecipe: 'rfc-0041' },
  ),
  'discovery-recipe-upper-case': replaying(
    'The name of the vendor recipe has upper-case letters.',
    ['discovery.recipe-identifier'],
    { llmCacheKeyRecipe: 'x-host-Acme-Prompt' },
  ),
  'discovery-recipe-not-text': replaying(
    'The cache-key recipe is a number.',
    ['discovery.replay-determinism', 'discovery.recipe-identifier', 'discovery.version-four-complete'],
    { llmCacheKeyRecipe: 41 },
  ),
  'discovery-without-refusal-emission': {
    breaks: 'Version 4 is advertised without refusalDivergenceEmission.',
    kills: ['discovery.version-four-complete'],
    parts: advertising([...REPLAY_DETERMINISM, 'refusalDivergenceEmission'], () => undefined),
  },
  'discovery-refusal-emission-false': replaying(
    'Version 4 is advertised with refusalDivergenceEmission false.',
    ['discovery.version-four-complete'],
    { refusalDivergenceEmission: false },
  ),
  'discovery-without-recipe': {
    breaks: 'Version 4 is advertised without a cache-key recipe.',
    kills: ['discovery.version-four-complete'],
    parts: advertising([...REPLAY_DETERMINISM, 'llmCacheKeyRecipe'], () => undefined),
  },
  'discovery-without-replay-determinism': {
    breaks: 'Version 4 is advertised without the replayDeterminism block.',
    kills: ['discovery.version-four-complete'],
    parts: advertising(REPLAY_DETERMINISM, () => undefined),
  },
  'discovery-replay-unsupported': replaying(
    'Version 4 is advertised although replayDeterminism.supported is false.',
    ['discovery.version-four-complete'],
    { supported: false },
  ),
  'discovery-vendor-recipe-undocumented': replaying(
    'A vendor recipe is advertised that the discovery document says nothing about.',
    ['discovery.vendor-recipe-documented'],
    { llmCacheKeyRecipe: 'x-host-acme-prompt-hash' },
  ),
};
