import { describe, expect, it } from 'vitest';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { observed, OPTIONS, runCalled, type Said, unfinished, verdictOf } from '../../test/recorded-runs.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { drawToolArgs, toolCall } from './tool-call.ts';
import * as fc from 'fast-check';
import { canonicalJson } from '../../src/cache-key/index.ts';

type AnyRecorded = Recorded<Observation>;

const ORDER = 'once.write-order';
const KEYS = 'once.idempotency-key';
const HELD_ARGS = '{"currency":"EUR","amount":12.50}';

function keyOf(runId: string, args: string | null): string {
  return idempotencyKey({ runId, nodeId: 'charge', toolName: 'charge-card', args }) ?? '';
}

const started = (key: string): Said => [
  'tool_invocation_started',
  { tool_name: 'charge-card', arguments: {}, idempotency_key: key, attempt_id: 'at-1' },
  'charge',
];
const finished = (key: string): Said => [
  'tool_invocation_finished',
  { idempotency_key: key, outcome: 'success', result: { nonce: 'n' } },
  'charge',
];
const committed = (key: string): Said => ['command_committed', { idempotency_key: key }, 'charge'];
const completed: Said = ['node.completed', { output: { nonce: 'n' } }, 'charge'];
const begin: readonly Said[] = [['run.started'], ['node.started', {}, 'charge']];
const end: Said = ['run.completed'];

function whole(key: string): readonly Said[] {
  return [...begin, started(key), finished(key), committed(key), completed, end];
}

/** What a run shows: its log, what of it was seen while the tool was at work, and the calls that were answered. */
interface Shown {
  readonly told?: readonly Said[];
  readonly held?: readonly Said[];
  readonly problem?: string | null;
  readonly calls?: readonly Json[];
}

const key = keyOf('held', HELD_ARGS);

function heldRun({
  told = whole(key),
  held = [...begin, started(key)],
  problem = null,
  calls,
}: Shown = {}): readonly AnyRecorded[] {
  const run = runCalled('held', told, { role: 'held run' });
  const recordedCalls = calls ?? [{ kind: 'effect', name: 'charge', idempotencyKey: null, answer: { nonce: 'n' } }];
  return [
    run,
    observed('a-held', 'args', { of: 'held run', request: HELD_ARGS }),
    observed('h', 'held', { problem, events: runCalled('held', held).events }),
    observed('c', 'calls', { after: 'held run', url: 'http://witness/w/t', calls: recordedCalls }),
  ];
}

function order(shown: Shown): string {
  return verdictOf(toolCall, ORDER, heldRun(shown));
}

function ownerOf(shown: Shown): string | undefined {
  return toolCall.judge(heldRun(shown), OPTIONS).find(({ check }) => check === ORDER)?.restsOn;
}

