import { describe, expect, it } from 'vitest';
import { buildTimeline } from './build-timeline.ts';
import type { Logged } from '../report/view/build-comparison.ts';

const head = { runId: 'r', status: 'completed', children: [] };

function event(sequence: number, type: string, more: object = {}): object {
  const timestamp = new Date(Date.UTC(2026, 0, 1) + sequence * 5).toISOString();
  return { eventId: `e${sequence}`, runId: 'r', sequence, type, timestamp, payload: {}, ...more };
}

const run: Logged = {
  head,
  events: [
    event(0, 'run.started'),
    event(1, 'node.started', { nodeId: 'a' }),
    event(2, 'node.started', { nodeId: 'b' }),
    event(3, 'variable.changed', { nodeId: 'a', payload: { name: 'x', value: 1 } }),
    event(4, 'variable.changed', { nodeId: 'b', payload: { name: 'x', value: 2 } }),
    event(5, 'node.completed', { nodeId: 'a' }),
    event(6, 'run.completed'),
  ],
};

describe('buildTimeline', () => {
  it('gives each node a lane, which is at work from its start to its end', () => {
    const { lanes, events } = buildTimeline(run, { filter: {} });
    expect(lanes).toEqual(['run', 'a', 'b']);
    expect(events.map(({ lane }) => lane)).toEqual([0, 1, 2, 1, 2, 1, 0]);
    expect(events.map(({ active }) => active)).toEqual([[], [1], [1, 2], [1, 2], [1, 2], [1, 2], [2]]);
    expect(events.map(({ offsetMs }) => offsetMs)).toEqual([0, 5, 10, 15, 20, 25, 30]);
  });

  it('says of each event what it changes, and of the one that is jumped to the states around it', () => {
    const timeline = buildTimeline(run, { filter: {}, at: 'e4' });
    expect(timeline.events.map(({ change }) => change)).toEqual([
      { place: 'status', before: 'pending', after: 'running' },
      undefined,
      undefined,
      { place: 'variables.x', before: undefined, after: 1 },
      { place: 'variables.x', before: 1, after: 2 },
      undefined,
      { place: 'status', before: 'running', after: 'completed' },
    ]);
    expect(timeline.opened).toEqual({
      sequence: 4,
      before: { status: 'running', variables: { x: 1 }, channels: {} },
      after: { status: 'running', variables: { x: 2 }, channels: {} },
    });
    expect(buildTimeline(run, { filter: {}, at: '4' }).opened?.sequence).toBe(4);
    expect(buildTimeline(run, { filter: {}, at: '40' })).toMatchObject({ notFound: '40' });
  });

  it('shows the events of a node, a type or a kind alone, unless another one is jumped to', () => {
    const shown = (query: Parameters<typeof buildTimeline>[1]): readonly number[] =>
      buildTimeline(run, query).events.map(({ sequence }) => sequence);
    expect(shown({ filter: { node: 'a' } })).toEqual([1, 3, 5]);
    expect(shown({ filter: { kind: 'node', node: 'b' } })).toEqual([2]);
    expect(shown({ filter: { type: 'variable.changed' } })).toEqual([3, 4]);
    expect(shown({ filter: { node: 'a' }, at: '4' })).toHaveLength(7);
    const { matching, total, choices } = buildTimeline(run, { filter: { node: 'a' } });
    expect([matching, total]).toEqual([3, 7]);
    expect(choices).toMatchObject({ nodes: ['a', 'b'], kinds: ['node', 'run', 'variable'] });
  });

  it('shows a long log in pages, and the one that holds what is jumped to', () => {
    const events = Array.from({ length: 600 }, (_, index) => event(index, 'log.appended'));
    const page = (query: Parameters<typeof buildTimeline>[1]) => {
      const timeline = buildTimeline({ head, events }, query);
      return [timeline.events[0]?.sequence, timeline.events.length, timeline.pages];
    };
    expect(page({ filter: {} })).toEqual([0, 250, { after: 250 }]);
    expect(page({ filter: {}, from: 250 })).toEqual([250, 250, { before: 0, after: 500 }]);
    expect(page({ filter: {}, at: '599' })).toEqual([500, 100, { before: 250 }]);
    expect(page({ filter: {}, from: 9999 })).toEqual([500, 100, { before: 250 }]);
    const goesOn = { head: { ...head, status: 'running' }, events };
    expect(buildTimeline(goesOn, { filter: {} }).events[0]?.sequence).toBe(500);
    expect(buildTimeline(goesOn, { filter: {}, from: 0 }).events[0]?.sequence).toBe(0);
  });

  it('is live as long as the log has no end and the run none either', () => {
    const open = { ...run, events: run.events.slice(0, 4) };
    const isLive = (status: string): boolean =>
      buildTimeline({ ...open, head: { ...head, status } }, { filter: {} }).isLive;
    expect([isLive('running'), isLive('waiting-input'), isLive('completed')]).toEqual([true, true, false]);
    expect(buildTimeline({ ...run, head: { ...head, status: 'running' } }, { filter: {} }).isLive).toBe(false);
  });

  it('says where a log cannot be read', () => {
    const timeline = buildTimeline({ head, events: [event(0, 'run.started'), { type: 'x' }] }, { filter: {} });
    expect(timeline).toMatchObject({ events: [], unreadable: 'event 2: the event has no eventId' });
  });

  it('lets nodes beyond the lanes share the last one', () => {
    const events = Array.from({ length: 40 }, (_, index) => event(index, 'node.started', { nodeId: `n${index}` }));
    const timeline = buildTimeline({ head, events }, { filter: {} });
    expect(timeline.lanes).toHaveLength(14);
    expect(timeline.lanes.at(-1)).toBe('other nodes');
    expect(timeline.events[39]?.lane).toBe(13);
  });
});
