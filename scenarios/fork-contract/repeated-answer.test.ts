import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { judged, requested, short } from '../../test/fork-observations.ts';
import { judgeRepeated } from './repeated-answer.ts';

const FORK = '/v1/runs/run_b/events';
const SOURCE = '/v1/runs/run_a/events';

function answer(eventsUrl: Json): Json {
  return { runId: 'run_b', sourceRunId: 'run_a', eventsUrl };
}

function judge(second: Json, first: Json = FORK) {
  const duplicate = { ...requested('duplicate', 'duplicate', 201, answer(second)), id: 'o2' };
  return judged(judgeRepeated(duplicate, { id: 'o1', runId: 'run_b', body: answer(first) }));
}

describe('the URL of an answer under the Idempotency-Key of a fork', () => {
  it.each([FORK, `https://host.example${FORK}`, '/v1/runs/run_a/forks/run_b/events', '/logs/77', null])(
    'may look otherwise: %s',
    (eventsUrl) => {
      expect(short(judge(eventsUrl))).toBe('pass');
    },
  );

  it('fails where it is that of the source', () => {
    expect(judge(SOURCE)).toMatchObject({
      verdict: 'fail',
      expected: `an eventsUrl of run_b, as in the first answer under the Idempotency-Key (${FORK})`,
      actual: `duplicate: ${SOURCE}, which is that of the source`,
      evidence: ['o2', 'o1'],
    });
  });

  it('says nothing where the first answer had that one, or none, which another row says', () => {
    expect(short(judge(SOURCE, SOURCE))).toBe('pass');
    expect(short(judge(SOURCE, null))).toBe('pass');
  });
});
