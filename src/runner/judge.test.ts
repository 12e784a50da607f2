import type { CrashMatrix } from '../contract/crash-matrix.ts';
import { describe, expect, it } from 'vitest';
import { bareScenario, OPTIONS } from '../../test/bare-scenario.ts';
import { run as madeRun } from '../../test/fork-observations.ts';
import { bodyOf, exchanged as exchangeRecord, RUN } from '../../test/records.ts';
import { validate } from '../contract/validate.ts';
import type { Judgement } from '../contract/verdict.ts';
import type { EvidenceRecord, ExchangeRecord, Observation, ObservationRecord } from '../evidence/types.ts';
import { judgeRun, suspectsOf } from './judge.ts';
import type { JudgeOptions } from './judge-scenarios.ts';
import type { Check, Foundation, Scenario, Suite } from './scenario.ts';

const MUST = 'discovery.shape';
const OTHER = 'discovery.reachable';
const SHOULD = 'fork.unadvertised-mode';

const options: JudgeOptions = { ...OPTIONS, seed: 7, level: 'must', allowInconclusive: false, requirements: [] };

const run: EvidenceRecord = {
  ...RUN,
  target: { baseUrl: 'http://h/$(id)' },
  options: { seed: 7, vectors: 3, forks: 5, recipe: 'rfc-0150' },
};
const planned: EvidenceRecord = { kind: 'plan', scenario: 's', status: 'applicable', reason: 'r' };
const driven: EvidenceRecord = { kind: 'driven', scenario: 's', outcome: 'completed', durationMs: 12 };
const observed: ObservationRecord = {
  kind: 'observation',
  id: 'o1',
  scenario: 's',
  observation: { type: 't', exchanges: ['x1'] },
};
const end: EvidenceRecord = { kind: 'end', durationMs: 34 };

/** The observation with these members too. */
function observing(more: object, own: Partial<ObservationRecord> = {}): ObservationRecord {
  return { ...observed, ...own, observation: { ...observed.observation, ...more } };
}

function exchanged(truncated = false): ExchangeRecord {
  const headers = { authorization: 'Bearer $KEY' };
  return exchangeRecord({
    request: { method: 'POST', url: 'http://h/a', headers, body: bodyOf('{"a":1}', { truncated }) },
  });
}

const whole: readonly EvidenceRecord[] = [run, planned, exchanged(), observed, driven, end];

function suiteOf(judge: Scenario['judge'], checks: readonly Check[], more: Partial<Suite> = {}): readonly Suite[] {
  return [{ id: 'u', scenarios: [bareScenario({ checks, judge })], ...more }];
}

function check(id: string, requirement = id): Check {
  return { id, requirement, title: `the ${id}` };
}

const withoutWrong: Foundation['without'] = (each) => (isWrong([each]) ? { wrong: false } : undefined);
const withoutLate: Foundation['without'] = (each) => (isLate([each]) ? { late: false } : undefined);

function says(verdict: Judgement['verdict'], more: Partial<Judgement> = {}): Judgement {
  return { check: MUST, verdict, evidence: ['o1'], ...more };
}

function report(judgements: readonly Judgement[], records = whole, given: Partial<JudgeOptions> = {}) {
  return judgeRun(
    records,
    suiteOf(() => judgements, [check(MUST)]),
    { ...options, ...given },
  );
}

function one(judgements: readonly Judgement[], records = whole) {
  const [first] = report(judgements, records).checks;
  if (first === undefined) throw new Error('no check');
  return first;
}

/** A run that was requested of a workflow, and whose snapshot says that it is one of `w`. */
function madeOf(workflowId: string, id: string, scenario = 's', named = 'w'): ObservationRecord {
  const observation = madeRun('source', {
    workflowId,
    snapshot: { runId: 'run_a', workflowId: named, status: 'completed' },
  });
  return { kind: 'observation', id, scenario, observation };
}

function isWrong(seen: readonly object[]): boolean {
  return seen.some((each) => 'wrong' in each && each.wrong === true);
}

function isLate(seen: readonly object[]): boolean {
  return seen.some((each) => 'late' in each && each.late === true);
}

/** Fails by what is wrong. */
function wrongly(seen: readonly object[], more: Partial<Judgement> = {}): Judgement {
  return says(isWrong(seen) ? 'fail' : 'pass', more);
}

/** What is judged of a scenario that recorded one thing, under these claims. */
function judgedUnder(
  foundations: readonly Foundation[],
  judge: Scenario['judge'],
  ids: readonly string[],
  shown: ObservationRecord,
) {
  const suites = suiteOf(
    judge,
    ids.map((id) => check(id)),
    { foundations },
  );
  return judgeRun([run, planned, exchanged(), shown, driven], suites, options).checks;
}

function judgeEverything(...[, , everything = []]: Parameters<Scenario['judge']>): readonly Judgement[] {
  return [wrongly(everything)];
}

