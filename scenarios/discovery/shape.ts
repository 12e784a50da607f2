import { locate, member } from '../../src/contract/discovery.ts';
import { validate } from '../../src/contract/validate.ts';
import { differ, listViolations, type Row } from './row.ts';

/** Members in scope, read at the root first and then in the `capabilities` mirror. */
const IN_SCOPE = [
  'protocolVersion',
  'supportedEnvelopes',
  'schemaVersions',
  'limits',
  'multiAgent',
  'replay',
  'fixtures',
  'extensions',
];

/** 0041 §D: the blocks in scope validate against schemas/discovery.schema.json; the rest of the document is free. */
export const judgeShape: Row = ({ document }) => {
  const effective = Object.fromEntries(
    IN_SCOPE.flatMap((name) => {
      const placed = locate(document, [name]);
      return placed === undefined ? [] : [[name, placed.value]];
    }),
  );
  const violations = validate('discovery', effective);
  if (violations.length > 0) {
    return {
      verdict: 'fail',
      expected: 'the blocks in scope as schemas/discovery.schema.json describes them',
      actual: listViolations(violations, ''),
    };
  }
  const contradictions = IN_SCOPE.filter((name) =>
    differ(member(document, name), member(member(document, 'capabilities'), name)),
  );
  return contradictions.length === 0
    ? { verdict: 'pass' }
    : {
        verdict: 'pass',
        reason: `the root and its mirror in capabilities differ on ${contradictions.join(', ')}; the root was read`,
      };
};
