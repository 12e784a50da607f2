import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { observed, type Said, runCalled, unfinished, verdictOf } from '../../test/recorded-runs.ts';
import { externalKey } from './external-key.ts';

type AnyRecorded = Recorded<Observation>;

interface Call {
  readonly nodeId: string;
  readonly key: string | null;
  /** What tool_invocation_started calls the attempt. */
  readonly claim?: string;
  /** What it calls the step. */
  readonly step?: string;
}

function driven(runId: string, role: string, calls: readonly Call[]): readonly AnyRecorded[] {
  const steps = calls.map(({ nodeId, claim, step }): Said => [
    'tool_invocation_started',
    { ...(claim === undefined ? {} : { attempt_id: claim }), ...(step === undefined ? {} : { step_id: step }) },
    nodeId,
  ]);
  const made = calls.map(({ nodeId, key }) => ({ kind: 'effect', name: nodeId, idempotencyKey: key }));
  return [
    runCalled(runId, [['run.started'], ...steps, ['run.completed']], { role }),
    observed(`c-${runId}`, 'calls', { after: role, url: 'http://witness/w/t', calls: made }),
  ];
}

const rightKey = (nodeId: string, attempt = '1'): string => `aetheris:r1:${nodeId}:${attempt}`;
const other = driven('r2', 'other run', [
  { nodeId: 'first', key: 'aetheris:r2:first:1' },
  { nodeId: 'second', key: 'aetheris:r2:second:1' },
]);

function judged(first: Partial<Call>, second: Partial<Call>, more: readonly AnyRecorded[] = other): string {
  const calls = [
    { nodeId: 'first', key: rightKey('first'), ...first },
    { nodeId: 'second', key: rightKey('second'), ...second },
  ];
  return verdictOf(externalKey, 'once.external-key', [...driven('r1', 'run', calls), ...more]);
}

describe('the external key', () => {
  it('passes with one attempt, whatever it is called', () => {
    expect(judged({}, {})).toBe('pass');
    const odd = 'host-1:lease:9';
    expect(judged({ key: rightKey('first', odd) }, { key: rightKey('second', odd) })).toBe('pass');
  });

  it('passes over a step that the host shows, if it is that of one tool', () => {
    const [a, b] = [
      { key: rightKey('s-1'), step: 's-1' },
      { key: rightKey('s-2'), step: 's-2' },
    ];
    expect(judged(a, b)).toBe('pass');
    expect(judged({ ...a, step: 's-3' }, b)).toBe('fail other-form');
    expect(judged(a, a)).toBe('fail other-form');
  });

  it('passes where names that no header carries are percent-encoded, or the bytes of their UTF-8', () => {
    const bytes = Buffer.from('schrïtt').toString('latin1');
    const [a, b] = [
      { key: rightKey(encodeURIComponent('步骤')), step: '步骤' },
      { key: rightKey(bytes), step: 'schrïtt' },
    ];
    expect(judged(a, b)).toBe('pass');
    expect(judged({ ...a, key: rightKey('%') }, b)).toBe('fail other-form');
  });

  it('fails in every other form', () => {
    expect(judged({ key: null }, {})).toBe('fail no-external-key');
    expect(judged({}, { key: 'a'.repeat(64) })).toBe('fail internal-key-sent');
    expect(judged({}, { key: 'aetheris:r2:second:1' })).toBe('fail other-form');
    expect(judged({}, { key: 'aetheris:r1:first:1' })).toBe('fail other-form');
    expect(judged({}, { key: 'aetheris:r1:second:' })).toBe('fail other-form');
  });

  it('fails where the attempt changes without a claim', () => {
    const key = rightKey('second', '2');
    expect(judged({ claim: '1' }, { key, claim: '1' })).toBe('fail attempt-not-stable');
    expect(judged({ claim: '1' }, { key, claim: '3' })).toBe('fail attempt-not-stable');
    expect(judged({ claim: '1' }, { key, claim: '2' })).toBe('pass');
    expect(judged({}, { key })).toBe('inconclusive');
  });

  it('fails where the call of a child carries the key of its parent', () => {
    const run = driven('r1', 'run', [
      { nodeId: 'first', key: rightKey('first') },
      { nodeId: 'second', key: rightKey('second') },
    ]);
    const started: Said = ['tool_invocation_started', {}, 'call'];
    const child = { ...runCalled('c1', [started]), type: 'child', parent: 'source' };
    const withKey = (idempotencyKey: string) => {
      const calls = observed('calls', 'calls', { after: 'source', calls: [{ kind: 'effect', idempotencyKey }] });
      const everything = [runCalled('p1', []), calls, child].map((each) => ({ ...each, scenario: 'handoff.replays' }));
      return verdictOf(externalKey, 'once.external-key', [...run, ...other], everything);
    };
    expect(withKey('aetheris:p1:call:1')).toBe('fail key-shared-between-runs');
    expect(withKey('aetheris:c1:call:1')).toBe('pass');
  });

  it('fails where a call of another run carries none, but for one that was not answered', () => {
    const own = driven('r1', 'run', [
      { nodeId: 'first', key: rightKey('first') },
      { nodeId: 'second', key: rightKey('second') },
    ]);
    const withCall = (call: object, scenario = 'once.tool-call'): string => {
      const made = { kind: 'effect', name: 'charge', answer: {}, idempotencyKey: null, ...call };
      const calls = observed('calls', 'calls', { after: 'source', calls: [made] });
      return verdictOf(externalKey, 'once.external-key', [...own, ...other], [{ ...calls, scenario }]);
    };
    expect(withCall({})).toBe('fail no-external-key');
    expect(withCall({ idempotencyKey: '' })).toBe('fail no-external-key');
    expect(withCall({ idempotencyKey: rightKey('charge') })).toBe('pass');
    expect(withCall({ answer: null })).toBe('pass');
    expect(withCall({ kind: 'resource' })).toBe('pass');
    expect(withCall({}, 'sequence.side-effects')).toBe('pass');
  });

  it('says nothing where nobody was called or a run was not seen', () => {
    expect(judged({}, {}, driven('r2', 'other run', []))).toBe('inconclusive');
    expect(judged({}, {}, driven('r2', 'other run', [{ nodeId: 'first', key: 'aetheris:r2:first:1' }]))).toBe(
      'inconclusive',
    );
    expect(judged({}, {}, [])).toBe('inconclusive');
    const [run, calls] = other;
    expect(judged({}, {}, [unfinished(run as ReturnType<typeof runCalled>), calls as AnyRecorded])).toBe(
      'inconclusive',
    );
    expect(verdictOf(externalKey, 'once.external-key', [])).toBe('inconclusive');
  });
});
