import { describe, expect, it } from 'vitest';
import type { CheckReport } from '../contract/report.ts';
import { afterOthers, inherited, oncePerRow, settleCauses } from './causes.ts';

function check(id: string, more: Partial<CheckReport> = {}): CheckReport {
  const where = { suite: 'u', scenario: 's', requirement: id, level: 'MUST', title: id } as const;
  return { id, ...where, verdict: 'fail', evidence: ['o1'], durationMs: 1, ...more };
}

/** Each check's verdict, and what it rests on. */
function settled(...checks: readonly CheckReport[]) {
  return settleCauses(checks).map(({ id, verdict, restsOn }) => [id, verdict, restsOn]);
}

/** A check that is open until this is done. */
function openUntil(step: string, reason: string): CheckReport {
  return check('on', { verdict: 'inconclusive', reason, remedies: [{ step }] });
}

/** What a check rests on that may do so on a failed one. */
function restedOn(open: CheckReport): string | undefined {
  return settleCauses([open, check('one')], () => ['one'])[0]?.restsOn;
}

/** What is said beside the first of these. */
function reasonOf(...checks: readonly CheckReport[]): string | undefined {
  return settleCauses(checks)[0]?.reason;
}

/** A failure that belongs to the row "none". */
function orphan(id: string, more: Partial<CheckReport> = {}): CheckReport {
  return check(id, { restsOn: 'none', ...more });
}

