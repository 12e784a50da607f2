import { isRecord } from '../../src/host/run-event.ts';
import { validate } from '../../src/contract/validate.ts';
import { listViolations, type Row } from './row.ts';

/** 0037 §C: where the block is present, `supported` is a boolean and `version` an integer from 1. */
export const judgeExecutionModel: Row = ({ discovery }) => {
  const block = discovery.executionModel;
  if (block === undefined) return { verdict: 'not-applicable', reason: 'multiAgent.executionModel is not advertised' };
  const violations = validate('discovery#executionModel', withoutReplayDeterminism(block.value));
  return violations.length === 0
    ? { verdict: 'pass' }
    : {
        verdict: 'fail',
        expected: 'boolean supported and integer version >= 1',
        actual: listViolations(violations, block.pointer),
      };
};

/** That block has a row of its own. */
function withoutReplayDeterminism(block: unknown): unknown {
  if (!isRecord(block)) return block;
  const { replayDeterminism: _, ...rest } = block;
  return rest;
}