describe('judgeRun', () => {
  it('says by which options it judged, where they are others than those of the run', () => {
    const { options: shown } = report([says('pass')], whole, { level: 'should', allowInconclusive: true });
    expect(shown).toEqual({ ...run.options, level: 'should', allowInconclusive: true, require: [] });
  });

  it('ends with 4 for an error of the harness in a row that does not decide', () => {
    const judgements = [says('pass'), says('error', { check: SHOULD, evidence: [] })];
    const { verdict, exitCode } = judgeRun(
      whole,
      suiteOf(() => judgements, [check(MUST), check(SHOULD)]),
      options,
    );
    expect({ verdict, exitCode }).toEqual({ verdict: 'error', exitCode: 4 });
  });

  it('decides nothing in a scenario whose run has the id of another, but for the scenario that judges ids', () => {
    const again: ObservationRecord = {
      kind: 'observation',
      id: 'o2',
      scenario: 'plan',
      observation: { type: 'run-id-again', runId: 'r', scenarios: ['s', 't'], exchanges: ['x1'] } as Observation,
    };
    expect(one([says('pass')], [...whole, again])).toMatchObject({ verdict: 'inconclusive', evidence: ['o2', 'o1'] });
    expect(one([says('fail')], [...whole, again]).reason).toContain('names the run that was forked, r, as its fork');
    const elsewhere = { ...again, observation: { ...again.observation, scenarios: ['t'] } as Observation };
    expect(one([says('pass')], [...whole, elsewhere]).verdict).toBe('pass');
    const judge: Scenario['judge'] = (_, __, everything = []) => [
      says('fail', { evidence: everything.map(({ id }) => id) }),
    ];
    const [suite] = suiteOf(judge, [check(MUST)]);
    const judging =
      suite?.scenarios.map((scenario) => ({
        ...scenario,
        foundation: true as const,
        judgesRunIds: true as const,
      })) ?? [];
    const { checks } = judgeRun([...whole, again], [{ id: 'u', scenarios: judging }], options);
    expect(checks).toMatchObject([{ verdict: 'fail', evidence: ['o1', 'o2'] }]);
  });

  it('decides nothing in a scenario that made a run where the host mixes up its runs', () => {
    const mixed = [...whole, madeOf('w', 'o2'), madeOf('v', 'o3'), madeOf('v', 'o4', 's', 'v')];
    const left = { verdict: 'inconclusive', evidence: ['o3', 'o1'] };
    expect(one([says('pass')], mixed)).toMatchObject(left);
    expect(one([says('fail')], mixed)).toMatchObject(left);
    const elsewhere = [madeOf('w', 'o2', 't'), madeOf('v', 'o3', 't'), madeOf('v', 'o4', 't', 'v')];
    expect(one([says('pass')], [...whole, ...elsewhere]).verdict).toBe('pass');
  });

  it('decides a check by what does not rest on another one, where that suffices', () => {
    const refused = observing({ problem: 'the request was answered with 501' }, { id: 'o2' });
    const contrary: ObservationRecord = { ...refused, observation: observed.observation };
    const resting = says('fail', { restsOn: OTHER, actual: '501', evidence: ['o2'] });
    const judged = (without: Judgement, owner: Judgement['verdict'] = 'fail', second = refused) => {
      const judge: Scenario['judge'] = (seen) => [
        seen.some(({ id }) => id === 'o2') ? resting : without,
        says(owner, { check: OTHER }),
      ];
      const { checks } = judgeRun([...whole, second], suiteOf(judge, [check(MUST), check(OTHER)]), options);
      return checks.slice(0, 1);
    };
    const reason = `decided without what rests on ${OTHER}: 501`;
    expect(judged(says('pass'))).toMatchObject([{ verdict: 'pass', reason }]);
    expect(judged(says('pass', { reason: 'noted' }))).toMatchObject([{ reason: `noted; ${reason}` }]);
    expect(judged(says('fail', { actual: 'another' }))).toMatchObject([{ verdict: 'fail', actual: 'another' }]);
    expect(judged(says('inconclusive'))).toMatchObject([{ verdict: 'inconclusive', restsOn: OTHER }]);
    expect(judged({ ...resting, evidence: ['o1'] })).toMatchObject([{ verdict: 'inconclusive', evidence: ['o1'] }]);
    // What was observed speaks against a pass, whoever's fault it is; a failure without it stands by itself.
    expect(judged(says('pass'), 'fail', contrary)).toMatchObject([{ verdict: 'inconclusive', restsOn: OTHER }]);
    expect(judged(says('fail', { actual: 'another' }), 'fail', contrary)).toMatchObject([{ actual: 'another' }]);
    // Where that other one did not fail, nobody would hear of what was left out.
    expect(judged(says('pass'), 'pass')).toMatchObject([{ verdict: 'fail', actual: '501' }]);
  });

  it('lets a failure rest on the claim without whose breach it is gone', () => {
    const broken = observing({ wrong: true });
    const foundation: Foundation = { check: OTHER, without: withoutWrong };
    const judged = (by: (wrong: boolean) => Judgement['verdict'], shown: ObservationRecord = broken) => {
      const judge: Scenario['judge'] = (all) => [
        says(all.length === 0 ? 'inconclusive' : by(isWrong(all)), { actual: 'that' }),
        wrongly(all, { check: OTHER }),
      ];
      const records = [run, planned, exchanged(), shown, driven];
      const suites = suiteOf(judge, [check(MUST), check(OTHER)], { foundations: [foundation] });
      return judgeRun(records, suites, options).checks;
    };
    const rests = { verdict: 'inconclusive', restsOn: OTHER };
    expect(judged((wrong) => (wrong ? 'fail' : 'pass'))).toMatchObject([rests, { verdict: 'fail' }]);
    expect(judged((wrong) => (wrong ? 'fail' : 'inconclusive'))[0]).toMatchObject({
      ...rests,
      reason: 'not seen: that',
    });
    expect(judged((wrong) => (wrong ? 'inconclusive' : 'pass'))[0]).toMatchObject(rests);
    expect(judged(() => 'fail')[0]).toMatchObject({ verdict: 'fail', actual: 'that' });
    expect(judged(() => 'inconclusive')[0]).not.toHaveProperty('restsOn');
    // Where the claim's own check finds nothing wrong, the failure stands.
    expect(judged(() => 'fail', observed)[0]).toMatchObject({ verdict: 'fail' });
  });

  it('lets what rests on a claim fail by what is left where that shows more, and others rest on it then', () => {
    const broken = observing({ wrong: true, late: true });
    const judged = (otherwise: Pick<Foundation, 'showsMore'>, isStillLate = true) => {
      const judge: Scenario['judge'] = (all) => {
        const beside = says(isLate(all) && isStillLate ? 'fail' : 'pass', { actual: 'late' });
        const hidden = says('inconclusive', { restsOn: OTHER });
        const standing = { ...(isWrong(all) ? hidden : beside), check: SHOULD };
        return [isWrong(all) ? hidden : beside, standing, wrongly(all, { check: OTHER })];
      };
      const foundations: readonly Foundation[] = [
        { check: SHOULD, without: withoutLate },
        { check: OTHER, ...otherwise, without: withoutWrong },
      ];
      return judgedUnder(foundations, judge, [MUST, SHOULD, OTHER], broken);
    };
    const rests = { verdict: 'inconclusive', restsOn: OTHER };
    const fails = { verdict: 'fail' };
    expect(judged({})).toMatchObject([rests, rests, fails]);
    expect(judged({ showsMore: () => ({ wrong: false }) }, false)).toMatchObject([rests, rests, fails]);
    expect(judged({ showsMore: () => ({ wrong: false, late: false }) })).toMatchObject([rests, rests, fails]);
    // The row that owns the other claim fails by what is left, and what fails for the same reason rests on the two.
    expect(judged({ showsMore: () => ({ wrong: false }) })).toMatchObject([rests, { ...fails, actual: 'late' }, fails]);
  });

  it('changes no damaged observation to find a cause: who judges says that it is damaged', () => {
    const claim: Foundation = { check: OTHER, without: (each) => ({ role: Reflect.get(each, 'role').trim() }) };
    const judge: Scenario['judge'] = (seen) => [
      says('inconclusive', { reason: String(seen.length) }),
      says('fail', { check: OTHER, evidence: ['o1'] }),
    ];
    const [suite] = suiteOf(judge, [check(MUST), check(OTHER)], { foundations: [claim] });
    const scenarios = suite?.scenarios.map((scenario) => ({ ...scenario, suite: 'run-lifecycle' })) ?? [];
    const late = { type: 'late', exchanges: ['x1'], role: 'source' };
    const { role: _, ...damaged } = late;
    const recorded = [late, damaged].map((observation, index) => ({ ...observed, id: `o${index + 1}`, observation }));
    const records = [run, planned, exchanged(), ...recorded, driven];
    const { checks } = judgeRun(records, [{ ...suite, id: 'run-lifecycle', scenarios }], options);
    expect(checks).toMatchObject([{ verdict: 'inconclusive', reason: '2' }, { verdict: 'fail' }]);
  });

  it('sets aside what the owner showed; a row that may be about it rests only where it passes without', () => {
    const broken = observing({ wrong: true });
    const judged = (without: Judgement['verdict']) => {
      const judge: Scenario['judge'] = (all) => [
        says(all.length === 0 ? 'inconclusive' : isWrong(all) ? 'fail' : without),
        says(isWrong(all) ? 'fail' : 'pass', { check: OTHER, evidence: ['o1', 'x1'] }),
      ];
      const foundation: Foundation = {
        check: OTHER,
        onlyPasses: true,
        without: (each, shown) => (isWrong([each]) && shown[0]?.id === each.id ? { wrong: false } : undefined),
      };
      return judgedUnder([foundation], judge, [MUST, OTHER], broken)[0];
    };
    expect(judged('pass')).toMatchObject({ verdict: 'inconclusive', restsOn: OTHER });
    expect(judged('inconclusive')).toMatchObject({ verdict: 'fail' });
  });

  it('names the claim that a row fails by, whatever is undecided without another one', () => {
    const broken = observing({ wrong: true, late: true });
    const judgedBy = (own: (isStillWrong: boolean, isStillLate: boolean) => Judgement) => {
      const judge: Scenario['judge'] = (all) => [
        own(isWrong(all), isLate(all)),
        says(isLate(all) ? 'fail' : 'pass', { check: SHOULD }),
        wrongly(all, { check: OTHER }),
      ];
      const foundations: readonly Foundation[] = [
        { check: SHOULD, without: withoutLate },
        { check: OTHER, onlyPasses: true, without: withoutWrong },
      ];
      return judgedUnder(foundations, judge, [MUST, SHOULD, OTHER], broken)[0];
    };
    const wrongAlone = judgedBy((isStillWrong, isStillLate) =>
      says(isStillWrong ? 'fail' : isStillLate ? 'pass' : 'inconclusive'),
    );
    expect(wrongAlone).toMatchObject({ verdict: 'inconclusive', restsOn: OTHER });
    const lateBehind = judgedBy((isStillWrong) =>
      isStillWrong ? says('fail') : says('inconclusive', { restsOn: SHOULD }),
    );
    expect(lateBehind).toMatchObject({ verdict: 'inconclusive', restsOn: OTHER });
    const open = judgedBy((isStillWrong) => says(isStillWrong ? 'fail' : 'inconclusive'));
    expect(open).toMatchObject({ verdict: 'fail' });
  });

  it('names the claim that a row fails by, whatever failure of another one is left', () => {
    const broken = observing({ wrong: true, late: true });
    const judgedBy = (left: Judgement) => {
      const judge: Scenario['judge'] = (all) => [
        all.length === 0 ? says('inconclusive') : isWrong(all) ? says('fail') : left,
        says('fail', { check: SHOULD }),
        wrongly(all, { check: OTHER }),
      ];
      return judgedUnder([{ check: OTHER, without: withoutWrong }], judge, [MUST, SHOULD, OTHER], broken)[0];
    };
    expect(judgedBy(says('fail', { restsOn: SHOULD }))).toMatchObject({ verdict: 'inconclusive', restsOn: OTHER });
    expect(judgedBy(says('fail'))).toMatchObject({ verdict: 'fail' });
  });

  it('sets no claim aside for the row that is about it', () => {
    const broken = observing({ wrong: true, late: true });
    const judge: Scenario['judge'] = (all) => [wrongly(all), says(isLate(all) ? 'fail' : 'pass', { check: OTHER })];
    const foundations: readonly Foundation[] = [
      { check: MUST, without: withoutWrong },
      { check: OTHER, without: withoutLate },
    ];
    const checks = judgedUnder(foundations, judge, [MUST, OTHER], broken);
    expect(checks).toMatchObject([{ verdict: 'fail' }, { verdict: 'fail' }]);
  });

  it('sets no claim aside for rows that are looked at before it', () => {
    const broken = observing({ wrong: true });
    const judge: Scenario['judge'] = (all) => [wrongly(all), wrongly(all, { check: OTHER })];
    const judged = (behind: readonly string[]) => {
      const foundations: readonly Foundation[] = [{ check: OTHER, behind, without: withoutWrong }];
      return judgedUnder(foundations, judge, [MUST, OTHER], broken)[0];
    };
    expect(judged([])).toMatchObject({ verdict: 'inconclusive', restsOn: OTHER });
    expect(judged([check(MUST).requirement])).toMatchObject({ verdict: 'fail' });
  });

  it('sets no claim aside for the one check that owns it, of a requirement with others', () => {
    const broken = observing({ wrong: true });
    const owner = { ...check(OTHER), id: `${OTHER}.alone` };
    const judge: Scenario['judge'] = (all) => [wrongly(all), wrongly(all, { check: owner.id })];
    const foundations: readonly Foundation[] = [
      { check: owner.id, without: withoutWrong },
      { check: MUST, without: withoutWrong },
    ];
    const suites = suiteOf(judge, [check(MUST), owner], { foundations });
    // Each passes without what breaks the other's claim: the first of the two carries it.
    expect(judgeRun([run, planned, exchanged(), broken, driven], suites, options).checks).toMatchObject([
      { verdict: 'fail' },
      { verdict: 'inconclusive', restsOn: MUST },
    ]);
  });

  it('sets no claim aside for the row on which the owner of that claim rests', () => {
    const broken = observing({ wrong: true });
    const judge: Scenario['judge'] = (all) => [wrongly(all), wrongly(all, { check: OTHER, restsOn: MUST })];
    const foundation: Foundation = { check: OTHER, without: withoutWrong };
    const checks = judgedUnder([foundation], judge, [MUST, OTHER], broken);
    expect(checks).toMatchObject([{ verdict: 'fail' }, { verdict: 'inconclusive', restsOn: MUST }]);
  });

  it('sets aside what a row that reads all scenarios finds in another one', () => {
    const elsewhere = observing({ wrong: true }, { id: 'o2', scenario: 'r' });
    const foundation: Foundation = {
      check: OTHER,
      without: (each, _, beside) =>
        isWrong([each]) && beside.some(({ id }) => id === each.id) ? { wrong: false } : undefined,
    };
    const owning: Scenario['judge'] = (all) => [wrongly(all, { check: OTHER, evidence: ['o2'] })];
    const suites = [
      ...suiteOf(judgeEverything, [check(MUST)]).map((suite) => ({
        ...suite,
        scenarios: suite.scenarios.map((scenario) => ({ ...scenario, foundation: true as const })),
      })),
      ...suiteOf(owning, [check(OTHER)], { foundations: [foundation] }).map((suite) => ({
        ...suite,
        scenarios: suite.scenarios.map((scenario) => ({ ...scenario, id: 'r' })),
      })),
    ];
    const both = [planned, driven].flatMap((each) => [each, { ...each, scenario: 'r' }]);
    const started = { ...run, scenarios: ['s', 'r'] } as EvidenceRecord;
    const { checks } = judgeRun([started, exchanged(), observed, elsewhere, ...both], suites, options);
    expect(checks).toMatchObject([{ verdict: 'inconclusive', restsOn: OTHER }, { verdict: 'fail' }]);
  });

  it('lets a failure rest on another claim where its supposed cause was decided by what is left', () => {
    const broken = observing({ wrong: true, problem: 'the request was answered with 501' });
    const right: ObservationRecord = { ...observed, id: 'o2' };
    const judge: Scenario['judge'] = (all) => {
      const found = isWrong(all);
      const isLeftOut = !all.some(({ id }) => id === 'o1');
      return [
        says(found ? 'fail' : isLeftOut ? 'inconclusive' : 'pass', {
          ...(found ? { restsOn: SHOULD } : {}),
          actual: 'that',
        }),
        says(found ? 'fail' : 'pass', { check: SHOULD, evidence: [found ? 'o1' : 'o2'] }),
        says(found ? 'fail' : 'pass', { check: OTHER }),
      ];
    };
    const foundation: Foundation = { check: OTHER, without: withoutWrong };
    const suites = suiteOf(judge, [check(MUST), check(SHOULD), check(OTHER)], { foundations: [foundation] });
    const { checks } = judgeRun([run, planned, exchanged(), broken, right, driven], suites, options);
    expect(checks).toMatchObject([
      { verdict: 'inconclusive', restsOn: OTHER, reason: 'not seen: that' },
      { verdict: 'pass' },
      { verdict: 'fail' },
    ]);
  });

  it('rests what is undecided on the row that it stands on before a claim that is broken beside it', () => {
    const judge: Scenario['judge'] = () => [
      says('inconclusive'),
      says('fail', { check: SHOULD }),
      says('fail', { check: OTHER }),
    ];
    const checks = [check(MUST), check(SHOULD), check(OTHER)];
    const owner = (standsOn: readonly string[], ...foundations: readonly Foundation[]) =>
      judgeRun(whole, suiteOf(judge, checks, { foundations, standsOn: { [MUST]: standsOn } }), options).checks[0];
    const broken: Foundation = { check: OTHER, isBrokenBy: () => true };
    expect(owner([SHOULD], broken)).toMatchObject({ restsOn: SHOULD });
    expect(owner([], broken)).toMatchObject({ restsOn: OTHER });
    // A claim that nothing recorded breaks is the last that is suspected.
    expect(owner([SHOULD], broken, { check: SHOULD })).toMatchObject({ restsOn: OTHER });
    expect(owner([SHOULD], { check: SHOULD })).toMatchObject({ restsOn: SHOULD });
  });

  it('suspects nobody where a scenario was not driven to its end, or what it recorded is damaged', () => {
    const broken: Foundation = { check: OTHER, isBrokenBy: () => true };
    const setAside: Foundation = { ...broken, without: () => ({ wrong: false }) };
    const openedBy = (suite: string, own: readonly EvidenceRecord[], foundations = [broken]) => {
      const [left, owning] = [says('inconclusive'), says('fail', { check: OTHER })];
      const scenarios = [
        ...suiteOf((seen) => [isWrong(seen) ? left : says('pass')], [check(MUST)]),
        ...suiteOf(() => [owning], [check(OTHER)]),
      ].flatMap((each, index) =>
        each.scenarios.map((scenario) => (index === 0 ? { ...scenario, suite } : { ...scenario, id: 'r' })),
      );
      const others = [planned, driven].map((record) => ({ ...record, scenario: 'r' }));
      const records = [{ ...run, scenarios: ['s', 'r'] }, planned, exchanged(), ...others, ...own];
      const standsOn = { [MUST]: [OTHER] };
      return judgeRun(records, [{ id: 'u', scenarios, foundations, standsOn }], options).checks[0];
    };
    const wrong = observing({ wrong: true });
    expect(openedBy('u', [wrong, driven])).toMatchObject({ verdict: 'inconclusive', restsOn: OTHER });
    const late = { ...driven, outcome: 'timed-out' } as const;
    for (const left of [
      openedBy('u', [wrong, late], [setAside]),
      openedBy('u', [wrong, { ...driven, message: 'its time was over' }]),
    ]) {
      expect(left?.verdict).toBe('inconclusive');
      expect(left).not.toHaveProperty('restsOn');
    }
    const damaged = { ...wrong, observation: { type: 'late', exchanges: ['x1'], wrong: true } as Observation };
    expect(openedBy('run-lifecycle', [damaged, driven])).not.toHaveProperty('restsOn');
  });

  it('reports what a check rests on, valid against the schema', () => {
    const both = [says('fail', { restsOn: OTHER, actual: '501' }), says('fail', { check: OTHER })];
    const judged = judgeRun(
      whole,
      suiteOf(() => both, [check(MUST), check(OTHER)]),
      options,
    );
    expect(judged.checks).toMatchObject([
      { id: MUST, verdict: 'inconclusive', restsOn: OTHER, reason: 'not seen: 501' },
      { id: OTHER, verdict: 'fail' },
    ]);
    expect(judged.requirements).toMatchObject([{ verdict: 'inconclusive' }, { verdict: 'fail' }]);
    expect(validate('report', judged)).toEqual([]);
  });

  it('reports a pass with its evidence, and is valid against the schema', () => {
    const judged = report([says('pass', { reason: 'noted', evidence: ['o1', 'x1'] })]);
    expect(judged).toMatchObject({
      verdict: 'conformant',
      exitCode: 0,
      durationMs: 34,
      requirements: [{ id: MUST, level: 'MUST', verdict: 'pass', checks: [MUST] }],
      checks: [
        { id: MUST, verdict: 'pass', reason: 'noted', evidence: ['o1', 'x1'], durationMs: 12, title: `the ${MUST}` },
      ],
    });
    expect(judged.checks[0]).not.toHaveProperty('reproduce');
    expect(validate('report', judged)).toEqual([]);
  });

  it('reports a failure with both sides, the diagnosis and a command', () => {
    const diagnosis = { code: 'c', message: 'm' };
    const judged = report([says('fail', { expected: 'e', actual: 'a', diagnosis })]);
    expect(judged).toMatchObject({ verdict: 'non-conformant', exitCode: 1 });
    expect(judged.checks[0]).toMatchObject({ expected: 'e', actual: 'a', diagnosis });
    expect(judged.checks[0]?.reproduce).toBe(
      `curl -sS -i -X POST http://h/a -H "authorization: Bearer $KEY" --data-raw '{"a":1}'`,
    );
    expect(validate('report', judged)).toEqual([]);
  });

  it('names a run in which a failure was seen, where nothing else names one', () => {
    const runs = [observing({ runId: 'r1', role: 'source' }), observing({ runId: 'r2' }, { id: 'o2' })];
    const reasonOf = (...more: Parameters<typeof says>[1][]): unknown[] =>
      more.map((each) => one([says('fail', each)], [run, planned, exchanged(), ...runs, driven, end]).reason);
    const evidence = ['o1', 'o2'];
    expect(reasonOf({ evidence }, { evidence: ['o2'], reason: 'why' }, { evidence: ['x1'] })).toEqual([
      'seen in the source r1',
      'why; seen in r2',
      undefined,
    ]);
    expect(reasonOf({ evidence, actual: 'none in r2' }, { evidence, expected: 'one in r1', reason: 'why' })).toEqual([
      undefined,
      'why',
    ]);
  });

  it('gives its own command where the request was cut, with nothing that a shell expands', () => {
    const records = [run, planned, exchanged(true), observed, driven, end];
    expect(one([says('fail')], records).reproduce).toBe(
      `npx openwop-conformance --base-url 'http://h/$(id)' --scenario s --seed 7 --vectors 3 --forks 5 --recipe rfc-0150`,
    );
  });

  it('gives its own command where more than one request stands behind the failure', () => {
    const several = { ...observed, observation: { ...observed.observation, exchanges: ['x1', 'x2'] } };
    expect(one([says('fail')], [run, planned, exchanged(), several, driven, end]).reproduce).toMatch(
      /^npx openwop-conformance .* --scenario s /u,
    );
  });

  it('says what a scenario that could not be planned rests on, where that failed', () => {
    const plan: EvidenceRecord = { ...planned, status: 'inconclusive', reason: 'unread', restsOn: OTHER };
    const suites = suiteOf(() => [], [check(MUST)]);
    const [first] = suites;
    if (first === undefined) throw new Error('no suite');
    const owner = suiteOf(() => [says('fail', { check: OTHER })], [check(OTHER)])[0]?.scenarios ?? [];
    const both = [{ ...first, scenarios: [...first.scenarios, ...owner.map((each) => ({ ...each, id: 'o' }))] }];
    const ran = { ...run, scenarios: ['s', 'o'] };
    const records: readonly EvidenceRecord[] = [
      ran,
      plan,
      { ...planned, scenario: 'o' },
      observed,
      { ...driven, scenario: 'o' },
      end,
    ];
    expect(judgeRun(records, both, options).checks).toMatchObject([
      { id: MUST, verdict: 'inconclusive', reason: 'unread', restsOn: OTHER },
      { id: OTHER, verdict: 'fail' },
    ]);
  });

  it.each(['interrupts/ask', 'cancel'])('gives its own command where POST of %s cannot be repeated', (path) => {
    const { request, ...rest } = exchanged();
    const spent = { ...rest, request: { ...request, url: `http://h/v1/runs/r/${path}` } };
    expect(one([says('fail')], [run, planned, spent, observed, driven, end]).reproduce).toMatch(/^npx /u);
  });

  it('gives its own command where a judge names no request that shows it', () => {
    expect(one([says('fail', { steps: [] })]).reproduce).toMatch(/^npx /u);
  });

  it('names the scenarios whose answers name one run', () => {
    const again = { type: 'run-id-again', runId: 'r', scenarios: ['a', 'b'], exchanges: ['x1', 'x2'] };
    const doubled: ObservationRecord = { ...observed, observation: again };
    const [suite] = suiteOf(() => [says('fail')], [check(MUST)]);
    const others = ['a', 'b', 'c'].map((id) => bareScenario({ id, checks: [] }));
    const scenarios = [...(suite?.scenarios ?? []), ...others];
    const ran = { ...run, scenarios: scenarios.map(({ id }) => id) };
    const records = [ran, planned, exchanged(), { ...exchanged(), id: 'x2' }, doubled, driven, end];
    const { checks } = judgeRun(records, [{ id: 'u', scenarios }], options);
    expect(checks[0]?.reproduce).toContain('--scenario s --scenario a --scenario b --seed');
  });

  it('gives several requests in their order where only these show it', () => {
    const second: ExchangeRecord = { ...exchanged(), id: 'x2' };
    const records = [run, planned, exchanged(), second, observed, driven, end];
    const { reproduce = '' } = one([says('fail', { steps: ['x2', 'o1'] })], records);
    expect(reproduce.split(' && ').map((each) => each.slice(0, 4))).toEqual(['curl', 'curl']);
    expect(one([says('fail', { steps: ['x2', 'o9'] })], records).reproduce).toMatch(/^npx /u);
    const many = Array.from({ length: 60 }, () => 'x2');
    expect(one([says('fail', { steps: many })], records).reproduce).toMatch(/^npx /u);
  });

  it('drives the scenario again where two hosts are compared: one of them alone may answer rightly', () => {
    const both: EvidenceRecord = { ...run, target: { baseUrl: 'http://h', baseUrlB: 'http://h/b' } };
    const other = exchanged();
    const second: ExchangeRecord = { ...other, id: 'x2', request: { ...other.request, url: 'http://h/b/a' } };
    const fromSecond: ObservationRecord = { ...observed, id: 'o2', observation: { type: 't', exchanges: ['x2'] } };
    const records = [both, planned, exchanged(), second, observed, fromSecond, driven, end];
    expect(one([says('fail', { evidence: ['o1', 'o2'] })], records).reproduce).toMatch(/^npx /u);
    expect(one([says('fail', { evidence: ['o2'] })], records).reproduce).toContain('http://h/b/a');
    expect(one([says('fail', { steps: ['o2'], evidence: ['o1', 'o2'] })], records).reproduce).toMatch(/^curl /u);
  });

  it('drives the self-test again where its host is gone', () => {
    const gone: EvidenceRecord = { ...run, options: { ...run.options, command: 'self-test' } };
    expect(one([says('fail')], [gone, ...whole.slice(1)]).reproduce).toMatch(/^npx openwop-conformance self-test /u);
  });

  it('repeats the declared volatile fields in that command', () => {
    const declared = { ...run, options: { seed: 7, volatile: ['/payload/a b'] } };
    const records = [declared, planned, exchanged(true), observed, driven, end];
    expect(one([says('fail')], records).reproduce).toBe(
      `npx openwop-conformance --base-url 'http://h/$(id)' --scenario s --seed 7 --volatile '/payload/a b'`,
    );
  });

  it('lists only the first of a great many evidence ids', () => {
    expect(one([says('fail', { evidence: Array.from({ length: 100 }, () => 'o1') })]).evidence).toHaveLength(20);
  });

  it('throws for evidence without a run line', () => {
    expect(() => judgeRun([planned], [], options)).toThrow(/no run line/u);
  });

  it('hands the judge its own scenario’s observations with their ids, and the options', () => {
    const seen: unknown[] = [];
    const foreign: EvidenceRecord = { ...observed, id: 'o2', scenario: 'other' };
    const judge: Scenario['judge'] = (observations, given) => {
      seen.push(observations, given.seed);
      return [says('pass')];
    };
    judgeRun([...whole, foreign], suiteOf(judge, [check(MUST)]), options);
    expect(seen).toEqual([[{ type: 't', exchanges: ['x1'], id: 'o1' }], 7]);
  });
});

