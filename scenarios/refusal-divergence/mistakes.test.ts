import { describe, expect, it } from 'vitest';
import type { Judgement } from '../../src/contract/verdict.ts';
import { conformantRuns, observed, type Runs } from '../../test/refusal-runs.ts';
import {
  edited,
  editing,
  judged,
  like,
  OPTIONS,
  RAISED,
  replacing,
  REPLAYS,
  withMembers,
  withPayload,
  withSnapshot,
  without,
  type Members,
} from '../../test/refusal-edits.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { plantedSecret, REFUSAL_WORDS } from './model.ts';
import { refusalToValid, TO_REFUSAL, validToRefusal } from './directions.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { wrongPayload } from './judge-payload.ts';
import { roleOf } from './observation.ts';

const SECRET = plantedSecret(OPTIONS);
/** A refusal of which a host has blotted the secret out. */
const TEXT = `${REFUSAL_WORDS} api_key=[redacted]`;

/** Changes the replays. */
function inReplays(change: Parameters<typeof editing>[1]): (runs: Runs) => Runs {
  return editing(REPLAYS, change);
}

/** The runs of a source with an envelope, with its replays changed. */
function editedReplays(change: Parameters<typeof editing>[1]): Runs {
  return inReplays(change)(conformantRuns('mock', 'valid'));
}

function isRaised(event: Json): boolean {
  return (event as Members)['type'] === RAISED;
}

function late({ events }: RunObservation): object {
  return { events: [...events.filter((event) => !isRaised(event)), ...events.filter(isRaised)] };
}

/** A row that fails for a replay of a replay, and what it rests on. */
function failedRow(row: string): readonly string[] {
  return [`refusal.${row}.valid-to-refusal`, 'sequence.replay-of-replay'];
}

/** An event with the generic one before it. */
function besideGeneric(event: Members): readonly Members[] {
  return [{ ...event, type: 'replay.diverged' }, event];
}

/** An event behind which its node completes. */
function andCompleted(event: Members): readonly Members[] {
  return [event, { ...event, type: 'node.completed', payload: { output: { valid: true } } }];
}

/** The payload of a replay's event. */
function payloadOf(run: Pick<RunObservation, 'events'> | undefined): Members {
  return ((run?.events.find(isRaised) as Members | undefined)?.['payload'] ?? {}) as Members;
}

/** A payload that names another source. */
function ofCached(sourceRunId: string | null | undefined): (payload: Members) => Members {
  return (payload) => ({ ...without(payload, 'originalEventId'), sourceRunId: sourceRunId ?? null });
}

/** Events that happened at a moment. */
function timedAt(at: number) {
  return ({ events }: Pick<RunObservation, 'events'>): object => ({
    events: events.map((event) => ({ ...(event as Members), timestamp: `2026-01-01T00:00:0${at}.000Z` })),
  });
}

function timed(runs: Runs, steps: readonly ('before' | 'after')[], at: number): Runs {
  return edited(runs, steps, timedAt(at));
}

/** A snapshot's member with the state of the node that was called. */
function ofNode(state: Members): Members {
  return { nodeStates: { 'gated-call': state } };
}