describe('the write order', () => {
  it('passes in the document’s order, whatever else stands between', () => {
    expect(order({})).toBe('pass');
    const between: Said = ['variable.changed', { name: 'receipt', value: 1 }, 'charge'];
    expect(
      order({ told: [...begin, started(key), finished(key), between, committed(key), between, completed, end] }),
    ).toBe('pass');
    expect(order({ told: [...begin, started(key), finished(key), committed(key), end] })).toBe('pass');
  });

  it('reads types in other spellings', () => {
    const told = whole(key).map(([type, ...rest]): Said => [
      type.replaceAll(/_(\w)/gu, (_, c: string) => c.toUpperCase()),
      ...rest,
    ]);
    expect(order({ told, held: told.slice(0, 3) })).toBe('pass');
  });

  it.each([
    ['wrong-order', [...begin, started(key), committed(key), finished(key), completed, end]],
    ['wrong-order', [...begin, started(key), finished(key), completed, committed(key), end]],
    ['wrong-order', [...begin, started(key), finished(key), completed, end, committed(key)]],
    ['wrong-order', [...begin, finished(key), started(key), committed(key), completed, end]],
    ['written-twice', [...begin, started(key), finished(key), finished(key), committed(key), completed, end]],
    ['written-twice', [...begin, started(key), started(key), finished(key), committed(key), completed, end]],
    ['missing-event', [...begin, started(key), finished(key), completed, end]],
    ['missing-event', [...begin, started(key), committed(key), completed, end]],
  ] as const)('fails with %s', (code, told) => {
    expect(order({ told })).toBe(`fail ${code}`);
  });

  it('fails where the start is not there before the tool answers', () => {
    expect(order({ held: begin })).toBe('fail no-started-barrier');
    expect(order({ held: [] })).toBe('fail no-started-barrier');
    expect(order({ told: [...begin, finished(key), committed(key), completed, end], held: begin })).toBe(
      'fail no-started-barrier',
    );
  });

  it('rests on the row about readings where the start is not there, as the log was read from a list', () => {
    expect(ownerOf({ held: begin })).toBe('sequence.transports-agree');
    expect(ownerOf({ held: [...begin, started(key), finished(key)] })).toBeUndefined();
  });

  it.each([
    [[...begin, started(key), finished(key)]],
    [[...begin, started(key), committed(key)]],
    [[...begin, started(key), completed]],
    [[...begin, started(key), end]],
  ])('fails where a result is there before the tool answers (%#)', (held) => {
    expect(order({ held })).toBe('fail written-before-execution');
  });

  it('passes where an attempt that failed stands before', () => {
    const failed: Said = ['tool_invocation_finished', { idempotency_key: key, outcome: 'failure' }, 'charge'];
    const first = [...begin, started(key), failed];
    const told = [...first, ...whole(key).slice(begin.length)];
    expect(order({ told, held: [...first, started(key)] })).toBe('pass');
    expect(order({ told, held: first })).toBe('fail written-before-execution');
  });

  it('fails where the end of a call that succeeded does not say so', () => {
    const ends = (payload: Json) => {
      const told = whole(key).map((said): Said =>
        said[0] === 'tool_invocation_finished' ? [said[0], payload, 'charge'] : said,
      );
      return order({ told });
    };
    expect(ends({ idempotency_key: key, outcome: 'Succeeded' })).toBe('pass');
    expect(ends({ idempotency_key: key, status: 'success' })).toBe('pass');
    expect(ends({ idempotency_key: key, ok: true })).toBe('pass');
    expect(ends(null)).toBe('pass');
    expect(ends({ idempotency_key: key, result: 1 })).toBe('fail outcome-not-success');
    expect(ends({ idempotency_key: key, outcome: 'unknown' })).toBe('fail outcome-not-success');
  });

  it('says nothing where it could not be seen', () => {
    const bare = [...begin, completed, end];
    expect(order({ told: bare, held: begin })).toBe('inconclusive');
    expect(order({ calls: [] })).toBe('inconclusive');
    expect(order({ calls: [{ kind: 'effect', name: 'charge', idempotencyKey: null, answer: null }] })).toBe(
      'inconclusive',
    );
    expect(order({ held: [], problem: 'POST /v1/runs did not name the run' })).toBe('inconclusive');
    expect(order({ told: [...whole(key).slice(0, -1), ['run.failed']] })).toBe('inconclusive');
    expect(verdictOf(toolCall, ORDER, [])).toBe('inconclusive');
    const [run, ...rest] = heldRun();
    expect(verdictOf(toolCall, ORDER, [unfinished(run as ReturnType<typeof runCalled>), ...rest])).toBe('inconclusive');
  });
});

const ARGS = { none: null, sorted: '{"b":1,"a":{"d":1,"c":2}}' } as const;
type Name = keyof typeof ARGS;

function withOwnName(runId: string): readonly Said[] {
  const own = idempotencyKey({ runId, nodeId: 'charge', toolName: 'http', args: ARGS.sorted }) ?? '';
  return [
    ...begin,
    ['tool_invocation_started', { tool_name: 'http', idempotency_key: own }, 'charge'],
    finished(own),
    end,
  ];
}

function withNames(own: string, names: { readonly [name: string]: Json }): readonly Said[] {
  return [
    ...begin,
    ['tool_invocation_started', { tool_name: 'charge-card', ...names, idempotency_key: own }, 'charge'],
    finished(own),
    end,
  ];
}

function withOwnArguments(runId: string): readonly Said[] {
  const mapped = { url: 'http://w', body: { a: 1 } };
  const other = keyOf(runId, JSON.stringify(mapped));
  return [...begin, ['tool_invocation_started', { arguments: mapped, idempotency_key: other }, 'charge'], end];
}

