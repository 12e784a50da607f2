import { randomUUID } from 'node:crypto';
import { fail, pass, rests, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { forkPath } from '../../src/protocol/paths.ts';
import { isClientError } from '../../src/protocol/status.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { leftWithoutControl } from '../shared/control.ts';
import { startPublic } from '../shared/first-run.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import type { Recordings } from '../shared/of-type.ts';
import { replays } from '../shared/replays.ts';
import {
  accepted,
  requestsOf,
  sendRequest,
  shownAnswer,
  statusOf,
  whyUndecided,
  type Requested,
  type RequestedObservation,
} from '../shared/requested.ts';
import { isObserved, replayBody, startFork, type ForkBody, type RunObservation } from '../shared/run-observation.ts';
import { allPass } from '../shared/settle.ts';
import { unknownLike } from '../shared/unknown-id.ts';
import { envelopeCheck, judgeRefusals, refusal, unlessLeft, type Refusing } from './judge-refusals.ts';
import { judgeUntouched } from './judge-untouched.ts';
import { readAfter, readBefore } from '../shared/past-the-end.ts';
import {
  MADE_UP,
  NONE_LATER,
  numbersOf,
  OVERLAY_LATER,
  REFUSED,
  REFUSED_AGAIN,
  REFUSED_OF_NONE,
} from './refusal-table.ts';
import { forkUnknown, judgeUnknown } from './unknown-run.ts';
import { wrong } from './diagnoses.ts';
import { sharedCause } from '../shared/diagnoses.ts';

const CONTROL = 'replay';
/** The rows of requests with an overlay that is as good as none, and without any. */
const [EMPTY, NONE] = ['empty-overlay', 'no-overlay'] as const;
/** The row of a replay of a replay, which is in order. */
const AGAIN = 'again';
/** The row of forks under one Idempotency-Key. */
const REUSED = 'reused-key';

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const source = await startPublic(probe, 'source');
  const numbers = numbersOf(source);
  const before = isObserved(source) ? await readBefore(probe, source) : [];
  const control = await startFork(probe, source, { mode: 'replay' }, { role: CONTROL });
  if (!isObserved(source)) return [source, control];
  const path = forkPath(source.runId);
  const valid = replayBody(control);
  const body = JSON.stringify(valid);
  const [unknown, empty, reused, again, ...requested] = await Promise.all([
    forkUnknown(probe, source.runId, body),
    forkWithEmptyOverlay(probe, path, valid),
    forkUnderUsedKey(probe, valid),
    forkAgain(probe, control),
    ...REFUSED.map(({ row, name, send }) => sendRequest(probe.host, path, { row, name, ...send(numbers) })),
    sendRequest(probe.host, path, { row: 'no-credential', name: 'no credential', body, anonymous: true }),
    sendRequest(probe.host, path, { row: 'no-credential', body, ...MADE_UP }),
    sendRequest(probe.host, path, {
      row: NONE_LATER,
      name: 'the same without an overlay',
      body: JSON.stringify({ mode: 'replay', fromSeq: numbers.middle }),
    }),
  ]);
  return [
    source,
    ...before,
    control,
    ...empty,
    ...reused,
    ...requested,
    ...again,
    ...unknown,
    ...(await forkNone(probe, source.runId, unknown)),
    ...(await readAfter(probe, source)),
  ];
}

/** Requests that are no fork of a run that there is not, where one that is in order was refused. */
async function forkNone(
  probe: Probe,
  real: string,
  [control]: readonly RequestedObservation[],
): Promise<readonly RequestedObservation[]> {
  if (control === undefined || !isClientError(statusOf(control))) return [];
  const path = forkPath(unknownLike(real, 1));
  const requests = REFUSED_OF_NONE.map(({ row, name, send }) => ({ row, name, ...send(numbersOf({ events: [] })) }));
  return Promise.all(requests.map((each) => sendRequest(probe.host, path, each)));
}

/** Requests that are no fork of a replay, where it can be replayed. */
async function forkAgain(probe: Probe, control: RunObservation): Promise<readonly RequestedObservation[]> {
  if (!isObserved(control)) return [];
  const path = forkPath(control.runId);
  const body = JSON.stringify(replayBody(control));
  const made = await sendRequest(probe.host, path, { row: AGAIN, name: 'a replay of a replay', body });
  if (!accepted(made)) return [];
  const numbers = numbersOf(control);
  const requests = REFUSED_AGAIN.map(({ row, name, send }) => ({ row, name, ...send(numbers) }));
  return [made, ...(await Promise.all(requests.map((each) => sendRequest(probe.host, path, each))))];
}

/** Forks with an overlay that is as good as none; where that is refused, the same is sent without it. */
async function forkWithEmptyOverlay(
  probe: Probe,
  path: string,
  valid: ForkBody,
): Promise<readonly RequestedObservation[]> {
  const send = (row: string, name: string, body: ForkBody): Promise<RequestedObservation> =>
    sendRequest(probe.host, path, { row, name, body: JSON.stringify(body) });
  const empty = await send(EMPTY, 'an empty overlay', { ...valid, runOptionsOverlay: {} });
  return accepted(empty) ? [empty] : [empty, await send(NONE, 'the same without an overlay', valid)];
}

