import { describe, expect, it } from 'vitest';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Recorded, Scenario } from '../../src/runner/scenario.ts';
import {
  observed,
  OPTIONS,
  refusedRun,
  type Said,
  replayCalled,
  runCalled,
  unfinished,
  verdictOf,
} from '../../test/recorded-runs.ts';
import { settled } from '../../test/settled.ts';
import { verificationHuman, verificationStrict, verificationWarn } from './verification.ts';
import { afterwards, beforehand, confirmed, ROLES } from './verification-drive.ts';

type Run = ReturnType<typeof runCalled>;
type AnyRecorded = Recorded<Observation>;

const NONCE = 'n-recorded';
const receipt = { nonce: NONCE };

/** How a replay ended. */
interface Ending {
  readonly told: readonly Said[];
  readonly status: string;
  readonly more?: Readonly<Record<string, Json>>;
}

const completed: Ending = {
  told: [
    ['run.started'],
    ['tool_invocation_finished', { outcome: 'success', result: receipt }, 'charge'],
    ['variable.changed', { name: 'receipt', value: receipt }, 'charge'],
    ['node.completed', { output: receipt }, 'charge'],
    ['run.completed'],
  ],
  status: 'completed',
  more: { variables: { receipt } },
};
/** The same with something else in the variable, by the log or by the snapshot. */
const otherInLog: Ending = {
  ...completed,
  told: completed.told.map((each) =>
    each[0] === 'variable.changed' ? [each[0], { name: 'receipt', value: 'other' }, 'charge'] : each,
  ),
};
const otherInSnapshot: Ending = { ...completed, more: { variables: { receipt: 'other' } } };
const bare: Ending = { told: [['run.started'], ['run.completed']], status: 'completed' };
const failed: Ending = {
  told: [
    ['run.started'],
    ['node.failed', { error: { code: 'replay_verification_failed', message: `expected ${NONCE}` } }, 'charge'],
    ['run.failed', { error: { code: 'replay_verification_failed' } }],
  ],
  status: 'failed',
  more: { error: { code: 'replay_verification_failed', message: `expected ${NONCE}` } },
};
const needsPerson: Ending = {
  told: [['run.started'], ['run.failed', { error: { code: 'replay_verification_human_required' } }]],
  status: 'failed',
};
const failedWith = (error: Json): Ending => ({
  told: [['run.started'], ['run.failed', { error }]],
  status: 'failed',
});
const parked: Ending = {
  told: [['run.started'], ['interrupt.requested', { kind: 'approval', key: 'verification', data: receipt }, 'charge']],
  status: 'waiting-approval',
};
const leaked: Ending = {
  ...failed,
  told: [['run.started'], ['node.completed', { output: receipt }, 'charge'], ['run.failed']],
};
/** The events of the call as they are recorded, before its verification. */
const recordedFirst: Ending = {
  ...failed,
  told: [
    ['run.started'],
    ['tool_invocation_finished', { result: receipt }, 'charge'],
    ['command_committed', { result: receipt }, 'charge'],
    ['run.failed'],
  ],
};
const leakedState: Ending = { ...failed, more: { variables: { receipt } } };

function replay(role: string, { told, status, more = {} }: Ending): Run {
  const runId = role.replaceAll(' ', '-');
  return replayCalled(runId, told, { role, from: 0, snapshot: { runId, status, ...more } });
}

function calls(after: string, effects: number, asked: number): AnyRecorded {
  const effect = { kind: 'effect', name: 'charge', idempotencyKey: null, answer: receipt };
  const resource = { kind: 'resource', name: 'receipt', idempotencyKey: null, answer: {} };
  const made = [...Array.from({ length: effects }, () => effect), ...Array.from({ length: asked }, () => resource)];
  return observed(`c-${after}`, 'calls', { after, url: 'http://witness/w/t', calls: made });
}

const source = runCalled('src', completed.told, {
  snapshot: { runId: 'src', status: 'completed', variables: { receipt } },
});

const later = (ending: Ending) => (role: string) => [replay(afterwards(role), ending)];

