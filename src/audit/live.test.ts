import { describe, expect, it } from 'vitest';
import type { Exchange, HostHandle, HostRequest } from '../host/client.ts';
import { createReach } from '../host/reach.ts';
import { useFastClock } from '../../test/fast-clock.ts';
import { auditRun } from './live.ts';

interface FakeHost {
  /** What the fork's answer says beside what is right. */
  readonly answer?: object;
  readonly status?: number;
  /** The run that the source's log, and the replay's, names. */
  readonly sourceLog?: string;
  readonly replayLog?: string;
  readonly snapshot?: object;
  /** It says that there is no such run, and no log of it. */
  readonly knowsNone?: boolean;
  readonly isDead?: () => boolean;
}

function logOf(runId: string): readonly object[] {
  return ['run.started', 'run.completed'].map((type, sequence) => ({
    eventId: `${runId}-${sequence}`,
    runId,
    type,
    sequence,
    payload: { workflowId: 'w' },
  }));
}

function answer(status: number, value: unknown): Exchange {
  return { id: 'x', kind: 'response', status, headers: {}, text: JSON.stringify(value), json: { ok: true, value } };
}

function auditing(fake: FakeHost) {
  const sent: HostRequest[] = [];
  const exchange = async (request: HostRequest): Promise<Exchange> => {
    sent.push(request);
    const { method, path } = request;
    if (fake.isDead?.() === true) return { id: 'x', kind: 'failure', reason: 'refused', message: 'm' };
    const [, id = ''] = /^\/v1\/runs\/([^/:]+)/u.exec(path) ?? [];
    if (method === 'POST') {
      const made = { runId: `r-${id}`, sourceRunId: id, fromSeq: 0, mode: 'replay' };
      return answer(fake.status ?? 201, { ...made, ...fake.answer });
    }
    if (fake.knowsNone === true) return answer(404, { error: 'not_found' });
    if (!path.includes('/events')) return answer(200, fake.snapshot ?? { status: 'completed', workflowId: 'named' });
    const [source = id, replay = id] = [fake.sourceLog, fake.replayLog];
    return answer(200, logOf(id.startsWith('r-') ? replay : source));
  };
  const handle: HostHandle = { baseUrl: 'http://h', exchange, stream: exchange };
  const reach = createReach(() => exchange({ method: 'GET', path: '/' }));
  const audit = {
    handle,
    reach,
    timeoutMs: 600_000,
    signal: reach.gone,
    volatile: new Map(),
    auditId: 'one',
    replays: new Map<string, string>(),
  };
  const keys = () => sent.flatMap(({ headers }) => headers?.['idempotency-key'] ?? []);
  return { audit, sent, keys };
}

describe('a run that is audited', () => {
  it('is replayed under a key that is the same for the same run and audit, and no other', async () => {
    const { audit, keys } = auditing({});
    const line = { id: 'a', verdict: 'same', workflowId: 'named', compared: 2, matched: 2, replayRunId: 'r-a' };
    expect(await auditRun('a', audit)).toEqual(line);
    expect(await auditRun('a', audit)).toEqual(line);
    await auditRun('b', audit);
    await auditRun('a', { ...audit, auditId: 'two' });
    const [first, again, other, elsewhere] = keys();
    expect(first).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/u);
    expect(again).toBe(first);
    expect(new Set([first, other, elsewhere]).size).toBe(3);
  });

  it.each<readonly [FakeHost, string]>([
    [{ answer: { mode: 'branch' } }, 'the fork\'s answer says mode "branch"'],
    [{ answer: { fromSeq: 3 } }, "the fork's answer says fromSeq 3"],
    [{ answer: { sourceRunId: 'else' } }, 'the fork\'s answer says sourceRunId "else"'],
    [{ answer: { runId: 'a' } }, 'the fork is its source'],
    [{ replayLog: 'a' }, 'the replay\'s log is of the run "a"'],
    [{ sourceLog: 'else' }, 'the run\'s log is of the run "else"'],
    [{ status: 410, answer: { error: 'run_expired' } }, 'the fork was answered with 410 "run_expired"'],
    [
      { snapshot: { status: 'waiting-approval', workflowId: 'w' } },
      'the run: its status is waiting-approval, it waits for somebody',
    ],
  ])('is undecided where the host shows %j', async (fake, reason) => {
    expect(await auditRun('a', auditing(fake).audit)).toMatchObject({ id: 'a', verdict: 'undecided', reason });
  });

  it('is asked nothing but its status where it waits for somebody, and its answer may begin at the first event', async () => {
    const waiting = auditing({ snapshot: { status: 'waiting-approval', workflowId: 'w' } });
    expect(await auditRun('a', waiting.audit)).toMatchObject({ workflowId: 'w' });
    expect(waiting.sent).toHaveLength(1);
    expect(await auditRun('a', auditing({ answer: { fromSeq: undefined, mode: undefined } }).audit)).toMatchObject({
      verdict: 'same',
    });
  });

  it('is undecided where its replay is the one of another run', async () => {
    const { audit } = auditing({ answer: { runId: 'r-shared' } });
    expect((await auditRun('a', audit)).verdict).toBe('same');
    expect((await auditRun('b', audit)).reason).toBe('the fork is the run that was made of a');
  });

  it('is asked for again where the host could not be reached, and not asked for where it is gone', async () => {
    let isDead = true;
    const { audit, sent } = auditing({ isDead: () => isDead });
    const gone = { verdict: 'undecided', reason: 'the host does not answer', again: true };
    expect(await auditRun('a', audit)).toMatchObject(gone);
    isDead = false;
    const before = sent.length;
    expect(await auditRun('b', audit)).toMatchObject(gone);
    expect(sent).toHaveLength(before);
    expect(await auditRun('c', auditing({ status: 409 }).audit)).toMatchObject({ verdict: 'undecided', again: true });
    expect(await auditRun('c', auditing({ status: 500 }).audit)).not.toHaveProperty('again');
  });

  describe('that the host says it has not', () => {
    useFastClock();

    it('is not waited for as one is that may begin', async () => {
      const begun = Date.now();
      const { audit, sent } = auditing({ knowsNone: true });
      expect(await auditRun('a', audit)).toMatchObject({ verdict: 'undecided', workflowId: null });
      expect(Date.now() - begun).toBeLessThan(5_000);
      expect(sent.every(({ method }) => method === 'GET')).toBe(true);
    });
  });
});
