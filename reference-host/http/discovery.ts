import type { JsonObject } from '../json.ts';
import { packageVersion } from '../package-files.ts';
import { respond } from '../types/answers.ts';
import { REPORT_PATH } from './determinism-report.ts';
import type { Route } from './route.ts';
import { RUNS_PATH } from './run-list.ts';

interface DiscoveryParts {
  /** The ids of the loaded workflows. */
  readonly fixtures: readonly string[];
  /** The places at which tests may kill the host. */
  readonly failpoints: readonly string[];
  /** Whether it is one of several regions that share a store. */
  readonly hasRegions: boolean;
  /** Whether it answers browsers with its Run Timeline View. */
  readonly hasTimeline: boolean;
  /** After how many seconds events expire, where they do. */
  readonly retentionSeconds?: number;
}

/** What the host says about itself (0041 §D, replay.md, wire contract): only what it does. */
export function discoveryDocument({
  fixtures,
  failpoints,
  hasRegions,
  hasTimeline,
  retentionSeconds,
}: DiscoveryParts): JsonObject {
  const families = {
    multiAgent: {
      executionModel: {
        supported: true,
        version: 4,
        replayDeterminism: {
          supported: true,
          llmCacheKeyRecipe: 'spec-rfc-0041',
          refusalDivergenceEmission: true,
        },
      },
    },
    replay: {
      supported: true,
      modes: ['replay', 'branch'],
      retention: retentionSeconds === undefined ? RETENTION : retentionOf(retentionSeconds),
      determinismReport: { supported: true, path: REPORT_PATH },
    },
    idempotency: {
      supported: true,
      layer1: { supported: true, header: 'Idempotency-Key' },
      ...(hasRegions ? { multiRegion: { supported: true } } : {}),
    },
    ...(hasRegions ? { eventLog: { crossEngineOrdering: { supported: true } } } : {}),
    feedback: { supported: true },
  };
  return {
    protocolVersion: '1.0',
    implementation: { name: 'openwop-conformance-reference-host', version: packageVersion() },
    supportedEnvelopes: ['structured-output', 'chat', 'tool-call', 'refusal'],
    schemaVersions: { workflow: '1.0', runEvent: '1.0', runSnapshot: '1.0', errorEnvelope: '1.0' },
    limits: { clarificationRounds: 0, schemaRounds: 1, envelopesPerTurn: 1 },
    ...families,
    fixtures,
    capabilities: families,
    extensions: {
      'x-openwop-provable-semantics': {
        supported: true,
        idempotencyKey: 'sha256-nul-jcs',
        externalKey: 'aetheris',
        verificationModes: ['strict', 'warn', 'human-in-loop'],
        failpoints,
      },
      ...(hasTimeline ? { 'x-openwop-run-timeline': TIMELINE } : {}),
    },
  };
}

/** Where the Run Timeline View stands (replay.md), and the list that it reads: templates in which names in braces are replaced. */
const TIMELINE = {
  supported: true,
  run: '/runs/{runId}',
  event: '/runs/{runId}/events/{eventId}',
  fork: '/runs/{runId}?fork={mode}&fromSeq={fromSeq}',
  runs: RUNS_PATH,
};

/** replay.md, Retention: a host that advertises replay documents how long it keeps what replay needs. */
const RETENTION = {
  description:
    'Nothing outlives the data file, or the process where there is none, and nothing expires before an operator lets it, for a finished run and below a sequence number.',
  snapshots: 'Kept as long as the run, also after its events have expired.',
  eventLogs:
    'Kept until they expire. A fork from below the retention boundary of its source is refused with 410 event_range_expired, whose details name the boundary.',
  invocationLogs:
    'Provider responses and the results of tool calls, interrupts and other nondeterministic acts are kept as long as the run, also after its events have expired.',
  forks: 'Kept like any other run, in both modes.',
  deletedData:
    'Data deleted on request is erased from all records of the run, of its forks and of the runs that it dispatched. A replay is then refused with 410 source_data_deleted; a branch goes on without the data.',
};

function retentionOf(windowSeconds: number): JsonObject {
  const description = `Events of a run that has ended expire ${windowSeconds} seconds after they were written, but for its last one, and when an operator lets them.`;
  return { ...RETENTION, description, windowSeconds };
}

/** The discovery document's route. It is the same for everybody and may be cached for a short time. */
export function discoveryRoute(document: unknown): Route {
  return {
    method: 'GET',
    path: '/.well-known/openwop',
    operationId: 'discover',
    summary: 'What this host implements',
    access: 'public',
    answers: { 200: 'The discovery document' },
    handle: () => respond({ status: 200, body: document, headers: { 'cache-control': 'public, max-age=60' } }),
  };
}
