import { describe, expect, it } from 'vitest';
import { answered } from '../../test/answers.ts';
import { goesBeyond, jsonIn, withinBounds } from './exchanged.ts';
import { readJsonText } from './json.ts';

const DEEP = `{"deep":${'['.repeat(400)}${']'.repeat(400)}}`;
const MANY = `[${'0,'.repeat(1_500_000)}0]`;

describe('an answer whose JSON goes beyond what is read', () => {
  it.each([
    ['deep', DEEP, /nests deeper than 256 levels/u],
    ['with too many values', MANY, /holds more than 1500000 values/u],
  ])('counts as none, with the bound named: %s', (_, text, message) => {
    const exchange = answered(200, text);
    expect(goesBeyond(readJsonText(text))).toBe(true);
    const read = withinBounds(exchange);
    expect(read).toMatchObject({ id: 'x1', kind: 'failure', reason: 'body-too-large' });
    expect(read.kind === 'failure' ? read.message : '').toMatch(message);
    expect(jsonIn(exchange)).toBeUndefined();
  });

  it('counts as none where it names a run by a longer id than is asked for', () => {
    const message = 'the runId is longer than 1024 characters, the bound of this tool';
    const read = withinBounds(answered(201, JSON.stringify({ runId: 'r'.repeat(1025) })));
    expect(read).toMatchObject({ kind: 'failure', reason: 'body-too-large', message });
  });

  it.each([
    ['JSON', '{"runId":"r"}'],
    ['broken JSON', '{"n":NaN'],
    ['no JSON', '<html>'],
    ['nothing', ''],
    ['an id as long as any', JSON.stringify({ runId: 'r'.repeat(1024) })],
    ['an id that can stand in no path', `{"runId":"${String.raw`\ud800`}${'r'.repeat(1024)}"}`],
  ])('is none of these: %s', (_, text) => {
    const exchange = answered(200, text);
    expect(withinBounds(exchange)).toBe(exchange);
  });
});
