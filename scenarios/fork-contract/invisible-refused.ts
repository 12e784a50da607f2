import { undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { HostHandle } from '../../src/host/client.ts';
import { forkPath } from '../../src/protocol/paths.ts';
import { judgeInvisible, judgeRefusedAlike } from '../shared/judge-invisible.ts';
import type { Recordings } from '../shared/of-type.ts';
import { requestsOf, sendRequest, type RequestedObservation } from '../shared/requested.ts';
import { settle } from '../shared/settle.ts';
import { unknownLike } from '../shared/unknown-id.ts';

/** Bodies that are refused whatever run they are about: a host that looks at them, or into the log, first tells that there is one. */
const BODIES = [
  `{"mode":"replay","fromSeq":${Number.MAX_SAFE_INTEGER}}`,
  '{"mode":"replay","runOptionsOverlay":{"tags":["fork:other"]}}',
  '{"mode":"rewind"}',
] as const;

const [INVISIBLE, UNKNOWN] = ['invisible, refused', 'unknown, refused'] as const;

/** Requests of another tenant about a run and about two that there are not. */
export async function requestRefusedAlike(
  stranger: HostHandle,
  runId: string,
): Promise<readonly RequestedObservation[]> {
  const send = (row: string, name: string, body: string) => sendRequest(stranger, forkPath(name), { row, name, body });
  return Promise.all(
    BODIES.flatMap((body) => [
      send(INVISIBLE, runId, body),
      ...[1, 2].map((turn) => send(UNKNOWN, unknownLike(runId, turn), body)),
    ]),
  );
}

/** replay.md, Endpoint: 404 is for a run that there is not and for one that the caller cannot see. Rests on `row` where a plain fork tells them apart. */
export function judgeInvisibleRefused(recorded: Recordings, row: string, ...controls: readonly string[]): Outcome {
  const restsOn = judgeInvisible(recorded, ...controls).kind === 'fail' ? row : undefined;
  const outcomes = requestsOf(recorded, INVISIBLE).flatMap((invisible) => {
    const [unknown, other] = requestsOf(recorded, UNKNOWN).filter(({ request }) => request === invisible.request);
    return unknown === undefined || other === undefined
      ? []
      : [judgeRefusedAlike({ invisible, unknown, other }, restsOn)];
  });
  return outcomes.length === 0 ? undecided('the second tenant requested nothing', []) : settle(outcomes);
}
