import { validate } from '../../src/contract/validate.ts';
import { listViolations, type Row } from './row.ts';

/** 0041 §D: where the block is present it is closed, with boolean `supported`. */
export const judgeReplayDeterminism: Row = ({ discovery }) => {
  const block = discovery.replayDeterminism;
  if (block === undefined) return { verdict: 'not-applicable', reason: 'replayDeterminism is not advertised' };
  const violations = validate('discovery#replayDeterminism', block.value);
  return violations.length === 0
    ? { verdict: 'pass' }
    : {
        verdict: 'fail',
        expected:
          'a closed object of boolean supported, string llmCacheKeyRecipe and boolean refusalDivergenceEmission',
        actual: listViolations(violations, block.pointer),
      };
};
