import { named } from '../shared/compare-runs.ts';
import { errorCodesOf, RAISED, REFUSAL_CODE, statusOf, type Met } from './met.ts';
import type { Outcome } from './outcome.ts';

/** 0041 §B: the event is emitted, and the replay fails with its own code. */
export function judgeRaised(met: Met): Outcome {
  const { source, replay, raised, evidence } = met;
  const status = statusOf(replay);
  const codes = errorCodesOf(replay);
  const wrong = codes.find(({ code }) => code !== REFUSAL_CODE);
  if (raised.length > 0 && status === 'failed' && wrong === undefined && codes.length > 0) {
    return { kind: 'pass', evidence };
  }
  const { original, replay: now } = met.direction;
  const shownCode = wrong === undefined ? (codes[0]?.code ?? 'no error code') : `${wrong.code} (${wrong.at})`;
  return {
    kind: 'fail',
    expected: `${RAISED} and status failed with ${REFUSAL_CODE}: ${named(source)} had a ${original} envelope, the replay gets a ${now} one`,
    actual: `${raised.length === 0 ? `no ${RAISED}` : RAISED}, status ${status ?? 'unknown'}, ${shownCode} in ${named(replay)}`,
    diagnosis: diagnosisOf(met, status),
    evidence,
  };
}

function diagnosisOf({ raised, events, source }: Met, status: string | undefined): { code: string; message: string } {
  if (raised.length > 0) {
    return status === 'failed'
      ? { code: 'other-error-code', message: 'the replay fails with another code' }
      : { code: 'does-not-fail', message: 'the replay goes on after the divergence' };
  }
  if (events.some(({ type }) => type === 'replay.diverged')) {
    return { code: 'generic-divergence', message: 'the refusal is reported as a generic replay.diverged' };
  }
  if (status === statusOf(source)) {
    return {
      code: 'source-envelope-kept',
      message: "the source's envelope is kept: the changed model was not asked, or its answer is hidden",
    };
  }
  return status === 'failed'
    ? { code: 'plain-failure', message: 'the replay fails without saying that it diverged' }
    : { code: 'silent-substitution', message: 'one envelope silently takes the place of the other' };
}
