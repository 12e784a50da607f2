import { expect, it } from 'vitest';
import { definition, loneService } from '../../test/run-service.ts';

const ASKING = definition('asking', [{ id: 'ask', typeId: 'core.interrupt' }]);
/** Longer than it takes from the last event of a run that waits until nobody works at it any more. */
const STEPS = 60;

/** A run that is answered so many turns of promises after it has written that it waits. */
async function answeredAfter(steps: number): Promise<string> {
  const { runs, store } = loneService([ASKING]);
  const run = runs.create('a', ASKING, { workflowId: ASKING.id });
  const { signal } = new AbortController();
  while (store.events.last(run.runId)?.type !== 'node.suspended') {
    await store.events.changed(run.runId, store.events.last(run.runId)?.sequence, signal);
  }
  for (let step = 0; step < steps; step += 1) await Promise.resolve();
  await runs.resolve({ run, nodeId: 'ask', resumeValue: true });
  await runs.idle();
  return runs.view(run).state.status;
}

it('lets a run go on whenever its answer comes, also while its worker leaves', async () => {
  const ends = await Promise.all(Array.from({ length: STEPS }, (_, steps) => answeredAfter(steps)));
  expect(ends).toEqual(ends.map(() => 'completed'));
});
