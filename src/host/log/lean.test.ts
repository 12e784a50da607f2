import { describe, expect, it } from 'vitest';
import { answered } from '../../../test/answers.ts';
import type { Exchange, HostHandle } from '../client.ts';
import { followRun } from './follow.ts';
import { createLean, type Lean } from './lean.ts';

interface Wire {
  readonly eventId: string;
  readonly type: string;
  readonly sequence: number;
  readonly payload: object;
  readonly nodeId?: string | null;
  readonly causationId?: string;
}

const event = (sequence: number, type: string, more: Partial<Wire> = {}): Wire => {
  return { eventId: `e${sequence}`, type, sequence, payload: { at: sequence }, ...more };
};
const BARE = ['run.started', 'node.started', 'run.completed'].map((type, at) => event(at, type));
const WHOLE = BARE.map((each, at) => ({ ...each, ...(at > 0 && { nodeId: 'n', causationId: `e${at - 1}` }) }));
const WITHOUT_CAUSES = WHOLE.map(({ eventId, type, sequence, payload }) => {
  return { eventId, type, sequence, payload, nodeId: 'n' };
});

/** What each way shows; undefined where there is no such way, another list from the second time on that it is read. */
interface Ways {
  readonly sse: readonly Wire[];
  readonly json?: readonly Wire[];
  readonly later?: readonly Wire[];
  readonly poll?: readonly Wire[];
}

const listed = (events: readonly Wire[] | undefined): Exchange =>
  events === undefined ? answered(404) : answered(200, { events });

/** Follows a run, and says what its log shows and in which ways it was asked for. */
async function follow({ sse, json, later, poll }: Ways, lean: Lean | null = createLean()) {
  const asked: string[] = [];
  const handle: HostHandle = {
    baseUrl: 'http://h',
    ...(lean !== null && { lean }),
    exchange: async ({ path }) => {
      if (path.includes('/poll')) return (asked.push('poll'), listed(poll));
      asked.push('json');
      return listed(asked.filter((way) => way === 'json').length > 1 ? (later ?? json) : json);
    },
    stream: async (_, reader) => {
      asked.push('sse');
      reader.head(200, { 'content-type': 'text/event-stream' });
      for (const each of sse) reader.text(`data: ${JSON.stringify(each)}\n\n`);
      return { ...answered(200), headers: { 'content-type': 'text/event-stream' } };
    },
  };
  const { signal } = new AbortController();
  const run = await followRun({ timeoutMs: 1000, signal }, handle, 'r');
  return { kind: run.kind, asked, causes: run.kind === 'ended' ? run.events.map((each) => each.causationId) : [] };
}

const CAUSES = [undefined, 'e0', 'e1'];
const NONE = [undefined, undefined, undefined];

describe('a stream whose events lack what they need not have', () => {
  it('is not asked about where they lack nothing, or nothing is known of the host', async () => {
    expect(await follow({ sse: WHOLE, json: WHOLE })).toMatchObject({ asked: ['sse'], causes: CAUSES });
    expect(await follow({ sse: BARE, json: WHOLE }, null)).toMatchObject({ asked: ['sse'] });
  });

  it('is read from a list that shows more, and each one after it', async () => {
    const lean = createLean();
    expect(await follow({ sse: BARE, json: WHOLE }, lean)).toMatchObject({ asked: ['sse', 'json'], causes: CAUSES });
    expect(await follow({ sse: BARE, json: WHOLE }, lean)).toMatchObject({ asked: ['sse', 'json'], causes: CAUSES });
    expect(await follow({ sse: WITHOUT_CAUSES, poll: WHOLE })).toMatchObject({ causes: CAUSES });
    const less = await follow({ sse: BARE, json: BARE, poll: WHOLE });
    expect(less).toMatchObject({ asked: ['sse', 'json', 'poll'], causes: CAUSES });
  });

  it('is asked about once where lists show no more, and again for events of another type', async () => {
    const lean = createLean();
    expect(await follow({ sse: BARE, json: BARE, poll: BARE }, lean)).toMatchObject({ causes: NONE });
    expect(await follow({ sse: BARE, json: BARE, poll: BARE }, lean)).toMatchObject({ asked: ['sse'] });
    const other = BARE.map((each) => (each.sequence === 1 ? { ...each, type: 'node.failed' } : each));
    expect((await follow({ sse: other, json: other }, lean)).asked).toHaveLength(3);
    expect((await follow({ sse: BARE }, createLean())).asked).toEqual(['sse', 'json', 'poll']);
  });

  it('keeps the events that a list does not show, and their order', async () => {
    const sse = [
      event(0, 'run.started'),
      event(1, 'replay.diverged'),
      event(2, 'node.started'),
      event(3, 'run.completed'),
    ];
    const json = [sse[3], sse[2]].flatMap((each) => (each ? [{ ...each, nodeId: 'n', causationId: 'e0' }] : []));
    const followed = await follow({ sse, json });
    expect(followed).toMatchObject({ kind: 'ended', causes: [undefined, undefined, 'e0', 'e0'] });
  });

  it('stays as it is where a list shows other events', async () => {
    const json = WHOLE.map((each) => ({ ...each, eventId: 'x' }));
    expect(await follow({ sse: BARE, json })).toMatchObject({ kind: 'ended', causes: NONE });
  });

  it('is waited for in lists once these have shown more', async () => {
    const behind = { sse: BARE, json: WHOLE.slice(0, 2), later: WHOLE };
    const first = createLean();
    expect(await follow(behind, first)).toMatchObject({ causes: NONE });
    expect(first).toEqual(createLean());
    expect(await follow(behind, { ...createLean(), isLean: true })).toMatchObject({ causes: CAUSES });
    expect(await follow({ sse: BARE }, { ...createLean(), isLean: true })).toMatchObject({
      kind: 'ended',
      causes: NONE,
    });
  });
});
