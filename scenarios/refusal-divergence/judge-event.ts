import { isDeepStrictEqual } from 'node:util';
import { fail, type Outcome, pass } from '../../src/contract/outcome.ts';
import type { Diagnosis } from '../../src/contract/verdict.ts';
import { createRedactor } from '../../src/evidence/redact.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { endsRun } from '../../src/protocol/run-status.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import type { RecordedRun } from '../shared/need.ts';
import { nodeOf } from '../shared/read-event.ts';
import { endsOtherwise } from '../shared/snapshot-fault.ts';
import { wrong } from './diagnoses.ts';
import {
  contractOf,
  errorCodesOf,
  type Met,
  noEvent,
  RAISED,
  REFUSAL_CODE,
  refusedOriginally,
  rowOf,
  statusOf,
} from './met.ts';
import { isWithin, type NodeSpan, outputOf, placeIn, spanOf, textMember } from './node-in-log.ts';

/** 0041 §B: the event is emitted, and the replay fails with its own code. */
export function judgeRaised(met: Met): Outcome {
  const { source, replay, raised, evidence, direction, situation } = met;
  const status = statusOf(replay);
  const codes = errorCodesOf(replay);
  const other = codes.find(({ code }) => code !== REFUSAL_CODE);
  if (raised.length > 0 && status === 'failed' && other === undefined && codes.length > 0) return pass(evidence);
  const had = `${named(source)} had a ${direction.original} envelope, the replay gets a ${direction.replay} one`;
  const shownCode = other === undefined ? (codes[0]?.code ?? 'no error code') : `${other.code} (${other.at})`;
  const diagnosis = causeOf(met, status);
  const isRight = failsRightly(met);
  const isMisnamed = isMisnamedIn(met);
  // Where one of the two places has the right code, they contradict each other: the row about snapshots says so.
  // One that is shown in the debug stream alone is for the row about readings to say.
  const isHidden = raised.length === 0 && isRight && situation.shownTypes.has(RAISED);
  const isContradicted = raised.length > 0 && codes.some(({ code }) => code === REFUSAL_CODE);
  const ofLog = endsOtherwise(eventsOf(replay)) ? FOUNDATIONS.ends : isContradicted ? ownerOfSnapshot(met) : undefined;
  const owner = isHidden ? FOUNDATIONS.readings : ofLog;
  return fail(
    {
      restsOn: isMisnamed ? rowOf('distinct-event', direction) : owner,
      expected: `${RAISED} and status failed with ${REFUSAL_CODE}: ${had}`,
      actual: `${raised.length === 0 ? `no ${RAISED}` : RAISED}, status ${status ?? 'unknown'}, ${shownCode} in ${named(replay)}`,
      diagnosis,
    },
    evidence,
  );
}

/** The row about snapshots. Where that is not asked, one direction says it for both. */
function ownerOfSnapshot({ direction }: Met): string {
  return direction.original === 'valid' ? FOUNDATIONS.snapshots : 'refusal.valid-to-refusal';
}

/** Whether a replay fails with the code that it has to fail with, wherever it shows one. */
function failsRightly({ replay }: Met): boolean {
  const codes = errorCodesOf(replay);
  return statusOf(replay) === 'failed' && codes.length > 0 && codes.every(({ code }) => code === REFUSAL_CODE);
}

/** A replay that fails as it has to, and misses nothing but the name of its event, has the defect of the row about that. */
function isMisnamedIn(met: Met): boolean {
  const { raised, events } = met;
  return raised.length === 0 && events.some(({ type }) => type === GENERIC) && failsRightly(met);
}

const GENERIC = 'replay.diverged';

function causeOf({ raised, events, source, replay, situation }: Met, status: string | undefined): Diagnosis {
  if (raised.length > 0) return wrong(status === 'failed' ? 'other-error-code' : 'does-not-fail');
  if (events.some(({ type }) => type === GENERIC)) return wrong('generic-divergence');
  if (isDeepStrictEqual(endOf(source, situation.facts.nodeId), endOf(replay, situation.facts.nodeId))) {
    return wrong('source-envelope-kept');
  }
  return wrong(status === 'failed' ? 'plain-failure' : 'silent-substitution');
}

/** How a run ends, with what its model's node gave: two that are alike had the same envelope. */
function endOf(run: RecordedRun, nodeId: string): readonly unknown[] {
  return [statusOf(run), errorCodesOf(run).at(-1)?.code, outputOf(run, nodeId)];
}

const SHOWN_EVENTS = 10;