const wrong: readonly (readonly [string, (runs: Runs) => Runs, Record<string, string>])[] = [
  ['another code', inReplays(withSnapshot({ error: { code: 'x' } })), { raised: 'fail' }],
  [
    'no code at all',
    (runs) =>
      edited(
        edited(runs, REPLAYS, withSnapshot({ error: null })),
        REPLAYS,
        replacing('run.failed', (event) => [{ ...event, payload: {} }]),
      ),
    { raised: 'fail' },
  ],
  ['a missing kind', inReplays(withPayload((payload) => without(payload, 'replayEnvelopeKind'))), { payload: 'fail' }],
  ['an empty payload', inReplays(withPayload(() => ({}))), { payload: 'fail' }],
  ['its own id as the source', inReplays(withMembers({ sourceRunId: 'changed' })), { payload: 'fail' }],
  ['the end of the log as the place', inReplays(withMembers({ atSequence: 99 })), { 'locates-the-call': 'fail' }],
  ['an event of nobody', inReplays(withMembers({ originalEventId: 'e' })), { 'locates-the-call': 'fail' }],
  ['another node', inReplays(withMembers({ nodeId: 'gate-before' })), { 'locates-the-call': 'fail' }],
  [
    'two events',
    editing(
      ['changed'],
      replacing(RAISED, (event) => [event, event]),
    ),
    { 'distinct-event': 'fail' },
  ],
  [
    'a generic event by its locator',
    editing(
      ['changed'],
      replacing(RAISED, (event) => [
        event,
        { ...event, type: 'replay.diverged', nodeId: null, payload: { originalEventId: 'source-5' } },
      ]),
    ),
    { 'distinct-event': 'fail' },
  ],
  [
    'a number behind the end',
    inReplays(replacing(RAISED, (event) => [{ ...event, sequence: 40 }])),
    { 'precedes-failure': 'fail' },
  ],
  [
    'a secret in percent spelling',
    inReplays(withMembers({ refusalReason: SECRET.replaceAll('-', '%2D') })),
    { 'reason-redacted': 'fail' },
  ],
  [
    'a secret in hexadecimal',
    inReplays(withMembers({ refusalReason: Buffer.from(SECRET).toString('hex') })),
    { 'reason-redacted': 'fail' },
  ],
  [
    'a secret where it fails',
    inReplays(
      replacing('run.failed', (event) => [{ ...event, payload: { ...(event['payload'] as Members), cause: SECRET } }]),
    ),
    { 'reason-redacted': 'fail' },
  ],
  [
    'a node that goes on',
    editing(
      ['changed-from-call'],
      replacing('node.failed', (event) => [event, { ...event, type: 'node.started', nodeId: 'gate-after' }]),
    ),
    { 'no-silent-substitution': 'fail' },
  ],
  [
    'a completed call',
    inReplays(replacing(RAISED, (event) => [{ ...event, type: 'node.completed', payload: {} }, event])),
    { 'no-silent-substitution': 'fail' },
  ],
  [
    'a state with an envelope',
    inReplays(withSnapshot({ variables: { before: 'before', gated: { valid: true } } })),
    { 'no-silent-substitution': 'fail' },
  ],
  ...['memory.written', 'node.dispatched', 'interrupt.requested', 'runOrchestrator.decided', 'version.pinned'].map(
    (type): (typeof wrong)[number] => [
      `${type} behind the divergence`,
      inReplays(
        replacing('node.failed', (event) => [event, { ...event, type, payload: { content: { valid: true } } }]),
      ),
      { 'no-silent-substitution': 'fail' },
    ],
  ),
  [
    'a node state with an envelope',
    inReplays(withSnapshot(ofNode({ status: 'failed', output: { valid: true } }))),
    { 'no-silent-substitution': 'fail' },
  ],
  [
    'a node state with an envelope by another name',
    inReplays(withSnapshot(ofNode({ output: null, result: { valid: true } }))),
    { 'no-silent-substitution': 'fail' },
  ],
  ...[{}, { output: null }, { output: {} }, { output: { error: { code: 'replay_diverged_at_refusal' } } }].map(
    (state): (typeof wrong)[number] => [
      `a node state without one: ${JSON.stringify(state)}`,
      inReplays(withSnapshot(ofNode(state))),
      {},
    ],
  ),
  [
    'one more event in the source',
    editing(['after'], (run) => ({
      events: [...run.events, { eventId: 'e', sequence: 70, type: RAISED, payload: {} }],
    })),
    { 'source-untouched': 'fail' },
  ],
  [
    'another status of the source',
    editing(['after'], withSnapshot({ status: 'cancelled' })),
    { 'source-untouched': 'fail' },
  ],
  [
    'a tag on the source',
    editing(['after'], (run) => ({ snapshot: { ...(run.snapshot as object), tags: ['touched'] } })),
    { 'source-untouched': 'fail' },
  ],
  [
    'other times in the log of the source',
    (runs) => edited(timed(runs, ['before'], 1), ['after'], timedAt(2)),
    { 'source-untouched': 'fail' },
  ],
  [
    'an error in the snapshot of the source',
    editing(['after'], withSnapshot({ error: { code: 'touched' } })),
    { 'source-untouched': 'fail' },
  ],
  [
    'times that one reading of the source alone shows, and members that no document names',
    (runs) => edited(timed(runs, ['before'], 1), ['after'], withSnapshot({ 'x-read': 2 })),
    {},
  ],
  [
    'an alarm at the same kind',
    editing(['same'], (run) => ({
      events: [...run.events, { eventId: 'e', sequence: 70, type: RAISED, payload: {} }],
    })),
    { 'no-false-alarm': 'fail' },
  ],
];

