import { randomUUID } from 'node:crypto';
import { fail, pass, rests, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { HostHandle } from '../../src/host/client.ts';
import { forkPath } from '../../src/protocol/paths.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { judgeDuplicate } from '../shared/duplicates.ts';
import { judgeInvisible } from '../shared/judge-invisible.ts';
import type { Recordings } from '../shared/of-type.ts';
import {
  accepted,
  namedRun,
  requestsOf,
  sendRequest,
  shownAnswer,
  statusOf,
  whyUndecided,
  type RequestedObservation,
} from '../shared/requested.ts';

/** The rows: the owner's fork, the same request of another tenant, and that of the owner once more. */
export const UNDER_ONE_KEY = {
  owner: 'fork under a key',
  invisible: "fork under another tenant's key",
  again: 'duplicate under a key',
} as const;

/** One request under one Idempotency-Key: by the run's owner, by another tenant, and by the owner again. */
export async function forkUnderOneKey(
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
