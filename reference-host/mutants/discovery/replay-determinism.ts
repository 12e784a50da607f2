import type { Defects } from '../mutant.ts';
import { REPLAY_DETERMINISM, advertising, advertisingWith } from '../shared/discovery-parts.ts';

/** What the replayDeterminism block claims. */
export const defects: Defects = {
  'discovery-replay-determinism-open': {
    breaks: 'replayDeterminism has a member that does not belong to the closed block.',
    kills: ['discovery.shape', 'discovery.replay-determinism'],
    parts: advertisingWith(REPLAY_DETERMINISM, { cacheTtlSeconds: 3600 }),
  },
  'discovery-replay-supported-missing': {
    breaks: 'replayDeterminism.supported is missing.',
    kills: ['discovery.shape', 'discovery.replay-determinism', 'discovery.version-four-complete'],
    parts: advertising([...REPLAY_DETERMINISM, 'supported'], () => undefined),
  },
  'discovery-replay-supported-as-text': {
    breaks: 'replayDeterminism.supported is the string "true".',
    kills: ['discovery.shape', 'discovery.replay-determinism', 'discovery.version-four-complete'],
    parts: advertisingWith(REPLAY_DETERMINISM, { supported: 'true' }),
  },
  'discovery-replay-determinism-as-flag': {
    breaks: 'replayDeterminism is true instead of a block.',
    kills: ['discovery.shape', 'discovery.replay-determinism', 'discovery.version-four-complete'],
    parts: advertising(REPLAY_DETERMINISM, () => true),
  },
  'discovery-recipe-misnamed': {
    breaks: 'The cache-key recipe has a name of no known form.',
    kills: ['discovery.recipe-identifier'],
    parts: advertisingWith(REPLAY_DETERMINISM, { llmCacheKeyRecipe: 'rfc-0041' }),
  },
  'discovery-recipe-upper-case': {
    breaks: 'The name of the vendor recipe has upper-case letters.',
    kills: ['discovery.recipe-identifier'],
    parts: advertisingWith(REPLAY_DETERMINISM, { llmCacheKeyRecipe: 'x-host-Acme-Prompt' }),
  },
  'discovery-recipe-not-text': {
    breaks: 'The cache-key recipe is a number.',
    kills: [
      'discovery.shape',
      'discovery.replay-determinism',
      'discovery.recipe-identifier',
      'discovery.version-four-complete',
    ],
    parts: advertisingWith(REPLAY_DETERMINISM, { llmCacheKeyRecipe: 41 }),
  },
  'discovery-without-refusal-emission': {
    breaks: 'Version 4 is advertised without refusalDivergenceEmission.',
    kills: ['discovery.version-four-complete'],
    parts: advertising([...REPLAY_DETERMINISM, 'refusalDivergenceEmission'], () => undefined),
  },
  'discovery-refusal-emission-false': {
    breaks: 'Version 4 is advertised with refusalDivergenceEmission false.',
    kills: ['discovery.version-four-complete'],
    parts: advertisingWith(REPLAY_DETERMINISM, { refusalDivergenceEmission: false }),
  },
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
  'discovery-replay-unsupported': {
    breaks: 'Version 4 is advertised although replayDeterminism.supported is false.',
    kills: ['discovery.version-four-complete'],
    parts: advertisingWith(REPLAY_DETERMINISM, { supported: false }),
  },
  'discovery-vendor-recipe-undocumented': {
    breaks: 'A vendor recipe is advertised that the discovery document says nothing about.',
    kills: ['discovery.vendor-recipe-documented'],
    parts: advertisingWith(REPLAY_DETERMINISM, { llmCacheKeyRecipe: 'x-host-acme-prompt-hash' }),
  },
};