const counted = (total: number | null) => (role: string) => [
  observed(`k-${role}`, 'counter', { of: role, total, problem: total === null ? 'POST … answered 404' : null }),
];

const answer = (role: string, answered: number | null): AnyRecorded =>
  observed(`f-${role}`, 'confirmation', { of: role, answered });

const unreadEnd = (role: string): readonly AnyRecorded[] => [
  answer(role, 200),
  unfinished(replay(confirmed(role), completed)),
];

const stuck = (status: string) => (role: string) => [
  answer(role, 202),
  unfinished(replay(confirmed(role), { told: [['run.started']], status })),
];

const confirming =
  (ending: Ending, answered = 200) =>
  (role: string) => [answer(role, answered), replay(confirmed(role), ending)];

/** What was seen: the control, the two replays in wrong worlds, what followed each, and how often the resource was asked for. */
interface ThreeRuns {
  readonly control?: Ending;
  readonly wrong?: Ending;
  readonly asked?: number;
  readonly effects?: number;
  readonly follow?: (role: string) => readonly AnyRecorded[];
}

const WRONG = ROLES.failing;

function recordedOf({
  control = completed,
  wrong = failed,
  asked = 1,
  effects = 1,
  follow = () => [],
}: ThreeRuns): readonly AnyRecorded[] {
  return [
    source,
    calls('source', 1, 0),
    replay(ROLES.control, control),
    calls(ROLES.control, 1, asked),
    ...WRONG.flatMap((role, index) => [
      replay(role, wrong),
      calls(role, effects, asked * (index + 2)),
      ...follow(role),
    ]),
  ];
}

/** The same with one run replaced. */
function withRun(seen: readonly AnyRecorded[], role: string, change: (run: Run) => Run): readonly AnyRecorded[] {
  return seen.map((each) => (each.type === 'run' && (each as Run).role === role ? change(each as Run) : each));
}

const commonCases = (scenario: Scenario, check: string, right: ThreeRuns): void => {
  it(`${check} says nothing where nothing was driven, nobody was called or a run was not seen`, () => {
    const seen = recordedOf(right);
    expect(verdictOf(scenario, check, [])).toBe('inconclusive');
    expect(verdictOf(scenario, check, [source, calls('source', 0, 0)])).toBe('inconclusive');
    for (const role of [ROLES.control, ...WRONG]) {
      expect(verdictOf(scenario, check, withRun(seen, role, unfinished))).toBe('inconclusive');
    }
  });

  it(`${check} says nothing where the replay in the right world did not come through`, () => {
    expect(verdictOf(scenario, check, recordedOf({ ...right, control: failed }))).toBe('inconclusive');
    expect(verdictOf(scenario, check, recordedOf({ ...right, control: bare }))).toBe('inconclusive');
  });

  it(`${check} fails with a second call, and where the replay is refused`, () => {
    const twice = recordedOf({ ...right, effects: 2 });
    expect(verdictOf(scenario, check, twice)).toBe('fail second-call');
    const judgement = scenario.judge(twice, OPTIONS).find((each) => each.check === check);
    expect(judgement?.restsOn).toBe('once.idempotency-key.replay');
    expect(verdictOf(scenario, check, withRun(recordedOf(right), ROLES.control, refusedRun))).toBe('fail fork-refused');
  });
};

const midway = (wrong: Ending, asked: number): readonly AnyRecorded[] => [
  replay(ROLES.midway, wrong),
  calls(ROLES.midway, 1, 3 + asked),
];

