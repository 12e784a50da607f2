import { describe, expect, it } from 'vitest';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { BEGUN, cellOf, type CellFacts, FULL, logInWords, NONCE } from '../../test/crash-cells.ts';
import { toyProbe } from '../../test/mortal-toy.ts';
import { judgementIn, observed, OPTIONS, verdictOf } from '../../test/recorded-runs.ts';
import { behindRecord, type RecoveryObservation } from './recovery-drive.ts';
import { recoveredHuman, recoveredStrict, recoveredWarn } from './verified-recovery.ts';

type Mode = 'strict' | 'warn' | 'human';

const CALLED = `${BEGUN} started finished committed`;
const FOUND = ['committed', 'COMMITTED', true] as const;
const CUT: CellFacts = { cut: 'after-ledger-commit', shown: CALLED, callsThen: 1, found: FOUND };
const REFUSED: CellFacts = { ...CUT, log: `${CALLED} node.failed run.failed` };
const PARKED: CellFacts = {
  ...CUT,
  log: `${CALLED} interrupt.requested`,
  more: { stopped: 'parked', snapshot: { status: 'waiting-approval' } },
};

interface Facts {
  readonly right?: CellFacts;
  readonly asked?: number;
  readonly askedInReplay?: number;
  readonly calledInReplay?: number;
  readonly more?: Partial<RecoveryObservation>;
}

/** A recovery in the recorded world, and one in another. */
function recovered(
  other: CellFacts,
  { right = CUT, asked = 1, askedInReplay = 1, calledInReplay = 0, more = {} }: Facts = {},
) {
  const nothing = { nonce: NONCE, askedInReplay: 0, askedAfter: asked, warned: null, answered: null, afterNo: null };
  return [
    observed('right', 'recovery', { ...nothing, agrees: true, cell: cellOf(right), askedInReplay, calledInReplay }),
    observed('other', 'recovery', { ...nothing, agrees: false, cell: cellOf(other), ...more }),
  ];
}

const scenarioOf = (mode: Mode) => {
  const found = [recoveredStrict, recoveredWarn, recoveredHuman].find(({ id }) => id.endsWith(mode));
  if (found === undefined) throw new Error(mode);
  return found;
};
const judged = (mode: Mode, seen: readonly Recorded<Observation>[]): string =>
  verdictOf(scenarioOf(mode), `once.verified-recovery.${mode}`, seen);
const reasonOf = (mode: Mode, seen: readonly Recorded<Observation>[]): string | undefined =>
  judgementIn(scenarioOf(mode), `once.verified-recovery.${mode}`, seen).reason;

/** A run that is refused after its death, and whose events all have another value of this member then. */
function readAnew(name: string): readonly Recorded<Observation>[] {
  const anew = (events: readonly Json[], value: string): readonly Json[] =>
    events.map((event) => Object.assign({}, event, { [name]: value }));
  const { deaths, log, ...rest } = cellOf(REFUSED);
  const dead = deaths.map((death) => ({ ...death, shown: anew(death.shown, 'before') }));
  const cell = { ...rest, deaths: dead, log: anew(log ?? [], 'after') };
  return recovered(REFUSED).map((each) => (each.id === 'other' ? { ...each, cell } : each));
}

const MODES: readonly Mode[] = ['strict', 'warn', 'human'];

describe('strict', () => {
  it('fails the run and injects nothing', () => {
    expect(judged('strict', recovered(REFUSED))).toBe('pass');
    expect(judged('strict', recovered(CUT))).toBe('fail injected-over-failed-verification');
    expect(judged('strict', recovered({ ...CUT, log: FULL.replace('run.completed', 'run.failed') }))).toBe(
      'fail injected-over-failed-verification',
    );
    expect(judged('strict', recovered(PARKED))).toBe('fail not-failed');
  });

  it('does not mind members of a host’s own that each reading shows anew, but others', () => {
    expect(['servedAt', 'timestamp'].map((name) => judged('strict', readAnew(name)))).toEqual(['pass', 'inconclusive']);
  });

  it('does not mind what was written before the death', () => {
    const early = { ...REFUSED, log: `${CALLED} variable.changed node.failed run.failed` };
    expect(judged('strict', recovered(early))).toBe('pass');
  });
});

describe('warn', () => {
  it('counts and injects', () => {
    expect(judged('warn', recovered(CUT, { more: { warned: 1 } }))).toBe('pass');
    expect(judged('warn', recovered(CUT, { more: { warned: 0 } }))).toBe('fail not-counted');
    expect(judged('warn', recovered(CUT, { more: { warned: 0, askedAfter: 0 } }))).toBe('fail not-verified');
    expect(judged('warn', recovered(REFUSED))).toBe('fail not-injected');
  });

  it('does not take the figure of other runs for that of a recovery that asks nobody', () => {
    expect(judged('warn', recovered(CUT, { more: { warned: 7, askedAfter: 0 } }))).toBe('fail not-verified');
    expect(judged('warn', recovered(CUT, { more: { warned: 7, warnedBefore: 6 } }))).toBe('pass');
    expect(judged('warn', recovered(CUT, { more: { warned: 1, warnedBefore: 6 } }))).toBe('pass');
    expect(judged('warn', recovered(CUT, { more: { warned: 7, warnedBefore: 7 } }))).toBe('inconclusive');
    expect(judged('warn', recovered(CUT, { more: { warned: 0, warnedBefore: 0 } }))).toBe('fail not-counted');
  });

  it('says nothing where nobody counts, or verifies', () => {
    expect(judged('warn', recovered(CUT))).toBe('inconclusive');
    const unasked = recovered(CUT, { asked: 0, askedInReplay: 0, more: { warned: 0, askedAfter: 0 } });
    expect(judged('warn', unasked)).toBe('inconclusive');
  });
});

