import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { forkPath, runPath } from '../../src/protocol/paths.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import {
  accepted,
  sendRequest,
  requestsOf,
  shownAnswer,
  whyUndecided,
  type RequestedObservation,
} from '../shared/requested.ts';
import { bounds } from '../shared/compare-runs.ts';
import { withoutTwin } from './without-twin.ts';
import { startPublic } from '../shared/first-run.ts';
import { readAgain, startFork } from '../shared/run-observation.ts';
import { unknownLike } from '../shared/unknown-id.ts';
import { judgeEnvelopes } from './envelope.ts';
import { judgeRefusals } from './judge-refusals.ts';
import { judgeUntouched } from './judge-untouched.ts';
import { REFUSED, UNKNOWN_READ } from './refusal-table.ts';
import { forkScenario, REPLAY, type ForkObservation, type Row } from './row.ts';

const TWIN = 'replay';

async function drive(probe: Probe): Promise<readonly ForkObservation[]> {
  const source = await startPublic(probe, 'source');
  const { runId } = source;
  const numbers = bounds(source);
  const twin = await startFork(probe, source, { mode: 'replay' }, { role: TWIN });
  if (runId === null || source.problem !== null) return [source, twin];
  const path = forkPath(runId);
  const [unknown, ...asked] = await Promise.all([
    askUnknown(probe, unknownLike(runId, 1)),
    ...REFUSED.map(({ row, name, send }) => sendRequest(probe.host, path, { row, name, ...send(numbers) })),
    sendRequest(probe.host, path, { row: 'empty-overlay', name: 'an empty overlay', body: EMPTY_OVERLAY }),
    sendRequest(probe.host, path, { row: 'no-credential', name: 'no credential', body: VALID, anonymous: true }),
  ]);
  return [source, twin, ...asked, ...unknown, await readAgain(probe, source, { role: 'source again' })];
}

const VALID = JSON.stringify({ mode: 'replay' });
const EMPTY_OVERLAY = JSON.stringify({ mode: 'replay', runOptionsOverlay: {} });

/** Forks a run that there should not be; where that works, the run is read as well. */
async function askUnknown(probe: Probe, runId: string): Promise<readonly RequestedObservation[]> {
  const name = 'a run that there is not';
  const asked = await sendRequest(probe.host, forkPath(runId), { row: 'unknown-run', name, body: VALID });
  if (!accepted(asked)) return [asked];
  const path = runPath(runId);
  return [asked, await sendRequest(probe.host, path, { row: UNKNOWN_READ, name, method: 'GET' })];
}

type Recordings = readonly Recorded<Observation>[];

/** A row of requests that must be refused. */
function refusalRow(id: string, title: string, { row, expected }: { row: string; expected: string }): Row {
  return {
    id,
    title,
    judge: (check, observations) => judgeRefusals(observations, { check, row, expected, twin: TWIN }),
  };
}

function judgeOverlay(check: string, observations: Recordings): Judgement {
  const refused = judgeRefusals(observations, { check, row: 'overlay', expected: '400', twin: TWIN });
  const [empty] = requestsOf(observations, 'empty-overlay');
  if (refused.verdict !== 'pass' || empty === undefined) return refused;
  const evidence = [...refused.evidence, empty.id];
  if (accepted(empty)) return { ...refused, evidence };
  const reason = whyUndecided(empty);
  if (reason !== undefined) return { check, verdict: 'inconclusive', reason, evidence };
  return {
    check,
    verdict: 'fail',
    expected: '201 for an empty runOptionsOverlay, which is as good as none',
    actual: shownAnswer(empty),
    evidence: [empty.id],
  };
}

function judgeUnknown(check: string, observations: Recordings): Judgement {
  const [read] = requestsOf(observations, UNKNOWN_READ);
  const missing = withoutTwin(observations, { check, twin: TWIN });
  if (missing === undefined && read !== undefined && accepted(read)) {
    return { check, verdict: 'inconclusive', reason: 'the made-up id is the id of a run', evidence: [read.id] };
  }
  return judgeRefusals(observations, { check, row: 'unknown-run', expected: '404', twin: TWIN });
}

/** Everything that is wrong with a request for a replay, on one run. */
export const refusals = forkScenario({
  id: 'fork.refusals',
  title: 'Requests that are no fork of a run are refused, in the envelope, and leave the run as it is',
  needs: [REPLAY],
  rows: [
    {
      id: 'fork.replay-refuses-overlay',
      title: 'A replay with a run options overlay is refused with 400, with an empty one it is accepted',
      judge: judgeOverlay,
    },
    refusalRow('fork.rejects-bad-mode', 'A missing or unknown mode is refused with 400', {
      row: 'bad-mode',
      expected: '400',
    }),
    refusalRow('fork.rejects-bad-from-seq', 'A fromSeq that is no sequence number is refused with 400', {
      row: 'bad-from-seq',
      expected: '400',
    }),
    {
      id: 'fork.rejects-malformed-body',
      title: 'A body that is not JSON, or not an object, is refused with a 4xx in the envelope',
      judge: (check, observations) =>
        judgeRefusals(observations, {
          check,
          row: 'malformed',
          expected: 'a 4xx with {error, message, details?}',
          twin: TWIN,
          envelope: true,
        }),
    },
    refusalRow('fork.rejects-absent-sequence', 'A fromSeq past the end of the log is refused with 422 or 400', {
      row: 'absent-sequence',
      expected: '422, or 400',
    }),
    { id: 'fork.unknown-run', title: 'A fork of a run that there is not is answered with 404', judge: judgeUnknown },
    refusalRow('fork.requires-credentials', 'A fork without a credential is refused with 401', {
      row: 'no-credential',
      expected: '401',
    }),
    {
      id: 'fork.error-envelope',
      title: 'Every refusal carries {error, message, details?} and nothing else',
      judge: (check, observations) => judgeEnvelopes(observations, { check, twin: TWIN }),
    },
    {
      id: 'fork.source-untouched.refused',
      title: 'Refused forks leave the log and the snapshot of their source as they were',
      judge: (check, observations) =>
        judgeUntouched(observations, { check, before: 'source', after: 'source again', twin: TWIN }),
    },
  ],
  drive,
});
