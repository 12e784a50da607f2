import { describe, expect, it } from 'vitest';
import {
  edited,
  like,
  OPTIONS,
  RAISED,
  replacing,
  REPLAYS,
  withPayload,
  withSnapshot,
} from '../../test/refusal-edits.ts';
import { conformantRuns, observed, type Runs } from '../../test/refusal-runs.ts';
import { refusalToValid, validToRefusal } from './directions.ts';
import { kindsToRefusal, kindsToValid } from './kinds.ts';
import { plantedSecret } from './model.ts';

type Kind = 'valid' | 'refusal';

/** The one check of a direction, where a chat shows these runs and a tool-calling node is conformant. */
function judged(original: Kind, chat: Runs) {
  const scenario = original === 'valid' ? kindsToRefusal : kindsToValid;
  const [judgement] = scenario.judge(
    [...observed('chat', chat), ...observed('tool-calling', conformantRuns('tool-calling', original))],
    OPTIONS,
  );
  return judgement;
}

/** The checks of a direction that fail where its structured calls are conformant and a chat shows these runs. */
function failedBeside(original: Kind, chat: Runs): readonly unknown[] {
  const [scenario, kinds] =
    original === 'valid' ? [validToRefusal, kindsToRefusal.id] : [refusalToValid, kindsToValid.id];
  const everything = observed('chat', chat).map((each) => ({ ...each, scenario: kinds }));
  const judgements = scenario.judge(observed('mock', conformantRuns('mock', original)), OPTIONS, everything);
  return judgements.filter(({ verdict }) => verdict === 'fail').map(({ check, restsOn }) => restsOn ?? check);
}

/** A run whose model gave what its node cannot read, where it was refused. */
function invalid(run: NonNullable<Runs['source']>): object {
  const events = run.events.flatMap((event) => {
    const { type } = event as { readonly type: string };
    if (type === 'envelope.refusal' || type === 'replay.divergedAtRefusal') return [];
    return type.endsWith('.failed') ? [{ ...(event as object), payload: { error: { code: 'invalid' } } }] : [event];
  });
  return { events, snapshot: { ...(run.snapshot as object), error: { code: 'invalid' } } };
}

/** The event with its node called by another name. */
function renamingNode(event: object): object {
  return 'nodeId' in event ? { ...event, nodeId: `${String(event.nodeId)}x` } : event;
}

describe.each<readonly [Kind, string]>([
  ['valid', 'refusal.valid-to-refusal'],
  ['refusal', 'refusal.refusal-to-valid'],
])('nodes of other kinds, their source being %s', (original, row) => {
  const conformant = conformantRuns('chat', original);

  it('pass where each says so and fails', () => {
    expect(judged(original, conformant)).toMatchObject({ check: `${row}.kinds`, verdict: 'pass' });
    expect(judged(original, conformant)).not.toHaveProperty('reason');
  });

  it('fail where one goes on, and rest on the row about structured calls', () => {
    const silent = edited(conformant, REPLAYS, like(conformant.control));
    expect(judged(original, silent)).toMatchObject({ verdict: 'fail', restsOn: row });
    const named = edited(conformant, REPLAYS, withSnapshot({ error: { code: 'envelope_refused' } }));
    const other = replacing('run.failed', (event) => [{ ...event, payload: { error: { code: 'envelope_refused' } } }]);
    expect(judged(original, edited(named, REPLAYS, other))).toMatchObject({ verdict: 'fail', restsOn: row });
  });

  it('fail where one does otherwise than a structured call has to, and rest on the row about that, which fails', () => {
    const opposite = original === 'valid' ? 'refusal' : 'valid';
    const twice = replacing(RAISED, (event) => [event, event]);
    const going = replacing('node.failed', (event) => [event, { ...event, type: 'node.started', nodeId: 'behind' }]);
    const lost = withPayload((payload) => ({ ...payload, atSequence: 9999 }));
    const leaking = withPayload((payload) => ({ ...payload, refusalReason: plantedSecret(OPTIONS) }));
    const generic = replacing(RAISED, (event) => [{ ...event, type: 'replay.diverged' }, event]);
    const changes = { 'distinct-event': twice, 'no-silent-substitution': going, 'locates-the-call': lost };
    const [payload, redacted] = [withPayload(() => ({})), leaking];
    const others = [
      ['distinct-event', generic],
      ['distinct-event', replacing(RAISED, (event) => [{ ...event, type: 'replay.diverged' }])],
      ['payload', payload],
      ['reason-redacted', redacted],
    ] as const;
    for (const [name, change] of [...Object.entries(changes), ...others]) {
      const restsOn = `refusal.${name}.${original}-to-${opposite}`;
      const chat = edited(conformant, REPLAYS, change);
      expect(judged(original, chat)).toMatchObject({ verdict: 'fail', restsOn });
      expect(failedBeside(original, chat)).toEqual([restsOn]);
    }
  });

  it('leave the rows about structured calls where they keep the contract, and where they do not', () => {
    expect(failedBeside(original, conformant)).toEqual([]);
    expect(failedBeside(original, edited(conformant, REPLAYS, like(conformant.control)))).toEqual([]);
    const completing = replacing('run.failed', (event) => [{ ...event, type: 'run.completed' }]);
    const going = edited(edited(conformant, REPLAYS, completing), REPLAYS, withSnapshot({ status: 'completed' }));
    expect(failedBeside(original, going)).toEqual([]);
  });

  it('leave a replay to the row about histories that calls its nodes by other names', () => {
    const renamed = edited(conformant, REPLAYS, ({ events }) => ({
      events: events.map((event) => renamingNode(event as object)),
    }));
    expect(failedBeside(original, renamed)).toEqual([]);
  });

  it('say nothing where what was staged for a refusal just fails', () => {
    const steps = original === 'valid' ? ([...REPLAYS, 'control'] as const) : (['source', ...REPLAYS] as const);
    expect(judged(original, edited(conformant, steps, invalid))).toMatchObject({
      verdict: 'pass',
      reason: expect.stringContaining('does not show the refusal envelope that its model was given') as string,
    });
  });

  it('say nothing where a new run does not get what was staged', () => {
    const deaf = edited(conformant, [...REPLAYS, 'control'], like(conformant.source));
    expect(judged(original, deaf)).toMatchObject({
      verdict: 'pass',
      reason: expect.stringMatching(/^not seen: mock model of a chat.*either/u) as string,
    });
  });
});