/** What is said of the events where they are replaced. */
function distinct(change: (event: Members) => readonly Members[]): Judgement | undefined {
  const runs = editedReplays(replacing(RAISED, change));
  const judgements = validToRefusal.judge(observed('mock', runs), OPTIONS);
  return judgements.find(({ check }) => check.includes('distinct-event'));
}

function distinctCode(change: (event: Members) => readonly Members[]): string | undefined {
  return distinct(change)?.diagnosis?.code;
}

/** What is said of a replay whose snapshot shows these variables. */
function substitutionOf(variables: Members) {
  const runs = editedReplays(withSnapshot({ variables }));
  const all = validToRefusal.judge(observed('mock', runs), OPTIONS);
  return all.find(({ check }) => check === 'refusal.no-silent-substitution.valid-to-refusal');
}

/** What is said of a replay that writes this behind the divergence. */
function substitutionBehind(payload: Members, nodeId = 'gated-call') {
  const runs = editedReplays(
    replacing('node.failed', (event) => [event, { ...event, type: 'variable.changed', nodeId, payload }]),
  );
  const all = validToRefusal.judge(observed('mock', runs), OPTIONS);
  return all.find(({ check }) => check === 'refusal.no-silent-substitution.valid-to-refusal');
}

describe('a host with one mistake', () => {
  it.each(wrong)('%s', (_, change, verdicts) => {
    for (const kind of ['valid', 'refusal'] as const) {
      expect(judged(observed('mock', change(conformantRuns('mock', kind))), kind)).toEqual(verdicts);
      const both = [
        ...observed('witness', conformantRuns('witness', kind)),
        ...observed('mock', change(conformantRuns('mock', kind))),
      ];
      expect(judged(both, kind)).toEqual(verdicts);
    }
  });

  it.each(['5', -1, 5.5, null])('is red for its payload alone where atSequence is %j: it locates nothing', (at) => {
    for (const kind of ['valid', 'refusal'] as const) {
      const runs = inReplays(withMembers({ atSequence: at }))(conformantRuns('mock', kind));
      const open = { payload: 'fail', 'locates-the-call': 'inconclusive' };
      expect(judged(observed('mock', runs), kind)).toEqual(open);
      const scenario = kind === 'valid' ? validToRefusal : refusalToValid;
      const all = scenario.judge(observed('mock', runs), OPTIONS);
      const located = all.find(({ check }) => check.startsWith('refusal.locates-the-call.'));
      expect(located?.restsOn).toMatch(/^refusal\.payload\./u);
    }
  });

  it('is named where it hides what its model said', () => {
    const source = conformantRuns('mock', 'valid').source;
    const runs = editedReplays(like(source));
    const [raised] = validToRefusal.judge(observed('mock', runs), OPTIONS);
    expect(raised).toMatchObject({ verdict: 'fail', diagnosis: { code: 'source-envelope-kept' } });
    const { 'no-silent-substitution': substitution, payload, ...others } = judged(observed('mock', runs));
    expect([substitution, payload]).toEqual(['fail', 'inconclusive']);
    // Without any event there is none to tell from the generic one.
    expect(others['distinct-event']).toBe('inconclusive');
  });

  it('is charged for states as such where it has another value of before the call, and no envelope', () => {
    const older = substitutionOf({ before: 'another' });
    expect(older).toMatchObject({
      verdict: 'fail',
      restsOn: 'sequence.state-equal',
      diagnosis: { code: 'state-differs' },
    });
    // Neither call gave this one: another fork did.
    expect(substitutionOf({ gated: { valid: false } })).toMatchObject({ restsOn: 'sequence.state-equal' });
    const envelope = substitutionOf({ before: 'another', gated: { valid: true } });
    expect(envelope).toMatchObject({ verdict: 'fail', actual: expect.stringContaining('/variables/gated') as string });
    expect(envelope).not.toHaveProperty('restsOn');
  });

  it('may note a failure in state of its own, and show a variable that was not set as null', () => {
    const error = { code: 'replay_diverged_at_refusal', message: TEXT };
    for (const own of [{ gated: null }, { lastError: error.code }, { lastError: error }, { attempts: 1 }]) {
      expect(substitutionOf({ before: 'before', ...own })).toMatchObject({ verdict: 'pass' });
    }
    expect(substitutionBehind({ name: 'lastError', value: error })).toMatchObject({ verdict: 'pass' });
    expect(substitutionBehind({ name: 'gated', value: null })).toMatchObject({ verdict: 'pass' });
  });

  it('may not hand on an envelope under another name', () => {
    for (const answer of [TEXT, { text: TEXT }, [TEXT], '{"valid": false}', { result: { valid: true } }]) {
      expect(substitutionOf({ before: 'before', answer })).toMatchObject({ verdict: 'fail' });
      expect(substitutionBehind({ name: 'answer', value: answer })).toMatchObject({ verdict: 'fail' });
    }
    expect(substitutionBehind({ name: 'before', value: 'x' })).toMatchObject({ verdict: 'fail' });
    expect(substitutionBehind({ name: 'other', value: 'x' }, 'gate-after')).toMatchObject({ verdict: 'fail' });
  });

  it('is not said to keep the envelope where it goes on without one', () => {
    const runs = conformantRuns('mock', 'valid');
    const [start, ...rest] = runs.source?.events ?? [];
    const events = [start, ...rest].map((event) => {
      const { type, nodeId } = event as Members;
      return type === 'node.completed' && nodeId === 'gated-call'
        ? { ...(event as Members), payload: { output: null } }
        : event;
    });
    const substituted = edited(runs, REPLAYS, () => ({ events, snapshot: runs.source?.snapshot }));
    const [raised] = validToRefusal.judge(observed('mock', substituted), OPTIONS);
    expect(raised).toMatchObject({ verdict: 'fail', diagnosis: { code: 'silent-substitution' } });
  });

  it('is named after both events where it reports the call twice, and after the generic one where it is alone', () => {
    const generic = { type: 'replay.diverged', payload: { originalEventId: 'source-5' } };
    expect(distinctCode((event) => [event, { ...event, ...generic }])).toBe('generic-beside');
    expect(distinctCode((event) => [{ ...event, ...generic }])).toBe('generic-divergence');
    expect(distinctCode((event) => [event, event])).toBe('raised-again');
    expect(distinctCode(() => [])).toBeUndefined();
  });

  it('has gone on where the generic one stands behind its own', () => {
    const generic = { type: 'replay.diverged', payload: { originalEventId: 'source-5' } };
    const behind = distinct((event) => [event, { ...event, ...generic, sequence: Number(event['sequence']) + 1 }]);
    expect(behind).toMatchObject({ verdict: 'fail', restsOn: 'refusal.no-silent-substitution.valid-to-refusal' });
    expect(distinct((event) => [event, { ...event, ...generic }])?.restsOn).toBeUndefined();
  });

  it.each([
    ['replay_diverged_at_refusal', 'refusal.distinct-event.valid-to-refusal'],
    ['envelope_refused', undefined],
  ])('has a defect of the generic event alone where it fails with %s', (code, restsOn) => {
    const runs = editedReplays((run) => ({
      events: run.events.map((event) => {
        const { type } = event as Members;
        if (type === RAISED) return { ...(event as Members), type: 'replay.diverged' };
        return type === 'run.failed' ? { ...(event as Members), payload: { error: { code } } } : event;
      }),
      snapshot: { status: 'failed', error: { code } },
    }));
    const [raised] = validToRefusal.judge(observed('mock', runs), OPTIONS);
    expect(raised).toMatchObject({ verdict: 'fail', diagnosis: { code: 'generic-divergence' } });
    expect(raised?.restsOn).toBe(restsOn);
  });

  it('may show of a refusal what runs show that are no replays, or of which nothing is seen', () => {
    const refused = leaking(conformantRuns('mock', 'refusal'), [...REPLAYS, 'source', 'before', 'after']);
    expect(judged(observed('mock', refused), 'refusal')).toEqual({});
    expect(judged(observed('mock', leaking(conformantRuns('mock', 'valid'), [...REPLAYS, 'control'])))).toEqual({});
    expect(judged(observed('witness', leaking(conformantRuns('witness', 'valid'), REPLAYS)))).toEqual({});
  });

  it('is not located by an id that several events have', () => {
    const shared = edited(conformantRuns('mock', 'valid'), ['source', 'before', 'after'], ({ events }) => ({
      events: events.map((each) => ({ ...(each as Members), eventId: 'same' })),
    }));
    const located = (originalEventId: string) => edited(shared, REPLAYS, withMembers({ originalEventId }));
    expect(judged(observed('mock', located('same')))).toEqual({ 'locates-the-call': 'inconclusive' });
    expect(judged(observed('mock', located('other')))).toEqual({ 'locates-the-call': 'fail' });
  });

  it('is not located where it names no place, no event and no node: what it lacks is red in the row about its members', () => {
    const placeless = editedReplays(
      replacing(RAISED, (event) => [
        {
          ...without(event, 'nodeId'),
          payload: without(event['payload'] as Members, 'atSequence', 'originalEventId', 'nodeId'),
        },
      ]),
    );
    expect(judged(observed('mock', placeless))).toEqual({ payload: 'fail', 'locates-the-call': 'inconclusive' });
    const [located] = validToRefusal
      .judge(observed('mock', placeless), OPTIONS)
      .filter(({ check }) => check === 'refusal.locates-the-call.valid-to-refusal');
    expect(located?.restsOn).toBe('refusal.payload.valid-to-refusal');
    expect(located?.reason).toContain('names no sequence number');
  });

  it('names the source of its source where the host replays that: the row about overlays in replays of branches says so', () => {
    const { source, same, changed } = conformantRuns('mock', 'valid');
    if (source === undefined || same === undefined || changed === undefined) throw new Error('no runs');
    const event = eventsOf(changed).find(({ type }) => type === RAISED);
    const told = (of: typeof source) =>
      event && wrongPayload(event, { source: of, replay: changed, direction: TO_REFUSAL });
    expect(told(same)).toMatchObject({ restsOn: 'fork.branch-applies-overlay.replayed' });
    const elsewhere = told({ ...source, runId: 'another' });
    expect(elsewhere).toMatchObject({ diagnosis: { code: 'wrong-source' } });
    expect(elsewhere).not.toHaveProperty('restsOn');
  });

  it('may not end its log and then tell', () => {
    const streamed = edited(conformantRuns('mock', 'refusal'), ['changed'], late);
    expect(judged(observed('mock', streamed), 'refusal')).toEqual({ 'precedes-failure': 'fail' });
    const unseen = editedReplays(replacing(RAISED, () => []));
    const appended = edited(unseen, ['changed-whole'], ({ events }) => ({
      events: [...events, { eventId: 'e', sequence: 70, type: RAISED, payload: {} }],
    }));
    expect(judged(observed('mock', appended))).toMatchObject({ raised: 'fail', 'precedes-failure': 'fail' });
  });

  it('is not failed for a list that is turned round', () => {
    const turned = edited(conformantRuns('mock', 'valid'), ['changed-whole', 'before', 'after'], ({ events }) => ({
      events: events.toReversed(),
    }));
    expect(judged(observed('mock', turned))).toEqual({});
  });
});

