import type { Diagnosis } from '../../src/contract/verdict.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { codeInEvent } from '../shared/error-code.ts';
import { isAgainstItsLog, SNAPSHOTS } from '../shared/snapshot-fault.ts';
import type { SeenRun } from './observation.ts';
import { errorCodesOf, RAISED, REFUSAL_CODE, statusOf, type Met } from './met.ts';
import type { Outcome } from './outcome.ts';
import { wrong } from './diagnoses.ts';

/** 0041 §B: the event is emitted, and the replay fails with its own code. */
export function judgeRaised(met: Met): Outcome {
  const { source, replay, raised, evidence } = met;
  const status = statusOf(replay);
  const codes = errorCodesOf(replay);
  const other = codes.find(({ code }) => code !== REFUSAL_CODE);
  if (raised.length > 0 && status === 'failed' && other === undefined && codes.length > 0) {
    return { kind: 'pass', evidence };
  }
  const { original, replay: now } = met.direction;
  const shownCode = other === undefined ? (codes[0]?.code ?? 'no error code') : `${other.code} (${other.at})`;
  return {
    kind: 'fail',
    expected: `${RAISED} and status failed with ${REFUSAL_CODE}: ${named(source)} had a ${original} envelope, the replay gets a ${now} one`,
    actual: `${raised.length === 0 ? `no ${RAISED}` : RAISED}, status ${status ?? 'unknown'}, ${shownCode} in ${named(replay)}`,
    diagnosis: diagnosisOf(met, status),
    ...(raised.length > 0 && status === 'failed' && onlyInSnapshot(replay) ? { restsOn: SNAPSHOTS } : {}),
    evidence,
  };
}

/** The log fails with the right code; what the snapshot says beside it is another row's matter. */
function onlyInSnapshot(replay: SeenRun): boolean {
  const failed = eventsOf(replay).find(({ type }) => type === 'run.failed');
  return codeInEvent(failed) === REFUSAL_CODE && isAgainstItsLog(replay);
}

function diagnosisOf({ raised, events, source }: Met, status: string | undefined): Diagnosis {
  if (raised.length > 0) return wrong(status === 'failed' ? 'other-error-code' : 'does-not-fail');
  if (events.some(({ type }) => type === 'replay.diverged')) return wrong('generic-divergence');
  if (status === statusOf(source)) return wrong('source-envelope-kept');
  return wrong(status === 'failed' ? 'plain-failure' : 'silent-substitution');
}
