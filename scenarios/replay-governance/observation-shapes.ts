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

/** An answer that is judged itself, or why there is none. */
const answer: Shape = (value, pointer) => {
  const isAnswer = isRecord(value) && value['kind'] === 'answer';
  const members = isAnswer
    ? { status: number, body: record({ json: flag }) }
    : { kind: oneOf('failure'), reason: text };
  return record(members)(value, pointer);
};

const heard = record({
  surface: text,
  request: text,
  status: number,
  shows: list(record({ canary: number, spelling: text })),
  marker: flag,
});

const shownEvent = record({ id: nullable(text), name: nullable(text), data: anything });

/** One reading of the log of a run that has ended. */
const reading = record({
  run: text,
  runId: text,
  transport: oneOf('sse', 'json', 'poll'),
  how: oneOf('start', 'again', 'resumed'),
  after: nullable(number),
  partial: flag,
  events: list(shownEvent),
});

/** Where an observation of this suite is not as it is recorded, as a JSON pointer; undefined where it is. */
const faultIn = faultFinder({
  run,
  reading,
  asked: record({ row: text, name: text, request: text, answer }),
  document: record({
    name: text,
    mentions: list(record({ pointer: text, kind: oneOf('documented', 'hint') })),
    problem: nullable(text),
  }),
  cut: record({ first: number, below: number, boundary: number }),
  seam: record({ seam: text, status: nullable(number), problem: nullable(text), answer: anything }),
  heard: record({ role: text, answers: list(heard) }),
  planted: record({
    places: list(record({ canary: number, place: text, arrived: flag, beside: flag })),
    request: text,
  }),
  'tool-calls': record({ role: text, before: number, after: number }),
  access: record({ of: oneOf('source', 'fork'), name: text, status: nullable(number) }),
  'audit-search': record({ spellings: list(text) }),
  report: record({ of: text, where: text, problem: nullable(text), report: anything }),
  revision: record({ revision: text, problem: nullable(text) }),
  regions: record({ unread: nullable(text), isRegion: flag, because: text, names: list(nullable(text)) }),
  annotated: record({ of: text, when: text, token: text, problem: nullable(text), annotationId: nullable(text) }),
  annotations: record({ of: text, when: text, list: nullable(list(anything)), problem: nullable(text) }),
  invocations: record({ of: text, problem: nullable(text), invocations: list(anything) }),
});

/** What all scenarios of this suite declare. */
export const GOVERNANCE = { suite: 'replay-governance', faultIn } as const;