/** These runs with the planted secret where they fail. */
function leaking(runs: Runs, steps: Parameters<typeof edited>[1]): Runs {
  return edited(
    runs,
    steps,
    replacing('run.failed', (event) => [{ ...event, payload: { ...(event['payload'] as Members), cause: SECRET } }]),
  );
}

function failingWith(runs: Runs): Runs {
  return edited(
    runs,
    REPLAYS,
    replacing('run.failed', (event) => [{ ...event, payload: { error: { code: 'x' } } }]),
  );
}

function raisedIn(runs: Runs) {
  const judgements = validToRefusal.judge(observed('mock', runs), OPTIONS);
  return judgements.find(({ check }) => check === 'refusal.valid-to-refusal');
}

it('two codes of one replay rest on the row about snapshots, another one in both places on nothing', () => {
  const logged = failingWith(conformantRuns('mock', 'valid'));
  expect(raisedIn(logged)).toMatchObject({ verdict: 'fail', restsOn: 'run.snapshot-agrees' });
  const both = raisedIn(edited(logged, REPLAYS, withSnapshot({ error: { code: 'x' } })));
  expect(both).toMatchObject({ verdict: 'fail' });
  expect(both?.restsOn).toBeUndefined();
});

it('two codes of one replay of a refused source rest on the other direction, which says it for both', () => {
  const raised = answeredIn(failingWith(conformantRuns('mock', 'refusal')));
  expect(raised).toMatchObject({ verdict: 'fail', restsOn: 'refusal.valid-to-refusal' });
});