const throwing = (): never => {
  throw new Error('boom');
};

describe('what a judge may not say is an error', () => {
  it.each([
    ['a pass without evidence', [says('pass', { evidence: [] })], /pass without recorded evidence/u],
    ['unknown evidence', [says('pass', { evidence: ['o1', 'o9'] })], /not recorded: o9/u],
    ['unknown evidence of a failure', [says('fail', { evidence: ['x7'] })], /not recorded: x7/u],
    ['nothing', [], /no verdict/u],
  ] as const)('%s', (_, judgements, reason) => {
    expect(one(judgements)).toMatchObject({ verdict: 'error', reason: expect.stringMatching(reason) as string });
    expect(report(judgements)).toMatchObject({ verdict: 'error', exitCode: 4 });
  });

  it('an exception', () => {
    const judged = judgeRun(whole, suiteOf(throwing, [check(MUST), check(OTHER)]), options);
    expect(judged.checks.map(({ verdict }) => verdict)).toEqual(['error', 'error']);
    expect(judged.checks[0]?.reason).toContain('the judge failed: Error: boom');
  });
});

describe('a scenario that was not driven to its end', () => {
  const pass = [says('pass')];
  it.each([
    ['planned', [run, end], 'inconclusive', /ends before this scenario was planned/u],
    ['driven', [run, planned, exchanged(), observed], 'inconclusive', /ends before this scenario was driven/u],
    ['in time', [...whole.slice(0, 4), { ...driven, outcome: 'timed-out', message: 'late' }], 'inconclusive', /late/u],
    ['without a bug', [...whole.slice(0, 4), { ...driven, outcome: 'error', message: 'bug' }], 'error', /bug/u],
    ['as it does not apply', [run, { ...planned, status: 'not-applicable', reason: 'no' }], 'not-applicable', /no/u],
    ['as something is missing', [run, { ...planned, status: 'inconclusive', reason: 'seam' }], 'inconclusive', /seam/u],
  ] as const)('(not %s) gets no verdict from its judge', (_, records, verdict, reason) => {
    expect(one(pass, records as readonly EvidenceRecord[])).toMatchObject({
      verdict,
      reason: expect.stringMatching(reason) as string,
      evidence: [],
    });
  });

  it('is left out when it was not selected', () => {
    expect(report(pass, [{ ...run, scenarios: [] }, ...whole.slice(1)]).checks).toEqual([]);
  });
});

