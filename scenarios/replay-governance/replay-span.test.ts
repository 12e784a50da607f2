import { describe, expect, it } from 'vitest';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { observed, runCalled, say, verdictOf } from '../../test/recorded-runs.ts';
import { replaySpan } from './replay-span.ts';

const CONTEXT = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
const SAID = [say('run.started'), say('run.completed')];

function forkIn(mode: string): Recorded<Observation> {
  return runCalled(`run-${mode}`, SAID, {
    role: mode,
    fork: { sourceRunId: 'src', mode, fromSeq: 1, advertised: true },
  });
}

interface Said {
  readonly attributes?: { readonly [name: string]: Json } | null;
  readonly links?: Json;
  readonly context?: Json;
  readonly parentSpanId?: string | null;
}

function spanOf(
  role: string,
  { attributes = {}, links = [], context = null, parentSpanId = null }: Said = {},
): Recorded<Observation> {
  return observed(`s-${role}`, 'span', {
    role,
    attributes,
    links,
    context,
    parentSpanId,
    problem: attributes === null ? 'late' : null,
  });
}

function right(mode: string): { readonly [name: string]: Json } {
  return {
    'openwop.replay.source_run_id': 'src',
    'openwop.replay.from_seq': 1,
    'openwop.replay.mode': mode,
  };
}

function seen(replay: Said, branch?: Said, original: Said = { context: CONTEXT }): readonly Recorded<Observation>[] {
  return [
    runCalled('src', SAID),
    spanOf('source', original),
    forkIn('replay'),
    spanOf('replay', { attributes: right('replay'), links: [CONTEXT], ...replay }),
    ...(branch === undefined
      ? []
      : [forkIn('branch'), spanOf('branch', { attributes: right('branch'), links: [CONTEXT], ...branch })]),
  ];
}

/** The replay, and a replay of it whose span names this source and is linked so. */
function again(source: string, link: object): readonly Recorded<Observation>[] {
  return [
    ...seen({ context: { ...CONTEXT, spanId: 'f'.repeat(16) } }),
    runCalled('run-again', SAID, {
      role: 'replay of the replay',
      fork: { sourceRunId: 'run-replay', mode: 'replay', fromSeq: 1, advertised: true },
    }),
    spanOf('replay of the replay', {
      attributes: { ...right('replay'), 'openwop.replay.source_run_id': source },
      links: [{ ...CONTEXT, ...link }],
    }),
  ];
}

function judge(check: string, recorded: readonly Recorded<Observation>[]): string {
  return verdictOf(replaySpan, `telemetry.replay-span.${check}`, recorded);
}

const CHECKS = ['source', 'from-seq', 'mode', 'link'];

describe('the span of a fork', () => {
  it.each(CHECKS)('%s: passes where every fork says it, with or without branches', (check) => {
    expect(judge(check, seen({}, {}))).toBe('pass');
    expect(judge(check, seen({}))).toBe('pass');
  });

  it.each<[string, string, Json]>([
    ['source', 'source_run_id', 'run_0'],
    ['from-seq', 'from_seq', 0],
    ['mode', 'mode', 'replay'],
  ])('%s: fails where one fork says otherwise, or nothing', (check, name, value) => {
    const full = `openwop.replay.${name}`;
    const { [full]: _, ...others } = right('branch');
    expect(judge(check, seen({}, { attributes: { ...others, [full]: value } }))).toMatch(/^fail/u);
    expect(judge(check, seen({}, { attributes: others }))).toMatch(/^fail/u);
    for (const other of CHECKS.filter((each) => each !== check)) {
      expect(judge(other, seen({}, { attributes: others }))).toBe('pass');
    }
  });

  it('takes a number that came as text', () => {
    expect(judge('from-seq', seen({ attributes: { ...right('replay'), 'openwop.replay.from_seq': '1' } }))).toBe(
      'pass',
    );
  });

  it.each<[string, Json]>([
    ['pass', [{ traceId: 'c'.repeat(32), spanId: 'd'.repeat(16) }, CONTEXT]],
    ['fail', []],
    ['fail', [{ ...CONTEXT, spanId: 'd'.repeat(16) }]],
  ])('link: %s for links %j', (expected, links) => expect(judge('link', seen({ links }))).toMatch(expected));

  it.each<readonly [string, Json | undefined, Json]>([
    ['pass', 0, null],
    ['pass', '0', { fromSeq: 0 }],
    ['pass', 1, { fromSeq: 1 }],
    ['fail span-says-otherwise', 1, { fromSeq: 0 }],
    ['fail span-says-otherwise', undefined, { fromSeq: 0 }],
  ])('from-seq: %s where that of a whole replay says %j, which was answered with %j', (wanted, value, answer) => {
    const { 'openwop.replay.from_seq': _, ...others } = right('replay');
    const attributes = value === undefined ? others : { ...others, 'openwop.replay.from_seq': value };
    const fork = { sourceRunId: 'src', mode: 'replay', fromSeq: null, advertised: true };
    const whole = runCalled('run-whole', SAID, { role: 'whole replay', fork, answer });
    expect(judge('from-seq', [...seen({}), whole, spanOf('whole replay', { attributes, links: [CONTEXT] })])).toBe(
      wanted,
    );
  });

  it('link: fails where a fork is a child of its source, linked to it or not', () => {
    expect(judge('link', seen({ parentSpanId: CONTEXT.spanId }))).toBe('fail span-not-linked');
    expect(judge('link', seen({ parentSpanId: CONTEXT.spanId, links: [] }))).toBe('fail span-not-linked');
    expect(judge('link', seen({ parentSpanId: 'e'.repeat(16) }))).toBe('pass');
  });

  it('is that of a replay of the replay as well, whose source is the replay', () => {
    const ofTheReplay = { spanId: 'f'.repeat(16) };
    for (const check of CHECKS) expect(judge(check, again('run-replay', ofTheReplay))).toBe('pass');
    expect(judge('source', again('src', ofTheReplay))).toMatch(/^fail/u);
    expect(judge('link', again('run-replay', {}))).toMatch(/^fail/u);
  });

  it('is undecided where spans were not seen', () => {
    for (const check of CHECKS) {
      expect(judge(check, seen({ attributes: null }))).toBe('inconclusive');
      expect(judge(check, [])).toBe('inconclusive');
    }
    expect(judge('link', seen({}, {}, { attributes: null }))).toBe('inconclusive');
  });
});
