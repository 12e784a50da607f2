import { randomUUID } from 'node:crypto';
import { knownCredential, type Credential } from './credentials.ts';
import { createCatalogue } from './engine/catalogue.ts';
import { createMockProvider } from './engine/mock-provider.ts';
import { createOpenAiProvider } from './engine/openai-provider.ts';
import { createRunService, type RunService } from './engine/run-service.ts';
import { annotationRoutes } from './http/annotations.ts';
import { createApp } from './http/app.ts';
import { createRunRoute } from './http/create-run.ts';
import { determinismReportRoute } from './http/determinism-report.ts';
import { diffRoute } from './http/diff.ts';
import { discoveryDocument, discoveryRoute } from './http/discovery.ts';
import { eventRoutes } from './http/events.ts';
import { forkRoute } from './http/fork.ts';
import { interruptRoute } from './http/interrupts.ts';
import { openApiRoute } from './http/openapi.ts';
import { addWorkflows, registrationRoutes } from './http/registration.ts';
import { runListRoute } from './http/run-list.ts';
import type { Route } from './http/route.ts';
import { runRoutes } from './http/runs.ts';
import { workflowRoutes } from './http/workflows.ts';
import { LEASE_MS } from './ledger/invoke.ts';
import { expiringRuns } from './governance/expire.ts';
import { createDiary } from './ledger/worker.ts';
import { createPlants } from './ledger/plants.ts';
import { defaultParts, type Fetch, type HostParts } from './parts.ts';
import { createRedactor } from './privacy/redactor.ts';
import { createRunSecrets } from './privacy/run-secrets.ts';
import { hostName, type Region } from './region.ts';
import { governanceSeamRoutes } from './seams/governance.ts';
import { ledgerSeamRoutes } from './seams/ledger.ts';
import { seamRoutes } from './seams/routes.ts';
import { withFailpoints } from './store/failpoint-store.ts';
import { createQuota, TENANT_LIMITS, type TenantLimits } from './http/limits.ts';
import { createFailpoints, FAILPOINTS, killOwnProcess, type Failpoint } from './store/failpoints.ts';
import { openRegionStore, openRegionStores, openStore, type Store } from './store/store.ts';
import { watchRuns, type Telemetry } from './telemetry/watch-runs.ts';
import { refusal, respond, runNotFound } from './types/answers.ts';
import type { Provider } from './types/provider.ts';
import { bundledWorkflows, publicWorkflows } from './types/workflow.ts';

export interface ReferenceHostOptions {
  readonly credentials: readonly Credential[];
  /** The data file; everything stays in memory where there is none. */
  readonly data?: string;
  /** The region that this host serves of the data file, which other regions may have open too. */
  readonly region?: Region;
  /** Whether the test-only endpoints exist, and runs may call the addresses that their inputs name. */
  readonly enableTestSeams: boolean;
  /** Whether tenants may add workflows of their own, and remove them. */
  readonly enableRegistration?: boolean;
  /** Definitions that the first credential's tenant has beside the bundled ones. */
  readonly workflows?: readonly unknown[];
  /** Whether it has the workflows of public hosts alone, and none of this project's. */
  readonly onlyPublicWorkflows?: boolean;
  /** Whether the runs of a tenant share the responses of providers; each run asks for itself where nothing is given. */
  readonly shareResponses?: boolean;
  /** After how many seconds events expire; they do not where nothing is given. */
  readonly retentionSeconds?: number;
  /** Smaller or larger limits than TENANT_LIMITS. */
  readonly limits?: Partial<TenantLimits>;
  /** Where the spans of runs go: the full address of an OTLP/HTTP collector that takes JSON. No spans where there is none. */
  readonly otlpEndpoint?: string;
  /** What answers browsers, made of the API that it reads; undefined is what it leaves to the API. Nothing does where it is absent. */
  readonly pages?: (api: Fetch) => (request: Request) => Promise<Response> | undefined;
  /** Parts to put in the place of the default ones. */
  readonly parts?: Partial<HostParts>;
  /** A failpoint that is armed from the start. */
  readonly failpoint?: Failpoint;
  /** How long a tool call in flight is its worker's without a sign of life, in milliseconds; LEASE_MS where nothing is given. */
  readonly leaseMs?: number;
  /** How long it waits for what somebody else answers, in milliseconds; PATIENCE_MS where nothing is given. */
  readonly patienceMs?: number;
  /**
   * What happens at an armed failpoint; the process is killed where nothing is given. The host has been abandoned by
   * then, and nothing more comes from it.
   */
  readonly die?: () => void;
}