describe('time for judging', () => {
  it('leaves inconclusive what was not judged before it was over', () => {
    const late = judgeRun(whole, suiteOf(throwing, [check(MUST)]), { ...options, isOver: () => true });
    expect(late.checks).toMatchObject([
      { verdict: 'inconclusive', reason: 'not judged: the time for judging was over' },
    ]);
    const early = judgeRun(whole, suiteOf(throwing, [check(MUST)]), { ...options, isOver: () => false });
    expect(early.checks).toMatchObject([{ verdict: 'error' }]);
  });

  it('leaves a failure open whose cause was not found before it was over, beside the claim that is broken', () => {
    let judgings = 0;
    const judge: Scenario['judge'] = () => {
      judgings += 1;
      return [says('fail', { actual: 'that' }), says('fail', { check: OTHER })];
    };
    const foundation: Foundation = { check: OTHER, without: () => ({ wrong: false }) };
    const suites = suiteOf(judge, [check(MUST), check(OTHER)], { foundations: [foundation] });
    const { checks } = judgeRun(whole, suites, { ...options, isOver: () => judgings > 0 });
    expect(checks).toMatchObject([
      { verdict: 'inconclusive', reason: 'the time for judging was over before its cause was found: that' },
      { verdict: 'fail' },
    ]);
    expect(judgings).toBeLessThan(4);
  });
});

