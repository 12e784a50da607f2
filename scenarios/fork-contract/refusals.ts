import { fail, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { forkPath } from '../../src/protocol/paths.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { bounds } from '../shared/compare-runs.ts';
import { leftWithoutControl } from '../shared/control.ts';
import { startPublic } from '../shared/first-run.ts';
import type { Recordings } from '../shared/of-type.ts';
import { replays } from '../shared/replays.ts';
import { accepted, requestsOf, sendRequest, shownAnswer, whyUndecided, type Requested } from '../shared/requested.ts';
import { isSeen, readAgain, replayBody, startFork } from '../shared/run-observation.ts';
import { evidenceOf, openOf } from '../shared/settle.ts';
import { envelopeCheck, judgeRefusals } from './judge-refusals.ts';
import { judgeUntouched, SOURCE_AGAIN } from './judge-untouched.ts';
import { REFUSED } from './refusal-table.ts';
import { forkUnknown, judgeUnknown } from './unknown-run.ts';

const CONTROL = 'replay';

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const source = await startPublic(probe, 'source');
  const numbers = bounds(source);
  const control = await startFork(probe, source, { mode: 'replay' }, { role: CONTROL });
  if (!isSeen(source)) return [source, control];
  const path = forkPath(source.runId);
  const valid = replayBody(control);
  const body = JSON.stringify(valid);
  const emptyOverlay = JSON.stringify({ ...valid, runOptionsOverlay: {} });
  const [unknown, ...requested] = await Promise.all([
    forkUnknown(probe, source.runId, body),
    ...REFUSED.map(({ row, name, send }) => sendRequest(probe.host, path, { row, name, ...send(numbers) })),
    sendRequest(probe.host, path, { row: 'empty-overlay', name: 'an empty overlay', body: emptyOverlay }),
    sendRequest(probe.host, path, { row: 'no-credential', name: 'no credential', body, anonymous: true }),
  ]);
  return [source, control, ...requested, ...unknown, await readAgain(probe, source, { role: SOURCE_AGAIN })];
}

function judgeOverlay(recorded: Recordings): Outcome {
  const refused = judgeRefusals(recorded, { row: 'overlay', expected: '400' });
  const [empty] = requestsOf(recorded, 'empty-overlay');
  if (empty === undefined) return refused;
  return openOf([refused, judgeEmptyOverlay(empty)]) ?? pass([...evidenceOf(refused), empty]);
}

function judgeEmptyOverlay(empty: Requested): Outcome {
  if (accepted(empty)) return pass([empty]);
  const reason = whyUndecided(empty);
  if (reason !== undefined) return undecided(reason, [empty]);
  const expected = '201 for an empty runOptionsOverlay, which is as good as none';
  return fail({ expected, actual: shownAnswer(empty) }, [empty]);
}

/** Everything that is wrong with a request for a replay, on one run. */
export const refusals = defineScenario({
  id: 'fork.refusals',
  suite: 'fork-contract',
  title: 'Requests that are no fork of a run are refused, in the envelope, and leave the run as it is',
  needs: [replays],
  drive,
  see: (recorded) => leftWithoutControl(recorded, CONTROL) ?? recorded,
  checks: [
    {
      id: 'fork.replay-refuses-overlay',
      title: 'A replay with a run options overlay is refused with 400, with an empty one it is accepted',
      judge: judgeOverlay,
    },
    {
      id: 'fork.rejects-bad-mode',
      title: 'A missing or unknown mode is refused with 400',
      judge: (recorded) => judgeRefusals(recorded, { row: 'bad-mode', expected: '400' }),
    },
    {
      id: 'fork.rejects-bad-from-seq',
      title: 'A fromSeq that is no sequence number is refused with 400',
      judge: (recorded) => judgeRefusals(recorded, { row: 'bad-from-seq', expected: '400' }),
    },
    {
      id: 'fork.rejects-malformed-body',
      title: 'A body that is not JSON, or not an object, is refused with a 4xx in the envelope',
      judge: (recorded) =>
        judgeRefusals(recorded, {
          row: 'malformed',
          expected: 'a 4xx with {error, message, details?}',
          envelope: true,
        }),
    },
    {
      id: 'fork.rejects-absent-sequence',
      title: 'A fromSeq past the end of the log is refused with 422 or 400',
      judge: (recorded) => judgeRefusals(recorded, { row: 'absent-sequence', expected: '422, or 400' }),
    },
    { id: 'fork.unknown-run', title: 'A fork of a run that there is not is answered with 404', judge: judgeUnknown },
    {
      id: 'fork.requires-credentials',
      title: 'A fork without a credential is refused with 401',
      judge: (recorded) => judgeRefusals(recorded, { row: 'no-credential', expected: '401' }),
    },
    envelopeCheck('', 'Every refusal'),
    {
      id: 'fork.source-untouched.refused',
      title: 'Refused forks leave the log and the snapshot of their source as they were',
      judge: judgeUntouched,
    },
  ],
});