it('two ends of one replay rest on the row about ends', () => {
  const twice = editedReplays(
    replacing('run.failed', (event) => [{ ...event, type: 'run.completed', payload: {} }, event]),
  );
  expect(raisedIn(twice)).toMatchObject({ verdict: 'fail', restsOn: 'sequence.single-terminal-event' });
});

/** What is said of replays of a refused source. */
function answeredIn(runs: Runs) {
  const judgements = refusalToValid.judge(observed('mock', runs), OPTIONS);
  return judgements.find(({ check }) => check === 'refusal.refusal-to-valid');
}

describe('a replay that says so and fails under another code', () => {
  it('rests on the other direction, and one that says nothing on none', () => {
    const error = { code: 'other_code' };
    const named = inReplays(replacing('run.failed', (event) => [{ ...event, payload: { error } }]));
    const runs = conformantRuns('mock', 'refusal');
    const miscoded = answeredIn(edited(named(runs), REPLAYS, withSnapshot({ error })));
    expect(miscoded).toMatchObject({ verdict: 'fail', restsOn: 'refusal.valid-to-refusal' });
    const unraised = inReplays(({ events }) => ({ events: events.filter((event) => !isRaised(event)) }));
    const silent = answeredIn(unraised(runs));
    expect(silent?.verdict).toBe('fail');
    expect(silent?.restsOn).toBeUndefined();
  });
});

