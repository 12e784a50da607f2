import { randomUUID } from 'node:crypto';
import { member, readPart } from '../../src/contract/discovery.ts';
import { feedback } from '../../src/contract/gates.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { eventIdsIn } from '../../src/host/log/event-ids.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import type { Probe } from '../../src/host/probe.ts';
import { annotationsPath, diffPath, interruptPath, RUNS_PATH } from '../../src/protocol/paths.ts';
import { isServerError } from '../../src/protocol/status.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { annotationBodies } from '../shared/seams.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { FAILING_FIXTURES, isUnknown, PUBLIC_FIXTURES, startFirst } from '../shared/first-run.ts';
import { type Asking, hasEnded } from '../shared/past-question.ts';
import {
  accepted,
  bodyOf,
  requestedBy,
  type RequestedObservation,
  sendRequest,
  statusOf,
} from '../shared/requested.ts';
import { askAtPlaces, placesOf } from '../shared/requested-fork.ts';
import { isObserved, offersMode, readAgain, type RunObservation, startFork } from '../shared/run-observation.ts';
import { namesAnotherRun } from '../shared/snapshot-fault.ts';
import { unknownLike } from '../shared/unknown-id.ts';
import { answerAndCancel, answerTwice, startQuestion } from './answers-at-once.ts';
import { type AllFound, judgeShapes, seeShapes, type Source } from './judge-shapes.ts';
import { ANSWER_ROW } from './given-answer.ts';
import { AGAIN_ROW, LIST_ROW, NO_NODE_ROW, NOTE_ROW, type Shape, URL_ROW } from './sent.ts';
import { type UrlObservation, URLS } from './answer-faults.ts';

/** One document of each shape at least: what others record is judged as well. */
async function drive(probe: Probe): Promise<readonly Observation[]> {
  const [runs, failing, ...asking] = await Promise.all([
    runAndFork(probe, 'run', PUBLIC_FIXTURES, requestUrls),
    runAndFork(probe, 'failing run', FAILING_FIXTURES),
    ask(probe),
    answerTwice(probe),
    answerAndCancel(probe),
  ]);
  const [run, fork] = runs.filter((each) => each.type === 'run');
  const observations = [...runs, ...failing, ...asking.flat()];
  if (run === undefined || !isObserved(run)) return observations;
  const { runId } = run;
  return [...observations, ...(await besides(probe, runId, fork?.runId ?? runId))];
}

/**
 * The places that the answer which made a run names, where they are of the origin that is tested. Of a run whose snapshot cannot be
 * read at its own place, or names another run there, none is asked for.
 */
async function requestUrls({ host }: Probe, run: RunObservation): Promise<readonly UrlObservation[]> {
  const { answer, runId, snapshot } = run;
  const isReadable = snapshot !== null && !namesAnotherRun(run);
  const names = URLS.filter((name) => name !== 'statusUrl' || isReadable);
  const requests = names.map(async (name): Promise<readonly UrlObservation[]> => {
    const url = member(answer, name);
    const places = placesOf(host.baseUrl, RUNS_PATH, typeof url === 'string' ? url : undefined);
    const found = await askAtPlaces(
      host,
      places.filter(({ sameOrigin }) => sameOrigin),
    );
    if (found === undefined) return [];
    const { place, exchange } = found;
    const requested = requestedBy(exchange, { row: URL_ROW, name, sent: `GET ${place.path}`, request: '' });
    return [{ ...requested, ...(runId === null ? {} : { runId }), eventIds: eventIdsIn(exchange) }];
  });
  return (await Promise.all(requests)).flat();
}

/** A run, what is requested of it before it is forked, and its replay. */
async function runAndFork(
  probe: Probe,
  role: string,
  workflowIds: readonly string[],
  request?: typeof requestUrls,
): Promise<readonly (RunObservation | UrlObservation)[]> {
  const { run } = await startFirst(probe, workflowIds, role);
  if (!isObserved(run)) return [run];
  const requested = [run, ...((await request?.(probe, run)) ?? [])];
  if (!offersMode(probe.discovery, 'replay')) return requested;
  return [...requested, await startFork(probe, run, { mode: 'replay' }, { role: `replay of the ${role}` })];
}

/** A run that asks, answered; where answers are taken at all, one to a run that there is not has to be refused. */
async function ask(probe: Probe): Promise<readonly Observation[]> {
  const role = 'run that asks';
  const started = await startQuestion(probe, role);
  if (isUnknown(started.run)) return [];
  if (started.question === undefined) return [started.run];
  const { run, candidate, nodeId } = started.question;
  const pathOf = (runId: string): string => interruptPath(runId, nodeId);
  const body = { resumeValue: candidate.goesOn };
  const none = interruptPath(run.runId, `conformance-unknown-${randomUUID()}`);
  const nobody = {
    row: NO_NODE_ROW,
    name: 'an answer to a node that there is not',
    body: JSON.stringify(body),
  } as const;
  const other = await sendRequest(probe.host, none, nobody);
  const about = { row: ANSWER_ROW, name: 'the answer to a question', body: JSON.stringify(body) } as const;
  const answer = { ...(await sendRequest(probe.host, pathOf(run.runId), about)), runId: run.runId };
  // Who fails over an answer leaves the run where it waits.
  if (isServerError(statusOf(answer))) return [run, other, answer];
  const unknown = {
    row: 'interrupt-refused',
    name: 'an answer to a run that there is not',
    body: JSON.stringify(body),
  } as const;
  const refused = accepted(answer) ? [await sendRequest(probe.host, pathOf(unknownLike(run.runId, 1)), unknown)] : [];
  const whole = await readAgain(probe, run, { role });
  if (!isObserved(whole)) return [run, other, ...refused];
  return [whole, other, answer, ...refused, ...(await answerAgain(probe, whole, pathOf(run.runId), candidate))];
}