export interface RegionsOptions extends Omit<ReferenceHostOptions, 'data' | 'region'> {
  /** The second region has the parts of the first one, too. */
  readonly sameParts?: boolean;
}

export interface ReferenceHost {
  /** What is worth knowing about the state in which the data file was found, in one line. */
  readonly notice?: string;
  readonly fetch: Fetch;
  /** Ends open streams, stops runs where they are and closes the store. Unfinished runs go on at the next start. */
  close(): Promise<void>;
  /** Leaves the host as a crash of its process does: no run is stopped, what was under way finds the store closed. */
  abandon(): void;
}

/** A guard against hangs: whoever shares a busy machine with this host, or its process, is slow and has not failed. */
const PATIENCE_MS = 60_000;

const CLOSING = refusal(503, 'host_closing', 'The host is shutting down.');

interface Running {
  readonly telemetry: Telemetry;
  readonly runs: RunService;
  readonly closing: AbortController;
}

/** The log is closed first: a call that is broken off then leaves its run unfinished, not failed. */
async function shutDown({ telemetry, runs, closing }: Running): Promise<void> {
  const { store } = telemetry;
  store.events.close();
  closing.abort();
  await runs.idle();
  // Those who waited for an event have been woken, and read the log once more before they answer.
  await new Promise((resolve) => setImmediate(resolve));
  await telemetry.close();
  store.close();
}

/** A host, ready to answer; runs that a data file holds unfinished go on at once. Throws BadDataFile, and an Error for a wrong definition. */
export function createReferenceHost(options: ReferenceHostOptions): ReferenceHost {
  const { firstSequence } = { ...defaultParts, ...options.parts };
  const { data, region } = options;
  return hostOn(
    data === undefined || region === undefined
      ? openStore(data, firstSequence)
      : openRegionStore(data, region, firstSequence),
    options,
  );
}

/**
 * Two hosts in this process as two regions of one store in memory. The options are the first one's; the second has the
 * same parts where the options say so, otherwise it is conformant but for what the part `secondRegion` says. It sends its
 * spans nowhere.
 */
export function createRegions(options: RegionsOptions): {
  readonly first: ReferenceHost;
  readonly second: ReferenceHost;
} {
  const { firstSequence, secondRegion } = { ...defaultParts, ...options.parts };
  const { a, b } = openRegionStores(firstSequence);
  const { credentials, enableTestSeams, pages } = options;
  const parts = options.sameParts === true ? options.parts : { ...secondParts(secondRegion), firstSequence };
  const second = { credentials, enableTestSeams, ...(pages && { pages }), ...(parts && { parts }) };
  return { first: hostOn(a, options), second: hostOn(b, second) };
}

function secondParts({ servesForks, inherited, snapshotOnWire }: HostParts['secondRegion']): Partial<HostParts> {
  return {
    forkEndpoint: (request, next) =>
      servesForks(new URL(request.url).pathname) ? next(request) : respond(runNotFound()),
    replay: { ...defaultParts.replay, inherited },
    snapshotOnWire,
  };
}

/** Responses are shared within their namespace, which is one tenant's (replay.md, LLM cache-key recipe §C). */
const SHARING: Partial<HostParts> = {
  llmCache: { ...defaultParts.llmCache, liveMayShare: ({ restaged }) => !restaged },
};

