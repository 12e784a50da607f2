import type { Defects } from '../mutant.ts';
import { advertising } from '../shared/discovery-parts.ts';
import { answeringExpired, withDetails } from '../shared/governance-parts.ts';

/** Forks below the retention boundary. */
export const defects: Defects = {
  'retention-undocumented': {
    breaks: 'The discovery document says nothing of retention.',
    kills: ['retention.documented'],
    parts: advertising(['replay', 'retention'], () => undefined),
  },
  'expired-fork-served': {
    breaks: 'A fork is made of what is left where the events that it needs have expired.',
    kills: ['retention.expired-range', 'retention.expired-range.default', 'retention.expired-range.branch'],
    parts: answeringExpired(() => undefined),
  },
  'expired-fork-not-found': {
    breaks: 'A fork below the retention boundary is answered with 404.',
    kills: ['retention.expired-range', 'retention.expired-range.default', 'retention.expired-range.branch'],
    parts: answeringExpired((answer) => ({ ...answer, status: 404 })),
  },
  'expired-fork-crash': {
    breaks: 'A fork below the retention boundary is answered with 500.',
    kills: ['retention.expired-range', 'retention.expired-range.default', 'retention.expired-range.branch'],
    parts: answeringExpired((answer) => ({ ...answer, status: 500 })),
  },
  'expired-fork-bad-request': {
    breaks: 'A fork below the retention boundary is answered with 400.',
    kills: ['retention.expired-range', 'retention.expired-range.default', 'retention.expired-range.branch'],
    parts: answeringExpired((answer) => ({ ...answer, status: 400 })),
  },
  'expired-fork-conflict': {
    breaks: 'A fork below the retention boundary is answered with 409.',
    kills: ['retention.expired-range', 'retention.expired-range.default', 'retention.expired-range.branch'],
    parts: answeringExpired((answer) => ({ ...answer, status: 409 })),
  },
  'expired-fork-without-code': {
    breaks: 'The refusal of a fork below the retention boundary has a message and no code.',
    kills: ['retention.expired-range.envelope'],
    alsoBreaks: { 'retention.expired-range.details': 'details without a code say nothing' },
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
  'expired-details-other-source': {
    breaks: 'Its details name another source.',
    kills: ['retention.expired-range.details'],
    parts: answeringExpired((answer) => withDetails(answer, (details) => ({ ...details, sourceRunId: 'run_0' }))),
  },
  'expired-details-other-from-seq': {
    breaks: 'Its details name the boundary as the fork point.',
    kills: ['retention.expired-range.details'],
    parts: answeringExpired((answer, { retentionBoundary }) =>
      withDetails(answer, (details) => ({ ...details, fromSeq: retentionBoundary })),
    ),
  },
  'expired-details-other-boundary': {
    breaks: 'Its details name a boundary above the first event that is kept.',
    kills: ['retention.expired-range.details'],
    parts: answeringExpired((answer, { retentionBoundary }) =>
      withDetails(answer, (details) => ({ ...details, retentionBoundary: retentionBoundary + 1 })),
    ),
  },
  'expired-details-without-boundary': {
    breaks: 'Its details do not name the boundary.',
    kills: ['retention.expired-range.details'],
    parts: answeringExpired((answer, { sourceRunId, fromSeq }) =>
      withDetails(answer, () => ({ sourceRunId, fromSeq })),
    ),
  },
  'expired-default-served': {
    breaks: 'Only a named fork point is compared with the retention boundary: a replay by default starts in the gap.',
    kills: ['retention.expired-range.default'],
    parts: answeringExpired((answer, { isExplicit }) => (isExplicit ? answer : undefined)),
  },
  'expired-replay-served': {
    breaks: 'Replays are made of what is left where the events that they need have expired.',
    kills: ['retention.expired-range', 'retention.expired-range.default'],
    parts: answeringExpired((answer, { mode }) => (mode === 'branch' ? answer : undefined)),
  },
  'expired-branch-served': {
    breaks: 'Branches are made of what is left where the events that they need have expired.',
    kills: ['retention.expired-range.branch'],
    parts: answeringExpired((answer, { mode }) => (mode === 'replay' ? answer : undefined)),
  },
};
