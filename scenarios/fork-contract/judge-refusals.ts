import { member } from '../../src/contract/discovery.ts';
import type { Diagnosis, Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { isClientError } from '../../src/protocol/status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import {
  accepted,
  requestsOf,
  namedRun,
  shownAnswer,
  whyUndecided,
  type RequestedObservation,
} from '../shared/requested.ts';
import { shown } from '../shared/compare-runs.ts';
import { withoutTwin } from './without-twin.ts';
import { envelopeProblem } from '../shared/envelope.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { REFUSED, REFUSED_BRANCHES, REFUSED_CALLERS, type Refused } from './refusal-table.ts';

type Requested = Recorded<RequestedObservation>;
type Recordings = readonly Recorded<Observation>[];

interface RefusalRow {
  readonly check: string;
  readonly row: string;
  readonly expected: string;
  /** The role of the valid fork of the same source that must have been carried out. */
  readonly twin: string;
  /** Whether a refusal must come in the envelope for this row, too. */
  readonly envelope?: boolean;
}

/**
 * Judges a row of requests that must be refused. Passes only when the host carried out a valid fork of the same source: a
 * host that refuses everything proves nothing.
 */
export function judgeRefusals(observations: Recordings, row: RefusalRow): Judgement {
  const { check, expected } = row;
  const missing = withoutTwin(observations, row);
  if (missing !== undefined) return missing;
  const asked = requestsOf(observations, row.row);
  const evidence = asked.map(({ id }) => id);
  const wrong = asked.filter((each) => whyUndecided(each) === undefined && isWrong(each, row));
  const [first, ...others] = wrong;
  if (first !== undefined) {
    const diagnosis = diagnose(first);
    return {
      check,
      verdict: 'fail',
      expected,
      actual: [`${first.name}: ${shownAnswer(first)}`, ...others.map(briefly)].join('; '),
      ...(diagnosis === undefined ? {} : { diagnosis }),
      ...restingOn(wrong, row),
      evidence: wrong.map(({ id }) => id),
    };
  }
  const why = asked.length === 0 ? 'nothing was asked' : asked.map(whyUndecided).find((each) => each !== undefined);
  if (why !== undefined) return { check, verdict: 'inconclusive', reason: why, evidence };
  const open = asked.filter((each) => allowedOf(each) === 'either');
  const advice = open.map(briefly);
  return { check, verdict: 'pass', ...(advice.length === 0 ? {} : { reason: advice.join('; ') }), evidence };
}

/**
 * What other rows say: the host does not do such forks at all, which the row about forks that work says; or all that is wrong
 * is the body, which the row about the envelope says.
 */
function restingOn(wrong: readonly Requested[], row: RefusalRow): Pick<Judgement, 'restsOn'> {
  const [first] = wrong;
  if (first !== undefined && wrong.every(isUnimplemented)) return { restsOn: ownerOf(first) };
  return wrong.some((each) => isWrong(each, { ...row, envelope: false })) ? {} : { restsOn: FOUNDATIONS.envelopes };
}

function isUnimplemented({ answer }: Requested): boolean {
  return answer.kind === 'answer' && answer.status === 501;
}

function ownerOf({ request }: Requested): string {
  const body: unknown = parsed(request);
  if (member(body, 'mode') === 'branch') return 'fork.created.branch';
  return member(body, 'fromSeq') === undefined ? 'fork.created' : 'fork.created.every-sequence';
}

/** The body of a request of ours, which may be malformed on purpose. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function briefly({ name, answer }: Requested): string {
  return `${name}: ${answer.kind === 'answer' ? answer.status : answer.reason}`;
}

function isWrong(asked: Requested, { envelope = false }: RefusalRow): boolean {
  const { answer } = asked;
  if (answer.kind === 'failure') return false;
  const { status } = answer;
  const allowed = allowedOf(asked);
  if (allowed === 'either' && status < 500) return false;
  const isAllowed = allowed === '4xx' || allowed === 'either' ? isClientError(status) : allowed.includes(status);
  return !isAllowed || namedRun(asked) !== undefined || (envelope && envelopeProblem(asked) !== undefined);
}

const ALL = [...REFUSED, ...REFUSED_BRANCHES, ...REFUSED_CALLERS];

function allowedOf({ row, name }: Requested): Refused['allowed'] {
  return ALL.find((each) => each.row === row && each.name === name)?.allowed ?? 'either';
}

function diagnose(asked: Requested): Diagnosis | undefined {
  const { answer, name } = asked;
  if (answer.kind === 'failure') return undefined;
  if (answer.status >= 500)
    return { code: 'server-error', message: `the host stumbles over ${name} instead of refusing it` };
  if (!accepted(asked)) return undefined;
  const body = answer.body.json ? answer.body.value : null;
  const taken = `mode ${shown(member(body, 'mode'))}, fromSeq ${shown(member(body, 'fromSeq'))}`;
  return { code: 'carried-out', message: `${name} was carried out; the answer says ${taken}` };
}
