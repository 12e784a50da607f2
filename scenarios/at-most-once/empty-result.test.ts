import { describe, expect, it } from 'vitest';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { cutText, type CutSet } from '../../src/host/crash.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { toyProbe, type ToyOptions } from '../../test/mortal-toy.ts';
import { observed, OPTIONS, verdictOf } from '../../test/recorded-runs.ts';
import { BEGUN, IN_DOUBT, NONCE, cellOf, type CellFacts, cutNamed } from '../../test/crash-cells.ts';
import { cutsIn } from './cut-plan.ts';
import { cutsOnceRecorded, type EmptyObservation, emptyResult } from './empty-result.ts';

type Evidence = readonly Recorded<Observation>[];

const UNCUT: CellFacts = { found: ['none', 'NEW', false] };
const EFFECT: CellFacts = {
  cut: 'after-put-effect',
  shown: `${BEGUN} started`,
  callsThen: 1,
  found: ['started', 'RECOVERABLE', true],
};
const COMMITTED: CellFacts = {
  cut: 'after-ledger-commit',
  shown: `${BEGUN} started finished committed`,
  callsThen: 1,
  found: ['committed', 'COMMITTED', true],
};

/** The runs of one answer, told as those of a nonce are. */
function logged(answer: Json, cells: readonly CellFacts[] = [UNCUT, EFFECT, COMMITTED]): Evidence {
  const text = JSON.stringify(answer);
  const cuts = cells.flatMap(({ cut }) => (cut === undefined ? [] : [cutNamed(cut)]));
  return [
    observed(`p-${text}`, 'empty-points', { answer, passes: cuts, cuts }),
    ...cells.map((each) => {
      const cell = cellOf(each);
      const said = JSON.stringify(cell).replaceAll(/\{"nonce":"n-\d"\}/gu, text);
      return observed(`${cell.id}-${text}`, 'empty-cell', { answer, cell: JSON.parse(said) as Json });
    }),
  ];
}

/** Runs that show an answer in a variable alone; the one that died is without it. */
function holding(answer: Json): Evidence {
  const log = `${BEGUN} run.completed`;
  const uncut = { ...UNCUT, log, more: { snapshot: { status: 'completed', variables: { v: answer } } } };
  return logged(answer, [uncut, { ...COMMITTED, shown: BEGUN, log }]);
}

/** The same evidence, with another text in the run that died after the commit. */
function changed(seen: Evidence, from: string, to: string): Evidence {
  return seen.map((each) =>
    each.id.startsWith('o-after-ledger-commit-')
      ? (JSON.parse(JSON.stringify(each).replaceAll(from, to)) as Recorded<Observation>)
      : each,
  );
}

const judged = (...seen: readonly Evidence[]): string =>
  verdictOf(emptyResult, 'once.committed.empty-result', seen.flat());
const reasonOf = (...seen: readonly Evidence[]): string | undefined =>
  emptyResult.judge(seen.flat(), OPTIONS)[0]?.reason;

const FAILED: CellFacts = { ...UNCUT, log: `${BEGUN} started node.failed run.failed` };

const texts = (names: string, cuts: CutSet): readonly string[] =>
  cutsOnceRecorded(cutsIn(names.split(' ')), cuts).map(cutText);

describe('cutsOnceRecorded', () => {
  const names =
    'before-append-event after-execute after-put-effect before-append-finished after-append-finished before-ledger-commit after-ledger-commit before-append-event';

  it('takes what lies after the effect, one for each window in a quick run', () => {
    expect(texts(names, 'full')).toHaveLength(5);
    expect(texts(names, 'quick')).toEqual(['after-put-effect@1', 'before-ledger-commit@1', 'after-ledger-commit@1']);
  });

  it('takes the first and the last where a few are enough', () => {
    expect(texts(names, 'few')).toEqual(['after-put-effect@1', 'after-ledger-commit@1']);
    expect(texts('after-ledger-commit', 'few')).toEqual(['after-ledger-commit@1']);
  });

  it('does not count what is not recorded without an effect store', () => {
    expect(texts('before-append-finished after-ledger-commit', 'full')).toEqual(['after-ledger-commit@1']);
  });

  it('takes all where no name tells, or is passed more than once', () => {
    expect(texts('one two after-put-effect after-put-effect', 'quick')).toHaveLength(4);
  });
});

