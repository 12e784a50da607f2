import { fail, isOutcome, notApplicable, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { isNoRoute, saysNothing } from '../../src/protocol/status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { need } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { allPass } from '../shared/settle.ts';
import { wrong } from './diagnoses.ts';
import type { StreamModeObservation } from './observation.ts';

type Read = Recorded<StreamModeObservation>;

/** Judges modes that there are not, beside the log as it is shown where no mode is named (wire-contract, SSE). */
export function judgeModes(recorded: Recordings): Outcome {
  const runs = need(recorded, 'run');
  if (isOutcome(runs)) return runs;
  const read = ofType<StreamModeObservation>(recorded, 'stream-mode');
  const plain = read.find(({ mode }) => mode === null);
  if (typeof plain?.status === 'number' && isNoRoute(plain.status)) {
    return notApplicable(`the host has no stream: GET /v1/runs/{runId}/events answers ${plain.status}`, [plain]);
  }
  if (plain?.status !== 200 || plain.types.length === 0) {
    const how = plain === undefined ? 'was not read' : `was answered with ${String(plain.status)}`;
    return undecided(`GET /v1/runs/{runId}/events without a streamMode ${how}`, [runs.run, ...read]);
  }
  if (plain.cut === true) return undecided('the events without a streamMode were not shown to their end', [plain]);
  return allPass(read.filter((each) => each !== plain).map((each) => judgeMode(each, plain)));
}

/** 400, or 422 for what is well-formed and means nothing. */
const REFUSED: ReadonlySet<number> = new Set([400, 422]);

function judgeMode(read: Read, plain: Read): Outcome {
  const { mode, status, types } = read;
  const requested = `streamMode=${String(mode)}`;
  if (status === null) return undecided(`${requested} got no answer`, [read]);
  if (read.cut === true) return undecided(`${requested} was not shown to its end`, [read]);
  if (saysNothing(status, 'refusal')) return undecided(`${requested} was answered with ${status}`, [read]);
  const evidence = [read, plain];
  if (REFUSED.has(status) || (status === 200 && holds(types, plain.types))) return pass(evidence);
  const expected = `400 for ${requested}, or the ${plain.types.length} events that are shown without it`;
  if (status !== 200) return fail({ expected, actual: `${status}` }, evidence);
  const actual = `200 with ${types.length} events: ${types.slice(0, 8).join(', ') || 'none'}`;
  return fail({ expected, actual, diagnosis: wrong('mode-half-obeyed') }, evidence);
}

/** Whether a list holds the items of another one, in their order. */
function holds(types: readonly string[], wanted: readonly string[]): boolean {
  let at = 0;
  for (const type of types) if (type === wanted[at]) at += 1;
  return at === wanted.length;
}