describe('a run that was interrupted', () => {
  const cut = whole.with(whole.indexOf(end), { kind: 'end', durationMs: 34, interrupted: 'SIGTERM' });

  it.each([false, true])('is inconclusive and says so, though all that was driven passed (allowed: %s)', (allow) => {
    const judged = report([says('pass')], cut, { allowInconclusive: allow });
    expect(judged).toMatchObject({ verdict: 'inconclusive', exitCode: 3, interrupted: 'SIGTERM' });
    expect(validate('report', judged)).toEqual([]);
    expect(report([says('pass')])).not.toHaveProperty('interrupted');
  });

  it('has failed where a check failed before', () => {
    expect(report([says('fail')], cut)).toMatchObject({ verdict: 'non-conformant', exitCode: 1 });
  });
});

describe('a run that was stopped', () => {
  const message = 'the run was stopped after 1 failed check (--max-failures)';
  const stopped: readonly EvidenceRecord[] = [
    run,
    planned,
    exchanged(),
    observed,
    { ...driven, message },
    { ...end, stoppedAfter: 1 },
  ];

  it('leaves open for that, and not for the host, what a scenario under way could not decide', () => {
    const judged = report([says('inconclusive', { reason: 'the run has not ended' })], stopped);
    expect(judged.checks).toMatchObject([{ verdict: 'inconclusive', reason: message }]);
    expect(judged.stoppedAfter).toEqual({ failures: 1, checksNotReached: 1 });
    const resting = report([says('inconclusive', { reason: 'no run', restsOn: OTHER })], stopped);
    expect(resting.checks).toMatchObject([{ reason: message }]);
    expect(validate('report', judged)).toEqual([]);
  });

  it('keeps what was seen, and is not conformant', () => {
    expect(report([says('fail')], stopped).checks).toMatchObject([{ verdict: 'fail' }]);
    expect(report([says('pass')], stopped, { allowInconclusive: true })).toMatchObject({ exitCode: 3 });
  });
});