/** Another answer to the question of a run that took one and ended: it may not be taken (wire, Endpoints). */
async function answerAgain(
  { host }: Probe,
  whole: RunObservation,
  path: string,
  { opposite }: Asking,
): Promise<readonly RequestedObservation[]> {
  if (!eventsOf(whole).some(({ type }) => type === 'interrupt.resolved') || !hasEnded(whole)) return [];
  const body = JSON.stringify({ resumeValue: opposite });
  return [
    await sendRequest(host, path, { row: AGAIN_ROW, name: 'another answer to a question that was answered', body }),
  ];
}

/** How long a list may lag behind an annotation that was taken, in milliseconds. */
const LISTED = 5_000;

function isEmpty(listed: RequestedObservation): boolean {
  const list = member(bodyOf(listed), 'annotations');
  return Array.isArray(list) && list.length === 0;
}

/** An annotation and the list; where these are taken and shown, those of a run that there is not have to be refused. */
async function annotate(probe: Probe, runId: string): Promise<readonly RequestedObservation[]> {
  const { host } = probe;
  const body = JSON.stringify(annotationBodies('conformance')[0]);
  const unknown = annotationsPath(unknownLike(runId, 1));
  const observations: RequestedObservation[] = [];
  for (const [row, name, sent] of [
    [NOTE_ROW, 'an annotation', { body }],
    [LIST_ROW, 'the annotations', { method: 'GET' }],
  ] as const) {
    const isLate = (each: RequestedObservation): boolean =>
      row === LIST_ROW && observations.some(accepted) && isEmpty(each);
    const known = await repeatPaced(
      () => sendRequest(host, annotationsPath(runId), { row, name, ...sent }),
      (each) => !isLate(each),
      { patienceMs: Math.min(LISTED, probe.timeoutMs), signal: probe.signal },
    );
    observations.push(known);
    const refused = { row: `${row}-refused`, name: `${name} of a run that there is not`, ...sent };
    if (accepted(known)) observations.push(await sendRequest(host, unknown, refused));
  }
  return observations;
}

/** What a host may offer for a run: annotations, where it says so, and the difference of two runs. */
async function besides(probe: Probe, runId: string, against: string): Promise<readonly Observation[]> {
  const { host } = probe;
  const offered = feedback({ feedback: readPart(probe.discovery, 'feedback') }).open;
  const annotated = offered ? await annotate(probe, runId) : [];
  const diff = { row: 'diff', name: 'the difference of a run and its replay', method: 'GET' } as const;
  const compared = await sendRequest(host, diffPath(runId, against), diff);
  // Where there are differences at all, one to a run that there is not has to be refused.
  const other = {
    row: 'diff-refused',
    name: 'the difference of a run and of one that there is not',
    method: 'GET',
  } as const;
  const refused = accepted(compared) ? [await sendRequest(host, diffPath(runId, unknownLike(runId, 1)), other)] : [];
  return [...annotated, compared, ...refused];
}

/** A row: its shapes, and whether it is about what the documents define or what the wire alone does. */
const ROWS: readonly (readonly [id: string, title: string, source: Source, ...shapes: Shape[]])[] = [
  ['run-snapshot', 'The status of every snapshot is a text', 'documents', 'run-snapshot'],
  [
    'run-snapshot.wire',
    'Every snapshot fits its schema, and names its run, its workflow and what a fork comes from',
    'wire',
    'run-snapshot',
  ],
  [
    'run-event',
    'eventId, type, sequence and causationId of every event are of their types, and its id is its own',
    'documents',
    'run-event',
  ],
  ['run-event.wire', 'Every event fits its schema, and names the run in whose log it stands', 'wire', 'run-event'],
  ['run-answer', 'Every answer that makes a run fits its schema', 'wire', 'run-answer'],
  ['fork-answer', 'Every answer that makes a fork fits its schema', 'documents', 'fork-answer'],
  ['error-envelope', 'Every refusal is the error envelope', 'wire', 'error-envelope'],
  [
    'interrupt',
    'The payloads of interrupts fit their schema, and name their run, node, question and answer; one that was answered or cancelled takes no other answer',
    'wire',
    'interrupt',
  ],
  [
    'annotation',
    'Annotations are taken and listed where feedback is advertised, and fit their schemas',
    'wire',
    'annotation',
    'annotation-list',
  ],
  ['diff', 'The difference of two runs fits its schema', 'wire', 'diff'],
];

/** Whatever the host sends in any suite, held against its schema: red where no row of its own says so. */
export const shapes = defineScenario<Observation, AllFound>({
  id: 'schema.wire',
  suite: 'run-lifecycle',
  title: 'What a host sends fits the schemas that ship with this tool',
  foundation: true,
  judgesRunIds: true,
  drive,
  see: seeShapes,
  checks: ROWS.map(([id, title, source, ...of]) => ({
    id: `schema.${id}`,
    title,
    judge: (found: AllFound) => judgeShapes(found, of, source),
  })),
});
