import type { ExpiredFork } from '../../policies/governance.ts';
import { member } from '../../json.ts';
import { refusal, respond } from '../../types/answers.ts';
import type { Defect, Defects, Parts } from '../mutant.ts';
import { advertising } from '../shared/discovery-parts.ts';
import { forking, logOf, refusingForks } from '../shared/fork-parts.ts';
import { answeringExpired, withDetails } from '../shared/governance-parts.ts';
import { noticing } from '../shared/run-memory.ts';

const EXPIRY = /\/retention\/expire$/u;

/** A defect of forks that need expired events: they are refused with another status. */
function answeredWith(status: number, breaks: string): Defect {
  return { breaks, kills: ['retention.expired-range'], parts: answeringExpired((answer) => ({ ...answer, status })) };
}

/** A defect of their refusal: it has other details. */
function detailing(breaks: string, change: (details: object, fork: ExpiredFork) => object): Defect {
  const parts = answeringExpired((answer, fork) => withDetails(answer, (details) => change(details, fork)));
  return { breaks, kills: ['retention.expired-range.details'], parts };
}

/** A retention policy that leaves something out. */
function unsaid(name: string, check: string): Defect {
  return {
    breaks: `The retention policy says nothing of ${name}.`,
    kills: [check],
    parts: advertising(['replay', 'retention', name], () => undefined),
  };
}

