import { advertisedModes, member, readPart, type Discovery } from '../../src/contract/discovery.ts';
import type { Gate } from '../../src/contract/gates.ts';
import { fail, pass, undecided, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { forkPath } from '../../src/protocol/paths.ts';
import { isClientError } from '../../src/protocol/status.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { ForkMode } from '../../src/runner/scenario.ts';
import { bounds } from '../shared/compare-runs.ts';
import { leftWithoutControl } from '../shared/control.ts';
import { startPublic } from '../shared/first-run.ts';
import type { Recordings } from '../shared/of-type.ts';
import { accepted, requestsIn, sendRequest, shownAnswer, statusOf, whyUndecided } from '../shared/requested.ts';
import { forkRequest, isObserved, startFork } from '../shared/run-observation.ts';
import { sharedCause } from '../shared/diagnoses.ts';

const title = "A mode that the host's replay block leaves out is refused, not executed";
const CONTROL = 'fork in an advertised mode';
const MODES: readonly ForkMode[] = ['replay', 'branch'];

/** The mode of replay.md that a replay block names, and the one that it leaves out; undefined where it is not one each. */
function splitModes(
  replay: Discovery['replay'],
): { readonly offered: ForkMode; readonly leftOut: ForkMode } | undefined {
  const modes = advertisedModes(replay);
  if (modes === undefined || member(replay?.value, 'supported') !== true) return undefined;
  const [offered, second] = MODES.filter((mode) => modes.includes(mode));
  const leftOut = MODES.find((mode) => !modes.includes(mode));
  return offered === undefined || second !== undefined || leftOut === undefined ? undefined : { offered, leftOut };
}

/** A replay block that names one of the two modes. */
export const oneModeLeftOut: Gate = ({ replay }) => {
  const split = splitModes(replay);
  if (split !== undefined) return { open: true, because: `the replay block leaves out ${split.leftOut}` };
  return { open: false, because: 'no replay block names one mode and leaves out the other' };
};

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const split = splitModes(readPart(probe.discovery, 'replay'));
  const source = await startPublic(probe, 'source');
  if (split === undefined || !isObserved(source)) return [source];
  const fromSeq = bounds(source).first;
  const valid = split.offered === 'replay' ? { mode: split.offered } : { mode: split.offered, fromSeq };
  const control = await startFork(probe, source, valid, { role: CONTROL });
  const body = forkRequest({ mode: split.leftOut, fromSeq });
  const sent = { row: 'left-out', name: split.leftOut, body };
  return [source, control, await sendRequest(probe.host, forkPath(source.runId), sent)];
}

/** A refusal is a 4xx or 501; every other 5xx may hide a fork. */
function judgeLeftOut(recorded: Recordings): Outcome {
  const left = leftWithoutControl(recorded, CONTROL);
  if (left !== undefined) return left;
  const [requested] = requestsIn(recorded);
  if (requested === undefined) return undecided('nothing was requested', []);
  const reason = whyUndecided(requested);
  if (reason !== undefined) return undecided(reason, [requested]);
  const expected = `a refusal of the mode ${requested.name}, which the replay block leaves out`;
  if (accepted(requested))
    return fail({ diagnosis: sharedCause('carried-out'), expected, actual: shownAnswer(requested) }, [requested]);
  const status = statusOf(requested);
  if (isClientError(status) || status === 501) return pass([requested]);
  return undecidedUntil('refuse it with a 4xx', `the host answered ${shownAnswer(requested)}`, [requested]);
}

/** wire-contract, Documents: the replay block names the modes that a host offers. */
export const unadvertisedMode = defineScenario({
  id: 'fork.unadvertised-mode',
  suite: 'fork-contract',
  title,
  gate: oneModeLeftOut,
  drive,
  checks: [{ id: 'fork.unadvertised-mode', title, judge: judgeLeftOut }],
});