function hostOn(opened: Store, options: ReferenceHostOptions): ReferenceHost {
  const { leaseMs = LEASE_MS, patienceMs = PATIENCE_MS } = options;
  const parts: HostParts = { ...defaultParts, ...(options.shareResponses === true ? SHARING : {}), ...options.parts };
  const closing = new AbortController();
  let closed: Promise<void> | undefined;
  const abandon = (): void => {
    if (closing.signal.aborted) return;
    closed = Promise.resolve();
    opened.events.close();
    closing.abort();
    opened.close();
  };
  const failpoints = createFailpoints(() => {
    if (options.die === undefined) killOwnProcess();
    abandon();
    options.die?.();
  });
  const secrets = createRunSecrets(opened);
  const redactor = createRedactor(opened, secrets, parts.governance);
  const telemetry = watchRuns(
    withFailpoints(opened, failpoints),
    (span, run) => ({
      ...span,
      attributes: parts.span(redactor.span(run, span.attributes)),
      words: parts.spanWords(span.attributes),
      ...parts.spanPlace({ traceId: span.traceId, parentSpanId: span.parentSpanId, links: span.links }),
    }),
    options.otlpEndpoint === undefined ? undefined : { url: options.otlpEndpoint, patienceMs },
  );
  const { store } = telemetry;
  const provider = createMockProvider();
  const providers = new Map<string, Provider>([
    ['mock', provider],
    [
      'openai-compatible',
      createOpenAiProvider({
        outbound: options.enableTestSeams,
        closing: closing.signal,
        patienceMs,
        adapted: (body) => parts.chatBody(body),
      }),
    ],
  ]);
  const workflows = createCatalogue(
    options.onlyPublicWorkflows === true ? publicWorkflows() : bundledWorkflows(),
    opened.workflows,
  );
  addWorkflows(workflows, options.credentials[0]?.tenant ?? '', options.workflows ?? []);
  const outbound = options.enableTestSeams;
  const limits = { ...TENANT_LIMITS, ...options.limits };
  const plants = createPlants();
  const ledger = { failpoints, plants, diary: createDiary(), hostId: hostName(opened.region, randomUUID()), leaseMs };
  const runs = createRunService({
    parts,
    providers,
    store,
    workflows,
    outbound,
    patienceMs,
    ...ledger,
  });
  store.atomically(() => {
    for (const credential of options.credentials) store.credentials.remember(knownCredential(credential));
  });
  const { retentionSeconds } = options;
  const visible =
    retentionSeconds === undefined ? runs : expiringRuns({ parts, store, runs, secrets }, retentionSeconds);
  const host = {
    parts,
    store,
    runs: visible,
    workflows,
    secrets,
    redactor,
    limits,
    streams: createQuota(limits.streams),
  };
  const seams = { ...host, provider, failpoints, plants, diary: ledger.diary };
  const routes: Route[] = [
    discoveryRoute(
      parts.discovery(
        discoveryDocument({
          fixtures: workflows.ids,
          failpoints: outbound ? FAILPOINTS : [],
          hasRegions: store.region !== undefined,
          hasTimeline: options.pages !== undefined,
          ...(retentionSeconds === undefined ? {} : { retentionSeconds }),
        }),
      ),
    ),
    ...workflowRoutes(host),
    ...(options.enableRegistration === true ? registrationRoutes(host) : []),
    createRunRoute(host),
    runListRoute(host),
    ...runRoutes(host),
    interruptRoute(host),
    ...eventRoutes(host),
    ...annotationRoutes(host),
    forkRoute(host),
    diffRoute(host),
    determinismReportRoute(host),
    ...(options.enableTestSeams
      ? [...seamRoutes(seams), ...ledgerSeamRoutes(seams), ...governanceSeamRoutes(seams)]
      : []),
  ];
  const app = createApp([...routes, openApiRoute(routes)], store.credentials.all());
  const api: Fetch = (request) =>
    asksForFork(request) ? parts.forkEndpoint(request, (asked) => app.fetch(asked)) : app.fetch(request);
  const pages = options.pages?.(api);
  const answer: Fetch = (request) => pages?.(request) ?? api(request);
  if (options.failpoint !== undefined) failpoints.arm(options.failpoint);
  runs.resume();
  return {
    abandon,
    ...(store.notice === undefined ? {} : { notice: store.notice }),
    fetch: parts.middleware((request) => (closed === undefined ? answer(request) : respond(CLOSING))),
    close() {
      closed ??= shutDown({ telemetry, runs, closing });
      return closed;
    },
  };
}

function asksForFork({ method, url }: Request): boolean {
  return method === 'POST' && /\/v1\/runs\/[^/]+:fork(?:\?|$)/.test(url);
}