describe('settleCauses', () => {
  it('leaves a failure that belongs to a failed check undecided', () => {
    const owner = check('owner');
    const standing = check('on', { restsOn: 'owner', expected: '201', actual: '501', reproduce: 'curl', reason: 'r' });
    expect(settleCauses([standing, owner])).toEqual([
      check('on', { verdict: 'inconclusive', restsOn: 'owner', reason: 'not seen: 501; expected: 201; r' }),
      owner,
    ]);
  });

  it.each(['pass', 'inconclusive', 'not-applicable', 'error'] as const)(
    'lets it stand where its owner is %s: nothing is hidden',
    (verdict) => {
      expect(settled(check('on', { restsOn: 'owner' }), check('owner', { verdict }))).toEqual([
        ['on', 'fail', undefined],
        ['owner', verdict, undefined],
      ]);
    },
  );

  it('lets it stand where its owner was not judged', () => {
    expect(settled(check('on', { restsOn: 'owner' }))).toEqual([['on', 'fail', undefined]]);
  });

  it('leaves undecided what asks nothing of the host but for a failed check, and as it is where that did not fail', () => {
    const on = check('on', { verdict: 'not-applicable', restsOn: 'owner' });
    expect(settled(on, check('owner'))[0]).toEqual(['on', 'inconclusive', 'owner']);
    expect(settled(on, check('owner', { verdict: 'pass' }))[0]).toEqual(['on', 'not-applicable', undefined]);
  });

  it('says whose it may be where that was not judged, and not where it was', () => {
    const on = check('on', { restsOn: 'owner' });
    expect(reasonOf(on)).toBe('it may belong to owner, which was not run: run that one, too');
    expect(reasonOf({ ...on, reason: 'r' })).toBe('r; it may belong to owner, which was not run: run that one, too');
    expect(reasonOf(on, check('owner', { verdict: 'pass' }))).toBeUndefined();
    expect(reasonOf(on, check('part', { verdict: 'pass', requirement: 'owner' }))).toBeUndefined();
    expect(reasonOf(check('on', { restsOn: 'owner', verdict: 'inconclusive' }))).toBeUndefined();
  });

  it('rests on the first of a chain, and on the first in the report of a circle', () => {
    expect(settled(check('c', { restsOn: 'b' }), check('b', { restsOn: 'a' }), check('a'))).toEqual([
      ['c', 'inconclusive', 'a'],
      ['b', 'inconclusive', 'a'],
      ['a', 'fail', undefined],
    ]);
    const open = { verdict: 'inconclusive', restsOn: 'a' } as const;
    expect(settled(check('c', { verdict: 'inconclusive', restsOn: 'b' }), check('b', open), check('a'))).toEqual([
      ['c', 'inconclusive', 'a'],
      ['b', 'inconclusive', 'a'],
      ['a', 'fail', undefined],
    ]);
    expect(settled(check('c', { restsOn: 'b' }), check('b', open))).toEqual([
      ['c', 'fail', undefined],
      ['b', 'inconclusive', undefined],
    ]);
    expect(settled(check('b', { restsOn: 'a' }), check('a', { restsOn: 'a' }))).toEqual([
      ['b', 'inconclusive', 'a'],
      ['a', 'fail', undefined],
    ]);
    const circle = [check('a', { restsOn: 'b' }), check('b', { restsOn: 'c' }), check('c', { restsOn: 'a' })];
    expect(settled(check('d', { restsOn: 'c' }), ...circle)).toEqual([
      ['d', 'inconclusive', 'a'],
      ['a', 'fail', undefined],
      ['b', 'inconclusive', 'a'],
      ['c', 'inconclusive', 'a'],
    ]);
    // What is open carries nothing.
    const half = [check('a', { verdict: 'inconclusive', restsOn: 'b' }), check('b', { restsOn: 'a' })];
    expect(settled(...half)).toEqual([
      ['a', 'inconclusive', 'b'],
      ['b', 'fail', undefined],
    ]);
  });

  it('names what an undecided check rests on, where that failed', () => {
    const open = check('on', { verdict: 'inconclusive', reason: 'no run', restsOn: 'owner' });
    expect(settled(open, check('owner'))[0]).toEqual(['on', 'inconclusive', 'owner']);
    expect(settleCauses([open, check('owner')])[0]?.reason).toBe('no run');
    expect(settled(open, check('owner', { verdict: 'pass' }))[0]).toEqual(['on', 'inconclusive', undefined]);
  });

  it('rests on whichever check of a requirement failed, that of its own name before others', () => {
    const [first, whole] = [check('row.a', { requirement: 'row' }), check('row')];
    expect(settled(check('on', { restsOn: 'row' }), first)[0]).toEqual(['on', 'inconclusive', 'row.a']);
    expect(settled(check('on', { restsOn: 'row' }), first, whole)[0]).toEqual(['on', 'inconclusive', 'row']);
    expect(settled(check('row.a', { requirement: 'row', restsOn: 'row' }))[0]).toEqual(['row.a', 'fail', undefined]);
  });

  it('goes through what is itself undecided for the sake of another check', () => {
    const between = check('b', { verdict: 'inconclusive', restsOn: 'a' });
    const open = check('c', { verdict: 'inconclusive', restsOn: 'b' });
    expect(settled(open, between, check('a'))[0]).toEqual(['c', 'inconclusive', 'a']);
    expect(settled(open, between, check('a', { verdict: 'pass' }))[0]).toEqual(['c', 'inconclusive', undefined]);
    expect(settled(check('c', { restsOn: 'b' }), { ...between, restsOn: 'c' })[0]).toEqual(['c', 'fail', undefined]);
  });

  it('rests what is undecided and names no failed cause on the first suspect that failed', () => {
    const open = check('on', { verdict: 'inconclusive', restsOn: 'green' });
    const others = [check('green', { verdict: 'pass' }), check('one'), check('two')];
    const found = (...suspects: readonly string[]) => settleCauses([open, ...others], () => suspects)[0]?.restsOn;
    expect(found('green', 'on', 'two', 'one')).toBe('two');
    expect(found('green', 'nowhere')).toBeUndefined();
    expect(settleCauses([open, ...others], () => ['one']).slice(1)).toEqual(others);
    const named = { ...open, restsOn: 'one' };
    expect(settleCauses([named, ...others], () => ['two'])[0]?.restsOn).toBe('one');
  });

  it('rests what lacks a workflow or a seam alone on nothing: no repair decides it', () => {
    expect(restedOn(openUntil('seed w', 'POST /v1/runs was answered with 404'))).toBeUndefined();
    expect(restedOn(openUntil('expose s', 'POST /s answered 404'))).toBeUndefined();
    expect(restedOn(openUntil('seed w', 'no branch has events below its fork point'))).toBe('one');
    expect(restedOn(openUntil('take answers', 'it is answered with 404'))).toBe('one');
    expect(restedOn({ ...openUntil('seed w', '404'), restsOn: 'one' })).toBe('one');
  });

  it('rests it on the row about runs where a host refuses those of all the workflows that it names', () => {
    const diagnosis = { code: 'named-and-refused', message: 'none' };
    const open = openUntil('seed w', 'POST /v1/runs was answered with 404');
    expect(settleCauses([open, check('one', { diagnosis })], () => ['one'])[0]?.restsOn).toBe('one');
    const passed = check('one', { verdict: 'pass', diagnosis });
    expect(settleCauses([open, passed, check('two')], () => ['two'])[0]?.restsOn).toBeUndefined();
  });

  it('rests what is undecided, and has no failed cause, on the row behind it that says what the host lacks', () => {
    const lacking = { verdict: 'inconclusive', remedies: [{ step: 'take answers' }] } as const;
    const open = check('on', { verdict: 'inconclusive' });
    const rows: Readonly<Record<string, readonly string[]>> = {
      on: ['green', 'said', 'between'],
      chained: ['between'],
      between: ['lack', 'between'],
      round: ['about'],
      about: ['round'],
      into: ['round'],
    };
    const found = (...checks: readonly CheckReport[]) =>
      settleCauses(
        checks,
        ({ id }) => (id === 'on' ? ['red'] : []),
        ({ id }) => rows[id] ?? [],
      ).map(({ restsOn }) => restsOn);
    const [between, lack] = [check('between', lacking), check('lack', lacking)];
    const said = check('said', { verdict: 'inconclusive' });
    expect(found(open, said, check('green', { verdict: 'pass' }), between, lack)).toEqual([
      'lack',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(found(check('chained', { verdict: 'inconclusive' }), between)).toEqual(['between', undefined]);
    // Who says the same by itself rests on nobody for it.
    expect(found({ ...open, ...lacking }, between, lack)).toEqual([undefined, undefined, undefined]);
    expect(found({ ...open, remedies: [{ step: 'another' }] }, between, lack)[0]).toBe('lack');
    // What failed comes first, and a circle leads nowhere.
    expect(found(open, between, lack, check('red'))[0]).toBe('red');
    const circle = [check('round', lacking), check('about', lacking), check('into', { verdict: 'inconclusive' })];
    expect(found(...circle)).toEqual([undefined, undefined, undefined]);
    // A failure is none of what the host lacks.
    expect(found(check('chained'), between)).toEqual([undefined, undefined]);
  });

  it('changes nothing else', () => {
    const others = [check('p', { verdict: 'pass' }), check('f'), check('i', { verdict: 'inconclusive', reason: 'r' })];
    expect(settleCauses(others)).toEqual(others);
  });
});

/** What each check rests on where `a.rest` looks at everything. */
function owners(...checks: readonly CheckReport[]): readonly unknown[] {
  return afterOthers(checks, { 'a.rest': ['a.', 'b.'] }).map(({ restsOn }) => restsOn);
}

/** `b.one` points at a log of one event, and nothing else at any. */
function typesOfOne({ id }: CheckReport): ReadonlySet<string> {
  return new Set(id === 'b.one' ? ['run.started'] : []);
}

/** What becomes of `b.one` beside a failure in events of these types. */
function onOneThatDiffers(...differs: readonly string[]) {
  return afterOthers([check('b.one'), check('a.rest', { differs })], { 'b.one': ['a.'] }, typesOfOne)[0];
}

describe('afterOthers', () => {
  it('rests a failure on the first other one whose name goes before it', () => {
    expect(owners(check('a.rest'), check('c.one'), check('b.one'), check('a.one'))).toEqual([
      'b.one',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('rests on one that shows the same runs, where there is one', () => {
    const others = [check('a.one', { evidence: ['o1'] }), check('a.two', { evidence: ['o2', 'o3'] })];
    expect(owners(check('a.rest', { evidence: ['o3'] }), ...others)[0]).toBe('a.two');
    expect(owners(check('a.rest', { evidence: ['o4'] }), ...others)[0]).toBe('a.one');
  });

  it('rests of two that go before each other the later one on the earlier', () => {
    const each = afterOthers([check('a.one'), check('a.two')], { 'a.one': ['a.'], 'a.two': ['a.'] });
    expect(each.map(({ restsOn }) => restsOn)).toEqual([undefined, 'a.one']);
  });

  it('rests on a name without a dot alone, not on those below it', () => {
    const each = afterOthers([check('b.one.more'), check('a.one')], { 'a.one': ['b.one'] });
    expect(each.map(({ restsOn }) => restsOn)).toEqual([undefined, undefined]);
    const whole = afterOthers([check('b.one.more'), check('a.one')], { 'a.one': ['b.one.'] });
    expect(whole.map(({ restsOn }) => restsOn)).toEqual([undefined, 'b.one.more']);
  });

  it('rests nothing on what narrows it down', () => {
    expect(owners(check('a.rest'), check('a.rest.more'))[0]).toBeUndefined();
    expect(owners(check('a.rest'), check('a.rest.more'), check('a.resting'))[0]).toBe('a.resting');
  });

  it('rests one that knows its places where each of them has a failure that names its member', () => {
    const others = [check('b.one', { actual: 'sourceRunId is nothing' }), check('b.two', { actual: '/op is "moved"' })];
    const on = (...places: readonly string[]) => owners(check('a.rest', { places }), ...others)[0];
    expect(on('/sourceRunId')).toBe('b.one');
    expect(on('/eventDiffs/*/op', '/sourceRunId', '')).toBe('b.two');
    expect(on('/eventDiffs/*')).toBeUndefined();
    expect(on('/sourceRunId', '/mode')).toBeUndefined();
    expect(on('/source')).toBeUndefined();
    expect(on('')).toBe('b.one');
  });

  it('rests none on what it is apart from, and shows nobody what that was', () => {
    const others = [check('b.one'), check('b.row.two'), check('c.three')];
    const on = (...apart: readonly string[]) => owners(check('a.rest', { apart }), ...others)[0];
    expect(on()).toBe('b.one');
    expect(on('b.one')).toBe('b.row.two');
    expect(on('b.one', 'b.row.')).not.toBe('b.row.two');
    expect(on('b.')).not.toBe('b.one');
    expect(afterOthers([check('a.rest', { apart: ['b.'] })], {})[0]).not.toHaveProperty('apart');
  });

  it('rests none on what was seen in logs that hold nothing of what differs in its own', () => {
    const others = [check('b.one'), check('b.row.two')];
    const on = (...differs: readonly string[]) =>
      afterOthers([check('a.rest', { differs }), ...others], { 'a.rest': ['b.'] }, typesOfOne)[0];
    expect(on()?.restsOn).toBe('b.one');
    expect(on('node.started', 'run.started')?.restsOn).toBe('b.one');
    expect(on('node.started')?.restsOn).toBe('b.row.two');
    expect(on('node.started')).not.toHaveProperty('differs');
  });

  it('rests none on what differs in events of which its own logs hold none', () => {
    expect(onOneThatDiffers()?.restsOn).toBe('a.rest');
    expect(onOneThatDiffers('node.started', 'run.started')?.restsOn).toBe('a.rest');
    expect(onOneThatDiffers('node.started')?.restsOn).toBeUndefined();
  });

  it('lets the first of further ones stand that rests on none, and shows nobody the others', () => {
    const further = [
      { actual: 'two', evidence: ['o2'] },
      { actual: 'three', apart: ['b.'], reproduce: 'curl', evidence: ['o3'] },
      { actual: 'four', apart: ['b.'], evidence: ['o4'] },
    ];
    const judged = (more: Partial<CheckReport>, ...others: readonly CheckReport[]) =>
      afterOthers([check('a.rest', { actual: 'one', ...more }), ...others], { 'a.rest': ['b.'] })[0];
    const { restsOn: _none, ...third } = check('a.rest', { actual: 'three', evidence: ['o3'], reproduce: 'curl' });
    expect(judged({ further }, check('b.one'))).toEqual(third);
    expect(judged({ further, reason: 'of one', reproduce: 'one' }, check('b.one'))).toEqual(third);
    expect(judged({ further })).toEqual(check('a.rest', { actual: 'one' }));
    expect(judged({ further: further.slice(0, 1) }, check('b.one'))).toEqual(
      check('a.rest', { actual: 'one', restsOn: 'b.one' }),
    );
  });

  it('rests one whose place is a status on one that was answered so', () => {
    const status = check('a.rest', { places: ['/200'] });
    expect(owners(status, check('b.one', { actual: '0, 1, 2' }))[0]).toBeUndefined();
    expect(owners(status, check('b.one', { actual: '200 for POST /v1/runs' }))[0]).toBe('b.one');
  });

  it('lets what decides stand beside what is advice', () => {
    expect(owners(check('a.rest'), check('b.one', { level: 'SHOULD' }))[0]).toBeUndefined();
    expect(owners(check('a.rest', { level: 'SHOULD' }), check('b.one', { level: 'SHOULD' }))[0]).toBe('b.one');
  });

  it('lets it stand where none of them failed, or it has a cause', () => {
    expect(owners(check('a.rest'), check('c.one'), check('b.one', { verdict: 'pass' }))[0]).toBeUndefined();
    expect(owners(check('a.rest', { restsOn: 'd' }), check('b.one'))[0]).toBe('d');
    expect(owners(check('a.rest'), check('b.one', { restsOn: 'a' }))[0]).toBeUndefined();
    expect(owners(check('a.rest', { verdict: 'inconclusive' }), check('b.one'))[0]).toBeUndefined();
  });
});

/** What each of these failures of one requirement rests on, all with a diagnosis of that code. */
function inOneRow(...failures: readonly Partial<CheckReport>[]) {
  const checks = failures.map((more, place) => check(`row.${place}`, { requirement: 'row', ...more }));
  return oncePerRow(checks).map(({ restsOn }) => restsOn);
}

describe('oncePerRow', () => {
  const diagnosis = { code: 'same', message: 'the same mistake' };

  it('lets a mistake of one name be red once in a row', () => {
    expect(inOneRow({ diagnosis }, { diagnosis }, { diagnosis })).toEqual([undefined, 'row.0', 'row.0']);
  });

  it('takes nothing for the same mistake that has another name, none, or stands in another row', () => {
    expect(inOneRow({ diagnosis }, { diagnosis: { ...diagnosis, code: 'other' } })).toEqual([undefined, undefined]);
    expect(inOneRow({}, {})).toEqual([undefined, undefined]);
    expect(inOneRow({ diagnosis }, { diagnosis, requirement: 'other' })).toEqual([undefined, undefined]);
  });

  it('leaves each check red that shows a symptom, and does not report that it is one', () => {
    const symptom = { ...diagnosis, isSymptom: true } as const;
    expect(inOneRow({ diagnosis: symptom }, { diagnosis: symptom })).toEqual([undefined, undefined]);
    expect(oncePerRow([check('row.0', { diagnosis: symptom })])[0]?.diagnosis).toStrictEqual(diagnosis);
  });

  it("rests on no failure that is advice, is another check's, or is none", () => {
    expect(inOneRow({ diagnosis, level: 'SHOULD' }, { diagnosis })).toEqual([undefined, undefined]);
    expect(inOneRow({ diagnosis, restsOn: 'owner' }, { diagnosis })).toEqual(['owner', undefined]);
    expect(inOneRow({ diagnosis, verdict: 'pass' }, { diagnosis })).toEqual([undefined, undefined]);
  });
});

/** What each of these rests on where the row "none" asks nothing of the host. */
function heirs(...checks: readonly CheckReport[]): readonly unknown[] {
  const none = check('none', { verdict: 'not-applicable' });
  return inherited([none, ...checks])
    .slice(1)
    .map(({ restsOn }) => restsOn);
}

describe('inherited', () => {
  it('lets what belongs to a row that asks nothing of the host be red once, in the check of a whole row first', () => {
    expect(heirs(orphan('a.one', { requirement: 'a' }), orphan('b'), orphan('c'))).toEqual(['b', undefined, 'b']);
    expect(heirs(orphan('a.one', { requirement: 'a' }), orphan('a.two', { requirement: 'a' }))).toEqual([
      undefined,
      'a.one',
    ]);
  });

  it('lets advice own nothing that decides', () => {
    expect(heirs(orphan('a', { level: 'SHOULD' }), orphan('b'))).toEqual(['b', undefined]);
    expect(heirs(orphan('a', { level: 'SHOULD' }), orphan('b.one', { requirement: 'b' }))).toEqual([
      'b.one',
      undefined,
    ]);
    expect(heirs(orphan('a', { level: 'SHOULD' }), orphan('b', { level: 'SHOULD' }))).toEqual([undefined, 'a']);
  });

  it('leaves others as they are', () => {
    const others = [check('a'), check('b', { restsOn: 'a' }), check('c', { restsOn: 'nowhere' })];
    expect(heirs(...others)).toEqual([undefined, 'a', 'nowhere']);
    const half = check('none.more', { requirement: 'none', verdict: 'pass' });
    expect(heirs(half, orphan('a'))).toEqual([undefined, 'none']);
    expect(heirs(orphan('a', { verdict: 'inconclusive' }))).toEqual(['none']);
  });
});
