import { fail, pass, rests, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { HostHandle } from '../../src/host/client.ts';
import { forkPath } from '../../src/protocol/paths.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { bodyDifference, judgeInvisible } from '../shared/judge-invisible.ts';
import type { Recordings } from '../shared/of-type.ts';
import {
  accepted,
  requestsOf,
  sendRequest,
  shownAnswer,
  statusOf,
  whyUndecided,
  type RequestedObservation,
} from '../shared/requested.ts';
import { settle } from '../shared/settle.ts';
import { unknownLike } from '../shared/unknown-id.ts';

/** Requests for replays that no run takes, by what is wrong with them (replay.md, Endpoint: 400 and 422). */
const REFUSED = {
  'of another mode': { mode: 'conformance' },
  'from far behind its end': { mode: 'replay', fromSeq: 1_000_000 },
  'with inputs': { mode: 'replay', runOptionsOverlay: { inputs: { conformance: true } } },
} as const;

/** The rows of one of them. */
export function rowsWith(what: string): { readonly invisible: string; readonly unknown: string } {
  return { invisible: `invisible, ${what}`, unknown: `unknown, ${what}` };
}

/** What is wrong with the requests. */
export const WHATS = Object.keys(REFUSED);

/** Each of them, of another tenant's run and of two that there are not. */
export async function refuseForeign(otherTenant: HostHandle, runId: string): Promise<readonly RequestedObservation[]> {
  const requests = Object.entries(REFUSED).flatMap(([what, body]) => {
    const { invisible, unknown } = rowsWith(what);
    const about = [runId, unknownLike(runId, 1), unknownLike(runId, 2)];
    return about.map((name) => ({ row: name === runId ? invisible : unknown, name, body: JSON.stringify(body) }));
  });
  return Promise.all(
    requests.map(({ row, name, body }) => sendRequest(otherTenant, forkPath(name), { row, name, body })),
  );
}

/**
 * Judges that what is wrong with a request does not tell another tenant's run from one that there is not: a host may look at
 * either first, but at the same for both (replay.md, Endpoint and Privacy). `controls` are the roles of its owner's fork.
 */
export function judgeRefusedForeign(recorded: Recordings, row: string, ...controls: readonly string[]): Outcome {
  const plain = judgeInvisible(recorded, ...controls);
  if (plain.kind !== 'pass' && plain.kind !== 'fail') return plain;
  const judged = settle(WHATS.map((what) => judgeOne(recorded, what)));
  return judged.kind === 'fail' && plain.kind === 'fail' ? rests(row, judged) : judged;
}

function judgeOne(recorded: Recordings, what: string): Outcome {
  const rows = rowsWith(what);
  const [invisible] = requestsOf(recorded, rows.invisible);
  const [unknown, other] = requestsOf(recorded, rows.unknown);
  if (invisible === undefined || unknown === undefined || other === undefined) {
    return undecided(`no fork ${what} was requested by the second tenant`, []);
  }
  const evidence = [invisible, unknown, other];
  const why = evidence.map(whyUndecided).find((each) => each !== undefined);
  if (why !== undefined) return undecided(why, evidence);
  if (statusOf(unknown) !== statusOf(other) || accepted(unknown)) {
    return undecided(
      `runs that there are not were answered ${shownAnswer(unknown)} and ${shownAnswer(other)}`,
      evidence,
    );
  }
  const difference = bodyDifference({ invisible, unknown, other });
  if (statusOf(invisible) === statusOf(unknown) && difference === undefined) return pass(evidence);
  const isOther = statusOf(invisible) !== statusOf(unknown) || difference === undefined;
  return fail(
    {
      expected: isOther
        ? `${shownAnswer(unknown)}, as for a fork ${what} of a run that there is not`
        : difference.expected,
      actual: isOther ? `${shownAnswer(invisible)} for the run ${invisible.name} of another tenant` : difference.actual,
      diagnosis: sharedCause('existence-revealed'),
    },
    evidence,
  );
}
