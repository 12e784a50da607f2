import { causes } from '../shared/causes.ts';

/** What the judges of this suite name. */
export const { diagnoses, wrong } = causes(
  [],
  [
    [
      'discovery-unread',
      'the discovery document is not a JSON object for everybody: without it nothing is known of the host',
      ['discovery.reachable'],
    ],
    [
      'discovery-shape',
      'a member of the discovery document is missing, or has a form that clients do not expect',
      ['discovery.shape', 'discovery.execution-model', 'discovery.replay-determinism', 'schema.discovery'],
    ],
    [
      'recipe-unnamed',
      'llmCacheKeyRecipe is neither spec-rfc-0041 nor x-host-<host>-<recipe>',
      ['discovery.recipe-identifier'],
    ],
    [
      'version-four-incomplete',
      'the document claims version 4 and not all that belongs to it',
      ['discovery.version-four-complete'],
    ],
    [
      'vendor-recipe-undocumented',
      "nothing tells how a vendor's recipe makes keys",
      ['discovery.vendor-recipe-documented'],
    ],
  ],
);
