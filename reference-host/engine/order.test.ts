import { describe, expect, it } from 'vitest';
import type { EventDraft, EventType, RunEvent } from '../store/event.ts';
import { asDefined } from '../mutants/observable-sequence/sequences.ts';
import type { NodeRun, Order } from '../types/order.ts';
import type { WorkflowNode } from '../types/workflow.ts';
import { asRecorded, asTheyCome } from './order.ts';

const TYPES: Readonly<Record<string, EventType>> = { s: 'node.started', v: 'variable.changed', e: 'node.completed' };
const node = (id: string): WorkflowNode => ({ id, typeId: 'core.noop', name: id, config: {}, inputs: {} });
const draftOf = (label: string): EventDraft => ({
  type: TYPES[label.charAt(1)] ?? 'log.appended',
  nodeId: label.charAt(0),
  payload: {},
});

/** A log from labels such as `as av bs`: a node's letter and an event's. */
const log = (labels: string): RunEvent[] =>
  labels
    .split(' ')
    .filter(Boolean)
    .map((label, sequence) => ({
      ...draftOf(label),
      eventId: label,
      runId: 'r',
      sequence,
      timestamp: '',
    }));

/** A node that writes events of the given letters, and says when it is taken to the next one. */
function nodeRun(id: string, letters: string, taken: string[]): NodeRun {
  return {
    node: node(id),
    next: () => {
      taken.push(id);
      return Promise.resolve(letters === '' ? undefined : draftOf(id + letters.charAt(0)));
    },
    idle: () => Promise.resolve(),
    after: () => nodeRun(id, letters.slice(1), taken),
  };
}

/** What is written when an order chooses among nodes until none has an event left, and who was taken on the way. */
async function written(
  order: Order,
  nodes: Readonly<Record<string, string>>,
): Promise<{ readonly labels: string; readonly taken: readonly string[] }> {
  const taken: string[] = [];
  const labels: string[] = [];
  let going = Object.entries(nodes).map(([id, letters]) => nodeRun(id, letters, taken));
  while (going.length > 0) {
    const { run, draft } = await order.choose([], going);
    going = going.filter((each) => each !== run);
    if (draft === undefined) continue;
    labels.push(`${String(draft.nodeId)}${Object.keys(TYPES).find((key) => TYPES[key] === draft.type) ?? '?'}`);
    going = [...going, run.after({ options: {}, variables: new Map(), channels: new Map(), versions: new Map() })];
  }
  return { labels: labels.join(' '), taken };
}

const recorded = async (source: string, nodes: Readonly<Record<string, string>>, history = ''): Promise<string> =>
  (await written(asRecorded(log(source), log(history)), nodes)).labels;

describe('the recorded order', () => {
  it.each(['bs as av bv be ae', 'as bs bv be av ae', 'as av ae bs bv be'])(
    'is that of the source: %s',
    async (source) => {
      expect(await recorded(source, { a: 'sve', b: 'sve' })).toBe(source);
      expect(await recorded(source, { b: 'sve', a: 'sve' })).toBe(source);
    },
  );

  it('goes on after a history', async () => {
    expect(await recorded('bs as av bv be ae', { a: 'e', b: 've' }, 'bs as av')).toBe('bv be ae');
  });

  it('puts an event that the source does not have in the place of the node’s next one', async () => {
    expect(await recorded('as bs be ae', { a: 'sxe', b: 'se' })).toBe('as bs be a? ae');
    expect(await recorded('as bs av be ae', { a: 'se', b: 'se' })).toBe('as bs be ae');
  });

  it('puts a node that the source does not know first', async () => {
    expect(await recorded('as ae', { a: 'se', n: 'se' })).toBe('ns ne as ae');
  });

  it('leaves a node that the source did not finish where it is', async () => {
    const { labels, taken } = await written(asRecorded(log('as bs be'), log('as')), { a: 've', b: 'se' });
    expect(labels).toBe('bs be av ae');
    expect(taken.slice(0, 2)).toEqual(['b', 'b']);
  });
});

describe('other orders', () => {
  const nodes = { a: 'se', b: 'se' };

  it('follows the definition, forwards or backwards', async () => {
    const definition = { nodes: ['b', 'a'].map(node) };
    expect((await written(asDefined(definition, 1), nodes)).labels).toBe('bs be as ae');
    expect((await written(asDefined(definition, -1), nodes)).labels).toBe('as ae bs be');
  });

  it('takes events as they come, and whoever may begin first of all', async () => {
    const never = { ...nodeRun('a', 's', []), next: () => new Promise<undefined>(() => undefined) };
    const [b, c] = [nodeRun('b', 's', []), nodeRun('c', 's', [])];
    expect((await asTheyCome.choose([], [never, b])).run).toBe(b);
    expect((await asTheyCome.choose([c], [never, b])).run).toBe(c);
  });
});
