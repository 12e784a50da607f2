import { bounds, eventsOf } from '../shared/compare-runs.ts';
import type { RequestOfRow } from '../shared/requested.ts';
import { forkRequest, type RunObservation } from '../shared/run-observation.ts';

/** What bodies are made from: the numbers of the source's log. */
export interface LogNumbers {
  readonly first: number;
  readonly middle: number;
  readonly last: number;
  /** How far apart two neighbours are at most. */
  readonly step: number;
}

/** The numbers of a run's log. */
export function numbersOf(run: Pick<RunObservation, 'events'>): LogNumbers {
  const numbers = eventsOf(run).map(({ sequence }) => sequence);
  const steps = numbers.slice(1).map((sequence, index) => sequence - (numbers[index] ?? sequence));
  return { ...bounds(run), step: Math.max(1, ...steps) };
}

type Sent = Pick<RequestOfRow, 'body' | 'bytes' | 'headers'>;

/** A request that must be refused, or, where `either` is set, one that the documents leave open. */
export interface Refused {
  readonly row: string;
  readonly name: string;
  readonly allowed: readonly number[] | '4xx' | 'either';
  readonly send: (numbers: LogNumbers) => Sent;
}

function body(row: string, allowed: Refused['allowed'], bodies: Readonly<Record<string, string>>): readonly Refused[] {
  return Object.entries(bodies).map(([name, text]) => ({ row, name, allowed, send: () => ({ body: text }) }));
}

/** replay.md, Endpoint: the mode is required for both, and there are two. */
const BAD_MODE: readonly Refused[] = [
  {
    row: 'bad-mode',
    name: 'no mode',
    allowed: [400],
    send: ({ first }) => ({ body: JSON.stringify({ fromSeq: first }) }),
  },
  ...body('bad-mode', [400], {
    'an empty object': '{}',
    'an unknown mode': '{"mode":"rewind"}',
    'a mode in upper case': '{"mode":"REPLAY"}',
    'a mode with spaces around': '{"mode":" replay "}',
    'an empty mode': '{"mode":""}',
    'a mode of null': '{"mode":null}',
    'a mode as a number': '{"mode":1}',
    'a mode as a list': '{"mode":["replay"]}',
    'a mode that every object has': '{"mode":"constructor"}',
    'the mode __proto__': '{"mode":"__proto__"}',
  }),
];

const BAD_FROM_SEQ = [
  ...body('bad-from-seq', [400], {
    'a negative fromSeq': '{"mode":"replay","fromSeq":-1}',
    'a fractional fromSeq': '{"mode":"replay","fromSeq":1.5}',
    'fromSeq as a text': '{"mode":"replay","fromSeq":"0"}',
    'fromSeq as an empty text': '{"mode":"replay","fromSeq":""}',
    'fromSeq as a flag': '{"mode":"replay","fromSeq":true}',
    'fromSeq as a list': '{"mode":"replay","fromSeq":[]}',
    'fromSeq as an object': '{"mode":"replay","fromSeq":{}}',
  }),
  // A parser with exact numbers reads a sequence number past the end.
  ...body('bad-from-seq', [400, 422], { 'fromSeq 1e400': '{"mode":"replay","fromSeq":1e400}' }),
  ...body('bad-from-seq', 'either', { 'fromSeq null': '{"mode":"replay","fromSeq":null}' }),
];

/** Levels of a body that nests deeper than any request needs. */
const DEEP = 10_000;

