import { describe, expect, it } from 'vitest';
import type { Exchange, HostRequest } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import { run } from '../../test/fork-observations.ts';
import { annotate, holds, listAnnotations, listWith } from './annotating.ts';

function probeWith(answer: (turn: number) => readonly [status: number, body: unknown] | undefined) {
  const asked: HostRequest[] = [];
  const exchange = (request: HostRequest): Promise<Exchange> => {
    asked.push(request);
    const id = `x${asked.length}`;
    const given = answer(asked.length);
    if (given === undefined) return Promise.resolve({ id, kind: 'failure', reason: 'timeout', message: 'no answer' });
    const [status, value] = given;
    return Promise.resolve({ id, kind: 'response', status, headers: {}, text: '', json: { ok: true, value } });
  };
  return { probe: { host: { exchange } } as unknown as Probe, asked };
}

const naming = (runId: string) => probeWith(() => [201, { target: { runId } }]).probe;

const RUN = run('source', { runId: 'run/a' });

describe('annotating a run', () => {
  it('takes the first form that the host takes', async () => {
    const { probe, asked } = probeWith((turn) => (turn < 3 ? [turn === 1 ? 422 : 400, {}] : [201, { id: 'ann_1' }]));
    const made = await annotate(probe, RUN, 'now');
    expect(made).toMatchObject({ problem: null, annotationId: 'ann_1', of: 'source', when: 'now' });
    expect(asked.map(({ path }) => path)).toEqual(Array.from({ length: 3 }, () => '/v1/runs/run%2Fa/annotations'));
    expect(asked.map(({ body }) => Object.keys(JSON.parse(body ?? '') as object))).toEqual([
      ['signal', 'note'],
      ['signal', 'note'],
      ['rating', 'comment'],
    ]);
    expect(asked.every(({ body }) => body?.includes(made.token) === true)).toBe(true);
  });

  it('keeps the run that the answer names where that is another one', async () => {
    expect(await annotate(naming('run_b'), RUN, 'now')).toHaveProperty('otherTarget', 'run_b');
    expect(await annotate(naming('run/a'), RUN, 'now')).not.toHaveProperty('otherTarget');
  });

  it('says why there is none', async () => {
    const absent = probeWith(() => [501, {}]);
    expect((await annotate(absent.probe, RUN, 'now')).problem).toContain('answered 501');
    expect(absent.asked).toHaveLength(1);
    expect((await annotate(probeWith(() => undefined).probe, RUN, 'now')).problem).toContain('timeout');
    const unseen = { ...RUN, problem: 'the run has not ended' };
    expect((await annotate(absent.probe, unseen, 'now')).problem).toBe('the run was not seen');
  });
});

describe('listing annotations', () => {
  it.each([
    [{ annotations: [1] }, [1]],
    [
      [1, 2],
      [1, 2],
    ],
    [{ items: [] }, []],
    [{ annotations: 'x' }, null],
    [null, null],
  ])('reads %j as %j', async (body, list) => {
    expect((await listAnnotations(probeWith(() => [200, body]).probe, RUN, 'now')).list).toEqual(list);
  });

  it('reads again what is behind, and once where nothing was made', async () => {
    const made = { type: 'annotated', of: 'r', when: 'now', token: 't-1', annotationId: null, exchanges: [] } as const;
    const signal = new AbortController().signal;
    const late = probeWith((turn) => [200, { annotations: turn < 3 ? [] : [{ note: 't-1' }] }]);
    const read = await listWith({ ...late.probe, signal }, RUN, 'now', [{ ...made, problem: null }]);
    expect(read.list).toEqual([{ note: 't-1' }]);
    expect(late.asked).toHaveLength(3);
    const refused = probeWith(() => [200, { annotations: [] }]);
    await listWith({ ...refused.probe, signal }, RUN, 'now', [{ ...made, problem: 'POST answered 501' }]);
    expect(refused.asked).toHaveLength(1);
  });

  it('says why there is no list', async () => {
    expect(await listAnnotations(probeWith(() => [404, {}]).probe, RUN, 'now')).toMatchObject({ list: null });
    expect((await listAnnotations(probeWith(() => undefined).probe, RUN, 'now')).problem).toContain('timeout');
    const unseen = await listAnnotations(probeWith(() => [200, []]).probe, { ...RUN, runId: null }, 'now');
    expect(unseen).toMatchObject({ list: null, problem: 'the run was not seen' });
  });
});

describe('telling an annotation', () => {
  it('goes by its text or its id', () => {
    const made = { type: 'annotated', of: 'r', when: 'now', token: 't-1', problem: null, exchanges: [] } as const;
    expect(holds({ a: ['t-1'] }, { ...made, annotationId: null })).toBe(true);
    expect(holds({ a: 'annotation-1' }, { ...made, annotationId: 'annotation-1' })).toBe(true);
    expect(holds({ a: '7' }, { ...made, annotationId: '7' })).toBe(false);
    expect(holds(undefined, { ...made, annotationId: 'annotation-1' })).toBe(false);
  });
});
