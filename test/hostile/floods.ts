import { isObject, type JsonObject } from '../../reference-host/json.ts';
import { rewritingJson } from '../variants/wire.ts';
import { spoilt, type Behaviour } from './behaviour.ts';
import { padded, type Padding } from './padded-logs.ts';

/** Events that a host puts into all of its logs. */
interface Flood extends Padding {
  readonly name: string;
  readonly flags: readonly string[];
  /** The flood is allowed. */
  readonly exitCodes?: readonly number[];
}

const suite = (...names: readonly string[]): readonly string[] => names.flatMap((name) => ['--suite', name]);
const scenario = (...ids: readonly string[]): readonly string[] => ids.flatMap((id) => ['--scenario', id]);

const FLOODS: readonly Flood[] = [
  {
    name: 'progress-49000',
    count: 49_000,
    event: (index) => ({ type: 'acme.progress', payload: { index } }),
    flags: suite('observable-sequence'),
  },
  {
    name: 'progress-60000',
    count: 60_000,
    event: (index) => ({ type: 'acme.progress', payload: { index } }),
    flags: suite('observable-sequence'),
  },
  {
    name: 'progress-2000-everywhere',
    count: 2000,
    event: (index) => ({ type: 'acme.progress', payload: { index, note: 'x'.repeat(100) } }),
    flags: [],
  },
  {
    name: 'one-event-of-megabytes',
    count: 1,
    event: () => ({ type: 'acme.note', payload: { note: 'x'.repeat(6_000_000) } }),
    flags: [],
  },
  {
    name: 'events-of-many-values',
    count: 8,
    event: () => ({ type: 'acme.note', payload: { note: Array.from({ length: 300_000 }, () => ({})) } }),
    flags: suite('observable-sequence'),
  },
  {
    name: 'events-of-many-shapes',
    count: 100,
    event: (index) => ({
      type: 'acme.note',
      payload: Array.from({ length: 9000 }, (_, at) => ({ [`n${index}.${at}`]: 0 })),
    }),
    flags: suite('observable-sequence'),
  },
  {
    name: 'handoffs-30000',
    count: 30_000,
    event: (index) => ({
      type: 'core.workflowChain.event',
      nodeId: `n${index}`,
      payload: { phase: 'dispatch.began', workerId: `worker-${index}`, childRunId: 'run_1' },
    }),
    flags: suite('handoff-state-machine'),
  },
  {
    name: 'children-30000',
    count: 30_000,
    event: (index) => ({ type: 'node.dispatched', nodeId: `n${index}`, payload: { childRunId: `run_${index}` } }),
    flags: suite('handoff-state-machine'),
  },
  {
    name: 'invocations-30000',
    count: 30_000,
    event: (index) => ({
      type: 'tool_invocation_started',
      nodeId: 'call-tool',
      payload: { invocationId: `i${index}` },
    }),
    flags: suite('at-most-once'),
  },
  {
    name: 'variables-30000',
    count: 30_000,
    event: (index) => ({ type: 'variable.changed', payload: { name: `v${index}`, value: index } }),
    flags: scenario('sequence.sweep', 'sequence.side-effects', 'fork.full-replay'),
  },
  {
    name: 'ends-30000',
    count: 30_000,
    event: () => ({ type: 'run.completed', payload: {} }),
    flags: suite('observable-sequence', 'fork-contract'),
  },
];

/** Ids and names that a host puts into its answers. */
const NAMES: Readonly<Record<string, (body: JsonObject) => JsonObject>> = {
  'run-id-of-megabytes': (body) => ({ ...body, runId: 'r'.repeat(2_000_000) }),
  'run-id-with-slashes': (body) => ({ ...body, runId: '../../v1/runs/x?y=z#'.repeat(20) }),
  'run-id-of-controls': (body) => ({ ...body, runId: '\r\nset-cookie: a\u0000\u001b[2J' }),
  'run-id-of-prototypes': (body) => ({ ...body, runId: '__proto__' }),
  'same-run-id': (body) => ({ ...body, runId: 'run_same' }),
};

const FAILPOINTS: Readonly<Record<string, readonly string[]>> = {
  'failpoints-30000': Array.from({ length: 30_000 }, (_, index) => `failpoint-${index}`),
  'failpoints-of-megabytes': Array.from({ length: 7 }, (_, index) => `${index}`.repeat(1_000_000)),
  'failpoints-of-dashes': Array.from({ length: 500 }, (_, index) => `before-${'-'.repeat(10_000)}${index}`),
  'failpoints-of-prototypes': ['__proto__', 'constructor', 'toString', 'before-__proto__', '', ' ', '\u001b[2J'],
};

/** A host that names more failpoints than anybody can cut at; the harness may kill what it likes, nothing dies. */
function advertising(failpoints: readonly string[]): Behaviour['start'] {
  return spoilt({
    discovery: (document) => ({
      ...document,
      extensions: {
        'x-openwop-provable-semantics': {
          ...(isObject(document['extensions']) ? provable(document['extensions']) : {}),
          failpoints,
        },
      },
    }),
  });
}

function provable(extensions: JsonObject): JsonObject {
  const found = extensions['x-openwop-provable-semantics'];
  return isObject(found) ? found : {};
}

/** Hosts whose logs, ids and names are too many or too long. */
export const FLOOD_BEHAVIOURS: readonly Behaviour[] = [
  ...FLOODS.map(({ name, flags, exitCodes = [1, 2, 3], ...padding }) => ({
    id: `log.${name}`,
    flags,
    exitCodes,
    start: spoilt(padded(padding)),
  })),
  ...Object.entries(NAMES).map(([name, change]) => ({
    id: `name.${name}`,
    flags: scenario('sequence.side-effects', 'fork.full-replay', 'fork.branch', 'replay.facts'),
    start: spoilt(rewritingJson(/^\/v1\/runs(?:\/[^/]+:fork)?$/u, change)()),
  })),
  ...Object.entries(FAILPOINTS).map(([name, failpoints]) => ({
    id: `name.${name}`,
    flags: [...suite('discovery', 'at-most-once'), '--crash', 'quick'],
    start: advertising(failpoints),
  })),
];
