import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../test/closing.ts';
import { followed } from '../../test/host-lives.ts';
import { children, dispatched, handoff, replayable, transitions } from '../../test/handoffs.ts';
import { clientOf, CREDENTIALS, type TestClient } from '../../test/reference-client.ts';
import { whenAsked } from '../../test/waiting-run.ts';
import { createRegions } from '../host.ts';

const opened = closedAfterEach();

function regions(): { a: TestClient; b: TestClient } {
  const { first, second } = createRegions({ credentials: CREDENTIALS, enableTestSeams: true });
  return { a: clientOf(opened(first)), b: clientOf(opened(second)) };
}

describe('a handoff in one region', () => {
  it('goes on with an answer that the other region has taken, and so does its replay there', async () => {
    const { a, b } = regions();
    const { runId, child } = await dispatched(a, handoff('waiting'));
    await whenAsked(a, child);
    const forked = await b.post(`/v1/runs/${runId}:fork`, { mode: 'replay' });
    expect(forked.status).toBe(201);
    await b.post(`/v1/runs/${child}/interrupts/ask`, { resumeValue: 'yes' });
    const source = await followed(a, runId);
    const replay = await followed(b, String(forked.body['runId']));
    expect(transitions(source).at(-1)).toEqual(['output.harvested', 'child.completed']);
    expect(replayable(replay)).toEqual(replayable(source));
    expect(children(replay)).toEqual([child]);
  });

  it.each(['parent', 'child'])('ends as it should when the other region cancels the %s', async (which) => {
    const { a, b } = regions();
    const { runId, child } = await dispatched(a, handoff('waiting'));
    await whenAsked(a, child);
    await b.post(`/v1/runs/${which === 'parent' ? runId : child}/cancel`, {});
    const [parent, ended] = [await followed(a, runId), await followed(a, child)];
    expect(ended.snapshot['status']).toBe('cancelled');
    expect(parent.snapshot['status']).toBe(which === 'parent' ? 'cancelled' : 'completed');
    expect(transitions(parent)).toHaveLength(which === 'parent' ? 2 : 3);
  });
});