describe('a replay from the node of the call on', () => {
  it.each([
    ['strict', verificationStrict, { wrong: failed, follow: later(failed) }, 'injected-over-failed-verification'],
    ['warn', verificationWarn, { wrong: completed, follow: counted(1) }, 'not-counted'],
    ['human', verificationHuman, { wrong: parked, follow: confirming(completed) }, 'injected-without-confirmation'],
  ] as const)('is verified in the mode %s, too', (mode, scenario, right, code) => {
    const judged = (...more: readonly AnyRecorded[]): string =>
      verdictOf(scenario, `once.verification-${mode}`, [...recordedOf(right), ...more]);
    expect(judged(...midway(right.wrong, 1), ...right.follow(ROLES.midway))).toBe('pass');
    expect(judged(...midway(completed, 0), ...counted(0)(ROLES.midway))).toBe('fail not-verified');
    expect(judged(...midway(completed, 1), ...counted(0)(ROLES.midway))).toBe(`fail ${code}`);
  });

  it('decides nothing where the host does not fork there', () => {
    const seen = [...recordedOf({ follow: later(failed) }), refusedRun(replay(ROLES.midway, failed))];
    expect(verdictOf(verificationStrict, 'once.verification-strict', seen)).toBe('pass');
  });
});

describe('strict', () => {
  const check = 'once.verification-strict';
  const right: ThreeRuns = { wrong: failed, follow: later(failed) };
  const judged = (told: ThreeRuns): string => verdictOf(verificationStrict, check, recordedOf(told));

  commonCases(verificationStrict, check, right);

  it('passes where the run fails, whatever its error quotes', () => {
    expect(judged(right)).toBe('pass');
  });

  it('passes where the replay has the events of the call before it verifies', () => {
    expect(judged({ ...right, wrong: recordedFirst })).toBe('pass');
    expect(judged({ wrong: recordedFirst, follow: later(recordedFirst) })).toBe('pass');
  });

  it.each([
    ['completes', completed],
    ['shows it in an event', leaked],
    ['shows it in its state', leakedState],
  ])('fails where the replay %s', (_, wrong) => {
    expect(judged({ ...right, wrong })).toBe('fail injected-over-failed-verification');
  });

  it('fails where the host never asks', () => {
    expect(judged({ wrong: completed, asked: 0 })).toBe('fail not-verified');
  });

  it('fails where the run waits, or completes without the result', () => {
    expect(judged({ wrong: parked })).toBe('fail not-failed');
    expect(judged({ ...right, wrong: bare })).toBe('fail not-failed');
  });

  it('fails where the run goes on afterwards', () => {
    expect(judged({ wrong: failed, follow: later(completed) })).toBe('fail not-for-good');
  });

  it('says nothing where nobody asked and all replays failed, or the run was not read again', () => {
    expect(judged({ ...right, asked: 0 })).toBe('inconclusive');
    expect(judged({ wrong: failed })).toBe('inconclusive');
    expect(judged({ ...right, wrong: { told: [['run.started'], ['run.cancelled']], status: 'cancelled' } })).toBe(
      'inconclusive',
    );
  });
});

describe('warn', () => {
  const check = 'once.verification-warn';
  const right: ThreeRuns = { wrong: completed, follow: counted(1) };
  const judged = (told: ThreeRuns): string => verdictOf(verificationWarn, check, recordedOf(told));

  const counting = (before: number, after: number): string =>
    judged({ ...right, follow: (role) => [...counted(before)(beforehand(role)), ...counted(after)(role)] });

  const around = (before: number | null, after: number | null): string =>
    verdictOf(verificationWarn, check, [
      ...recordedOf(right),
      ...counted(before)('source'),
      ...counted(after)(ROLES.control),
    ]);

  commonCases(verificationWarn, check, right);

  it('passes where the failure is counted and the result injected', () => {
    expect(judged(right)).toBe('pass');
    expect(judged({ ...right, follow: counted(7) })).toBe('pass');
  });

  it('fails where the run does not go on with the result', () => {
    expect(judged({ ...right, wrong: failed })).toBe('fail not-injected');
    expect(judged({ ...right, wrong: parked })).toBe('fail not-injected');
    expect(judged({ ...right, wrong: bare, follow: counted(null) })).toBe('fail not-injected');
  });

  it('fails where a variable holds something else than the result', () => {
    for (const wrong of [otherInLog, otherInSnapshot]) {
      expect(judged({ ...right, wrong })).toBe('fail not-injected');
      const seen = recordedOf({ ...right, wrong, control: wrong });
      expect(verdictOf(verificationWarn, check, seen)).toBe('fail not-injected');
      expect(verificationWarn.judge(seen, OPTIONS)[0]?.restsOn).toBe('sequence.state-equal');
    }
    expect(judged({ ...right, wrong: { ...completed, more: {} } })).toBe('pass');
  });

  it('fails where nothing is counted', () => {
    expect(judged({ ...right, follow: counted(0) })).toBe('fail not-counted');
    expect(judged({ ...right, asked: 0, follow: counted(0) })).toBe('fail not-verified');
  });

  it('fails where the counter stands still, and passes where a failure raises one that runs share', () => {
    expect(counting(7, 7)).toBe('fail not-counted');
    expect(counting(7, 8)).toBe('pass');
    expect(counting(0, 1)).toBe('pass');
  });

  it('fails where a verification that does not fail is counted', () => {
    expect(around(0, 1)).toBe('fail counted-in-vain');
    expect(around(0, 0)).toBe('pass');
    expect(around(4, 4)).toBe('pass');
    expect(around(null, 1)).toBe('pass');
    expect(around(0, null)).toBe('pass');
  });

  it('says nothing where the count is not known, or nobody asked', () => {
    expect(judged({ ...right, follow: counted(null) })).toBe('inconclusive');
    expect(judged({ ...right, follow: () => [] })).toBe('inconclusive');
    expect(judged({ ...right, asked: 0 })).toBe('inconclusive');
  });
});

