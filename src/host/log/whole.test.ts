import { expect, it } from 'vitest';
import { answered, handleOf, probeOf } from '../../../test/answers.ts';
import { useFastClock } from '../../../test/fast-clock.ts';
import { readWhole } from './whole.ts';

useFastClock();

const events = ['run.started', 'run.completed'].map((type, sequence) => ({
  eventId: `e${sequence}`,
  runId: 'r',
  type,
  sequence,
  payload: {},
}));

/** What a poll says at last of a run's end, where its answers say so only after some that show the end. */
async function overAfter(answers: number): Promise<boolean | undefined> {
  let asked = 0;
  const host = handleOf(async ({ path }) => {
    asked += 1;
    return answered(200, { events: path.includes('?') ? [] : events, isComplete: asked > answers });
  });
  return (await readWhole(probeOf(host), 'poll', { runId: 'r' }))?.over;
}

it('waits a little for a poll to say that the run is over', async () => {
  expect([await overAfter(0), await overAfter(1), await overAfter(3), await overAfter(1000)]).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

/** How many events a poll shows behind the first one, where it has none for so many answers, each of which says this of the end. */
async function shownAfter(empty: number, isComplete: boolean): Promise<number | undefined> {
  let asked = 0;
  const host = handleOf(async () => {
    asked += 1;
    return answered(200, asked > empty ? { events: events.slice(1), isComplete: true } : { events: [], isComplete });
  });
  return (await readWhole(probeOf(host), 'poll', { runId: 'r', after: { sequence: 0, id: '0' } }))?.events.length;
}

it('asks a resumed poll again that has nothing yet and says that there is more', async () => {
  expect([await shownAfter(1, false), await shownAfter(1000, false), await shownAfter(1, true)]).toEqual([1, 0, 0]);
});

it.each([
  ['null', null, 0],
  ['an object of events', { 0: events[0], 1: events[1] }, 0],
  ['no word of events', undefined, undefined],
  ['where they are', { href: '/v1/runs/r/stream' }, undefined],
  ['a place', '/v1/runs/r/stream', undefined],
])('takes JSON with %s in the place of a list for a log without events, or for no log', async (_, held, expected) => {
  const host = handleOf(async () => answered(200, { ...(held !== undefined && { events: held }) }));
  const read = await readWhole(probeOf(host), 'json', { runId: 'r' });
  expect(read?.events.length).toBe(expected);
});
