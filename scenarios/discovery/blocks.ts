import { isDeepStrictEqual } from 'node:util';
import { IN_SCOPE, locate, member } from '../../src/contract/discovery.ts';
import { fail, notApplicable, pass, type Outcome } from '../../src/contract/outcome.ts';
import { faultsIn, validate, type Violation } from '../../src/contract/validate.ts';
import { isRecord } from '../../src/host/run-event.ts';
import { misshapenText, placesIn } from '../shared/misshapen.ts';
import { short, type Advertised } from './advertised.ts';

/** 0041 §D: the blocks in scope validate against schemas/discovery.schema.json; the rest of the document is free. */
export function judgeShape({ document, evidence }: Advertised): Outcome {
  const effective = Object.fromEntries(
    IN_SCOPE.flatMap((name) => {
      const placed = locate(document, [name]);
      return placed === undefined ? [] : [[name, placed.value]];
    }),
  );
  const violations = validate('discovery', effective);
  if (violations.length > 0) {
    const own = violations.filter((each) => ownerOf(each) === undefined);
    const [first] = own.length > 0 ? own : violations;
    const expected = 'the blocks in scope as schemas/discovery.schema.json describes them';
    return fail({ expected, actual: listed(violations, ''), restsOn: first && ownerOf(first) }, evidence);
  }
  const contradictions = IN_SCOPE.filter((name) =>
    differ(member(document, name), member(member(document, 'capabilities'), name)),
  );
  if (contradictions.length === 0) return pass(evidence);
  const members = contradictions.join(', ');
  return pass(evidence, `the root and its mirror in capabilities differ on ${members}; the root was read`);
}

/** The row that says what is wrong with a block of its own. */
function ownerOf({ pointer }: Violation): string | undefined {
  if (!pointer.startsWith(MODEL)) return undefined;
  return pointer.startsWith(`${MODEL}/replayDeterminism`)
    ? 'discovery.replay-determinism'
    : 'discovery.execution-model';
}

const MODEL = '/multiAgent/executionModel';

/** Families beside those in scope that the suites read. */
const FURTHER = ['implementation', 'replay', 'feedback', 'idempotency', 'eventLog'];

/** wire-contract, Documents: what suites read of further families fits the schema, where it is there. */
export function judgeFamilies({ document, evidence }: Advertised): Outcome {
  const placed = FURTHER.flatMap((name) => {
    const found = locate(document, [name]);
    return found === undefined ? [] : [[name, found] as const];
  });
  if (placed.length === 0) return notApplicable(`none of ${FURTHER.join(', ')} is advertised`, evidence);
  const faults = faultsIn('discovery#families', Object.fromEntries(placed.map(([name, { value }]) => [name, value])));
  if (faults.length === 0) return pass(evidence);
  const first = faults.map((fault) => ({ what: 'the discovery document', fault }));
  const expected = 'what schemas/discovery.schema.json says under $defs/families';
  return fail({ expected, actual: misshapenText(first, faults.length), places: placesIn(faults) }, evidence);
}

/** Whether two readings of one member contradict each other. */
function differ(a: unknown, b: unknown): boolean {
  return a !== undefined && b !== undefined && !isDeepStrictEqual(a, b);
}

/** 0037 §C: where the block is present, `supported` is a boolean and `version` an integer from 1. */
export function judgeExecutionModel({ discovery: { executionModel: block }, evidence }: Advertised): Outcome {
  if (block === undefined) return notApplicable('multiAgent.executionModel is not advertised', evidence);
  const violations = validate('discovery#executionModel', withoutReplayDeterminism(block.value));
  if (violations.length === 0) return pass(evidence);
  const expected = 'boolean supported and integer version >= 1';
  return fail({ expected, actual: listed(violations, block.pointer) }, evidence);
}

/** That block has a row of its own. */
function withoutReplayDeterminism(block: unknown): unknown {
  if (!isRecord(block)) return block;
  const { replayDeterminism: _, ...rest } = block;
  return rest;
}

/** 0041 §D: where the block is present it is closed, with boolean `supported`. */
export function judgeReplayDeterminism({ discovery: { replayDeterminism: block }, evidence }: Advertised): Outcome {
  if (block === undefined) return notApplicable('replayDeterminism is not advertised', evidence);
  const violations = validate('discovery#replayDeterminism', block.value);
  if (violations.length === 0) return pass(evidence);
  const expected =
    'a closed object of boolean supported, string llmCacheKeyRecipe and boolean refusalDivergenceEmission';
  return fail({ expected, actual: listed(violations, block.pointer) }, evidence);
}

/** Schema violations as one line: at most five of them, each short, since a host may choose the names in them. */
function listed(violations: readonly Violation[], at: string): string {
  const lines = violations.slice(0, 5).map(({ pointer, message }) => short(`${at}${pointer} ${message}`));
  return violations.length > 5 ? `${lines.join('; ')}; and ${violations.length - 5} more` : lines.join('; ');
}