describe('a run that ran out of something', () => {
  it.each(['time', 'evidence'] as const)('is inconclusive and says so: %s', (what) => {
    const judged = report([says('pass')], [...whole.slice(0, -1), { ...end, ranOutOf: what }], {
      allowInconclusive: true,
    });
    expect(judged).toMatchObject({ verdict: 'inconclusive', exitCode: 3, ranOutOf: what });
    expect(validate('report', judged)).toEqual([]);
  });

  it('has no conformant suite of which something was not driven to its end, advice neither', () => {
    const suites = suiteOf(() => [says('pass'), says('inconclusive', { check: SHOULD })], [check(MUST), check(SHOULD)]);
    const cut: readonly EvidenceRecord[] = [
      run,
      planned,
      exchanged(),
      observed,
      { ...driven, message: 'm' },
      { ...end, ranOutOf: 'time' },
    ];
    const verdictsOf = (records: readonly EvidenceRecord[]) =>
      judgeRun(records, suites, options).suites.map(({ verdict }) => verdict);
    expect(verdictsOf(cut)).toEqual(['inconclusive']);
    expect(verdictsOf(cut.with(4, driven))).toEqual(['conformant']);
    expect(verdictsOf(whole.slice(0, -1))).toEqual(['conformant']);
  });
});

