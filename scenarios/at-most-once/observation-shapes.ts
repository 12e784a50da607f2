import { isRecord } from '../../src/host/run-event.ts';

/** Where a value is not what it has to be, as a JSON pointer; undefined where it is. */
type Shape = (value: unknown, pointer: string) => string | undefined;

function simple(is: (value: unknown) => boolean): Shape {
  return (value, pointer) => (is(value) ? undefined : pointer);
}

const text = simple((value) => typeof value === 'string');
const number = simple((value) => typeof value === 'number');
const flag = simple((value) => typeof value === 'boolean');
/** What a host or a tool sent: read defensively wherever it is read. */
const anything = simple((value) => value !== undefined);

function oneOf(...texts: readonly string[]): Shape {
  return simple((value) => typeof value === 'string' && texts.includes(value));
}

function nullable(shape: Shape): Shape {
  return (value, pointer) => (value === null ? undefined : shape(value, pointer));
}

function list(shape: Shape): Shape {
  return (value, pointer) => {
    if (!Array.isArray(value)) return pointer;
    return value.map((each, index) => shape(each, `${pointer}/${index}`)).find((found) => found !== undefined);
  };
}

/** An object with at least these members of its own. */
function record(members: Readonly<Record<string, Shape>>): Shape {
  return (value, pointer) => {
    if (!isRecord(value)) return pointer;
    return Object.entries(members)
      .map(([name, shape]) => shape(Object.hasOwn(value, name) ? value[name] : undefined, `${pointer}/${name}`))
      .find((found) => found !== undefined);
  };
}

const cut = record({ name: text, hit: number });
const call = record({ kind: text, name: text, idempotencyKey: nullable(text) });
const callOfRun = record({ idempotencyKey: nullable(text) });
const fork = record({ sourceRunId: nullable(text), mode: text, fromSeq: nullable(number), advertised: flag });

const revival: Shape = (value, pointer) =>
  record({ ok: flag })(value, pointer) ??
  (isRecord(value) && value['ok'] === true ? record({ downMs: number }) : record({ reason: text }))(value, pointer);

const death = record({ shown: list(anything), calls: number, how: text, revival });

const cell = record({
  cut: nullable(cut),
  second: nullable(cut),
  notDriven: nullable(text),
  created: nullable(text),
  runId: nullable(text),
  deaths: list(death),
  stopped: text,
  problem: nullable(text),
  live: nullable(list(anything)),
  log: nullable(list(anything)),
  snapshot: anything,
  calls: list(callOfRun),
  decisions: nullable(list(anything)),
  passed: nullable(list(text)),
  patienceMs: number,
  cycleMs: nullable(number),
});

/** The observations of this suite by their types: what their judges rely on. More members may stand beside these. */
const SHAPES: Readonly<Record<string, Shape>> = {
  run: record({
    role: text,
    fork: nullable(fork),
    answered: nullable(number),
    answer: anything,
    runId: nullable(text),
    problem: nullable(text),
    events: list(anything),
    snapshot: anything,
  }),
  calls: record({ after: text, url: text, calls: list(call) }),
  args: record({ of: text, request: nullable(text) }),
  advertised: record({ idempotencyKey: nullable(text) }),
  held: record({ problem: nullable(text), events: list(anything) }),
  counter: record({ of: text, total: nullable(number), problem: nullable(text) }),
  confirmation: record({ of: text, answered: nullable(number) }),
  decisions: record({ of: text, decisions: nullable(list(anything)) }),
  stall: record({ name: text, milliseconds: number, answered: nullable(number), problem: nullable(text) }),
  reclaim: record({
    cut: text,
    by: text,
    runId: nullable(text),
    problem: nullable(text),
    died: flag,
    before: list(anything),
    callsAtDeath: list(call),
    events: list(anything),
    snapshot: anything,
    calls: list(call),
  }),
  points: record({
    cuts: oneOf('few', 'quick', 'full'),
    advertised: list(text),
    by: oneOf('passed', 'trial'),
    planned: list(cut),
    notPassed: list(text),
    capped: list(text),
    pairs: list(record({ cut, second: cut })),
    pairsThereAre: number,
    armsAtStart: flag,
    problem: nullable(text),
  }),
  cell,
  'empty-points': record({ answer: anything, passes: list(cut), cuts: list(cut) }),
  'empty-cell': record({ answer: anything, cell }),
};

/** Where an observation is not what a scenario of this suite records, as a JSON pointer; undefined where it is. */
export function faultIn(observation: Readonly<Record<string, unknown>>): string | undefined {
  const { type, exchanges } = observation;
  if (typeof type !== 'string' || !Object.hasOwn(SHAPES, type)) return '/type';
  return list(text)(exchanges, '/exchanges') ?? SHAPES[type]?.(observation, '');
}
