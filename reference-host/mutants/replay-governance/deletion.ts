import { isObject, type JsonObject } from '../../json.ts';
import type { Fetch, HostParts } from '../../parts.ts';
import { type Defects, within } from '../mutant.ts';
import { forking, without } from '../shared/fork-parts.ts';
import { answeringDeleted, withDetails } from '../shared/governance-parts.ts';

/** What looks like a credential to those who go by patterns. */
const KEYS = /sk-live-[^\s"\\]*/gu;

/** A host whose every answer hides what looks like a credential, wherever it stands. */
function hidingKeys(next: Fetch): Fetch {
  return async (request) => {
    const response = await next(request);
    if (response.body === null) return response;
    const hidden = new TransformStream<string, string>({
      transform: (chunk, controller) => controller.enqueue(chunk.replaceAll(KEYS, '[hidden]')),
    });
    const body = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(hidden)
      .pipeThrough(new TextEncoderStream());
    return new Response(body, { status: response.status, headers: without(response.headers, 'content-length') });
  };
}

/** The policy, which also notes what is deleted of each run. */
function noting(policy: HostParts['governance'], deleted: Map<string, unknown>): HostParts['governance'] {
  return {
    ...policy,
    erases: (erasure) => {
      deleted.set(erasure.runId, erasure.value);
      return policy.erases(erasure);
    },
  };
}

/** Deleted data is erased of the log, and not where replays are served from. */
const servingDeleted = within('governance', () => ({
  deletedFork: () => undefined,
  erases: ({ where }) => where === 'events' || where === 'others',
}));

/** Forks of runs with deleted data, and what the audit trail records of forks. */
export const defects: Defects = {
  'deleted-data-served': {
    breaks: 'Deleted data is erased of the log and kept where replays are served from.',
    kills: ['privacy.deleted-data'],
    parts: servingDeleted,
  },
  'deleted-data-served-beside-hidden-keys': {
    breaks: 'A host that hides what looks like a credential serves replays with deleted data that does not.',
    kills: ['privacy.deleted-data'],
    parts: (conformant) => ({ ...servingDeleted(conformant), middleware: hidingKeys }),
  },
  'deleted-data-asked-again': {
    breaks: 'A replay that needs deleted data asks for it again.',
    kills: ['privacy.deleted-data'],
    parts: ({ governance, replay }) => ({
      governance: { ...governance, deletedFork: () => undefined },
      replay: {
        ...replay,
        observation: (recorded, act) => (recorded.deleted === true ? undefined : replay.observation(recorded, act)),
      },
    }),
  },
  'deleted-data-replayed-without': {
    breaks: 'A replay goes on with the mark in the place of deleted data.',
    kills: ['privacy.deleted-data'],
    parts: answeringDeleted(() => undefined),
  },
  'deleted-data-replayed-where-the-start-is-named': {
    breaks: 'A replay that names its start goes on with the mark in the place of deleted data.',
    kills: ['privacy.deleted-data'],
    parts: within('governance', ({ deletedFork }) => ({
      deletedFork: (fork) => (fork.isExplicit ? undefined : deletedFork(fork)),
    })),
  },
  'deleted-data-replayed-from-later': {
    breaks: 'A replay that begins behind the first event goes on with the mark in the place of deleted data.',
    kills: ['privacy.deleted-data'],
    parts: within('governance', ({ deletedFork }) => ({
      deletedFork: (fork) => (fork.fromSeq > 0 ? undefined : deletedFork(fork)),
    })),
  },
  'deleted-data-crash': {
    breaks: 'A replay that needs deleted data is answered with 500.',
    kills: ['privacy.deleted-data'],
    parts: answeringDeleted((answer) => ({ ...answer, status: 500 })),
  },
  'deleted-data-without-code': {
    breaks: 'The refusal of a replay that needs deleted data has a message and no code.',
    kills: ['privacy.deleted-data.canonical-error'],
    parts: answeringDeleted((answer) => ({ ...answer, body: { message: 'Data that this replay needs was deleted.' } })),
  },
  'deleted-data-in-refusal': {
    breaks: 'The refusal of a replay says what was deleted.',
    kills: ['privacy.deleted-data.re-exposed'],
    parts: (conformant) => {
      const deleted = new Map<string, unknown>();
      const governance = noting(conformant.governance, deleted);
      return {
        governance: {
          ...governance,
          deletedFork: (fork) => {
            const answer = governance.deletedFork(fork);
            return answer && withDetails(answer, (details) => ({ ...details, was: deleted.get(fork.sourceRunId) }));
          },
        },
      };
    },
  },
  'deleted-data-in-every-refusal': {
    breaks: 'Every refusal to fork a run says what was deleted of it.',
    kills: ['privacy.deleted-data.re-exposed'],
    parts: ({ governance }) => {
      const deleted = new Map<string, unknown>();
      return {
        governance: noting(governance, deleted),
        ...forking(async ({ sourceRunId, send }) => {
          const response = await send();
          const was = deleted.get(sourceRunId);
          if (was === undefined || response.status < 400) return response;
          const body = Object(await response.json()) as JsonObject;
          return Response.json({ ...body, details: { was } }, { status: response.status });
        })(),
      };
    },
  },
  'deleted-data-kept-in-forks': {
    breaks: 'A deletion leaves the forks that were made before as they are, and replays of them show what they kept.',
    kills: ['privacy.deleted-data.re-exposed'],
    parts: ({ governance }) => {
      const forks = new Set<string>();
      return {
        written: (draft, { run }) => {
          if (run.fork !== undefined) forks.add(run.runId);
          return [draft];
        },
        governance: { ...governance, erases: (erasure) => !forks.has(erasure.runId) && governance.erases(erasure) },
      };
    },
  },
  'deleted-data-in-branches': {
    breaks: 'The snapshot of a branch shows what was deleted of its source.',
    kills: ['privacy.deleted-data.branch'],
    parts: ({ governance }) => {
      const deleted = new Map<string, unknown>();
      return {
        governance: noting(governance, deleted),
        snapshotOnWire: (snapshot) => {
          const was = deleted.get(String(snapshot['parentRunId']));
          if (snapshot['forkMode'] !== 'branch' || was === undefined) return snapshot;
          const { variables } = snapshot;
          return { ...snapshot, variables: { ...(isObject(variables) ? variables : {}), note: was } };
        },
      };
    },
  },
  'audit-without-replays': {
    breaks: 'Replays of runs with secrets leave no audit record.',
    kills: ['privacy.audit'],
    parts: within('governance', ({ audit }) => ({
      audit: (entry, secrets) => (entry.mode === 'replay' ? undefined : audit(entry, secrets)),
    })),
  },
  'audit-without-branches': {
    breaks: 'Branches of runs with secrets leave no audit record.',
    kills: ['privacy.audit.branch'],
    parts: within('governance', ({ audit }) => ({
      audit: (entry, secrets) => (entry.mode === 'branch' ? undefined : audit(entry, secrets)),
    })),
  },
  'audit-without-forks-of-forks': {
    breaks: 'Forks of forks of runs with secrets leave no audit record.',
    kills: ['privacy.audit'],
    parts: within('governance', ({ audit }) => {
      const forks = new Set<string>();
      return {
        audit: (entry, secrets) => {
          forks.add(entry.runId);
          return forks.has(entry.sourceRunId) ? undefined : audit(entry, secrets);
        },
      };
    }),
  },
  'audit-without-second-forks': {
    breaks: 'The first fork of a run with secrets leaves an audit record, and no further one does.',
    kills: ['privacy.audit'],
    parts: within('governance', ({ audit }) => {
      const forked = new Set<string>();
      return {
        audit: (entry, secrets) => {
          if (!forked.has(entry.sourceRunId)) audit(entry, secrets);
          forked.add(entry.sourceRunId);
        },
      };
    }),
  },
  'audit-names-fork-as-source': {
    breaks: 'The audit record of a fork names the fork as its source.',
    kills: ['privacy.audit'],
    parts: within('governance', () => ({ audit: (entry) => ({ ...entry, sourceRunId: entry.runId }) })),
  },
  'audit-with-secrets': {
    breaks: 'The audit record of a fork lists the secrets that it is about.',
    kills: ['privacy.audit.no-secret'],
    parts: within('governance', ({ hides }) => ({
      hides: (secret) => secret.surface !== 'audit' && hides(secret),
      audit: (entry, secrets) => ({ ...entry, secrets }),
    })),
  },
};
