import { isObject, stringMember } from '../../reference-host/json.ts';
import type { HostParts } from '../../reference-host/parts.ts';
import type { Liar } from './liar.ts';
import { type Made, naming } from './named.ts';

/** What stands on forks. */
const FORKS = [
  'fork.',
  'replay.',
  'refusal.',
  'sequence.',
  'handoff.replays',
  'once.idempotency-key.replay',
  'once.verification',
  'cache-key.every-llm-node',
  'cache-key.not-a-security-boundary.counted-at-witness',
  'retention.expired-range',
  'privacy.',
  'region.',
  'score.',
  'recovery.',
  'annotation.not-inherited',
  'annotation.not-an-event.fork',
];

/** What begins as these do, and needs no fork: the first one does without where its fork comes too late. */
const FORKLESS = [
  'recovery.layer-two-id',
  'recovery.layer-two-id.retry',
  'fork.invisible-run.answer',
  'fork.invisible-run.child',
];

/** What stands on any run: all but the advertisement and the seam for keys. */
const RUNS = [...FORKS, 'handoff.', 'once.', 'annotation.', 'cache-key.not-a-security-boundary.no-shared-response'];

/** The one row that says so. */
const OWN_ID = ['fork.created.own-id'];

/** Names forks only, each by `nameOf`. */
function namingForks(begin: () => (fork: Made & { readonly sourceRunId: string }) => string): Partial<HostParts> {
  return naming(() => {
    const nameOf = begin();
    return ({ runId, sourceRunId }) => (sourceRunId === undefined ? runId : nameOf({ runId, sourceRunId }));
  });
}

/** Tells of other children than those that were dispatched. */
function namingChildren(nameOf: (childRunId: string) => string): Partial<HostParts> {
  return {
    eventOnWire: (event) => {
      const { payload } = event;
      const childRunId = stringMember(payload, 'childRunId');
      if (childRunId === undefined || !isObject(payload)) return event;
      return { ...event, payload: { ...payload, childRunId: nameOf(childRunId) } };
    },
  };
}

function always(): (id: string) => string {
  let first: string | undefined;
  return (id) => (first ??= id);
}

export const LIARS_ABOUT_IDS: readonly Liar[] = [
  {
    id: 'one-id-for-everything',
    lies: 'Every run and every fork has the id of the first run.',
    parts: naming(() => {
      const first = always();
      return ({ runId }) => first(runId);
    }),
    fails: OWN_ID,
    undecided: RUNS,
  },
  {
    id: 'one-id-for-all-runs',
    lies: 'Every run has the id of the first; forks have ids of their own.',
    parts: naming(() => {
      const first = always();
      return ({ runId, sourceRunId }) => (sourceRunId === undefined ? first(runId) : runId);
    }),
    fails: OWN_ID,
    undecided: RUNS,
  },
  {
    id: 'the-run-before',
    lies: 'A request for a run is answered with the id of the run that was made before; forks have ids of their own.',
    parts: naming(() => {
      let before: string | undefined;
      return ({ runId, sourceRunId }) => {
        if (sourceRunId !== undefined) return runId;
        const named = before ?? runId;
        before = runId;
        return named;
      };
    }),
    fails: OWN_ID,
    undecided: RUNS,
    timeoutMs: 1_000,
  },
  {
    id: 'two-ids-in-turn',
    lies: 'Runs and forks are called by two ids in turn.',
    parts: naming(() => {
      const ids: string[] = [];
      let turn = 0;
      return ({ runId }) => {
        if (ids.length < 2) ids.push(runId);
        turn += 1;
        return ids[turn % ids.length] ?? runId;
      };
    }),
    fails: OWN_ID,
    undecided: RUNS,
  },
  {
    id: 'fork-is-its-source',
    lies: 'The answer to a fork names its source.',
    parts: namingForks(
      () =>
        ({ sourceRunId }) =>
          sourceRunId,
    ),
    fails: OWN_ID,
    undecided: FORKS,
    mayPass: FORKLESS,
  },
  {
    id: 'one-id-for-all-forks',
    lies: 'All forks have the id of the first.',
    parts: namingForks(() => {
      const first = always();
      return ({ runId }) => first(runId);
    }),
    fails: OWN_ID,
    undecided: FORKS,
    mayPass: FORKLESS,
  },
  {
    id: 'fork-is-the-fork-before',
    lies: 'Every second fork has the id of the fork before it.',
    parts: namingForks(() => {
      let before: string | undefined;
      return ({ runId }) => {
        const named = before ?? runId;
        before = before === undefined ? runId : undefined;
        return named;
      };
    }),
    fails: OWN_ID,
    undecided: ['sequence.replay-of-replay', 'sequence.state-equal', 'fork.branch', 'replay.no-second-external-call'],
  },
  {
    id: 'forks-of-two-sources-share-an-id',
    lies: 'A fork has the id of the fork before it where that has another source.',
    parts: namingForks(() => {
      let open: Made | undefined;
      return (fork) => {
        if (open === undefined || open.sourceRunId === fork.sourceRunId) {
          open = fork;
          return fork.runId;
        }
        const { runId } = open;
        open = undefined;
        return runId;
      };
    }),
    fails: OWN_ID,
    undecided: ['sequence.prefix-equal', 'sequence.state-equal', 'replay.no-second-external-call'],
  },
  {
    id: 'one-child-for-all-handoffs',
    lies: 'All handoffs name the child of the first.',
    parts: namingChildren(always()),
    fails: OWN_ID,
    undecided: ['handoff.child-is-a-run', 'handoff.happy-path', 'handoff.causation-chain.turns', 'handoff.loop.turns'],
  },
];