function argued(
  name: Name,
  told: (runId: string) => readonly Said[] = (runId) => whole(keyOf(runId, ARGS[name])),
): readonly AnyRecorded[] {
  return [
    runCalled(name, told(name), { role: `arguments: ${name}` }),
    observed(`a-${name}`, 'args', { of: `arguments: ${name}`, request: ARGS[name] }),
  ];
}

function keys(...seen: readonly (readonly AnyRecorded[])[]): string {
  return verdictOf(toolCall, KEYS, [...heldRun(), ...seen.flat()]);
}

const advertised = (formula: string | null) => [observed('ad', 'advertised', { idempotencyKey: formula })];

/** What is said of the keys where the tool was called with this body. */
const reason = (body: Json): string => {
  const calls = [{ kind: 'effect', name: 'charge', idempotencyKey: null, body, answer: { nonce: 'n' } }];
  const judged = toolCall.judge([...heldRun({ calls }), ...argued('none')], OPTIONS);
  return judged.map(({ check, verdict, reason: why }) => `${check} ${verdict} ${why ?? ''}`)[1] ?? '';
};

describe('the keys', () => {
  it('pass by the formula', () => {
    expect(keys(argued('none'), argued('sorted'))).toBe('pass');
  });

  it('pass under the name that the log gives the tool, and under its own where that is a label', () => {
    expect(keys(argued('sorted', withOwnName))).toBe('pass');
    const label = 'Charge a card';
    expect(keys(argued('sorted', (runId) => withNames(keyOf(runId, ARGS.sorted), { tool_name: label })))).toBe('pass');
  });

  it('pass however the digest is written', () => {
    const upper = argued('sorted', (runId) => whole(keyOf(runId, ARGS.sorted).toUpperCase()));
    expect(keys(upper)).toBe('pass');
    const judged = toolCall.judge([...heldRun(), ...argued('none'), ...upper], OPTIONS);
    expect(judged.find(({ check }) => check === KEYS)?.reason).toMatch(/advice: most hosts write the key as 64/u);
  });

  it('pass over names of step and job that the host shows, if they are those of one run', () => {
    const named = (runId: string, names: { readonly step_id?: string; readonly job_id?: string }): readonly Said[] => {
      const { step_id: nodeId = 'charge', job_id: job = runId } = names;
      const own = idempotencyKey({ runId: job, nodeId, toolName: 'charge-card', args: ARGS.sorted }) ?? '';
      return withNames(own, names);
    };
    expect(keys(argued('sorted', (runId) => named(runId, { step_id: 'step-1' })))).toBe('pass');
    expect(keys(argued('sorted', (runId) => named(runId, { job_id: `job-of-${runId}` })))).toBe('pass');
    expect(
      keys(
        argued('none', (runId) => withNames(keyOf(runId, null), { job_id: 'job' })),
        argued('sorted', (runId) => named(runId, { job_id: 'job' })),
      ),
    ).toBe('fail unknown-key');
    const hidden = idempotencyKey({ runId: 'sorted', nodeId: 'step-1', toolName: 'charge-card', args: ARGS.sorted });
    expect(keys(argued('sorted', () => whole(hidden ?? '')))).toBe('fail unknown-key');
  });

  it('fail with the name of the mistake', () => {
    const wrong = (change: (runId: string) => string): string =>
      keys(
        argued('none'),
        argued('sorted', (runId) => whole(change(runId))),
      );
    expect(wrong((runId) => keyOf(runId, ARGS.sorted).slice(0, 32))).toBe('fail truncated');
    expect(wrong(() => 'k'.repeat(64))).toBe('fail unknown-key');
    expect(
      keys(
        argued('none', () => whole('k')),
        argued('sorted', () => whole('k')),
      ),
    ).toBe('fail key-shared-between-runs');
  });

  it('fail where the events of one call have different keys', () => {
    const own = keyOf('sorted', ARGS.sorted);
    expect(
      keys(argued('sorted', () => [...begin, started(own), finished('other'), committed(own), completed, end])),
    ).toBe('fail key-changes');
  });

  it('fail where one of start and end holds none, as far as it is shown', () => {
    const own = keyOf('sorted', ARGS.sorted);
    const without = (type: string, payload: Json): string =>
      keys(
        argued('none'),
        argued('sorted', () => whole(own).map((said): Said => (said[0] === type ? [type, payload, 'charge'] : said))),
      );
    expect(without('tool_invocation_started', { tool_name: 'charge-card' })).toBe('fail key-in-one-only');
    expect(without('tool_invocation_finished', { outcome: 'success' })).toBe('fail key-in-one-only');
    expect(without('tool_invocation_finished', { outcome: 'success', call: { idempotencyKey: own } })).toBe('pass');
    expect(without('tool_invocation_finished', null)).toBe('pass');
    expect(without('command_committed', {})).toBe('pass');
  });

  it('say nothing where no key shows, or no run was seen', () => {
    const keyless: readonly Said[] = [...begin, ['tool_invocation_started', {}, 'charge'], end];
    expect(keys(argued('sorted', () => keyless))).toBe('inconclusive');
    expect(
      keys(
        argued('none', () => [...begin, end]),
        argued('sorted'),
      ),
    ).toBe('inconclusive');
    expect(keys()).toBe('inconclusive');
    expect(verdictOf(toolCall, KEYS, [])).toBe('inconclusive');
    const [run, args] = argued('sorted');
    expect(keys([unfinished(run as ReturnType<typeof runCalled>), args as AnyRecorded])).toBe('inconclusive');
  });

  it('fail where the events show none although the host advertises the formula', () => {
    const none = (payload: Json): readonly Said[] => [...begin, ['tool_invocation_started', payload, 'charge'], end];
    const keyless = (payload: Json, formula: string | null, others = none(payload)): string =>
      verdictOf(toolCall, KEYS, [
        ...heldRun({ told: none(payload) }),
        ...advertised(formula),
        ...argued('sorted', () => others),
      ]);
    expect(keyless({}, 'sha256-nul-jcs')).toBe('fail no-idempotency-key');
    expect(keyless({}, 'other')).toBe('inconclusive');
    expect(keyless({}, null)).toBe('inconclusive');
    expect(keyless({ idempotency: { key: 'k' } }, 'sha256-nul-jcs')).toBe('inconclusive');
    expect(keyless({}, 'sha256-nul-jcs', whole(keyOf('sorted', ARGS.sorted)))).toBe('inconclusive');
    expect(verdictOf(toolCall, KEYS, [...heldRun({ told: [...begin, end] }), ...advertised('sha256-nul-jcs')])).toBe(
      'inconclusive',
    );
  });

  it('advise where the tool is called with something else than its arguments', () => {
    expect(reason({})).toMatch(/^once.idempotency-key pass .*advice: the tool is called with \{\} and not/u);
    expect(reason({ amount: 12.5, currency: 'EUR' })).not.toMatch(/advice/u);
  });

  it('say nothing where a run’s arguments are not recorded', () => {
    expect(keys(argued('none'), argued('sorted').slice(0, 1))).toBe('inconclusive');
  });

  it('say nothing where the host calls the tool with arguments of its own', () => {
    expect(keys(argued('sorted', withOwnArguments))).toBe('inconclusive');
  });

  it('leave a run out that was not seen, where another one is wrong', () => {
    const [run, args] = argued('none');
    const seen = [...heldRun(), unfinished(run as ReturnType<typeof runCalled>), args as AnyRecorded];
    const judged = toolCall.judge([...seen, ...argued('sorted', () => whole('k'))], OPTIONS);
    expect(judged.map(({ verdict }) => verdict)).toEqual(['pass', 'fail', 'not-applicable', 'not-applicable']);
  });
});

describe('drawToolArgs', () => {
  it('draws the same for the same seed, and others for another one', () => {
    expect(drawToolArgs(fc, 1, 6)).toEqual(drawToolArgs(fc, 1, 6));
    expect(drawToolArgs(fc, 1, 6)).not.toEqual(drawToolArgs(fc, 2, 6));
  });

  it('draws objects that every host takes, and that have a canonical form', () => {
    const texts = drawToolArgs(fc, 7, 200).flatMap(({ text }) => text ?? []);
    expect(texts).toHaveLength(207);
    for (const text of texts) {
      expect(canonicalJson(text).ok).toBe(true);
      expect(text).toMatch(/^\{[^]*\}$/u);
      expect(JSON.stringify(JSON.parse(text))).not.toMatch(/\\u0000|__proto__/u);
    }
    expect(
      texts.filter((text) => JSON.stringify(JSON.parse(text)) !== (canonicalJson(text) as { text: string }).text),
    ).not.toEqual([]);
  });
});
