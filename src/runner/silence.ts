import type { CheckReport, Report } from '../contract/report.ts';
import type { Remedy } from '../contract/remedy.ts';
import type { EvidenceRecord, Observation } from '../evidence/types.ts';
import type { Exchange } from '../host/client.ts';
import { ENOUGH_FAILED } from '../host/reach.ts';
import { soundObservationsOf, type Evidence } from './evidence-index.ts';
import { PLAN } from './plan.ts';
import type { Recorded } from './scenario.ts';

/** The host answered, and then nothing any more, its well-known address included. */
export interface SilenceObservation extends Observation {
  readonly type: 'silence';
  /** Requests that it had answered before. */
  readonly answered: number;
  /** The scenarios, the planner among them, that asked in vain afterwards. */
  readonly scenarios: readonly string[];
}

/** Looks whether a host has stopped answering while it was driven; `ask` sends one more request where it seems so. */
export async function silenceIn(
  records: readonly EvidenceRecord[],
  baseUrl: string,
  ask: () => Promise<Exchange>,
): Promise<SilenceObservation | undefined> {
  const own = records
    .filter((record) => record.kind === 'exchange')
    .filter(({ request }) => request.url.startsWith(`${baseUrl}/`));
  const last = own.findLastIndex(({ answer }) => answer.kind === 'response');
  const vain = own.slice(last + 1).filter(({ answer }) => answer.kind === 'failure' && answer.reason !== 'aborted');
  if (last === -1 || vain.length < ENOUGH_FAILED) return undefined;
  const exchange = await ask();
  if (exchange.kind === 'response' || exchange.reason === 'aborted') return undefined;
  return {
    type: 'silence',
    answered: own.filter(({ answer }) => answer.kind === 'response').length,
    scenarios: [...new Set(vain.map(({ scenario }) => scenario))],
    exchanges: [exchange.id],
  };
}

/** What can be done about a host that is gone: what its answers lack is known once it gives some. */
export const ANSWER_ON: Remedy = {
  step: 'let the host answer to the end of the run; where checks kill it, let it come back by itself, or give --restart-command',
};

/** What is said where a host stopped answering: how many checks were not reached, and of each of them that this is why. */
export function afterSilence(
  evidence: Evidence,
  checks: readonly CheckReport[],
): { readonly checks: readonly CheckReport[] } & Pick<Report, 'hostStopped'> {
  const silence = soundObservationsOf(evidence, PLAN).find(
    (observation): observation is Recorded<SilenceObservation> => observation.type === 'silence',
  );
  if (silence === undefined) return { checks };
  const isMissed = ({ verdict, scenario }: CheckReport): boolean => {
    if (verdict !== 'inconclusive') return false;
    if (silence.scenarios.includes(scenario)) return true;
    const isPlanned = evidence.plans.get(scenario)?.status === 'applicable';
    return isPlanned ? evidence.driven.get(scenario)?.outcome !== 'completed' : silence.scenarios.includes(PLAN);
  };
  return {
    checks: checks.map((check) => (isMissed(check) ? unreached(check) : check)),
    hostStopped: { afterRequests: silence.answered, checksNotReached: checks.filter(isMissed).length },
  };
}

function unreached(check: CheckReport): CheckReport {
  const { reason } = check;
  const gone = 'the host stopped answering';
  return { ...check, reason: reason === undefined ? gone : `${gone}: ${reason}`, remedies: [ANSWER_ON] };
}