describe('human-in-loop', () => {
  const check = 'once.verification-human';
  const resume = `${check}.resume`;
  const right: ThreeRuns = { wrong: parked, follow: confirming(completed) };
  const judged = (told: ThreeRuns, which = check): string => verdictOf(verificationHuman, which, recordedOf(told));

  commonCases(verificationHuman, check, right);
  commonCases(verificationHuman, resume, right);

  it('passes where the run waits, and goes on with the result when somebody confirmed', () => {
    expect(judged(right)).toBe('pass');
    expect(judged(right, resume)).toBe('pass');
    expect(judged({ ...right, wrong: { ...parked, status: 'paused' } })).toBe('pass');
    expect(judged({ ...right, wrong: { ...parked, status: 'running' } })).toBe('pass');
    expect(judged({ ...right, wrong: { ...parked, status: 'running' } }, resume)).toBe('pass');
  });

  it('passes where the run ends with an error that names the confirmation, and then nothing waits', () => {
    expect(judged({ wrong: needsPerson })).toBe('pass');
    expect(judged({ wrong: needsPerson }, resume)).toBe('not-applicable');
  });

  it.each([
    [{ name: 'ErrReplayVerificationHumanRequired' }],
    [{ code: 'verification_failed', message: 'A person must confirm the recorded result.' }],
    [{ code: 'manual_confirmation_required' }],
    [{ message: 'waiting for manual approval' }],
    [{ message: 'The result must be confirmed by a person first.' }],
    [{ message: 'parked: human review' }],
  ])('passes with the error %j', (error) => {
    expect(judged({ wrong: failedWith(error) })).toBe('pass');
  });

  it.each([
    [{ message: 'confirmation replay: the outside world differs' }],
    [{ code: 'replay_not_confirmed', mode: 'human', message: 'nothing was approved' }],
    [{ message: 'a personal account may not be charged' }],
  ])('fails with the error %j, which asks for nobody', (error) => {
    expect(judged({ wrong: failedWith(error) })).toBe('fail not-parked');
    expect(judged({ wrong: failedWith(error) }, resume)).toBe('inconclusive');
  });

  it('fails where the result is injected before', () => {
    expect(judged({ wrong: completed })).toBe('fail injected-without-confirmation');
    expect(judged({ wrong: { ...parked, told: completed.told.slice(0, 3) } })).toBe(
      'fail injected-without-confirmation',
    );
    // The events of the call alone are its record.
    expect(judged({ wrong: { ...parked, told: completed.told.slice(0, 2) } })).toBe('pass');
    expect(judged({ wrong: completed, asked: 0 })).toBe('fail not-verified');
  });

  it('fails where the run just ends', () => {
    expect(judged({ wrong: failed })).toBe('fail not-parked');
    expect(judged({ wrong: bare })).toBe('fail not-parked');
    expect(judged({ wrong: failed }, resume)).toBe('inconclusive');
  });

  it('fails where the run does not go on after the confirmation', () => {
    expect(judged({ wrong: parked, follow: confirming(failed) }, resume)).toBe('fail not-resumed');
    expect(judged({ wrong: parked, follow: confirming(bare) }, resume)).toBe('fail not-resumed');
    expect(judged({ wrong: parked, follow: confirming(otherInLog) }, resume)).toBe('fail not-resumed');
  });

  it('fails where a confirmation was accepted and the run does not end', () => {
    expect(judged({ wrong: parked, follow: stuck('running') }, resume)).toBe('fail in-flight-for-ever');
    expect(judged({ wrong: parked, follow: stuck('waiting-approval') }, resume)).toBe('fail in-flight-for-ever');
    expect(judged({ wrong: parked, follow: stuck('completed') }, resume)).toBe('inconclusive');
  });

  it('says nothing of the rest where the confirmation was refused, or the end not seen', () => {
    expect(judged({ wrong: parked, follow: (role) => [answer(role, 404)] }, resume)).toBe('inconclusive');
    expect(judged({ wrong: parked, follow: () => [] }, resume)).toBe('inconclusive');
    expect(judged({ wrong: parked, follow: unreadEnd }, resume)).toBe('inconclusive');
    expect(judged({ wrong: { told: [['run.started']], status: 'running' } })).toBe('inconclusive');
  });
});

