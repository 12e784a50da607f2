import { member, stringMember } from '../../json.ts';
import type { Fetch } from '../../parts.ts';
import { refusal, respond } from '../../types/answers.ts';
import type { Defects, Parts } from '../mutant.ts';
import { type ForkCall, forking, logOf } from '../shared/fork-parts.ts';
import { noticing } from '../shared/run-memory.ts';

/** What a fork is wanted of, as its snapshot and its log show it. */
interface Wanted {
  readonly call: ForkCall;
  readonly snapshot: unknown;
  readonly log: readonly unknown[];
}

/** Refuses forks of a mode, given what is wanted. */
function refusingOf(
  mode: string,
  isMeant: (wanted: Wanted) => boolean,
  [status, code]: readonly [number, string],
): Parts {
  return forking(async (call) => {
    const { body, sourceRunId, headers, next, send } = call;
    if (body['mode'] !== mode) return send();
    const snapshot = await snapshotOf(next, sourceRunId, headers);
    const isRefused = isMeant({ call, snapshot, log: snapshot === undefined ? [] : await logOf(call) });
    return isRefused ? respond(refusal(status, code, 'No fork is made of this run from there.')) : send();
  });
}

/** The snapshot of a run, read with the caller's own credential; undefined where the caller may not. */
async function snapshotOf(next: Fetch, runId: string, headers: Headers): Promise<unknown> {
  const authorization = headers.get('authorization') ?? '';
  const response = await next(new Request(`http://host/v1/runs/${runId}`, { headers: { authorization } }));
  return response.ok ? response.json() : undefined;
}

function isWaiting({ snapshot }: Wanted): boolean {
  return member(snapshot, 'status') === 'waiting-approval';
}

/** Whether a run was dispatched by another one. */
function isDispatched({ snapshot }: Pick<Wanted, 'snapshot'>): boolean {
  return member(snapshot, 'parentNodeId') !== undefined && stringMember(snapshot, 'forkMode') === undefined;
}

const RUN = /^\/v1\/runs\/([^/:]+)(.*)$/u;
const NOT_FOUND = refusal(404, 'run_not_found', 'There is no such run.');

interface Met {
  readonly runId: string;
  /** What follows the run's id in the path. */
  readonly rest: string;
  readonly request: Request;
  /** The host behind the defect. */
  readonly next: Fetch;
}

/** Answers some requests about runs otherwise; undefined leaves the answer to the host. `branches` holds, by id, where they begin. */
function knowingBranches(
  answer: (met: Met, branches: ReadonlyMap<string, number>) => Promise<Response | undefined>,
): Parts {
  return () => ({
    middleware: (next) => {
      const branches = new Map<string, number>();
      const noting = noticing(next, /:fork$/u, ({ runId, asked }) => {
        if (asked['mode'] === 'branch') branches.set(runId, Number(asked['fromSeq']));
      });
      return async (request) => {
        const [, runId = '', rest = ''] = RUN.exec(new URL(request.url).pathname) ?? [];
        return (await answer({ runId, rest, request, next }, branches)) ?? noting(request);
      };
    },
  });
}

/** Branches of runs that wait, were cancelled or were dispatched, and what they do themselves. */
export const defects: Defects = {
  'cancelled-run-not-branched': {
    breaks: 'A branch of a run that was cancelled is refused with 409.',
    kills: ['fork.created.branch'],
    seenIn: 'fork.branch-is-independent.waiting',
    parts: refusingOf('branch', ({ snapshot }) => member(snapshot, 'status') === 'cancelled', [409, 'run_cancelled']),
  },
  'waiting-run-not-branched-from-its-last-event': {
    breaks:
      'A branch from the last event of a run that waits is refused with 422, as if its log did not hold that event.',
    kills: ['fork.created.branch'],
    seenIn: 'fork.branch-is-independent.waiting',
    parts: refusingOf(
      'branch',
      (wanted) => isWaiting(wanted) && wanted.call.body['fromSeq'] === member(wanted.log.at(-1), 'sequence'),
      [422, 'sequence_not_found'],
    ),
  },
  'waiting-run-not-branched': {
    breaks: 'A branch of a run that waits is refused with 409, as if it were a duplicate.',
    kills: ['fork.created.branch'],
    seenIn: 'fork.branch-is-independent.waiting',
    parts: refusingOf('branch', isWaiting, [409, 'run_not_ended']),
  },
  'dispatched-run-not-branched': {
    breaks: 'A run that another one dispatched is not branched: 404.',
    kills: ['fork.created.branch'],
    parts: refusingOf('branch', isDispatched, [404, 'run_not_found']),
  },
  'dispatched-run-not-replayed': {
    breaks: 'A run that another one dispatched is not replayed: 500.',
    kills: ['fork.created.every-sequence'],
    seenIn: 'fork.branch',
    parts: refusingOf('replay', isDispatched, [500, 'internal_error']),
  },
  'branch-question-closed': {
    breaks: 'A branch whose history holds an open question waits, and takes no answer: 409.',
    kills: ['fork.branch-is-independent.waiting'],
    parts: knowingBranches(async ({ runId, rest, request, next }, branches) => {
      const start = branches.get(runId);
      if (start === undefined || request.method !== 'POST' || !rest.startsWith('/interrupts/')) return undefined;
      const { headers } = request;
      const log = await logOf({ next, sourceRunId: runId, headers });
      const isHistory = log.some(
        (event) => member(event, 'type') === 'interrupt.requested' && Number(member(event, 'sequence')) < start,
      );
      return isHistory ? respond(refusal(409, 'already_resolved', 'Its question was answered.')) : undefined;
    }),
  },
  'branch-takes-no-answer': {
    breaks: 'A branch waits, and no answer to its question is taken: 409.',
    kills: ['fork.branch-acts.approval'],
    waits: true,
    parts: knowingBranches(async ({ runId, rest, request }, branches) => {
      const isMeant = branches.has(runId) && request.method === 'POST' && rest.startsWith('/interrupts/');
      return isMeant ? respond(refusal(409, 'already_resolved', 'Its question was answered.')) : undefined;
    }),
  },
  'branch-not-cancelled': {
    breaks: 'A branch cannot be cancelled: 404.',
    kills: ['fork.branch-is-independent.cancelled'],
    parts: knowingBranches(async ({ runId, rest }, branches) =>
      rest === '/cancel' && branches.has(runId) ? respond(NOT_FOUND) : undefined,
    ),
  },
  'child-of-a-branch-not-read': {
    breaks: 'The child that a branch dispatched is no run for whoever reads the branch.',
    kills: ['fork.branch-is-independent'],
    waits: true,
    parts: knowingBranches(async ({ runId, request, next }, branches) => {
      if (runId === '' || branches.size === 0) return undefined;
      const snapshot = await snapshotOf(next, runId, request.headers);
      const isMeant = isDispatched({ snapshot }) && branches.has(stringMember(snapshot, 'parentRunId') ?? '');
      return isMeant ? respond(NOT_FOUND) : undefined;
    }),
  },
};