/**
 * A fork under an Idempotency-Key, and another one under the same: whatever the host makes of the second, a refusal is one (replay.md,
 * Endpoint: 409).
 */
async function forkUnderUsedKey(probe: Probe, valid: object): Promise<readonly Observation[]> {
  // A run of its own: what is refused leaves the other one as it is, and what is made may not.
  const source = await startPublic(probe, 'source of a fork under an Idempotency-Key');
  if (!isObserved(source)) return [source];
  const path = forkPath(source.runId);
  const headers = { 'idempotency-key': randomUUID() };
  const send = (name: string, body: object): Promise<RequestedObservation> =>
    sendRequest(probe.host, path, { row: REUSED, name, body: JSON.stringify(body), headers });
  const made = await send('a fork under an Idempotency-Key', valid);
  if (!accepted(made)) return [source, made];
  const other = { mode: 'replay', fromSeq: numbersOf(source).middle };
  return [source, made, await send('another body under the Idempotency-Key of a fork', other)];
}

function judgeOverlay({ recorded, left }: Refusing): Outcome {
  const outcomes = [
    judgeRefusals(recorded, { row: 'overlay', expected: '400' }, left),
    ...judgeLaterOverlay(recorded, left),
  ];
  const [[empty], [none]] = [requestsOf(recorded, EMPTY), requestsOf(recorded, NONE)];
  if (left === undefined && empty !== undefined) outcomes.push(judgeEmptyOverlay(empty, none));
  return allPass(outcomes);
}

/** Not in old evidence. How a host refuses one from where it makes no replays says nothing of overlays. */
function judgeLaterOverlay(recorded: Recordings, left: Outcome | undefined): readonly Outcome[] {
  const [[later], [none]] = [requestsOf(recorded, OVERLAY_LATER), requestsOf(recorded, NONE_LATER)];
  if (later === undefined || none === undefined) return [];
  const refused = judgeRefusals(recorded, { row: OVERLAY_LATER, expected: '400' }, left);
  return [
    refused.kind === 'fail' && !accepted(later) && !accepted(none) ? rests(FOUNDATIONS.laterReplays, refused) : refused,
  ];
}

/** One that is refused as the same request without an overlay is was not refused for it. */
function judgeEmptyOverlay(empty: Requested, none: Requested | undefined): Outcome {
  if (accepted(empty)) return pass([empty]);
  const reason = whyUndecided(empty);
  if (reason !== undefined) return undecided(reason, [empty]);
  const expected = '201 for an empty runOptionsOverlay, which is as good as none';
  const isAlike = none !== undefined && statusOf(none) === statusOf(empty);
  if (!isAlike)
    return fail({ diagnosis: wrong('empty-overlay-refused'), expected, actual: shownAnswer(empty) }, [empty]);
  const actual = `${shownAnswer(empty)}, and so is the same without it, which had worked before`;
  return fail({ diagnosis: sharedCause('fork-refused'), expected, actual, restsOn: FOUNDATIONS.laterReplays }, [
    empty,
    none,
  ]);
}

/** Everything that is wrong with a request for a replay, on one run. */
export const refusals = defineScenario<Observation, Refusing>({
  id: 'fork.refusals',
  suite: 'fork-contract',
  title: 'Requests that are no fork of a run are refused, in the envelope, and leave the run as it is',
  needs: [replays],
  drive,
  see: (recorded) => ({ recorded, left: leftWithoutControl(recorded, CONTROL) }),
  checks: [
    {
      id: 'fork.replay-refuses-overlay',
      title: 'A replay with a run options overlay is refused with 400, with an empty one it is accepted',
      judge: judgeOverlay,
    },
    refusal('fork.rejects-bad-mode', 'A missing or unknown mode is refused with 400', {
      row: 'bad-mode',
      expected: '400',
    }),
    refusal('fork.rejects-bad-from-seq', 'A fromSeq that is no sequence number is refused with 400', {
      row: 'bad-from-seq',
      expected: '400',
    }),
    refusal(
      'fork.rejects-malformed-body',
      'A body that is not JSON, or not an object, is refused with a 4xx in the envelope',
      { row: 'malformed', expected: 'a 4xx with {error, message, details?}', envelope: true },
    ),
    refusal('fork.rejects-absent-sequence', 'A fromSeq past the end of the log is refused with 422 or 400', {
      row: 'absent-sequence',
      expected: '422, or 400',
    }),
    {
      id: 'fork.unknown-run',
      title: 'A fork of a run that there is not is answered with 404',
      judge: ({ recorded, left }) => judgeUnknown(recorded, left),
    },
    refusal(
      'fork.requires-credentials',
      'A fork without a credential is refused with 401, and one with a made-up credential is refused',
      { row: 'no-credential', expected: '401, or a 4xx for a made-up credential' },
    ),
    unlessLeft(envelopeCheck('', 'Every refusal')),
    unlessLeft({
      id: 'fork.source-untouched.refused',
      title: 'Refused forks leave the log and the snapshot of their source as they were',
      judge: judgeUntouched,
    }),
  ],
});
