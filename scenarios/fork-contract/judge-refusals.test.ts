import { describe, expect, it } from 'vitest';
import {
  answered,
  requested,
  fork,
  judged,
  recorded,
  refusedFork,
  run,
  short,
  UNANSWERED,
} from '../../test/fork-observations.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { leftWithoutControl } from '../shared/control.ts';
import { judgeEnvelopes, judgeRefusals } from './judge-refusals.ts';
import { NONE_LATER } from './refusal-table.ts';

const source = run('source');
const control = fork('replay', 'run_b');
const MODE = { row: 'bad-mode', expected: '400' };

function judge(observations: readonly Observation[], row: Parameters<typeof judgeRefusals>[1] = MODE) {
  const all = recorded(...observations);
  return judged(judgeRefusals(all, row, leftWithoutControl(all, 'replay')));
}

function sending(observation: Observation, request: string): Observation {
  return Object.assign(observation, { request });
}

function redirected(location?: string): Observation {
  const answer = { kind: 'answer', status: 302, ...(location !== undefined && { location }) } as const;
  return answered('malformed', 'no body', { ...answer, body: { json: true, value: {} } });
}

describe('a row of refusals', () => {
  it('passes where all are refused as they should be', () => {
    const judgement = judge([
      source,
      control,
      requested('bad-mode', 'no mode', 400),
      requested('bad-mode', 'an empty mode', 400),
    ]);
    expect(judgement).toMatchObject({ verdict: 'pass', evidence: ['o3', 'o4'] });
  });

  it('fails what was carried out, with what the answer says', () => {
    const made = requested('bad-mode', 'no mode', 201, { runId: 'run_c', mode: 'replay', fromSeq: 0 });
    const judgement = judge([source, control, requested('bad-mode', 'an empty mode', 400), made]);
    expect(short(judgement)).toBe('fail carried-out');
    expect(judgement.actual).toMatch(/^no mode: 201 /u);
    expect(judgement.evidence).toEqual(['o4']);
  });

  it.each([
    [500, 'fail server-error'],
    [404, 'fail other-refusal'],
    [422, 'fail other-refusal'],
  ])('fails %d in the place of 400', (status, expected) => {
    expect(short(judge([source, control, requested('bad-mode', 'no mode', status)]))).toBe(expected);
  });

  it('fails a redirect that leads nowhere, where the control was carried out, and not one that leads elsewhere', () => {
    const row = { row: 'malformed', expected: 'a 4xx' };
    expect(short(judge([source, control, redirected()], row))).toBe('fail other-refusal');
    expect(short(judge([source, control, redirected('https://b.example/')], row))).toBe('inconclusive');
    expect(short(judge([source, refusedFork('replay', 404), redirected()], row))).toBe('fail fork-refused');
  });

  it.each([
    [[500, 500], 'fork.rejects-malformed-body'],
    [[500, 400], undefined],
    [[400, 500], undefined],
  ])('rests on the row about bodies where whatever is wrong is answered with 500: %j', ([one, other], owner) => {
    const wrong = { ...requested('bad-mode', 'no mode', 500), request: '{}' };
    const others = [
      requested('malformed', 'no body', one ?? 0),
      requested('overlay', 'an overlay of tags', other ?? 0),
    ];
    expect(judge([source, control, wrong, ...others]).restsOn).toBe(owner);
  });

  it('rests on the row about bodies where only what is asked of no run is answered with 500', () => {
    const wrong = requested('bad-mode', 'an empty object, for no run', 500);
    expect(judge([source, control, wrong]).restsOn).toBe('fork.rejects-malformed-body');
  });

  it.each([
    ['{"mode":"replay","fromSeq":1e400}', 'fork.rejects-malformed-body'],
    ['{"mode":"replay"', 'fork.rejects-malformed-body'],
    ['{"mode":"replay","fromSeq":-1}', undefined],
  ])('rests on the row about bodies where the host stumbles over one like %s that it cannot read', (body, owner) => {
    const stumbled = { ...requested('bad-from-seq', 'a', 500), request: body };
    const judgement = judge([source, control, stumbled], { row: 'bad-from-seq', expected: '400' });
    expect([judgement.verdict, judgement.restsOn]).toEqual(['fail', owner]);
  });

  it.each([
    [0, 0, 'fork.created.every-sequence'],
    [2, 0, undefined],
    [0, -1, undefined],
  ])('rests on the row about starts where %d is answered to a sound one, and %d to a bad one', (sound, bad, owner) => {
    const row = { row: 'bad-from-seq', expected: '400' };
    const made = requested(row.row, 'a negative fromSeq', 201, { runId: 'run_c', mode: 'replay', fromSeq: bad });
    const later = requested(NONE_LATER, 'a replay', 201, { runId: 'run_d', mode: 'replay', fromSeq: sound });
    const judgement = judge(
      [
        source,
        control,
        sending(made, '{"mode":"replay","fromSeq":-1}'),
        sending(later, '{"mode":"replay","fromSeq":2}'),
      ],
      row,
    );
    expect([judgement.verdict, judgement.restsOn]).toEqual(['fail', owner]);
  });

  it.each([
    [404, 404, 3, 'fork.created.every-sequence'],
    [500, 500, 3, 'fork.created.every-sequence'],
    [404, 404, 0, undefined],
    [404, 422, 3, undefined],
    [404, 201, 3, undefined],
  ])('rests there where %d is what a sound one is answered, too: %d, from %d', (status, sound, fromSeq, owner) => {
    const row = { row: 'absent-sequence', expected: '422, or 400' };
    const bad = requested(row.row, 'two past the last event', status);
    const sent = sending(bad, JSON.stringify({ mode: 'replay', fromSeq }));
    const judgement = judge([source, control, sent, requested(NONE_LATER, 'a replay', sound)], row);
    expect([judgement.verdict, judgement.restsOn]).toEqual(['fail', owner]);
  });

  it.each([
    ['branch', 'fork.created'],
    ['replay', undefined],
  ])('of replays that were carried out, by their answers, as a %s rests there', (mode, owner) => {
    const made = requested('overlay', 'an overlay of tags', 201, { runId: 'run_c', mode, fromSeq: 0 });
    const request = '{"mode":"replay","runOptionsOverlay":{"tags":["a"]}}';
    const judgement = judge([source, control, sending(made, request)], { row: 'overlay', expected: '400' });
    expect([judgement.verdict, judgement.restsOn]).toEqual(['fail', owner]);
  });

  it('fails a refusal that names a run', () => {
    const body = { error: 'e', message: 'm', runId: 'run_c' };
    const judgement = judge([source, control, requested('bad-mode', 'no mode', 400, body)]);
    expect([short(judgement), judgement.restsOn]).toEqual(['fail other-refusal', 'fork.error-envelope']);
  });

  it.each([
    ['malformed', 'a truncated object, for no run', 404],
    ['malformed', 'no body', 409],
  ])('rests on the row about envelopes where all that is wrong is a member more: %s, %s, %d', (row, name, status) => {
    const body = { error: 'e', message: 'm', requestId: 'r' };
    const sound = requested('malformed', 'text', 400, { error: 'e', message: 'm' });
    const observations = [source, control, requested(row, name, status, body), sound];
    const judgement = judge(observations, { row, expected: 'a 4xx', envelope: true });
    expect([short(judgement), judgement.restsOn]).toEqual(['fail other-refusal', 'fork.error-envelope']);
  });

  it.each([429, 503])('is undecided at %d, and without an answer', (status) => {
    expect(short(judge([source, control, requested('bad-mode', 'no mode', status)]))).toBe('inconclusive');
    expect(short(judge([source, control, answered('bad-mode', 'no mode', UNANSWERED)]))).toBe('inconclusive');
  });

  it('proves nothing without a source, a control or a request', () => {
    const refusal = requested('bad-mode', 'no mode', 400);
    expect(short(judge([refusal]))).toBe('inconclusive');
    expect(short(judge([source, refusal]))).toBe('inconclusive');
    expect(short(judge([source, control]))).toBe('inconclusive');
    expect(short(judge([source, refusedFork('replay', 403), refusal]))).toBe('inconclusive');
    expect(short(judge([source, refusedFork('replay', 501, 'replay', false), refusal]))).toBe('inconclusive');
  });

  it('fails what made a run where the control made none, and nothing else', () => {
    const made = requested('bad-mode', 'no mode', 201, { runId: 'run_c' });
    const [other, empty] = [requested('bad-mode', 'an empty mode', 404), requested('bad-mode', 'null', 200, {})];
    for (const refused of [refusedFork('replay', 501), refusedFork('replay', 429)]) {
      const judgement = judge([source, refused, other, made, empty]);
      expect([short(judgement), judgement.restsOn]).toEqual(['fail carried-out', undefined]);
      expect(judgement).toMatchObject({ evidence: ['o4'], actual: expect.stringMatching(/^no mode: 201 /u) as string });
    }
    expect(judge([source, refusedFork('replay', 501), other, empty]).restsOn).toBe('fork.created');
  });

  it('fails where the valid control is refused although its mode is advertised', () => {
    const judgement = judge([source, refusedFork('replay', 501), requested('bad-mode', 'no mode', 400)]);
    expect(short(judgement)).toBe('fail fork-refused');
    expect(judgement.actual).toMatch(/^501 /u);
  });

  it.each([
    ['an empty list', '[]', 'fork.rejects-bad-mode'],
    ['fromSeq NaN', '{"mode":"replay","fromSeq":NaN}', undefined],
    ['a truncated object', '{"mode":"replay"', undefined],
  ])('rests on the row about modes where %s was carried out without any', (name, body, owner) => {
    const row = { ...MODE, row: 'malformed' };
    const made = sending(requested('malformed', name, 201, { runId: 'run_c' }), body);
    expect(judge([source, control, made], row).restsOn).toBe(owner);
  });

  it('leaves open what the documents leave open, and says which it was', () => {
    const row = { ...MODE, row: 'absent-sequence' };
    const [far, next] = ['far past the end', 'one past the last event'];
    for (const status of [201, 400, 422]) {
      const judgement = judge([source, control, requested(row.row, far, 422), requested(row.row, next, status)], row);
      expect(judgement).toMatchObject({ verdict: 'pass', reason: `${next}: ${status}` });
    }
    expect(short(judge([source, control, requested(row.row, next, 500)], row))).toBe('fail server-error');
    expect(short(judge([source, control, requested(row.row, far, 404)], row))).toBe('fail other-refusal');
  });

  it('takes every 4xx for a malformed body, but only in the envelope', () => {
    const row = { ...MODE, row: 'malformed', envelope: true };
    for (const status of [400, 413, 415, 422]) {
      expect(short(judge([source, control, requested('malformed', 'a list', status)], row))).toBe('pass');
    }
    expect(short(judge([source, control, requested('malformed', 'a list', 400, { error: 'e' })], row))).toBe(
      'fail other-refusal',
    );
    expect(short(judge([source, control, requested('malformed', 'a list', 500)], row))).toBe('fail server-error');
  });
});