describe('an event that the debug stream alone shows', () => {
  it('rests on the row about readings', () => {
    const hidden = editedReplays(replacing(RAISED, () => []));
    const { changed } = conformantRuns('mock', 'valid');
    const reading = (shows: boolean) => ({
      ...({ id: 'r', type: 'reading', run: roleOf('mock', 'changed'), runId: 'changed', exchanges: [] } as const),
      ...({ transport: 'sse', how: 'start', after: null, partial: false } as const),
      events: (shows ? (changed?.events ?? []) : []).map((data) => ({ id: null, name: null, data })),
    });
    const raised = (shows: boolean) =>
      validToRefusal
        .judge([...observed('mock', hidden), reading(shows)], OPTIONS)
        .find(({ check }) => check === validToRefusal.id);
    expect(raised(true)).toMatchObject({ verdict: 'fail', restsOn: 'sequence.transports-agree' });
    expect(raised(false)).not.toHaveProperty('restsOn');
  });
});

function completing(runs: Runs): Runs {
  const generic = replacing(RAISED, (event) => [{ ...event, type: 'replay.diverged' }]);
  const { other } = runs;
  return edited(edited(runs, REPLAYS, generic), REPLAYS, (run) => ({
    events: [...run.events.slice(0, -1), ...(other?.events.slice(-1) ?? [])],
    snapshot: other?.snapshot ?? null,
  }));
}

describe('a replay that goes on and reports what came of it', () => {
  it('has one defect, which the contract names', () => {
    const judgements = validToRefusal.judge(observed('mock', completing(conformantRuns('mock', 'valid'))), OPTIONS);
    const of = (id: string): Judgement | undefined => judgements.find(({ check }) => check === `refusal.${id}`);
    expect(of('valid-to-refusal')).toMatchObject({ verdict: 'fail' });
    expect(of('valid-to-refusal')?.restsOn).toBeUndefined();
    for (const row of ['no-silent-substitution', 'distinct-event']) {
      expect(of(`${row}.valid-to-refusal`)).toMatchObject({ verdict: 'fail', restsOn: 'refusal.valid-to-refusal' });
    }
  });

  it('has another one where it fails as it has to', () => {
    const named = replacing(RAISED, (event) => [{ ...event, type: 'replay.diverged' }]);
    const runs = editedReplays(named);
    const judgements = validToRefusal.judge(observed('mock', runs), OPTIONS);
    const found = judgements.find(({ check }) => check === 'refusal.distinct-event.valid-to-refusal');
    expect(found).toMatchObject({ verdict: 'fail' });
    expect(found?.restsOn).toBeUndefined();
  });
});

