import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
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
import type { CallsObservation } from '../shared/witnessed-run.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { toolCallReplay } from './tool-call-replay.ts';

const ROW = 'once.idempotency-key.replay';
const ARGS = '{"to":"account 7","amount":10,"memo":{"z":1,"a":[]}}';
const keyOf = (runId: string): string =>
  idempotencyKey({ runId, nodeId: 'charge', toolName: 'charge-card', args: ARGS }) ?? '';

function logged(...keys: readonly string[]): readonly Said[] {
  const steps = keys.map((key): Said => ['tool_invocation_started', { idempotency_key: key }, 'charge']);
  return [['run.started'], ...steps, ['run.completed']];
}

/** A log whose key is made of a step's id. */
function stepped(runId: string, stepId: string): readonly Said[] {
  const key = idempotencyKey({ runId, nodeId: stepId, toolName: 'charge-card', args: ARGS });
  const payload = { idempotency_key: key ?? '', step_id: stepId };
  return [['run.started'], ['tool_invocation_started', payload, 'charge'], ['run.completed']];
}

const source = runCalled('src', logged(keyOf('src')));

function calls(after: string, count: number): Recorded<Observation> {
  const each = { kind: 'effect', name: 'charge', idempotencyKey: null, answer: { nonce: 'n' } };
  return observed(`c-${after}`, 'calls', {
    after,
    url: 'http://witness/w/t',
    calls: Array.from({ length: count }, () => each),
  });
}

const asked = { kind: 'resource', name: 'receipt', idempotencyKey: null, answer: { nonce: 'n' } };

function judged(replay: Recorded<Observation>, from = source, counts: readonly [number, number] = [1, 1]): string {
  const seen = [from, calls('source', counts[0]), replay, calls('full replay', counts[1])];
  return verdictOf(toolCallReplay, ROW, seen);
}

describe('the key of a replay', () => {
  it('may be that of the source, or that of its own run', () => {
    expect(judged(replayCalled('rep', logged(keyOf('src'))))).toBe('pass');
    expect(judged(replayCalled('rep', logged(keyOf('rep'))))).toBe('pass');
  });

  it('may be written otherwise, and be made of a step that both runs show', () => {
    expect(judged(replayCalled('rep', logged(keyOf('rep').toUpperCase())))).toBe('pass');
    const from = runCalled('src', stepped('src', 'step-1'));
    expect(judged(replayCalled('rep', stepped('rep', 'step-1')), from)).toBe('pass');
    expect(judged(replayCalled('rep', stepped('rep', 'step-2')), from)).toBe('fail unknown-key');
  });

  it('may be no other, nor both', () => {
    expect(judged(replayCalled('rep', logged('0'.repeat(64))))).toBe('fail unknown-key');
    expect(judged(replayCalled('rep', logged(keyOf('rep').slice(0, 32))))).toBe('fail truncated');
    expect(judged(replayCalled('rep', logged(keyOf('rep'), keyOf('src'))))).toBe('fail unknown-key');
  });

  it('is red for two keys of one call where its source has one alone: those of the source are for another row', () => {
    const both = logged(keyOf('src'), '0'.repeat(64));
    const of = (from: Recorded<Observation>): string | undefined =>
      toolCallReplay.judge([from, calls('source', 1), replayCalled('rep', both), calls('full replay', 1)], OPTIONS)[0]
        ?.restsOn;
    expect(judged(replayCalled('rep', both))).toBe('fail unknown-key');
    expect(of(source)).toBeUndefined();
    expect(of(runCalled('src', both))).toBe('once.idempotency-key');
  });

  it('fails with a second call, seen to its end or not', () => {
    const replay = replayCalled('rep', logged(keyOf('src')));
    expect(judged(replay, source, [1, 2])).toBe('fail second-call');
    expect(judged(unfinished(replay), source, [1, 2])).toBe('fail second-call');
    const [judgement] = toolCallReplay.judge([source, calls('source', 1), replay, calls('full replay', 2)], OPTIONS);
    expect(judgement?.restsOn).toBe('replay.no-second-external-call');
    // A key that is nobody's is wrong, however often is called.
    expect(judged(replayCalled('rep', logged('0'.repeat(64))), source, [1, 2])).toBe('fail unknown-key');
    expect(judged(replayCalled('rep', logged(keyOf('rep'), keyOf('src'))), source, [1, 2])).toBe('fail second-call');
  });

  it('does not take the question whether the world agrees for a call', () => {
    const replay = replayCalled('rep', logged(keyOf('src')));
    const [before, after] = [calls('source', 1), calls('full replay', 1)] as unknown as readonly CallsObservation[];
    const seen = [source, before, replay, { ...after, calls: [...(after?.calls ?? []), asked] }];
    expect(verdictOf(toolCallReplay, ROW, seen as readonly Recorded<Observation>[])).toBe('pass');
    const alone = [source, { ...before, calls: [asked] }, replay, { ...after, calls: [asked] }];
    expect(verdictOf(toolCallReplay, ROW, alone as readonly Recorded<Observation>[])).toBe('inconclusive');
  });

  it('asks for no key in a commit, which may hold another one', () => {
    const commit: Said = ['command_committed', { idempotency_key: 'aetheris:rep:charge:1' }, 'charge'];
    const told = logged(keyOf('src')).toSpliced(2, 0, commit);
    expect(judged(replayCalled('rep', told))).toBe('pass');
  });

  it('says nothing where no key shows, nobody was called or a run was not seen', () => {
    const replay = replayCalled('rep', logged(keyOf('src')));
    expect(judged(replayCalled('rep', logged()))).toBe('inconclusive');
    expect(judged(replay, runCalled('src', logged()))).toBe('inconclusive');
    expect(judged(replay, source, [0, 0])).toBe('inconclusive');
    expect(judged(unfinished(replay))).toBe('inconclusive');
    expect(judged(replay, unfinished(source))).toBe('inconclusive');
    expect(verdictOf(toolCallReplay, ROW, [])).toBe('inconclusive');
  });

  it('fails where an advertised replay is refused', () => {
    expect(judged(refusedRun(replayCalled('rep', [])))).toBe('fail fork-refused');
  });
});