describe('human-in-loop', () => {
  it('waits, or ends with an error that names a person', () => {
    expect(judged('human', recovered(PARKED))).toBe('pass');
    const named = [
      ...logInWords(CALLED),
      { eventId: 'e', type: 'run.failed', sequence: 9, payload: { code: 'HumanRequired' } },
    ];
    expect(judged('human', recovered({ ...REFUSED, more: { log: named } }))).toBe('pass');
    expect(judged('human', recovered(REFUSED))).toBe('fail not-parked');
    expect(judged('human', recovered(CUT))).toBe('fail injected-without-confirmation');
  });

  it('records what an answer no leads to, whatever that is', () => {
    for (const afterNo of ['failed', 'waiting-approval', 'completed']) {
      const seen = recovered(PARKED, { more: { answered: 200, afterNo } });
      expect(judged('human', seen)).toBe('pass');
      expect(reasonOf('human', seen)).toBe(
        `the run waits; the answer false came back with 200, and the run was ${afterNo} then`,
      );
    }
    expect(reasonOf('human', recovered(PARKED))).toBe('the run waits; nobody could answer');
  });
});

describe.each(MODES)('every mode: %s', (mode) => {
  it('needs a verifier, and a recovery that asks it', () => {
    const wrong = mode === 'warn' ? REFUSED : CUT;
    expect(judged(mode, recovered(wrong, { asked: 0, askedInReplay: 0 }))).toBe('inconclusive');
    expect(judged(mode, recovered(wrong, { asked: 0 }))).toBe('fail not-verified');
  });

  it('fails where a replay of the recovered run calls the tool', () => {
    const other = { strict: REFUSED, warn: CUT, human: PARKED }[mode];
    expect(judged(mode, recovered(other, { calledInReplay: 1 }))).toBe('fail second-call');
    expect(judged(mode, recovered(other, { calledInReplay: 1, right: REFUSED }))).toBe('inconclusive');
  });

  it('says nothing without a death behind the record, or a recovery that comes through in the recorded world', () => {
    expect(judged(mode, [])).toBe('inconclusive');
    expect(judged(mode, recovered(CUT, { right: REFUSED }))).toBe('inconclusive');
    expect(judged(mode, recovered(CUT, { right: { ...CUT, calls: 2 } }))).toBe('inconclusive');
    expect(judged(mode, recovered({ ...CUT, more: { deaths: [] } }))).toBe('inconclusive');
    expect(judged(mode, recovered({ ...CUT, more: { notDriven: 'stopped' } }))).toBe('inconclusive');
    expect(judged(mode, recovered({}))).toBe('inconclusive');
    expect(judged(mode, recovered({ ...CUT, shown: `${CALLED} node.completed` }))).toBe('inconclusive');
    expect(judged(mode, recovered({ ...CUT, log: CALLED }))).toBe('inconclusive');
  });

  it('says nothing of a host that died before its call, or when its node may have ended', () => {
    const wrong = mode === 'warn' ? REFUSED : CUT;
    const before = { callsThen: 0, shown: BEGUN };
    expect(judged(mode, recovered({ ...wrong, ...before }))).toBe('inconclusive');
    expect(judged(mode, recovered(wrong, { right: { ...CUT, ...before } }))).toBe('inconclusive');
    expect(judged(mode, recovered(wrong))).toMatch(/^fail/u);
    expect(judged(mode, recovered({ ...wrong, more: { decisions: null } }))).toMatch(/^fail/u);
    expect(judged(mode, recovered({ ...wrong, more: { decisions: [] } }))).toBe('inconclusive');
    const silent = [{ nodeId: 'charge', attempt: '2', decision: 'ReturnRecordedResult' }];
    expect(judged(mode, recovered({ ...wrong, more: { decisions: silent } }))).toMatch(/^fail/u);
  });
});

describe('the drive', () => {
  it('cuts behind the last record that is named', () => {
    expect(behindRecord(['after-execute', 'after-append-command-committed', 'after-ledger-commit'])).toEqual({
      name: 'after-ledger-commit',
      hit: 1,
    });
    expect(behindRecord(['after-append-command-committed'])?.name).toBe('after-append-command-committed');
    expect(behindRecord(['before-ledger-commit', 'one'])).toBeUndefined();
  });

  it('does not cut behind other commits where the record has a name of its own', () => {
    expect(behindRecord(['after-checkpoint-commit', 'after-commit', 'after-ledger-commit'])?.name).toBe(
      'after-ledger-commit',
    );
    expect(behindRecord(['after-commit', 'after-append-command-committed'])?.name).toBe(
      'after-append-command-committed',
    );
    expect(behindRecord(['after-acquire-commit', 'after-tx-commit', 'afterNodeCommit'])).toBeUndefined();
    expect(behindRecord(['after-commit'])?.name).toBe('after-commit');
  });

  it('drives nothing where no failpoint lies there, and records nothing where no host may be killed', async () => {
    const { probe } = toyProbe({ cuts: 'quick' });
    const driven = await scenarioOf('strict').drive(probe, OPTIONS);
    expect(driven).toHaveLength(2);
    expect(await scenarioOf('strict').drive({ ...probe, crash: undefined }, OPTIONS)).toEqual([]);
  });
});