/** The replays in the wrong worlds that changed, and that forgot, by the modes that are driven. */
interface Worlds {
  readonly strict: readonly [Ending, Ending];
  readonly counts?: readonly [number, number];
  readonly human?: readonly [Ending, Ending];
}

/** What is red where these replays were seen in one run. */
function redIn({ strict, counts = [1, 1], human = [parked, parked] }: Worlds): readonly string[] {
  const [first, second] = WRONG;
  const inBoth = (told: ThreeRuns, [changed, forgot]: readonly [Ending, Ending]) =>
    withRun(
      withRun(recordedOf(told), first, () => replay(first, changed)),
      second,
      () => replay(second, forgot),
    );
  const { red } = settled(
    [verificationStrict, inBoth({ follow: later(failed) }, strict)],
    [
      verificationWarn,
      recordedOf({ wrong: completed, follow: (role) => counted(counts[role === first ? 0 : 1])(role) }),
    ],
    [verificationHuman, inBoth({ follow: confirming(completed) }, human)],
  );
  return red.map((each) => each.replace('once.verification-', ''));
}

describe('a wrong world that is taken for right', () => {
  it('is red in the row about strict alone, whatever the mode', () => {
    expect(redIn({ strict: [completed, failed], counts: [0, 1], human: [completed, parked] })).toEqual(['strict']);
    expect(redIn({ strict: [failed, completed], counts: [1, 0], human: [parked, completed] })).toEqual(['strict']);
    expect(redIn({ strict: [completed, completed], counts: [0, 0], human: [parked, completed] })).toEqual(['strict']);
  });

  it('hides nothing that a mode does in another world', () => {
    expect(redIn({ strict: [completed, failed], counts: [0, 0] })).toEqual(['strict', 'warn']);
    expect(redIn({ strict: [completed, failed], human: [completed, completed] })).toEqual(['strict', 'human']);
    expect(redIn({ strict: [completed, failed], human: [completed, failed] })).toEqual(['strict', 'human']);
    expect(redIn({ strict: [completed, failed], human: [failed, parked] })).toEqual(['strict', 'human']);
  });

  it('is told by each mode where strict refuses it, or does something else', () => {
    expect(redIn({ strict: [failed, failed], counts: [0, 0], human: [completed, completed] })).toEqual([
      'warn',
      'human',
    ]);
    expect(redIn({ strict: [parked, parked], counts: [0, 0], human: [completed, completed] })).toEqual([
      'strict',
      'warn',
      'human',
    ]);
  });
});
