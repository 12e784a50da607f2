import { describe, expect, it } from 'vitest';
import { bodyOf, exchanged as exchangeRecord, RUN as BARE } from '../../test/records.ts';
import type { DrivenRecord, EvidenceRecord, ObservationRecord, PlanRecord } from '../evidence/types.ts';
import { contradictionIn } from './contradiction.ts';

const RUN = { ...BARE, scenarios: ['s', 'u'] };
const PLANNED: PlanRecord = { kind: 'plan', scenario: 's', status: 'applicable', reason: 'r' };
const DRIVEN: DrivenRecord = { kind: 'driven', scenario: 's', outcome: 'completed', durationMs: 1 };
const END: EvidenceRecord = { kind: 'end', durationMs: 1 };
const COUNTED: EvidenceRecord = { ...END, written: { exchange: 0, observation: 2 } };
const OF_PLAN = observed('o1', 'plan');

function observed(id: string, scenario = 's'): ObservationRecord {
  return { kind: 'observation', id, scenario, observation: { type: 't', exchanges: [] } };
}

function exchanged(text: string): readonly EvidenceRecord[] {
  return [exchangeRecord({ answer: { kind: 'response', status: 404, headers: {}, body: bodyOf(text) } })];
}

function answeredWith201(): ObservationRecord {
  const observation = { type: 'asked', exchanges: ['x1'], answered: 201 };
  return { ...observed('o1'), observation };
}

/** The line and the problem, `lines` standing behind the run line. */
function problemIn(...lines: readonly EvidenceRecord[]): string | undefined {
  const records = [RUN, ...lines];
  const lineOf = (record: EvidenceRecord): number => records.indexOf(record) + 1;
  const found = contradictionIn({ run: RUN, records, lineOf });
  return found && `${lineOf(found.record)}: ${found.problem}`;
}

describe('evidence', () => {
  it('of one run does not contradict itself', () => {
    const lines = [OF_PLAN, PLANNED, { ...PLANNED, scenario: 'u' }, observed('o2'), DRIVEN, END];
    expect(problemIn(...lines)).toBeUndefined();
    expect(problemIn()).toBeUndefined();
    expect(problemIn(OF_PLAN, observed('o2'), COUNTED, observed('o3'))).toBeUndefined();
  });

  it.each<readonly [string, readonly EvidenceRecord[], string]>([
    [
      'a plan of what the run was not asked for',
      [{ ...PLANNED, scenario: 'other' }],
      '2: it is of other, which the run line does not name',
    ],
    ['an observation of it', [PLANNED, observed('o1', 'other')], '3: it is of other, which the run line does not name'],
    ['two plans of one scenario', [PLANNED, { ...PLANNED }], '3: line 2 says whether the scenario is driven already'],
    [
      'two ends of one drive',
      [PLANNED, { ...DRIVEN, outcome: 'error' }, DRIVEN],
      '4: line 3 says how the drive of the scenario ended already',
    ],
    ['two ends', [{ ...END, interrupted: 'SIGINT' }, END], '3: line 2 says how the run ended already'],
    [
      'a drive of what was not to be driven',
      [DRIVEN, { ...PLANNED, status: 'not-applicable' }],
      '2: line 3 plans s as not-applicable, and here it was driven',
    ],
    [
      'a request of what was not to be driven',
      [{ ...PLANNED, status: 'not-applicable' }, exchangeRecord({ scenario: 's' })],
      '3: line 2 plans s as not-applicable, and here it was driven',
    ],
    ['no first observation', [observed('o2')], '2: o2 stands here, and o1 nowhere'],
    ['fewer lines than its end counts', [OF_PLAN, COUNTED], '3: it counts 2 observations, and before it stand 1'],
    [
      'more lines than its end counts',
      [OF_PLAN, observed('o2'), observed('o3'), COUNTED],
      '5: it counts 2 observations, and before it stand 3',
    ],
    ['its lines turned round', [observed('o2'), OF_PLAN], '3: it stands behind o2'],
    [
      'an observation that its exchange does not show',
      [...exchanged('{"error":"no"}'), answeredWith201()],
      '3: it says that 201 was answered, and none of its exchanges does',
    ],
    ['a gap', [observed('o4'), observed('o1'), observed('o2')], '2: o4 stands here, and o3 nowhere'],
  ])('with %s does', (_, lines, problem) => {
    expect(problemIn(...lines)).toBe(problem);
  });
});
