import { advertisedModes, member, readDiscovery, type Discovery } from '../../src/contract/discovery.ts';
import type { Gate } from '../../src/contract/gates.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { forkPath } from '../../src/protocol/paths.ts';
import { isClientError } from '../../src/protocol/status.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import type { ForkMode, Recorded } from '../../src/runner/scenario.ts';
import { accepted, sendRequest, requestsIn, shownAnswer, whyUndecided } from '../shared/requested.ts';
import { bounds } from '../shared/compare-runs.ts';
import { withoutTwin } from './without-twin.ts';
import { startPublic } from '../shared/first-run.ts';
import { startFork } from '../shared/run-observation.ts';
import type { ForkObservation } from './row.ts';

const id = 'fork.unadvertised-mode';
const title = "A mode that the host's replay block leaves out is refused, not executed";
const TWIN = 'fork in an advertised mode';
const MODES: readonly ForkMode[] = ['replay', 'branch'];

/** The mode of replay.md that a replay block names, and the one that it leaves out; undefined where it is not one each. */
function splitModes(discovery: Discovery): { readonly offered: ForkMode; readonly leftOut: ForkMode } | undefined {
  const modes = advertisedModes(discovery);
  if (modes === undefined || member(discovery.replay?.value, 'supported') !== true) return undefined;
  const [offered, second] = MODES.filter((mode) => modes.includes(mode));
  const leftOut = MODES.find((mode) => !modes.includes(mode));
  return offered === undefined || second !== undefined || leftOut === undefined ? undefined : { offered, leftOut };
}

/** A replay block that names one of the two modes. */
export const oneModeLeftOut: Gate = (discovery) => {
  const split = splitModes(discovery);
  if (split !== undefined) return { open: true, because: `the replay block leaves out ${split.leftOut}` };
  return { open: false, because: 'no replay block names one mode and leaves out the other' };
};

async function drive(probe: Probe): Promise<readonly ForkObservation[]> {
  const split = splitModes(readDiscovery(probe.discovery));
  const source = await startPublic(probe, 'source');
  const { runId } = source;
  if (split === undefined || runId === null || source.problem !== null) return [source];
  const fromSeq = bounds(source).first;
  const twin = await startFork(probe, source, { mode: split.offered, fromSeq }, { role: TWIN });
  const body = JSON.stringify({ mode: split.leftOut, fromSeq });
  return [source, twin, await sendRequest(probe.host, forkPath(runId), { row: 'left-out', name: split.leftOut, body })];
}

/** A refusal is a 4xx or 501; every other 5xx may hide a fork. */
export function judgeLeftOut(observations: readonly Recorded<Observation>[]): Judgement {
  const missing = withoutTwin(observations, { check: id, twin: TWIN });
  if (missing !== undefined) return missing;
  const [asked] = requestsIn(observations);
  if (asked === undefined) return { check: id, verdict: 'inconclusive', reason: 'nothing was asked', evidence: [] };
  const evidence = [asked.id];
  const reason = whyUndecided(asked);
  if (reason !== undefined) return { check: id, verdict: 'inconclusive', reason, evidence };
  const expected = `a refusal of the mode ${asked.name}, which the replay block leaves out`;
  if (accepted(asked)) return { check: id, verdict: 'fail', expected, actual: shownAnswer(asked), evidence };
  const status = asked.answer.kind === 'answer' ? asked.answer.status : 0;
  if (isClientError(status) || status === 501) return { check: id, verdict: 'pass', evidence };
  return { check: id, verdict: 'inconclusive', reason: `the host answered ${shownAnswer(asked)}`, evidence };
}

/** wire-contract, Documents: the replay block names the modes that a host offers. */
export const unadvertisedMode = defineJudgedScenario<ForkObservation>({
  id,
  suite: 'fork-contract',
  title,
  checks: [{ id, requirement: id, title }],
  gate: oneModeLeftOut,
  needs: [],
  exclusive: [],
  drive,
  judge: (observations) => [judgeLeftOut(observations)],
});
