import { RUNS_PATH, seamName } from '../protocol/paths.ts';
import { CARRY_OUT } from '../protocol/run-status.ts';
import { isGatewayError, isRedirect, statusText } from '../protocol/status.ts';

/** What somebody can do so that a check can be decided. */
export interface Remedy {
  /** In the imperative, short: `seed conformance-noop`. Those of several checks that say the same are one. */
  readonly step: string;
  /** What is untested until then, where the step does not show it. */
  readonly untested?: string;
}

/** What is done about a test seam that does not answer, by its path. */
export function exposing(path: string): Remedy {
  return { step: `expose ${seamName(path)}` };
}

/**
 * Whether no more is the matter than that a host does not have what a row needs: a workflow that it does not know, or a seam that it does
 * not answer. No repair of anything else decides that row.
 */
export function isLack({ reason = '', remedies = [] }: Lacking): boolean {
  return remedies.length > 0 && remedies.every(({ step }) => HAVING.test(step)) && NOT_THERE.test(reason);
}

interface Lacking {
  readonly reason?: string;
  readonly remedies?: readonly Remedy[];
}

const HAVING = /^(?:seed|expose) /u;
const NOT_THERE = /\b404\b/u;

/** What is done about a host that runs no workflow of those that rows name. */
export const RUN_ONE: Remedy = {
  step: 'run the public workflow conformance-noop, or name one of your own with --workflow ID or in fixtures',
};

/** What is done where nobody wanted any to be swept. */
export const SWEEP_SOME: Remedy = { step: 'sweep the workflows that the host advertises (--sweep N)' };

/** Says that no workflow was run, and what to do about it. */
export function noneRan(what: string): string {
  return `${what}: ${RUN_ONE.step}`;
}

const CLOSED = 'the host has to expose it';
const ALLOW = 'allow it, or give --witness-url';

/** Says that a test seam does not work. */
export function closedSeam(path: string, status: number): string {
  return `POST ${path} answered ${status}: ${CLOSED}`;
}

/** Says that the host did not come to the witness, whose address it may refuse to call. */
export function notVisited(what: string): string {
  return `${what}: ${ALLOW}`;
}

const GATEWAY = "by a gateway in the host's place: see why";

const ITS_ADDRESS = "give the host's own address as --base-url";

/** What is done about a credential without the scopes that runs and forks take (wire-contract, Endpoints). */
const MAY_CREATE: Remedy = { step: 'give a credential with the scopes runs:create and runs:read' };

/**
 * Says how a request was answered, and what to do where the host itself was not asked (a gateway answered, or a redirect leads
 * elsewhere), or refuses its caller.
 */
export function answeredBy(request: string, status: number, location?: string): string {
  const said = `${request} was answered with ${statusText(status, location)}`;
  if (isRedirect(status)) return `${said}, ${ITS_ADDRESS}`;
  if (isGatewayError(status)) return `${said}, ${GATEWAY}`;
  return status === 403 && request.startsWith(`POST ${RUNS_PATH}`) ? `${said}, ${MAY_CREATE.step}` : said;
}

const CLOSED_SEAM = new RegExp(`\\bPOST (?<path>/[\\w/-]{1,80}) answered \\d+: ${CLOSED}`, 'u');

/**
 * What can be done about a reason that says so in one of the sentences above, wherever it came from: drives record them. Of
 * several ways to see the same thing the first is named.
 */
export function remediesIn(reason: string): readonly Remedy[] {
  const path = CLOSED_SEAM.exec(reason)?.groups?.['path'];
  if (path !== undefined) return [exposing(path)];
  if (reason.includes(MAY_CREATE.step)) return [MAY_CREATE];
  const without = [RUN_ONE, SWEEP_SOME].find(({ step }) => reason.includes(step));
  if (without !== undefined) return [without];
  if (reason.includes(CARRY_OUT)) return [{ step: CARRY_OUT }];
  if (reason.includes(GATEWAY)) return [{ step: 'see why a gateway answers in the place of the host, and run again' }];
  if (reason.includes(ITS_ADDRESS)) return [{ step: ITS_ADDRESS }];
  return reason.includes(ALLOW) ? [{ step: 'let the host call the witness (--witness-url)' }] : [];
}