/** Forks below the retention boundary. */
export const defects: Defects = {
  'retention-undocumented': {
    breaks: 'The discovery document says nothing of retention.',
    kills: ['retention.documented'],
    alsoBreaks: { 'privacy.deletion-documented': 'what a deletion means for replays stands there, too' },
    parts: advertising(['replay', 'retention'], () => undefined),
  },
  'retention-still-to-be-written': {
    breaks: 'The retention policy in the discovery document is still to be written.',
    kills: ['retention.documented'],
    alsoBreaks: { 'privacy.deletion-documented': 'what a deletion means for replays stands there, too' },
    parts: advertising(['replay', 'retention'], () => ({ snapshots: 'TBD', eventLogs: 'TBD', forks: 'TBD' })),
  },
  'retention-empty': {
    breaks: 'What the discovery document says of retention is an object without a member.',
    kills: ['retention.documented'],
    alsoBreaks: { 'privacy.deletion-documented': 'what a deletion means for replays stands there, too' },
    parts: advertising(['replay', 'retention'], () => ({})),
  },
  'retention-without-snapshots': unsaid('snapshots', 'retention.documented.kinds.snapshots'),
  'retention-without-event-logs': unsaid('eventLogs', 'retention.documented.kinds.event-logs'),
  'retention-without-invocation-logs': unsaid('invocationLogs', 'retention.documented.kinds.invocation-logs'),
  'retention-without-forks': unsaid('forks', 'retention.documented.kinds.forks'),
  'deletion-undocumented': unsaid('deletedData', 'privacy.deletion-documented'),
  'expired-fork-served': {
    breaks: 'A fork is made of what is left where the events that it needs have expired.',
    kills: ['retention.expired-range'],
    parts: answeringExpired(() => undefined),
  },
  'expired-fork-not-found': answeredWith(404, 'A fork below the retention boundary is answered with 404.'),
  'expired-fork-crash': answeredWith(500, 'A fork below the retention boundary is answered with 500.'),
  'expired-fork-bad-request': answeredWith(400, 'A fork below the retention boundary is answered with 400.'),
  'expired-fork-conflict': answeredWith(409, 'A fork below the retention boundary is answered with 409.'),
  'state-behind-the-boundary-lost': {
    breaks: 'A fork of a run whose first events have expired begins without the variables that these wrote.',
    kills: ['retention.expired-range.state'],
    parts: losingState(() => true),
  },
  'state-of-branches-behind-the-boundary-lost': {
    breaks: 'A branch of a run whose first events have expired begins without the variables that these wrote.',
    kills: ['retention.expired-range.state'],
    parts: losingState((mode) => mode === 'branch'),
  },
  'replay-from-boundary-begins-again': {
    breaks: 'A replay from the first event that is left of a log executes the nodes again that had ended before it.',
    kills: ['retention.expired-range.state'],
    parts: ({ replay }) => {
      const expired = new Set<unknown>();
      return {
        middleware: (next) => async (request) => {
          if (EXPIRY.test(request.url)) expired.add(member(await request.clone().json(), 'runId'));
          return next(request);
        },
        replay: {
          ...replay,
          startsFrom: (state, run) =>
            expired.has(run.fork?.parentRunId) ? { ...state, nodes: new Map() } : replay.startsFrom(state, run),
        },
      };
    },
  },
  'fork-refused-as-expired': {
    breaks:
      'A replay from the fourth event of a log is refused with 410 as if the first had expired, and the log shows them.',
    kills: ['fork.created.every-sequence'],
    parts: refusingForks(
      ({ body }) => body['mode'] === 'replay' && body['fromSeq'] === 3,
      410,
      'event_range_expired',
      'Events that this fork needs have expired.',
    ),
  },
  'fork-from-boundary-crash': {
    breaks: 'A replay from the first event that is left of a log ends in a server error.',
    kills: ['retention.expired-range'],
    parts: forking(async (call) => {
      const first = member((await logOf(call))[0], 'sequence');
      const isMeant = call.body['mode'] === 'replay' && Number(first) > 0 && call.body['fromSeq'] === first;
      return isMeant ? respond(refusal(500, 'internal_error', 'There is no event before that one.')) : call.send();
    }),
  },
  'expired-fork-without-code': {
    breaks: 'The refusal of a fork below the retention boundary has a message and no code.',
    kills: ['retention.expired-range.envelope'],
    parts: answeringExpired((answer) => ({
      ...answer,
      body: { message: 'Events that this fork needs have expired.' },
    })),
  },
  'expired-fork-boundary-beside': {
    breaks: 'The refusal of a fork below the retention boundary carries the boundary beside the envelope.',
    kills: ['retention.expired-range.envelope'],
    parts: answeringExpired((answer, { retentionBoundary }) => ({
      ...answer,
      body: { ...(answer.body as object), retentionBoundary },
    })),
  },
  'expired-details-missing': {
    breaks: 'The refusal of a fork below the retention boundary has no details.',
    kills: ['retention.expired-range.details'],
    parts: answeringExpired((answer) => {
      const { error, message } = answer.body as { readonly error: string; readonly message: string };
      return { ...answer, body: { error, message } };
    }),
  },
  'expired-details-other-source': detailing('Its details name another source.', (details) => ({
    ...details,
    sourceRunId: 'run_0',
  })),
  'expired-details-other-from-seq': detailing(
    'Its details name the boundary as the fork point.',
    (details, { retentionBoundary }) => ({ ...details, fromSeq: retentionBoundary }),
  ),
  'expired-details-other-boundary': detailing(
    'Its details name a boundary above the first event that is kept.',
    (details, { retentionBoundary }) => ({ ...details, retentionBoundary: retentionBoundary + 1 }),
  ),
  'expired-details-with-another-date': detailing(
    'Its details hold a date in the place of the boundary: when the refusal was made.',
    (details) => {
      const { retentionBoundary: _, ...others } = details as { readonly retentionBoundary?: unknown };
      return { ...others, timestamp: '2026-01-01T00:00:00Z' };
    },
  ),
  'expired-details-without-boundary': detailing(
    'Its details do not name the boundary.',
    (_, { sourceRunId, fromSeq }) => ({ sourceRunId, fromSeq }),
  ),
  'expired-default-served': {
    breaks: 'Only a named fork point is compared with the retention boundary: a replay by default starts in the gap.',
    kills: ['retention.expired-range.default'],
    parts: answeringExpired((answer, { isExplicit }) => (isExplicit ? answer : undefined)),
  },
  'expired-replay-served': {
    breaks: 'Replays are made of what is left where the events that they need have expired.',
    kills: ['retention.expired-range'],
    parts: answeringExpired((answer, { mode }) => (mode === 'branch' ? answer : undefined)),
  },
  'expired-branch-served': {
    breaks: 'Branches are made of what is left where the events that they need have expired.',
    kills: ['retention.expired-range.branch'],
    parts: answeringExpired((answer, { mode }) => (mode === 'replay' ? answer : undefined)),
  },
  'expired-branch-without-envelope': {
    breaks: 'The refusal of a branch below the retention boundary holds a code and a reason.',
    kills: ['retention.expired-range.branch'],
    parts: answeringExpired((answer, { mode }) =>
      mode === 'branch' ? { ...answer, body: { code: 'gone', reason: 'expired' } } : answer,
    ),
  },
};

/** Forks of modes that are meant begin without variables where the first events of their source have expired. */
function losingState(isMeant: (mode: unknown) => boolean): Parts {
  return ({ snapshotOnWire }) => {
    const [expired, forks] = [new Set<unknown>(), new Set<unknown>()];
    return {
      middleware: (next) => {
        const noticed = noticing(next, /:fork$/u, ({ pathname, asked, runId }) => {
          const [, forked] = /^\/v1\/runs\/([^/]+):fork$/u.exec(pathname) ?? [];
          if (expired.has(forked) && isMeant(asked['mode'])) forks.add(runId);
        });
        return async (request) => {
          if (EXPIRY.test(request.url)) expired.add(member(await request.clone().json(), 'runId'));
          return noticed(request);
        };
      },
      snapshotOnWire: (snapshot) =>
        forks.has(snapshot['runId'])
          ? { ...Object(snapshotOnWire(snapshot)), variables: {} }
          : snapshotOnWire(snapshot),
    };
  };
}