function envelopes(...observations: readonly Observation[]) {
  return judged(judgeEnvelopes(recorded(source, control, ...observations)));
}

describe('envelopes', () => {
  it('are wanted of a conflict over an Idempotency-Key, and not of a fork that was made', () => {
    const made = requested('reused-key', 'first', 201, { runId: 'run_c' });
    expect(short(envelopes(made, requested('reused-key', 'other', 409)))).toBe('pass');
    expect(envelopes(made, requested('reused-key', 'other', 409, { code: 'e' }))).toMatchObject({
      verdict: 'fail',
      evidence: ['o4'],
    });
    expect(short(envelopes(made, requested('reused-key', 'other', 201, { runId: 'run_d' })))).toBe('inconclusive');
  });

  it.each([
    ['the least', { error: 'e', message: '' }],
    ['details', { error: 'e', message: 'm', details: { a: 1 } }],
  ])('pass with %s', (_, body) => {
    expect(short(envelopes(requested('r', 'a', 400, body), requested('r', 'b', 501, body)))).toBe('pass');
  });

  it.each([
    ['another member', { error: 'e', message: 'm', requestId: 'r' }, /beside error, message and details: requestId/u],
    ['no message', { error: 'e' }, /^message is nothing/u],
    ['an empty code', { error: '', message: 'm' }, /^error is ""/u],
    ['nothing else than a code', { code: 'e' }, /^error is nothing, not a non-empty string, and message is nothing/u],
    ['a nested code', { error: { code: 'e' }, message: 'm' }, /^error is \{"code":"e"\}/u],
    ['a text', 'no', /no object/u],
  ])('fail with %s', (_, body, actual) => {
    const judgement = envelopes(requested('r', 'a', 400, { error: 'e', message: 'm' }), requested('r', 'b', 404, body));
    expect(judgement).toMatchObject({ verdict: 'fail', evidence: ['o4'] });
    expect(judgement.actual).toMatch(actual);
  });

  it('fail with a page, named once for all refusals that have it', () => {
    const answer = { kind: 'answer', status: 400, body: { json: false, why: 'no JSON' } } as const;
    const judgement = envelopes(answered('r', 'a', answer), answered('r', 'b', answer));
    expect(judgement).toMatchObject({ verdict: 'fail', actual: 'no JSON (a, 400 and 1 more)' });
  });

  it('are undecided where nothing was refused, or nothing valid accepted', () => {
    expect(short(envelopes(requested('r', 'a', 201), requested('r', 'b', 503), answered('r', 'c', UNANSWERED)))).toBe(
      'inconclusive',
    );
    const refused = recorded(source, refusedFork('replay', 401), requested('r', 'a', 401));
    expect(short(judged(leftWithoutControl(refused, 'replay') ?? judgeEnvelopes(refused)))).toBe('inconclusive');
  });
});