/** Phase 4 §B: exactly one replay.divergedAtRefusal, and no replay.diverged in its place or beside it for that node. */
export function judgeDistinct(met: Met): Outcome {
  const { events, raised, replay, evidence, situation, direction } = met;
  const isAboutCall = aboutCall(met);
  const generic = events.filter((event) => event.type === GENERIC && isAboutCall(event));
  if (raised.length === 1 && generic.length === 0) return pass(evidence);
  // That there is none at all is what the row about the replay says.
  if (raised.length === 0 && generic.length === 0) return noEvent(met);
  const places = [...raised, ...generic]
    .slice(0, SHOWN_EVENTS)
    .map(({ type, sequence }) => `${type} at sequence ${sequence}`);
  const code =
    generic.length > 0 ? (raised.length > 0 ? 'generic-beside' : 'generic-divergence') : ('raised-again' as const);
  // What a replay that went on reports behind the event, it reports for having gone on.
  const [only, ...again] = raised;
  const isBehind =
    only !== undefined && again.length === 0 && generic.every(({ sequence }) => sequence > only.sequence);
  // One that goes on and reports what came of that has not noticed at all.
  const isUnnoticed = raised.length === 0 && !isMisnamedIn(met);
  return fail(
    {
      restsOn: isBehind ? rowOf('no-silent-substitution', direction) : isUnnoticed ? contractOf(direction) : undefined,
      expected: `one ${RAISED} for node ${situation.facts.nodeId}, and no replay.diverged for it`,
      actual: `${places.join(', ')} in ${named(replay)}`,
      diagnosis: wrong(code),
    },
    evidence,
  );
}

/** Tells whether an event is about the call: by its node, or by a locator that leads to it in one of the two logs. */
function aboutCall({ situation, source, replay }: Met): (event: RunEvent) => boolean {
  const { nodeId } = situation.facts;
  const span = spanOf(source, nodeId);
  const [originals, replayed] = [idsWithin(source, span), idsWithin(replay, spanOf(replay, nodeId))];
  return (event) => {
    const node = nodeOf(event);
    if (node !== undefined) return node === nodeId;
    if (originals.has(textMember(event.payload, 'originalEventId'))) return true;
    if (replayed.has(textMember(event.payload, 'replayEventId'))) return true;
    const at = placeIn(event);
    return at !== undefined && isWithin(span, at);
  };
}

function idsWithin(run: RecordedRun, span: NodeSpan | undefined): ReadonlySet<string | undefined> {
  const within = eventsOf(run).filter(({ sequence }) => isWithin(span, sequence));
  return new Set(within.map(({ eventId }) => eventId));
}

/**
 * 0041 §B: the event stands before the end of the run, by its number and, where it was streamed, by its place. A stream
 * ends with the terminal event, so only the whole log shows what was written after it.
 */
export function judgePrecedes(met: Met): Outcome {
  const { situation, replay, evidence } = met;
  const whole = situation.run('changed-whole');
  const isWhole = whole !== undefined && whole.runId === replay.runId && whole.problem === null;
  const places = [replay, ...(isWhole ? [whole] : [])].flatMap((run) => {
    const events = eventsOf(run);
    const raised = events.findIndex(({ type }) => type === RAISED);
    const end = events.findIndex(endsRun);
    const [event, last] = [events[raised], events[end]];
    return event === undefined || last === undefined ? [] : [{ run, event, last, isAfter: raised > end }];
  });
  if (places.length === 0) return noEvent(met);
  const late = places.find(
    ({ run, event, last, isAfter }) => event.sequence > last.sequence || (run === replay && isAfter),
  );
  if (late === undefined) return pass(evidence);
  const { run, event, last } = late;
  const actual = `${RAISED} at sequence ${event.sequence}, ${last.type} at sequence ${last.sequence} in ${named(run)}`;
  return fail({ diagnosis: wrong('raised-late'), expected: `${RAISED} before ${last.type}`, actual }, [
    run,
    ...evidence,
  ]);
}

/**
 * replay.md, Privacy: the event does not hand on a secret of the provider's refusal text, in no spelling. Elsewhere in the
 * replay the rules of the original execution hold: what a run that was refused shows nowhere, the replay does not show. Where
 * that run shows it, too, or cannot be seen, it is an advisory.
 */
export function judgeRedacted(met: Met, secret: string): Outcome {
  const { raised, replay, evidence } = met;
  if (raised.length === 0) return noEvent(met);
  const redact = createRedactor([secret]);
  const holds = (value: unknown): boolean => {
    const text = JSON.stringify(value) ?? '';
    return redact(text) !== text;
  };
  const place = placeHolding(replay, holds);
  if (place === undefined) return pass(evidence);
  const actual = `the planted secret in ${place} of ${named(replay)}`;
  if (raised.some(({ payload }) => holds(payload))) {
    return fail(
      {
        diagnosis: wrong('refusal-secret-shown'),
        expected: `no secret of the provider's refusal text in ${RAISED}`,
        actual,
      },
      evidence,
    );
  }
  const original = refusedOriginally(met);
  if (original === undefined || placeHolding(original, holds) !== undefined) {
    return pass(evidence, `advisory: ${actual}`);
  }
  const expected = `no secret of the provider's refusal text: ${named(original)} was refused, too, and shows none`;
  return fail({ diagnosis: wrong('refusal-secret-shown'), expected, actual }, [...evidence, original]);
}

/** Where a run shows what is looked for, its divergence first; undefined where it does nowhere. */
function placeHolding(run: RecordedRun, holds: (value: unknown) => boolean): string | undefined {
  const holding = eventsOf(run).filter(({ payload }) => holds(payload));
  const event = holding.find(({ type }) => type === RAISED) ?? holding[0];
  if (event !== undefined) return `the payload of ${event.type} at sequence ${event.sequence}`;
  return holds(run.snapshot) ? 'the snapshot' : undefined;
}
