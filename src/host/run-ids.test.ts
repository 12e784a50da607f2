import { describe, expect, it } from 'vitest';
import { answered, handleOf } from '../../test/answers.ts';
import type { HostRequest } from './client.ts';
import { createRunIds, type RunIdAgain } from './run-ids.ts';

/** A host that answers each POST with the next of these; its exchanges are x1, x2, … */
function answering(answers: readonly { readonly status?: number; readonly value: unknown }[]) {
  const again: RunIdAgain[] = [];
  const ids = createRunIds((each) => again.push(each));
  let count = 0;
  const handle = handleOf(async () => {
    const { status = 201, value } = answers[count] ?? { value: null };
    count += 1;
    return answered(status, value, {}, `x${count}`);
  });
  const post = async (path: string, { key, by = 'a', scenario = 's' }: Sending = {}): Promise<void> => {
    const request: HostRequest = {
      method: 'POST',
      path,
      ...(key === undefined ? {} : { headers: { 'Idempotency-Key': key } }),
    };
    await ids.watching(handle, { caller: by, scenario }).exchange(request);
  };
  return { again, post, ids };
}

interface Sending {
  readonly key?: string;
  readonly by?: string;
  readonly scenario?: string;
}

const named = (runId: unknown, status = 201) => ({ status, value: { runId } });

describe('the ids of runs', () => {
  it('are told once for each answer that names a run again, with both answers and their scenarios', async () => {
    const { again, post } = answering([named('a'), named('b'), named('a'), named('a')]);
    await post('/v1/runs', { scenario: 'first' });
    await post('/v1/runs/a:fork');
    await post('/v1/runs', { scenario: 'third' });
    await post('/v1/runs/b:fork', { scenario: 'first' });
    expect(again).toEqual([
      { type: 'run-id-again', runId: 'a', scenarios: ['first', 'third'], exchanges: ['x1', 'x3'] },
      { type: 'run-id-again', runId: 'a', scenarios: ['first'], exchanges: ['x1', 'x4'] },
    ]);
  });

  it('are told where a fork is its source, whoever made that', async () => {
    const { again, post } = answering([named('a/b'), named('c'), named('c')]);
    await post('/v1/runs/a%2Fb:fork');
    await post('/v1/runs');
    await post('/v1/runs/c:fork');
    expect(again.map(({ runId, exchanges }) => [runId, exchanges])).toEqual([
      ['a/b', ['x1']],
      ['c', ['x2', 'x3']],
    ]);
  });

  it('may come again under the same Idempotency-Key, and under no other', async () => {
    const { again, post } = answering([named('a'), named('a', 200), named('a'), named('a')]);
    await post('/v1/runs/s:fork', { key: 'k' });
    await post('/v1/runs/t:fork', { key: 'k' });
    expect(again).toEqual([]);
    await post('/v1/runs/s:fork', { key: 'other' });
    await post('/v1/runs/s:fork');
    expect(again.map(({ exchanges }) => exchanges)).toEqual([
      ['x1', 'x3'],
      ['x1', 'x4'],
    ]);
  });

  it('are those of one caller: another host or tenant may use them as well', async () => {
    const { again, post } = answering([named('a'), named('a')]);
    await post('/v1/runs', { by: 'a' });
    await post('/v1/runs', { by: 'b' });
    expect(again).toEqual([]);
  });

  it('are those of children as well, which no request has made', async () => {
    const { again, post, ids } = answering([named('a')]);
    const at = { caller: 'a', scenario: 'handoff' };
    await post('/v1/runs');
    ids.dispatched('b', 'x7', at);
    expect(again).toEqual([]);
    ids.dispatched('b', 'x8', at);
    ids.dispatched('a', 'x9', at);
    expect(again.map(({ runId, exchanges }) => [runId, exchanges])).toEqual([
      ['b', ['x7', 'x8']],
      ['a', ['x1', 'x9']],
    ]);
  });

  it.each([
    ['a refusal', named('a', 409), '/v1/runs'],
    ['another answer', named('a', 200), '/v1/runs/a/cancel'],
    ['no id', named(7), '/v1/runs'],
    ['an empty id', named(''), '/v1/runs'],
    ['an id that cannot be asked for', named('x'.repeat(2000)), '/v1/runs'],
    ['a list', { value: ['a'] }, '/v1/runs'],
    ['nothing', { value: null }, '/v1/runs'],
  ])('are not in %s', async (_, answer, path) => {
    const { again, post } = answering([answer, answer]);
    await post(path);
    await post(path);
    expect(again).toEqual([]);
  });
});
