import { isRecord } from '../../src/host/run-event.ts';
import {
  anything,
  faultFinder,
  flag,
  list,
  nullable,
  number,
  oneOf,
  record,
  run,
  text,
  type Shape,
} from '../shared/shapes.ts';

const cut = record({ name: text, hit: number });
const call = record({ kind: text, name: text, idempotencyKey: nullable(text) });
const callOfRun = record({ idempotencyKey: nullable(text) });

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
  run,
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
export const faultIn = faultFinder(SHAPES);