describe('evidence that was cut off', () => {
  it('is inconclusive and says so, though all that is there passed', () => {
    const judged = report([says('pass')], whole.slice(0, -1), { allowInconclusive: true });
    expect(judged).toMatchObject({ verdict: 'inconclusive', exitCode: 3, endsEarly: true });
    expect(validate('report', judged)).toEqual([]);
    expect(report([says('pass')])).not.toHaveProperty('endsEarly');
  });
});

describe('levels', () => {
  const suites = suiteOf(() => [says('pass'), says('fail', { check: SHOULD })], [check(MUST), check(SHOULD)]);

  it('let a SHOULD row decide only when asked', () => {
    expect(judgeRun(whole, suites, options)).toMatchObject({ verdict: 'conformant', exitCode: 0, counts: { fail: 1 } });
    expect(judgeRun(whole, suites, { ...options, level: 'should' })).toMatchObject({ exitCode: 1 });
  });
});

describe('options and facts', () => {
  it('judge only the requirements that were asked for', () => {
    const suites = suiteOf(() => [says('pass'), says('fail', { check: OTHER })], [check(MUST), check(OTHER)]);
    expect(judgeRun(whole, suites, { ...options, requirements: [MUST] })).toMatchObject({
      verdict: 'conformant',
      checks: [{ id: MUST }],
    });
  });

  it('combine the checks of one requirement: the worst counts', () => {
    const parts = [check(`${MUST}.a`, MUST), check(`${MUST}.b`, MUST)];
    const judge = () => [says('pass', { check: `${MUST}.a` }), says('inconclusive', { check: `${MUST}.b` })];
    expect(judgeRun(whole, suiteOf(judge, parts), options).requirements).toEqual([
      { id: MUST, level: 'MUST', verdict: 'inconclusive', checks: [`${MUST}.a`, `${MUST}.b`] },
    ]);
  });

  it('name the target as the planner saw it, and the recipe that its keys follow', () => {
    const target = {
      type: 'target',
      exchanges: [],
      implementation: 'i',
      discoverySha256: '0'.repeat(64),
      executionModelVersion: 4,
      recipeAdvertised: 'spec-rfc-0041',
    };
    const fact: EvidenceRecord = { kind: 'observation', id: 'o2', scenario: 'plan', observation: target };
    const suites = suiteOf(() => [says('pass')], [check(MUST)], { recipeObserved: (seen) => `${seen.length} seen` });
    const { type: _, exchanges: __, ...facts } = target;
    expect(judgeRun([...whole, fact], suites, options).target).toEqual({
      baseUrl: 'http://h/$(id)',
      ...facts,
      recipeObserved: '1 seen',
    });
  });

  it('carries the crash matrix of the suite that has one, and none otherwise', () => {
    const figures = { cuts: 0, pairs: 0, duplicateCalls: 0, lostEvents: 0, medianCycleMs: null };
    const matrix: CrashMatrix = { points: ['before-execute'], cells: [], figures };
    const seen: number[] = [];
    const suites = suiteOf(() => [says('pass')], [check(MUST)], {
      crashMatrix: (observations) => {
        seen.push(observations.length);
        return matrix;
      },
    });
    expect(judgeRun(whole, suites, options).crashMatrix).toEqual(matrix);
    expect(seen).toEqual([1]);
    const without = suiteOf(() => [says('pass')], [check(MUST)], { crashMatrix: () => null });
    expect(judgeRun(whole, without, options)).not.toHaveProperty('crashMatrix');
  });

  it('lets what looks at everything rest on a failure whose supposed cause did not fail', () => {
    const judgements = [says('fail'), says('fail', { check: OTHER, restsOn: SHOULD })];
    const suites = suiteOf(() => judgements, [check(MUST), check(OTHER)], { remainders: { [MUST]: [OTHER] } });
    const { checks } = judgeRun(whole, suites, options);
    expect(checks).toMatchObject([
      { id: MUST, verdict: 'inconclusive', restsOn: OTHER },
      { id: OTHER, verdict: 'fail' },
    ]);
  });

  it('allow inconclusive rows beside a pass', () => {
    const suites = suiteOf(() => [says('pass'), says('inconclusive', { check: OTHER })], [check(MUST), check(OTHER)]);
    expect(judgeRun(whole, suites, options).exitCode).toBe(3);
    expect(judgeRun(whole, suites, { ...options, allowInconclusive: true }).exitCode).toBe(0);
  });
});

describe('suspectsOf', () => {
  it('names the claims that observations break which the judgement points at, then those that others break', () => {
    const observations = ['o1', 'o2'].map((id) => ({ id, type: 'run', exchanges: [] }));
    const foundations: readonly Foundation[] = [
      { check: 'other', isBrokenBy: ({ id }) => id === 'o1' },
      { check: 'meant', isBrokenBy: ({ id }) => id === 'o2' },
    ];
    expect(suspectsOf({ evidence: ['o2'] }, observations, foundations)).toEqual(['meant', 'other']);
    expect(suspectsOf({ evidence: [] }, observations, foundations)).toEqual(['other', 'meant']);
    expect(suspectsOf({ evidence: [] }, [], foundations)).toEqual([]);
  });
});
