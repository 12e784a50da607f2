import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { children, dispatched, handoff, repeatable, transitions } from '../../test/handoffs.ts';
import { cutOff, followed, life, useFolder, startOnce } from '../../test/host-lives.ts';
import { testClient } from '../../test/reference-client.ts';
import { whenAsked } from '../../test/waiting-run.ts';
import { openSqlite } from '../store/sqlite.ts';

const folder = useFolder('handoff-');

function runsIn(data: string): number {
  const database = openSqlite(data);
  const row = database.prepare('SELECT count(*) AS runs FROM runs').get();
  database.close();
  return Number(row?.['runs']);
}

const CUTS = [
  ['relay', 'append-event'],
  ['relay', 'append-node-completed'],
  ['relay', 'create-run'],
  ['relay', 'record-observation'],
  ['nested', 'create-run'],
  ['nested', 'record-observation'],
].flatMap(([way, step]) => [
  [way, `before-${step}`],
  [way, `after-${step}`],
]);

describe('a handoff that a crash cuts off', () => {
  it.each(CUTS)('%s at every %s goes on with the same children, each created once', async (way = '', name = '') => {
    const workflowId = handoff(way);
    const client = testClient();
    const whole = await client.run(workflowId);
    const body = { workflowId };
    let cuts = 0;
    for (let hit = 1; ; hit += 1) {
      const data = join(folder, `${workflowId}-${name}-${hit}`);
      if (!(await cutOff(data, body, { name, hit }))) break;
      cuts += 1;
      const next = life(data);
      const run = await followed(next.client, await startOnce(next.client, body));
      expect(repeatable(run)).toEqual(repeatable(whole));
      await next.client.host.close();
      expect(runsIn(data)).toBe(3);
    }
    expect(cuts).toBeGreaterThan(1);
  });
});

describe('a handoff that a restart interrupts', () => {
  it('goes on when the child that waits is answered in the next life', async () => {
    const data = join(folder, 'answered');
    const first = testClient({ data });
    const { runId, child } = await dispatched(first, handoff('waiting'));
    await whenAsked(first, child);
    await first.host.close();
    const second = testClient({ data });
    expect((await second.get(`/v1/runs/${runId}`)).body['status']).toBe('running');
    await second.post(`/v1/runs/${child}/interrupts/ask`, { resumeValue: 'yes' });
    const run = await followed(second, runId);
    expect(transitions(run).at(-1)).toEqual(['output.harvested', 'child.completed']);
    expect(children(run)).toEqual([child]);
    await second.host.close();
  });

  it('ends the child of a parent whose cancellation was cut off', async () => {
    const data = join(folder, 'cancelled');
    const first = testClient({ data });
    const { runId, child } = await dispatched(first, handoff('waiting'));
    await whenAsked(first, child);
    await first.host.close();
    const dying = life(data, { name: 'after-append-event', hit: 1 });
    await Promise.race([dying.died, dying.client.post(`/v1/runs/${runId}/cancel`, {}).catch(() => dying.died)]);
    const next = testClient({ data });
    expect((await next.get(`/v1/runs/${runId}`)).body['status']).toBe('cancelled');
    expect((await next.get(`/v1/runs/${child}`)).body['status']).toBe('cancelled');
    await next.host.close();
  });
});
