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

/** A run whose model gave what its node cannot read, where it was refused. */
function invalid(run: NonNullable<Runs['source']>): object {
  const events = run.events.flatMap((event) => {
    const { type } = event as { readonly type: string };
    if (type === 'envelope.refusal' || type === 'replay.divergedAtRefusal') return [];
    return type.endsWith('.failed') ? [{ ...(event as object), payload: { error: { code: 'invalid' } } }] : [event];
  });
  return { events, snapshot: { ...(run.snapshot as object), error: { code: 'invalid' } } };
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

  it('fail where one does otherwise than a structured call has to, and rest on the row about that', () => {
    const opposite = original === 'valid' ? 'refusal' : 'valid';
    const twice = replacing(RAISED, (event) => [event, event]);
    const going = replacing('node.failed', (event) => [event, { ...event, type: 'node.started', nodeId: 'behind' }]);
    const lost = withPayload((payload) => ({ ...payload, atSequence: 9999 }));
    const leaking = withPayload((payload) => ({ ...payload, refusalReason: plantedSecret(OPTIONS) }));
    const changes = { 'distinct-event': twice, 'no-silent-substitution': going, 'locates-the-call': lost };
    const [payload, redacted] = [withPayload(() => ({})), leaking];
    for (const [name, change] of Object.entries({ ...changes, payload, 'reason-redacted': redacted })) {
      const restsOn = `refusal.${name}.${original}-to-${opposite}`;
      expect(judged(original, edited(conformant, REPLAYS, change))).toMatchObject({ verdict: 'fail', restsOn });
    }
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
