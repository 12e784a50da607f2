import { executionModelVersion, member } from '../../src/contract/discovery.ts';
import { shown, type Row } from './row.ts';

/** 0041 §D: version 4 comes with replay determinism, a named recipe and the commitment to emit refusal divergence. */
export const judgeVersionFourComplete: Row = ({ discovery }) => {
  const version = executionModelVersion(discovery);
  if (version === undefined || version < 4) {
    return {
      verdict: 'not-applicable',
      reason: `executionModel.version is ${shown(member(discovery.executionModel?.value, 'version'))}`,
    };
  }
  const block = discovery.replayDeterminism?.value;
  const supported = member(block, 'supported');
  const recipe = member(block, 'llmCacheKeyRecipe');
  const emission = member(block, 'refusalDivergenceEmission');
  const wrong = [
    ...(supported === true ? [] : [`replayDeterminism.supported is ${shown(supported)}`]),
    ...(typeof recipe === 'string' && recipe !== '' ? [] : [`llmCacheKeyRecipe is ${shown(recipe)}`]),
    ...(emission === true ? [] : [`refusalDivergenceEmission is ${shown(emission)}`]),
  ];
  return wrong.length === 0
    ? { verdict: 'pass' }
    : {
        verdict: 'fail',
        expected: `with version ${version}: supported true, a named recipe, refusalDivergenceEmission true`,
        actual: wrong.join('; '),
      };
};
