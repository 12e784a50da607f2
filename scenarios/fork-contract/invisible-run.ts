import { randomUUID } from 'node:crypto';
import { fail, type Outcome, pass, rests, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { HostHandle } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import { forkPath } from '../../src/protocol/paths.ts';
import { defineScenario, type JudgedCheck, type Judging } from '../../src/runner/define-scenario.ts';
import type { ForkMode, Scenario } from '../../src/runner/scenario.ts';
import { askBetweenUnknown } from '../shared/between-unknown.ts';
import { bounds } from '../shared/compare-runs.ts';
import { forkAsOwner, FORKS, leftWithoutControl } from '../shared/control.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { judgeDuplicate } from '../shared/duplicates.ts';
import { judgeInvisible, judgeRefusedAlike } from '../shared/judge-invisible.ts';
import type { Recordings } from '../shared/of-type.ts';
import {
  accepted,
  namedRun,
  type RequestedObservation,
  requestsOf,
  sendRequest,
  shownAnswer,
  statusOf,
  whyUndecided,
} from '../shared/requested.ts';
import { forkRequest, isObserved } from '../shared/run-observation.ts';
import { startOwn, whereServed } from '../shared/second-tenant.ts';
import { settle } from '../shared/settle.ts';
import { envelopeCheck } from './judge-refusals.ts';

/** A branch that names no start: one of another tenant's run that names one is judged by a row of its own. */
const NO_START = '{"mode":"branch"}';

/** Bodies that are refused whatever run they are about: a host that looks at them, or into the log, first tells that there is one. */
const BODIES = [
  `{"mode":"replay","fromSeq":${Number.MAX_SAFE_INTEGER}}`,
  '{"mode":"replay","runOptionsOverlay":{"tags":["fork:other"]}}',
  '{"mode":"rewind"}',
  NO_START,
  '{"mode":"replay","fromSeq":-1}',
] as const;

const ROW = 'fork.invisible-run';
const BRANCH_ROW = `${ROW}.branch`;
const REFUSED = { invisible: 'invisible, refused', unknown: 'unknown, refused' } as const;

/** Requests of another tenant about a run and about two that there are not. */
async function requestRefusedAlike(stranger: HostHandle, runId: string): Promise<readonly RequestedObservation[]> {
  const requested = BODIES.map((body) =>
    askBetweenUnknown(runId, (row, name) =>
      sendRequest(stranger, forkPath(name), { row: REFUSED[row], name, body, notesHeaders: true }),
    ),
  );
  return (await Promise.all(requested)).flat();
}

/** replay.md, Endpoint: 404 is for a run that there is not and for one that the caller cannot see. Rests on `row` where a plain fork tells them apart, and on that about branches for one of those. */
function judgeInvisibleRefused(recorded: Recordings, row: string, ...controls: readonly string[]): Outcome {
  const plain = judgeInvisible(recorded, ...controls).kind === 'fail' ? row : undefined;
  const outcomes = requestsOf(recorded, REFUSED.invisible).flatMap((invisible) => {
    const [unknown, other] = requestsOf(recorded, REFUSED.unknown).filter(
      ({ request }) => request === invisible.request,
    );
    const restsOn = plain ?? (invisible.request === NO_START ? BRANCH_ROW : undefined);
    return unknown === undefined || other === undefined
      ? []
      : [judgeRefusedAlike({ invisible, unknown, other }, restsOn)];
  });
  return outcomes.length === 0 ? undecided('the second tenant requested nothing', []) : settle(outcomes);
}

/** The rows: the owner's fork, the same request of another tenant, and that of the owner once more. */
export const UNDER_ONE_KEY = {
  owner: 'fork under a key',
  invisible: "fork under another tenant's key",
  again: 'duplicate under a key',
} as const;

/** One request under one Idempotency-Key: by the run's owner, by another tenant, and by the owner again. */
async function forkUnderOneKey(
  owner: HostHandle,
  otherTenant: HostHandle,
  { runId, body }: { readonly runId: string; readonly body: string },
): Promise<readonly RequestedObservation[]> {
  const headers = { 'idempotency-key': randomUUID() };
  const send = (handle: HostHandle, row: string) =>
    sendRequest(handle, forkPath(runId), { row, name: row, body, headers });
  const first = await send(owner, UNDER_ONE_KEY.owner);
  if (!accepted(first)) return [first];
  const invisible = await send(otherTenant, UNDER_ONE_KEY.invisible);
  return [first, invisible, await send(owner, UNDER_ONE_KEY.again)];
}

/**
 * Judges that a key is one of its tenant (wire-contract, Endpoints): it opens no run to another one (replay.md, Endpoint).
 * `controls` are the roles of the fork that its owner made without a key.
 */
export function judgeForeignKey(recorded: Recordings, row: string, ...controls: readonly string[]): Outcome {
  const [first, invisible, again] = Object.values(UNDER_ONE_KEY).map((each) => requestsOf(recorded, each)[0]);
  const runId = first === undefined ? undefined : namedRun(first);
  if (first === undefined) return undecided('no fork was requested under a key', []);
  if (runId === undefined || invisible === undefined || again === undefined) {
    return undecided(`a fork under a key got ${shownAnswer(first)}`, [first]);
  }
  const evidence = [invisible, first, again];
  const without = judgeInvisible(recorded, ...controls);
  const other = namedRun(invisible);
  if (accepted(invisible) && other !== undefined) {
    const whose = other === runId ? "its owner's fork" : 'a fork';
    return fail(
      {
        expected: "404, as without the Idempotency-Key of the owner's fork",
        actual: `${whose}: ${shownAnswer(invisible)}`,
        diagnosis: sharedCause('tenants-mixed'),
        ...(without.kind === 'fail' && { restsOn: row }),
      },
      evidence,
    );
  }
  const why = whyUndecided(invisible);
  if (why !== undefined) return undecided(why, evidence);
  if (accepted(invisible)) return undecided(`another tenant got ${shownAnswer(invisible)}`, evidence);
  // Who is refused whatever it requests shows nothing.
  if (without.kind !== 'pass' && without.kind !== 'fail') return without;
  if (judgeDuplicate(again, runId).kind !== 'pass') {
    const reason = `its owner's duplicate got ${shownAnswer(again)}, so nothing shows that keys are heeded`;
    return rests('fork.idempotency-key', undecided(reason, evidence));
  }
  if (statusOf(invisible) === 404) return pass(evidence);
  return pass(evidence, `refused, but not like a run that there is not: ${shownAnswer(invisible)} instead of 404`);
}

const CONTROL = 'fork of its owner';
/** What the control was called before forks of both modes were driven. */
const FORMER_CONTROL = 'replay of its owner';

async function drive(probe: Probe, mode: ForkMode): Promise<readonly Observation[]> {
  const { source, control, body } = await forkAsOwner(probe, mode, CONTROL);
  const { otherTenant } = probe;
  if (!isObserved(source) || otherTenant === undefined) return [source, control];
  const { runId } = source;
  const requested = await askBetweenUnknown(runId, (row, name) =>
    sendRequest(otherTenant, forkPath(name), { row, name, body, notesHeaders: true }),
  );
  const answers = [...requested, ...(await forkOwn(probe, otherTenant, { mode, body }))];
  // Whether a key is one of its tenant is nothing of the mode, and neither is what is looked at first.
  if (mode === 'branch') return [source, control, ...answers];
  const underKey = await forkUnderOneKey(probe.host, otherTenant, { runId, body });
  return [source, control, ...answers, ...underKey, ...(await requestRefusedAlike(otherTenant, runId))];
}

/** The second tenant's fork of a run of its own. */
export const OWN_FORK = "second tenant's fork";

async function forkOwn(
  probe: Probe,
  otherTenant: HostHandle,
  { mode, body: ofOwner }: { readonly mode: ForkMode; readonly body: string },
): Promise<readonly Observation[]> {
  const own = await startOwn(probe, otherTenant);
  if (!isObserved(own)) return [own];
  const { runId } = own;
  // A replay as it works for the owner: another row tells of the start that it has by default.
  const body = mode === 'replay' ? ofOwner : forkRequest({ mode, fromSeq: bounds(own).middle });
  return [own, await sendRequest(otherTenant, forkPath(runId), { row: OWN_FORK, name: runId, body })];
}

/** What is left where the second tenant may not fork its own run either. */
function leftUnforked(recorded: Recordings): Outcome | undefined {
  // Absent in old evidence.
  const refused = requestsOf(recorded, OWN_FORK).find((answer) => !accepted(answer));
  if (refused === undefined) return undefined;
  const reason = `a fork of its own run, too, was answered ${shownAnswer(refused)} to the second tenant`;
  return undecidedUntil('let the second tenant fork its own runs (--tenant-b-key-env)', reason, [refused]);
}

function whereServedIn(check: JudgedCheck<Recordings>): JudgedCheck<Recordings> {
  const judge = whereServed((recorded, judging: Judging) => check.judge(recorded, judging));
  return {
    ...check,
    judge: (recorded, judging) => {
      const outcome = judge(recorded, judging);
      return outcome.kind === 'pass' ? (leftUnforked(recorded) ?? outcome) : outcome;
    },
  };
}

/** The scenario of one mode, with further checks. */
function invisibleScenario(id: string, mode: ForkMode, more: readonly JudgedCheck<Recordings>[] = []): Scenario {
  const own: JudgedCheck<Recordings> = {
    id,
    title: `A ${mode} of another tenant's run is answered with 404, like one of a run that there is not`,
    judge: (recorded) => judgeInvisible(recorded, CONTROL, FORMER_CONTROL),
  };
  return defineScenario({
    id,
    suite: 'fork-contract',
    title: `Another tenant's run cannot be told from one that there is not, by a ${mode}`,
    needs: [FORKS[mode], { kind: 'second-tenant' }],
    drive: (probe) => drive(probe, mode),
    see: (recorded) => leftWithoutControl(recorded, CONTROL, FORMER_CONTROL) ?? recorded,
    checks: [own, ...more].map(whereServedIn),
  });
}

/** replay.md, Endpoint (404: doesn't exist or caller can't see it) and Privacy. */
export const invisibleRun = invisibleScenario(ROW, 'replay', [
  {
    id: `${ROW}.key`,
    title: "A replay of another tenant's run is not handed out under the Idempotency-Key of its owner's",
    judge: (recorded) => judgeForeignKey(recorded, ROW, CONTROL, FORMER_CONTROL),
  },
  {
    id: `${ROW}.refused`,
    title: "What is refused in any case is refused alike for another tenant's run and for one that there is not",
    judge: (recorded) => judgeInvisibleRefused(recorded, ROW, CONTROL, FORMER_CONTROL),
  },
  envelopeCheck('.invisible', "The refusal of another tenant's fork"),
]);

/** The same for the mode branch. */
export const invisibleBranch = invisibleScenario(BRANCH_ROW, 'branch');
