import { rightKeyOf } from '../../src/cache-key/index.ts';
import type { HostHandle } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import { seamPath } from '../../src/protocol/paths.ts';
import { defineScenario, type JudgedCheck, type ScenarioDefinition } from '../../src/runner/define-scenario.ts';
import type { Need, Recorded, RecipeName, Scenario, ScenarioOptions } from '../../src/runner/scenario.ts';
import { type Answers, answersIn } from './answers.ts';
import { type CacheKeyObservation, type KeyObservation, type Part, readAnswer } from './observation.ts';
import { type KeyRequest, requestText } from './requests.ts';

/** The seam of wire-contract.md, Test seams. */
export const SEAM = seamPath('llm-cache-key');

/** What every row about keys needs; a plain request tells whether the seam is exposed. */
export const seamNeed: Need = { kind: 'seam', path: SEAM, body: requestText() };

/** Where requests go, and how many at once. */
export interface Line {
  readonly handle: HostHandle;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly secondHost?: true;
}

/** Requests without an answer, in a row, after which no more are sent. */
const FAILURES = 3;

/** The line to the probe's own host, or to another one, at the probe's concurrency. */
export function lineTo(probe: Probe, handle: HostHandle = probe.host): Line {
  return { handle, concurrency: probe.concurrency, signal: probe.signal };
}

/** Sends one request to the seam and records what came back. */
export async function sendOne(line: Line, request: KeyRequest): Promise<KeyObservation> {
  const { headers, ...recorded } = request;
  const exchange = await line.handle.exchange({
    method: 'POST',
    path: SEAM,
    body: request.request,
    repeatable: true,
    ...(headers === undefined ? {} : { headers }),
  });
  return {
    type: 'key',
    exchanges: [exchange.id],
    ...recorded,
    ...(line.secondHost === undefined ? {} : { secondHost: line.secondHost }),
    answer: readAnswer(exchange),
  };
}

/**
 * Sends all requests, never more than the line's concurrency at once, and returns the answers in the order of the
 * requests. Stops after three transport failures in a row or when the signal aborts; the last observation then says so.
 */
export function send(line: Line, requests: readonly KeyRequest[]): Promise<readonly CacheKeyObservation[]> {
  return sendDrawn(line, { requests, planned: requests.length, onAnswer: () => undefined });
}

/** Requests that are drawn one by one while others are under way; `onAnswer` gets each answer as it comes. */
interface DrawnRequests {
  readonly requests: Iterable<KeyRequest>;
  readonly planned: number;
  readonly onAnswer: (observation: KeyObservation) => void;
}

/** The same for requests that are drawn when a place is free: drawing and looking cost no time that the host leaves idle. */
export async function sendDrawn(line: Line, drawn: DrawnRequests): Promise<readonly CacheKeyObservation[]> {
  const observations: (KeyObservation | undefined)[] = [];
  const requests = drawn.requests[Symbol.iterator]();
  let next = 0;
  let failures = 0;
  let part: Part | undefined;
  const work = async (): Promise<void> => {
    while (!line.signal.aborted && failures < FAILURES) {
      const index = next;
      next += 1;
      const request = requests.next();
      if (request.done === true) return;
      part ??= request.value.part;
      const observation = await sendOne(line, request.value);
      failures = observation.answer.kind === 'failure' ? failures + 1 : 0;
      observations[index] = observation;
      drawn.onAnswer(observation);
    }
  };
  await Promise.all(Array.from({ length: Math.min(line.concurrency, drawn.planned) }, work));
  const answered = observations.filter((observation) => observation !== undefined);
  const [asked, { planned }] = [answered.length, drawn];
  if (asked === planned) return answered;
  const reason = line.signal.aborted ? 'the time was up' : `${FAILURES} requests in a row got no answer`;
  return [...answered, { type: 'cut-short', exchanges: [], part: part ?? 'probe', asked, planned, reason }];
}

/** Requests that are sent once more for one scenario: a host that is wrong everywhere shows it by a few. */
const REPEATED = 4;

/**
 * What was recorded, and after it the answers to requests that got a wrong key, sent once more as they were: a key that
 * changes by itself is no rule about what the request holds (0041 §E). Nothing is sent again where all keys were right.
 */
export async function withRepeats(
  line: Line,
  recorded: readonly CacheKeyObservation[],
  recipe: RecipeName,
): Promise<readonly CacheKeyObservation[]> {
  const wrong = recorded.flatMap((each) =>
    each.type === 'key' &&
    each.variation === undefined &&
    each.answer.kind === 'key' &&
    rightKeyOf(each.request, recipe) !== each.answer.key
      ? [each.request]
      : [],
  );
  const repeats = [...new Set(wrong)]
    .slice(0, REPEATED)
    .map((request): KeyRequest => ({ name: 'a request with a wrong key, sent again', part: 'again', request }));
  if (repeats.length === 0 || line.signal.aborted) return recorded;
  return [...recorded, ...(await send(line, repeats))];
}

/** A scenario of one check, which sends requests to the seam and judges what all of them were answered. */
type KeyRow = Pick<ScenarioDefinition<CacheKeyObservation, Answers>, 'id' | 'title' | 'gate' | 'foundation' | 'drive'> &
  Pick<JudgedCheck<Answers>, 'judge'>;

/** The scenario of such a row; its check has the same name. */
export function keyScenario({ id, title, judge, ...row }: KeyRow): Scenario {
  const checks = [{ id, title, judge }];
  return defineScenario({ id, title, ...row, suite: 'cache-key-portable', needs: [seamNeed], see, checks });
}

function see(recorded: readonly Recorded<CacheKeyObservation>[]): Answers {
  return answersIn(recorded);
}

/** The drive that sends the requests of a row, each once; those that got a wrong key once more. */
export function sending(requestsFor: (recipe: RecipeName) => readonly KeyRequest[]) {
  return async (probe: Probe, { recipe }: ScenarioOptions): Promise<readonly CacheKeyObservation[]> =>
    withRepeats(lineTo(probe), await send(lineTo(probe), requestsFor(recipe)), recipe);
}
