import { describe, expect, it } from 'vitest';
import { answered, fork, judged, recorded, requested, run, short, UNANSWERED } from '../../test/fork-observations.ts';
import { verdictOf } from '../../test/recorded-runs.ts';
import type { RequestedObservation } from '../shared/requested.ts';
import { judgeInvisible } from '../shared/judge-invisible.ts';
import { OWN } from '../shared/second-tenant.ts';
import { invisibleRun, judgeForeignKey, OWN_FORK, UNDER_ONE_KEY } from './invisible-run.ts';

const NOT_FOUND = { error: 'run_not_found', message: 'There is no such run.' };
const FORK = { runId: 'run_c' };

interface Answers {
  readonly first?: RequestedObservation;
  readonly invisible?: RequestedObservation;
  readonly again?: RequestedObservation;
  /** What another tenant is answered without a key, about the run and about unknown ones. */
  readonly without?: number;
  readonly unknown?: number;
}

const byOther = (status: number, body: object = NOT_FOUND) =>
  requested(UNDER_ONE_KEY.invisible, 'its fork', status, { ...body });
const byOwner = (status: number, body: object = FORK) => requested(UNDER_ONE_KEY.again, 'again', status, { ...body });

function judge({
  first = requested(UNDER_ONE_KEY.owner, 'the fork', 201, FORK),
  invisible = byOther(404),
  again = byOwner(201),
  without = 404,
  unknown = 404,
}: Answers = {}) {
  const observations = recorded(
    run('source'),
    fork('control', 'run_b'),
    requested('invisible', 'run_a', without, without === 201 ? { runId: 'run_d' } : NOT_FOUND),
    requested('unknown', 'run_x', unknown, NOT_FOUND),
    requested('unknown', 'run_y', unknown, NOT_FOUND),
    first,
    invisible,
    again,
  );
  return judged(judgeForeignKey(observations, 'fork.invisible-run', 'control'));
}

describe("a fork of another tenant's run under its owner's key", () => {
  it('passes where it is refused, and the owner gets its fork again', () => {
    expect(short(judge())).toBe('pass');
    expect(short(judge({ again: byOwner(409, NOT_FOUND) }))).toBe('pass');
    expect(judge({ invisible: byOther(409) }).reason).toContain('409');
    expect(short(judge({ invisible: byOther(403), without: 403 }))).toBe('pass');
  });

  it("fails where it is answered with its owner's fork, or with one of its own", () => {
    expect(judge({ invisible: byOther(201, FORK) }).actual).toContain("its owner's fork");
    expect(short(judge({ invisible: byOther(200, { runId: 'run_e' }) }))).toBe('fail tenants-mixed');
    expect(judge({ invisible: byOther(201, FORK) })).not.toHaveProperty('restsOn');
  });

  it('rests on the row of the requests without a key where those are answered so as well', () => {
    expect(judge({ invisible: byOther(201, FORK), without: 201 })).toMatchObject({ restsOn: 'fork.invisible-run' });
  });

  it('is undecided where nothing shows that keys are heeded, or that the other tenant is known', () => {
    expect(judge({ again: byOwner(201, { runId: 'run_f' }) })).toMatchObject({
      verdict: 'inconclusive',
      restsOn: 'fork.idempotency-key',
    });
    expect(judge({ without: 401, unknown: 401, invisible: byOther(401) }).verdict).toBe('inconclusive');
    expect(judge({ first: requested(UNDER_ONE_KEY.owner, 'the fork', 400) }).verdict).toBe('inconclusive');
    expect(judge({ invisible: byOther(200) }).verdict).toBe('inconclusive');
    expect(judge({ invisible: answered(UNDER_ONE_KEY.invisible, 'its fork', UNANSWERED) }).verdict).toBe(
      'inconclusive',
    );
    expect(judged(judgeForeignKey(recorded(run('source')), 'fork.invisible-run')).verdict).toBe('inconclusive');
  });
});

const seen = (own?: RequestedObservation, invisible = 404) =>
  recorded(
    run('source'),
    fork('fork of its owner', 'run_b'),
    requested('invisible', 'run_a', invisible, invisible === 201 ? { runId: 'run_d' } : NOT_FOUND),
    requested('unknown', 'run_x', 404, NOT_FOUND),
    requested('unknown', 'run_y', 404, NOT_FOUND),
    run(OWN),
    ...(own === undefined ? [] : [own]),
  );

const verdict = (...all: Parameters<typeof seen>): string =>
  verdictOf(invisibleRun, 'fork.invisible-run', seen(...all));

const withHeaders = (names: readonly (readonly string[] | undefined)[]): string =>
  short(
    judged(
      judgeInvisible(
        recorded(
          run('source'),
          fork('control', 'run_b'),
          ...(['invisible', 'unknown', 'unknown'] as const).map((row, index) => {
            const headerNames = names[index];
            const answer = requested(row, `run_${index}`, 404, NOT_FOUND);
            return headerNames === undefined ? answer : { ...answer, headerNames };
          }),
        ),
        'control',
      ),
    ),
  );

describe("the headers of the refusal of another tenant's fork", () => {
  it('are those of an unknown run', () => {
    expect(withHeaders([['a'], ['a'], ['a']])).toBe('pass');
    expect(withHeaders([['a', 'x-run'], ['a'], ['a']])).toBe('fail existence-revealed');
    expect(withHeaders([['a'], ['a', 'x-run'], ['a', 'x-run']])).toBe('fail existence-revealed');
  });

  it('may come and go by themselves, and are not known of old', () => {
    expect(withHeaders([['a'], ['a'], ['a', 'x-run']])).toBe('pass');
    expect(withHeaders([['a', 'connection', 'keep-alive'], ['a'], ['a']])).toBe('pass');
    expect(withHeaders([['a', 'x-run'], undefined, undefined])).toBe('pass');
  });
});

describe("a fork of another tenant's run", () => {
  it('is refused to whoever may fork its own, and else shows nothing', () => {
    expect(verdict()).toBe('pass');
    expect(verdict(requested(OWN_FORK, 'run_o', 201, FORK))).toBe('pass');
    expect(verdict(requested(OWN_FORK, 'run_o', 404, NOT_FOUND))).toBe('inconclusive');
    expect(verdict(requested(OWN_FORK, 'run_o', 404, NOT_FOUND), 201)).toBe('fail tenants-mixed');
  });
});