describe('an empty answer', () => {
  it('passes where it is injected', () => {
    for (const answer of [null, {}, '', false, 0, []]) {
      expect(judged(logged(answer))).toBe('pass');
      expect(reasonOf(logged(answer))).toMatch(
        `${JSON.stringify(answer)}: 2 cuts; not tried (--crash full tries all): `,
      );
    }
  });

  it('fails where the tool is called again', () => {
    expect(judged(logged({}), logged(null, [UNCUT, EFFECT, { ...COMMITTED, calls: 2 }]))).toBe('fail duplicate-call');
    expect(reasonOf(logged(null, [UNCUT, EFFECT, { ...COMMITTED, calls: 2 }]))).toMatch(
      /^the tool answers null; after/u,
    );
  });

  it('fails where a host that executes again says that it found nothing', () => {
    expect(judged(logged(null, [UNCUT, { ...COMMITTED, found: ['none', 'NEW', false], calls: 2 }]))).toBe(
      'fail duplicate-call',
    );
  });

  it('fails where the end of its call is shown and never its commit, which is for the row about the order where no call has one', () => {
    const uncommitted = { ...UNCUT, log: `${BEGUN} started finished node.completed run.completed` };
    expect(judged(logged({}, [uncommitted, EFFECT, COMMITTED]))).toBe('fail missing-event');
    expect(emptyResult.judge(logged({}, [uncommitted]), OPTIONS)[0]?.restsOn).toBe('once.write-order');
  });

  it('fails where the run does not go on with it', () => {
    expect(judged(logged(null, [UNCUT, { ...EFFECT, log: IN_DOUBT }, COMMITTED]))).toBe('fail result-not-injected');
  });

  it('fails where something else stands in its place, or nothing at all', () => {
    const other = changed(logged(null), '"output":null', '"output":{}');
    expect(judged(other)).toBe('fail empty-result-lost');
    expect(judged(changed(other, '"output"', '"result"'))).toBe('fail empty-result-lost');
    expect(judged(logged(null, [UNCUT, { ...EFFECT, log: `${BEGUN} started run.completed` }]))).toBe(
      'fail empty-result-lost',
    );
  });

  it('may be left out where it is null, as long as its place is there', () => {
    expect(judged(changed(logged(null), ',"result":null', ''))).toBe('pass');
    expect(judged(changed(logged(null), '"output":null', ''))).toBe('pass');
    expect(judged(changed(logged(''), ',"result":""', ''))).toBe('fail empty-result-lost');
    expect(judged(changed(logged(null), ',"result":null', ',"result":{}'))).toBe('fail empty-result-lost');
  });

  it('may be the value of a variable that is not there, where it is null and stands nowhere else', () => {
    expect(judged(holding(null))).toBe('pass');
    expect(judged(holding(''))).toBe('fail empty-result-lost');
  });

  it('is left out where the run that is not cut does not complete with it', () => {
    expect(judged(logged(null, [FAILED]), logged({}))).toBe('pass');
    expect(reasonOf(logged(null, [FAILED]), logged({}))).toBe(
      '{}: 2 cuts; left out: null (the run that was not cut came out as failed); not tried (--crash full tries all): "", false, 0, []',
    );
    expect(judged(logged(null, [FAILED]), logged({}, [FAILED]))).toBe('inconclusive');
    expect(judged(logged(null, [{ ...FAILED, calls: 2 }]))).toBe('fail duplicate-call');
  });

  it('says nothing where nothing, not all or no death after the recording was seen', () => {
    expect(judged()).toBe('inconclusive');
    expect(judged(logged(null).slice(0, 1))).toBe('inconclusive');
    expect(judged(logged(null).slice(0, 3))).toBe('inconclusive');
    expect(judged(logged(null, [{ ...UNCUT, calls: 0 }]))).toBe('inconclusive');
    expect(judged(logged(null, [UNCUT]))).toBe('inconclusive');
    const undriven = { more: { notDriven: 'stopped', deaths: [] } };
    expect(judged(logged(null, [UNCUT, EFFECT, { ...COMMITTED, ...undriven }]))).toBe('inconclusive');
    expect(judged(logged(null, [UNCUT, { ...COMMITTED, more: { stopped: 'gone', log: null, snapshot: null } }]))).toBe(
      'inconclusive',
    );
  });

  it('is told apart from the nonce of other runs', () => {
    expect(JSON.stringify(logged(null))).not.toContain(NONCE);
  });
});

async function driven(options: ToyOptions) {
  const seen = (await emptyResult.drive(toyProbe(options).probe, OPTIONS)) as readonly EmptyObservation[];
  return { seen, verdict: judged(seen.map((each, index) => ({ ...each, id: `o${index}` }))) };
}

describe('the drive', () => {
  it('cuts runs whose tool answers each of them', async () => {
    const { seen, verdict } = await driven({ cuts: 'quick' });
    const answers = seen.filter(({ type }) => type === 'empty-points').map(({ answer }) => JSON.stringify(answer));
    expect(answers.toSorted()).toEqual(['null', '{}']);
    const cut = seen.flatMap((each) => (each.type === 'empty-cell' && each.cell.cut !== null ? [each] : []));
    expect(cut).toHaveLength(10);
    expect(cut.every(({ answer, cell }) => cell.calls.every((call) => has(call, answer)))).toBe(true);
    expect(verdict).toBe('pass');
  });

  it('drives them all where all cuts are asked for', async () => {
    const { seen, verdict } = await driven({ cuts: 'full' });
    expect(seen.filter(({ type }) => type === 'empty-points')).toHaveLength(6);
    expect(verdict).toBe('pass');
  });

  it('tries the advertised names where the host does not tell what it passed', async () => {
    const { verdict } = await driven({ cuts: 'quick', silent: true });
    expect(verdict).toBe('pass');
  });

  it('sees a host that calls again', async () => {
    expect((await driven({ cuts: 'quick', emptyIsNone: true })).verdict).toBe('fail duplicate-call');
  });

  it('records nothing where no host may be killed', async () => {
    const { probe } = toyProbe();
    expect(await emptyResult.drive({ ...probe, crash: undefined }, OPTIONS)).toEqual([]);
  });
});

function has(call: Json, answer: Json): boolean {
  return JSON.stringify((call as { readonly answer: Json }).answer) === JSON.stringify(answer);
}