describe('a replay of the replay with nothing changed', () => {
  const runs = conformantRuns('mock', 'valid');
  const { changed, source } = runs;
  const role = roleOf('mock', 'changed-of-replay');
  const originalId = payloadOf(changed)['originalEventId'] ?? null;
  const raisedBy = (more: Runs): string | undefined =>
    validToRefusal.judge(observed('mock', { ...runs, ...more }), OPTIONS)[0]?.verdict;

  it('meets the other kind of answer as one of the source does', () => {
    expect(raisedBy(changed === undefined ? {} : { 'changed-of-replay': { ...changed, role } })).toBe('pass');
    expect(raisedBy(source === undefined ? {} : { 'changed-of-replay': { ...source, role } })).toBe('fail');
  });

  /** The verdicts that are no pass, with what they rest on, where that replay is written so. */
  const saying = (change: ReturnType<typeof replacing>): readonly (string | undefined)[] => {
    const again = changed === undefined ? {} : { 'changed-of-replay': { ...changed, role } };
    const { cached } = runs;
    const named = edited({ ...runs, ...again }, ['changed-of-replay'], withPayload(ofCached(cached?.runId)));
    const judgements = validToRefusal.judge(observed('mock', edited(named, ['changed-of-replay'], change)), OPTIONS);
    return judgements.flatMap(({ check, verdict, restsOn }) => (verdict === 'fail' ? [check, restsOn] : []));
  };

  it('says as much of the divergence as one of the source does', () => {
    expect(saying(() => ({}))).toEqual([]);
    // Its call stands in the log of its source, and in that of the one before.
    expect(saying(withMembers({ originalEventId: originalId }))).toEqual([]);
    // A host's own events and members beside it are no mistake.
    const noting = replacing(RAISED, (event) => [
      { ...event, 'x-vendor': 1 },
      { ...event, type: 'vendor.noted', payload: {} },
    ]);
    expect(saying(noting)).toEqual([]);
    expect(saying(withPayload(() => ({})))).toEqual(failedRow('payload'));
    expect(saying(withMembers({ atSequence: 99 }))).toEqual(failedRow('locates-the-call'));
    expect(saying(replacing(RAISED, (event) => [event, event]))).toEqual(failedRow('distinct-event'));
    expect(saying(replacing(RAISED, besideGeneric))).toEqual(failedRow('distinct-event'));
    expect(saying(replacing(RAISED, andCompleted))).toEqual(failedRow('no-silent-substitution'));
  });

  it('rests on the row about forks where that replay is refused', () => {
    const fork = { sourceRunId: runs.cached?.runId ?? '', mode: 'replay', fromSeq: null, advertised: true } as const;
    const gone = { role, fork, runId: null, answered: 410, problem: 'refused', events: [] };
    const again = source === undefined ? {} : { 'changed-of-replay': { ...source, ...gone } };
    const [judgement] = validToRefusal.judge(observed('mock', { ...runs, ...again }), OPTIONS);
    expect(judgement).toMatchObject({ verdict: 'fail', restsOn: 'fork.created' });
  });

  it('decides nothing where that replay is not like its source', () => {
    const silent = source === undefined ? {} : { 'changed-of-replay': { ...source, role } };
    const other = changed === undefined ? {} : { cached: { ...changed, role: roleOf('mock', 'cached') } };
    expect(raisedBy({ ...silent, ...other })).toBe('pass');
  });

  it('decides nothing where that replay says itself that it was not refused as its source was', () => {
    const refused = conformantRuns('mock', 'refusal');
    const control = refused.control === undefined ? {} : { 'changed-of-replay': { ...refused.control, role } };
    const judgedFirst = (more: Runs): string | undefined =>
      refusalToValid.judge(observed('mock', { ...refused, ...more }), OPTIONS)[0]?.verdict;
    expect(judgedFirst(control)).toBe('fail');
    const alarmed = refused.changed;
    const other = alarmed === undefined ? {} : { cached: { ...alarmed, role: roleOf('mock', 'cached') } };
    expect(judgedFirst({ ...control, ...other })).toBe('pass');
  });
});