const MALFORMED = [
  ...body('malformed', '4xx', {
    'no body': '',
    'a truncated object': '{"mode":"replay"',
    'text after the object': '{"mode":"replay"} replay',
    'single quotes': "{'mode':'replay'}",
    'fromSeq NaN': '{"mode":"replay","fromSeq":NaN}',
    'a list': '[{"mode":"replay"}]',
    'an empty list': '[]',
    'a string': '"replay"',
    'a number': '7',
    null: 'null',
    'a very deep list': '['.repeat(DEEP) + ']'.repeat(DEEP),
  }),
  ...Object.entries<Sent>({
    'bytes that are no UTF-8': { bytes: Buffer.from('{"mode":"rep\u00fflay"}', 'latin1') },
    'a form': { body: 'mode=replay', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    'plain text': { body: 'replay', headers: { 'content-type': 'text/plain' } },
  }).map(([name, sent]): Refused => ({ row: 'malformed', name, allowed: '4xx', send: () => sent })),
];

/** replay.md, Endpoint: overlays would break a replay's determinism, whatever they hold. */
const OVERLAY = body('overlay', [400], {
  'an overlay of inputs': '{"mode":"replay","runOptionsOverlay":{"inputs":{"value":"other"}}}',
  'an overlay of configurable': '{"mode":"replay","runOptionsOverlay":{"configurable":{"value":"other"}}}',
  'an overlay of tags': '{"mode":"replay","runOptionsOverlay":{"tags":["fork:other"]}}',
  'an overlay of metadata': '{"mode":"replay","runOptionsOverlay":{"metadata":{"note":"other"}}}',
  // It is not empty, whatever the host knows of what it holds.
  'an overlay as a text': '{"mode":"replay","runOptionsOverlay":"other"}',
  'an overlay as a list': '{"mode":"replay","runOptionsOverlay":[{"inputs":{"value":"other"}}]}',
  'an overlay of a member that nobody knows': '{"mode":"replay","runOptionsOverlay":{"x-conformance":true}}',
});

/** The row of the same for a replay from a later event. */
export const OVERLAY_LATER = 'overlay-later';

/** The row of the same replay without one, which is in order. */
export const NONE_LATER = 'no-overlay-later';

/** Far enough past the end for every way of counting. */
const FAR = 1000;

const ABSENT: readonly Refused[] = (
  [
    ['far past the end', [400, 422], ({ last }: LogNumbers) => last + FAR],
    ['the largest exact integer', [400, 422], () => Number.MAX_SAFE_INTEGER],
    // Where numbers have gaps, the next one that is free is as far away as they are wide.
    ['two past the last event', [400, 422], ({ last, step }: LogNumbers) => last + step + 1],
    ['one past the last event', 'either', ({ last }: LogNumbers) => last + 1],
  ] as const
).map(([name, allowed, fromSeq]) => ({
  row: 'absent-sequence',
  name,
  allowed,
  send: (numbers) => ({ body: JSON.stringify({ mode: 'replay', fromSeq: fromSeq(numbers) }) }),
}));

const OVERLAY_ON_LATER: Refused = {
  row: OVERLAY_LATER,
  name: 'an overlay of inputs on a replay from a later event',
  allowed: [400],
  send: ({ middle }) => ({
    body: JSON.stringify({ mode: 'replay', fromSeq: middle, runOptionsOverlay: { inputs: { value: 'other' } } }),
  }),
};

/** All requests for replays of a run that ended which a host must refuse, or may. */
export const REFUSED: readonly Refused[] = [
  ...BAD_MODE,
  ...BAD_FROM_SEQ,
  ...MALFORMED,
  ...OVERLAY,
  OVERLAY_ON_LATER,
  ...ABSENT,
];

/** Some of that for a replay of a replay, which may be read in another place. */
export const REFUSED_AGAIN: readonly Refused[] = REFUSED.filter(({ name }) =>
  ['an unknown mode', 'an overlay of inputs', 'far past the end'].includes(name),
).map((each) => ({ ...each, name: `${each.name}, for a replay of a replay` }));

/** Bodies that are wrong whatever they are about, for a run that there is not: which of the two a refusal is for, nobody says. */
export const REFUSED_OF_NONE: readonly Refused[] = [
  ...body('malformed', '4xx', { 'a truncated object, for no run': '{"mode":"replay"' }),
  ...body('bad-mode', '4xx', { 'an empty object, for no run': '{}' }),
];

/** Branches without a fork point (replay.md, Replay-mode defaults), and some of what is refused for replays. */
export const REFUSED_BRANCHES: readonly Refused[] = [
  ...body('branch-start', [400, 422], {
    'a branch without fromSeq': '{"mode":"branch","runOptionsOverlay":{}}',
    'a branch with fromSeq null': '{"mode":"branch","fromSeq":null,"runOptionsOverlay":{}}',
  }),
  ...body('bad-from-seq', [400], {
    'a branch with a negative fromSeq': '{"mode":"branch","fromSeq":-1,"runOptionsOverlay":{}}',
    'a branch with a fractional fromSeq': '{"mode":"branch","fromSeq":1.5,"runOptionsOverlay":{}}',
    'a branch with fromSeq as a text': '{"mode":"branch","fromSeq":"0","runOptionsOverlay":{}}',
  }),
  {
    row: 'absent-sequence',
    name: 'a branch far past the end',
    allowed: [400, 422],
    send: ({ last }) => ({ body: forkRequest({ mode: 'branch', fromSeq: last + FAR }) }),
  },
];

/** The rows of the requests that read a run: their answers are no refusals of a fork. */
export const UNKNOWN_READ = 'unknown-run-read';
export const LIMITED_READ = 'limited-read';

/** Ids of no host: a word, and the form that databases have a type for. They may be refused as ids, too. */
export const ODD_IDS = ['no-such-run', '00000000-0000-4000-8000-000000000000'] as const;

/** A credential that was given to nobody. */
export const MADE_UP = {
  name: 'a made-up credential',
  anonymous: true,
  headers: { authorization: 'Bearer conformance-made-up-credential' },
} as const;

/** Requests that are no body's fault. */
const REFUSED_CALLERS: readonly Pick<Refused, 'row' | 'name' | 'allowed'>[] = [
  { row: 'unknown-run', name: 'a run that there is not', allowed: [404] },
  ...ODD_IDS.map((name): Omit<Refused, 'send'> => ({ row: 'unknown-run', name, allowed: '4xx' })),
  { row: 'no-credential', name: 'no credential', allowed: [401] },
  // Who nobody is may be told so with 401, or as one who may not, or see no run.
  { row: 'no-credential', name: MADE_UP.name, allowed: '4xx' },
  { row: 'no-scope', name: 'a credential that may not create', allowed: [403] },
];

const ALL = [...REFUSED, ...REFUSED_AGAIN, ...REFUSED_OF_NONE, ...REFUSED_BRANCHES, ...REFUSED_CALLERS];

/** How a request may be answered. */
export function allowedOf({ row, name }: Pick<Refused, 'row' | 'name'>): Refused['allowed'] {
  return ALL.find((each) => each.row === row && each.name === name)?.allowed ?? 'either';
}
