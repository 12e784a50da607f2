import { randomUUID } from 'node:crypto';
import { member } from '../../src/contract/discovery.ts';
import { isOutcome, type Outcome, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { answeredWith, answerText, jsonIn, post, withinBounds } from '../../src/host/exchanged.ts';
import { untilCaughtUp } from '../../src/host/late.ts';
import type { Probe } from '../../src/host/probe.ts';
import { annotationsPath } from '../../src/protocol/paths.ts';
import { isSuccess } from '../../src/protocol/status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { annotationBodies } from '../shared/seams.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { readBy, type ReadingObservation } from '../shared/reading.ts';
import type { RunObservation } from '../shared/run-observation.ts';

/** An annotation that was made, or why none was (wire-contract, Endpoints). */
export interface AnnotatedObservation extends Observation {
  readonly type: 'annotated';
  /** The role of the run. */
  readonly of: string;
  /** When, in words; the name of the annotation within its scenario. */
  readonly when: string;
  /** A text that nothing else of the run holds, in the annotation's label and note. */
  readonly token: string;
  readonly problem: string | null;
  readonly annotationId: string | null;
  /** The run that the answer names as its target, where that is another one; absent where not, and in old evidence. */
  readonly otherTarget?: string;
}

/** An annotation by the run that it is made for, and when. */
export type Annotating = Pick<AnnotatedObservation, 'of' | 'when'>;

/** The annotations of a run as the host lists them. */
export interface AnnotationsObservation extends Observation {
  readonly type: 'annotations';
  readonly of: string;
  readonly when: string;
  /** Null where there is no list. */
  readonly list: readonly Json[] | null;
  readonly problem: string | null;
}

/** Annotates a run, in the first form that the host takes. */
export async function annotate(
  probe: Probe,
  { role, runId, problem: unseen }: RunObservation,
  when: string,
): Promise<AnnotatedObservation> {
  const token = `conformance-${randomUUID()}`;
  const common = { type: 'annotated', of: role, when, token } as const;
  if (runId === null || unseen !== null) return { ...common, problem: UNSEEN, annotationId: null, exchanges: [] };
  const path = annotationsPath(runId);
  const exchanges: string[] = [];
  let problem = '';
  for (const body of annotationBodies(token)) {
    const exchange = await post(probe.host, path, body);
    exchanges.push(exchange.id);
    const status = answeredWith(exchange);
    if (isSuccess(status)) {
      const made = jsonIn(exchange);
      const target = member(member(made, 'target'), 'runId');
      const other = typeof target === 'string' && target !== runId ? { otherTarget: target } : {};
      return { ...common, problem: null, annotationId: idIn(made), ...other, exchanges };
    }
    problem = `POST ${path} answered ${answerText(exchange)}`;
    if (status !== 400 && status !== 422) break;
  }
  return { ...common, problem, annotationId: null, exchanges };
}

/** Reads the annotations of a run. */
export async function listAnnotations(
  probe: Probe,
  { role, runId, problem: unseen }: RunObservation,
  when: string,
): Promise<AnnotationsObservation> {
  const common = { type: 'annotations', of: role, when } as const;
  if (runId === null || unseen !== null) return { ...common, list: null, problem: UNSEEN, exchanges: [] };
  const path = annotationsPath(runId);
  const exchange = withinBounds(await probe.host.exchange({ method: 'GET', path }));
  const body = jsonIn(exchange, 200);
  const list = Array.isArray(body) ? body : (member(body, 'annotations') ?? member(body, 'items'));
  const exchanges = [exchange.id];
  if (Array.isArray(list)) return { ...common, list: list as readonly Json[], problem: null, exchanges };
  const problem = `GET ${path} gave no list of annotations (${answerText(exchange)})`;
  return { ...common, list: null, problem, exchanges };
}

/** Reads the annotations of a run to which these were made, again for a while where the list is behind what POST took. */
export function listWith(
  probe: Probe,
  run: RunObservation,
  when: string,
  annotated: readonly AnnotatedObservation[],
): Promise<AnnotationsObservation> {
  const taken = annotated.filter(({ problem }) => problem === null);
  return untilCaughtUp(probe, 'annotations', {
    read: () => listAnnotations(probe, run, when),
    isBehind: ({ list }) => list !== null && !taken.every((made) => list.some((each) => holds(each, made))),
  });
}

const UNSEEN = 'the run was not seen';

function idIn(body: unknown): string | null {
  const id = member(body, 'annotationId') ?? member(body, 'id') ?? member(member(body, 'annotation'), 'annotationId');
  return typeof id === 'string' && id !== '' ? id : null;
}

/** Every way of reading; a stream twice, as it may bring a live notification once. */
const READINGS = [
  ['json', 'start'],
  ['poll', 'start'],
  ['sse', 'start'],
  ['sse', 'again'],
] as const;

/** Reads the log of a run that has ended, from its start, in all ways that the host offers, or in these. */
export async function readLog(
  probe: Probe,
  { runId, problem, role }: RunObservation,
  name: string = role,
  ways: readonly (typeof READINGS)[number][] = READINGS,
): Promise<readonly ReadingObservation[]> {
  if (runId === null || problem !== null) return [];
  const observations: ReadingObservation[] = [];
  for (const [transport, how] of ways) {
    const reading = await readBy(probe, transport, { run: name, runId, how });
    if (reading !== undefined) observations.push(reading);
  }
  return observations;
}

/** Reads the log of a run as it is before it is annotated. */
export function readBefore(probe: Probe, run: RunObservation): Promise<readonly ReadingObservation[]> {
  return readLog(probe, run, beforeOf(run.role), READINGS.slice(0, 1));
}

/** Reads the log of a run without a stream, which may bring live notifications. */
export function readPlainly(probe: Probe, run: RunObservation): Promise<readonly ReadingObservation[]> {
  return readLog(probe, run, run.role, READINGS.slice(0, 2));
}

/** The name under which the readings of a run before its annotation are recorded. */
export function beforeOf(role: string): string {
  return `${role} before`;
}

/** The annotation that was made at a moment. */
export function annotatedAt(recorded: Recordings, when: string): Recorded<AnnotatedObservation> | undefined {
  return ofType<AnnotatedObservation>(recorded, 'annotated').find((each) => each.when === when);
}

/** A list that the host gave of a run's annotations. */
type Listed = Recorded<AnnotationsObservation> & { readonly list: readonly Json[] };

/** The annotations of a run at a moment, or the outcome that is left where they were not read. */
export function listedAt(recorded: Recordings, of: string, when: string): Listed | Outcome {
  const listed = ofType<AnnotationsObservation>(recorded, 'annotations').find(
    (each) => each.of === of && each.when === when,
  );
  if (listed === undefined) return undecided(`the annotations of the ${of} were not read`, []);
  const { list, problem } = listed;
  return list === null
    ? undecided(problem ?? `the annotations of the ${of} are no list`, [listed])
    : { ...listed, list };
}

/** An annotation that was made and that the run's own list shows, or the outcome that is left without one. */
export function shownAnnotation(
  recorded: Recordings,
  { of, when }: Annotating,
): { readonly made: Recorded<AnnotatedObservation>; readonly listed: Listed } | Outcome {
  const made = annotatedAt(recorded, when);
  if (made === undefined) return undecided('no run was annotated', []);
  if (made.problem !== null) return leftUnmade(made);
  const listed = listedAt(recorded, of, when);
  if (isOutcome(listed)) return listed;
  if (listed.list.length > 0) return { made, listed };
  return undecidedUntil(
    'list there what POST took',
    `GET of the annotations of the ${of} does not show the one that POST took`,
    [made, listed],
  );
}

/** What is left where an annotation cannot be told from others in its own run's list, nor so in any other; undefined where it can be. */
export function leftUntold(recorded: Recordings, { of, when }: Annotating): Outcome | undefined {
  const control = shownAnnotation(recorded, { of, when });
  if (isOutcome(control)) return control;
  const { made, listed } = control;
  if (listed.list.some((each) => holds(each, made))) return undefined;
  return undecidedUntil(
    "list its note, or an annotationId that is no other run's, of 8 characters at least",
    `no entry in the annotations of the ${of} shows the one that POST took`,
    [made, listed],
  );
}

/** What is left where a run that was seen could not be annotated, although the host offers it, or where none was seen. */
export function leftUnmade(made: Recorded<AnnotatedObservation>): Outcome {
  const problem = made.problem ?? '';
  if (made.exchanges.length === 0) return undecided(problem, [made]);
  return undecidedUntil('take annotations there, or advertise no feedback', problem, [made]);
}

/** Whether a value holds an annotation: by its text, or by its id. */
export function holds(value: unknown, { token, annotationId }: AnnotatedObservation): boolean {
  const text = JSON.stringify(value) ?? '';
  return text.includes(token) || (annotationId !== null && annotationId.length > 7 && text.includes(annotationId));
}
