import { describe, expect, it } from 'vitest';
import { isObject, member, type JsonObject } from '../reference-host/json.ts';
import type { Fetch, HostParts } from '../reference-host/parts.ts';
import type { Report } from '../src/contract/report.ts';
import type { Json } from '../src/evidence/types.ts';
import { isTerminal } from '../src/host/log/shown.ts';
import { bareHost } from '../src/kill-matrix/bare-host.ts';
import { DECIDED_AT_LEAST } from '../src/kill-matrix/bare-rule.ts';
import { runWithParts } from '../src/kill-matrix/run-mutant.ts';
import { runMutant } from './run-mutant.ts';
import { SUITES } from '../scenarios/index.ts';
import { withoutCrashes } from '../src/runner/scenario.ts';
import { defects as answers } from '../reference-host/mutants/fork-contract/answers.ts';
import { defects as records } from '../reference-host/mutants/replay-determinism/records.ts';
import { showingEvents } from '../reference-host/mutants/shared/run-wire.ts';
import { around, isJson, refused, rewritingJson } from './variants/wire.ts';
import { reportWithin } from './report-within.ts';

const suites = SUITES.filter(({ id }) => id === 'replay-determinism');

/** A host that has no answer to some requests. */
function without(isAbsent: (request: Request) => Promise<boolean>): Partial<HostParts> {
  return {
    middleware:
      (next: Fetch): Fetch =>
      async (request) =>
        (await isAbsent(request)) ? refused(404, 'not_found') : next(request),
  };
}

async function isRevision({ url }: Request): Promise<boolean> {
  return url.includes('/test/workflow-revision');
}

async function isFork({ url }: Request): Promise<boolean> {
  return url.endsWith(':fork');
}

/** Says nothing of replay. */
function withoutReplay(document: JsonObject): JsonObject {
  return { ...document, replay: undefined, capabilities: {} };
}

/** Lets runs share what a model answered, unless it was staged again. */
function sharing({ llmCache }: HostParts): Partial<HostParts> {
  return { llmCache: { ...llmCache, liveMayShare: ({ restaged }) => !restaged } };
}

async function verdicts(parts: Partial<HostParts>): Promise<ReadonlyMap<string, readonly string[]>> {
  return verdictsIn(await runMutant(suites, { parts: () => parts }, 'few'));
}

function verdictsIn({ checks }: Pick<Report, 'checks'>): ReadonlyMap<string, readonly string[]> {
  return new Map(
    ['pass', 'inconclusive', 'fail', 'error', 'not-applicable'].map((verdict) => [
      verdict,
      checks.filter((check) => check.verdict === verdict).map(({ id }) => id),
    ]),
  );
}

describe('fork-contract and replay-governance, on hosts that show less', () => {
  it('leave nothing open where forks work that the discovery document does not announce', async () => {
    const forkSuites = SUITES.filter(({ id }) => id === 'fork-contract' || id === 'replay-governance');
    const { checks } = await runMutant(forkSuites, { parts: () => ({ discovery: withoutReplay }) }, 'few');
    const open = checks.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable');
    expect(open.map(({ id, verdict, reason }) => [id, verdict, reason])).toEqual([]);
  });
});

describe('what another tenant is refused', () => {
  it('is decided where replays without a start are refused to everybody', async () => {
    const rows = SUITES.map((suite) => ({
      ...suite,
      scenarios: suite.scenarios.filter(({ id }) => id === 'fork.invisible-run'),
    }));
    const refusing = { parts: (own: HostParts) => answers['replay-default-refused']?.parts(own) ?? {} };
    const { checks } = await runMutant(rows, refusing, 'few');
    expect(new Set(checks.map(({ verdict }) => verdict))).toEqual(new Set(['pass']));
  });
});

describe('replay-determinism, on hosts that show less', () => {
  it('loses only what needs changed code, without the seam for it', async () => {
    const found = await verdicts(without(isRevision));
    expect(found.get('pass')).toHaveLength(23);
    expect(found.get('inconclusive')).toEqual([
      'replay.version-pins-kept',
      'replay.version-pins-kept.full-replay',
      'replay.divergence-is-reported.added-node',
      'replay.divergence-is-reported.dropped-node',
      'replay.further-divergence',
    ]);
  });

  it('decides what the public fixtures and the mock model suffice for', async () => {
    const found = await verdicts(bareHost());
    expect(found.get('pass')).toEqual([
      'replay.interrupt-short-circuits',
      'replay.interrupt-short-circuits.recorded-value',
      'replay.interrupt-short-circuits.own-keys',
      'replay.interrupt-short-circuits.empty-answer',
      'replay.logical-clock',
      'replay.divergence-is-reported',
      'replay.divergence-is-reported.later',
      'replay.divergence-is-reported.every-fixture',
      'replay.divergence-continues',
      'replay.divergence-in-debug-stream',
      'replay.no-false-divergence',
      'replay.no-false-divergence.every-fixture',
      'replay.divergence-span',
      'replay.no-false-divergence.span',
      'replay.same-failure',
    ]);
    expect([found.get('fail'), found.get('error')]).toEqual([[], []]);
  });

  it('finds with the public approval that a replay asks again', async () => {
    const asking = { parts: (own: HostParts) => bareHost(records['interrupt-asked-again']?.parts(own)) };
    const found = verdictsIn(await runMutant(suites, asking, 'few'));
    expect(found.get('fail')).toEqual(expect.arrayContaining(['replay.interrupt-short-circuits']));
  });

  it('says that nothing applies to a host that does not fork', async () => {
    const found = await verdicts({
      ...without(isFork),
      discovery: withoutReplay,
    });
    expect(found.get('not-applicable')).toHaveLength(28);
  });

  it('fails a host that offers replays and refuses them', async () => {
    const found = await verdicts(without(isFork));
    expect(found.get('pass')).toEqual([]);
    expect(found.get('fail')).not.toEqual([]);
    expect(found.get('error')).toEqual([]);
  });
});

/** The scenarios in which questions are answered. */
const ANSWERING = SUITES.map((suite) => ({
  ...suite,
  scenarios: suite.scenarios.filter(({ id }) =>
    /^fork\.branch-(?:acts\.approval|is-independent\.waiting)|^replay\.interrupt/u.test(id),
  ),
}));

describe('hosts that take no members but their own in an answer', () => {
  it('are answered without others, and lose what only these show', async () => {
    const strict = around(/\/interrupts\/[^/]+$/u, async (request, next) => {
      const { resumeValue } = (await request.clone().json()) as JsonObject;
      return isObject(resumeValue) && 'mark' in resumeValue ? refused(422, 'validation_error') : next(request);
    });
    const found = verdictsIn(await runMutant(ANSWERING, { parts: strict }, 'few'));
    expect(found.get('pass')).toEqual(
      expect.arrayContaining(['fork.branch-acts.approval', 'replay.interrupt-short-circuits']),
    );
    expect(found.get('pass')).toEqual(
      expect.arrayContaining(['fork.branch-is-independent.waiting', 'fork.branch-is-independent.cancelled']),
    );
    expect(found.get('inconclusive')).toEqual(['replay.interrupt-short-circuits.own-keys']);
    expect(found.get('fail')).toEqual([]);
  });

  it('and those that take none at all are red nowhere', async () => {
    const deaf = around(/\/interrupts\/[^/]+$/u, async () => refused(422, 'validation_error'));
    const found = verdictsIn(await runWithParts(ANSWERING, deaf(), { crash: 'few', timeoutMs: 2_000 }));
    expect(found.get('fail')).toEqual([]);
    expect(found.get('inconclusive')).toEqual(
      expect.arrayContaining(['fork.branch-is-independent.waiting', 'fork.branch-is-independent.cancelled']),
    );
  });
});

describe('hosts that nobody here wrote', () => {
  it('decide most checks with the public workflows and seams alone, and are red nowhere', async () => {
    const { checks } = await runMutant(withoutCrashes(SUITES), { parts: () => bareHost() }, 'few');
    expect(checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'error').map(({ id }) => id)).toEqual([]);
    expect(checks.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThanOrEqual(DECIDED_AT_LEAST);
  });
});

/** How much later lists show a run's end than its stream does, in milliseconds. */
const LATE_MS = 500;

/** A host that writes its streams first, and its lists a little later. */
function listingLate(): Partial<HostParts> {
  const first = new Map<string, number>();
  return rewritingJson(/\/events(?:\/poll)?$/u, (body) => {
    const events: readonly unknown[] = Array.isArray(body['events']) ? body['events'] : [];
    const end = events.findIndex((event) => isTerminal({ id: null, name: null, data: event as Json }));
    const id = String(member(events[0], 'runId'));
    if (end === -1) return body;
    if (!first.has(id)) first.set(id, Date.now());
    if (Date.now() >= (first.get(id) ?? 0) + LATE_MS) return body;
    return { ...body, events: events.slice(0, end), isComplete: false };
  })();
}

describe('hosts that list the end of a run later than they stream it', () => {
  it('are red nowhere, and leave nothing open', async () => {
    const reading = SUITES.filter(({ id }) => ['observable-sequence', 'run-lifecycle', 'fork-contract'].includes(id));
    const found = verdictsIn(await runMutant(withoutCrashes(reading), { parts: listingLate }, 'few'));
    expect([found.get('fail'), found.get('error'), found.get('inconclusive')]).toEqual([[], [], []]);
  });
});

/** A host whose runs go on for longer than anybody waits once their question was answered, and says so everywhere. */
function goingOn(): Partial<HostParts> {
  const answered = new Set<string>();
  const showing = showingEvents(
    (runId) => answered.has(runId),
    (event) => (isTerminal({ id: null, name: null, data: event as Json }) ? [] : [event]),
  );
  return {
    middleware: (next) => async (request) => {
      const [, runId = '', rest = ''] = /^\/v1\/runs\/([^/:]+)(.*)$/u.exec(new URL(request.url).pathname) ?? [];
      if (rest.startsWith('/interrupts/')) answered.add(runId);
      const response = await showing(next)(request);
      if (request.method !== 'GET' || !answered.has(runId) || !isJson(response)) return response;
      const body: unknown = await response.json();
      const change = rest === '' ? { status: 'running', error: undefined } : { isComplete: false };
      return Response.json({ ...Object(body), ...change });
    },
  };
}

const READINGS = SUITES.filter(({ id }) => id === 'observable-sequence').map((suite) => ({
  ...suite,
  scenarios: suite.scenarios.filter(({ id }) => id === 'sequence.readings'),
}));

describe('hosts whose runs take longer than anybody waits', () => {
  it('are not red for an end that nobody has said to be there', async () => {
    const report = await reportWithin(
      [2_000, 20_000],
      (timeoutMs) => runWithParts(READINGS, goingOn(), { crash: 'few', timeoutMs }),
      ({ checks }) => checks.some(({ id, verdict }) => id === 'sequence.monotonic' && verdict === 'pass'),
    );
    const found = verdictsIn(report);
    expect([found.get('fail'), found.get('error')]).toEqual([[], []]);
    expect(found.get('pass')).toContain('sequence.monotonic');
  });
});

describe('hosts that stumble wherever a log is asked for in one way', () => {
  it.each([
    ['polls', 500, 'inconclusive'],
    ['polls', 501, 'pass'],
    ['streams', 500, 'inconclusive'],
  ])('are not said to agree on %s that answer %i', async (way, status, verdict) => {
    const isMeant = ({ url, headers }: Request): boolean =>
      way === 'polls' ? url.includes('/poll') : headers.get('accept')?.includes('event-stream') === true;
    const stumbling = around(/\/events(?:\/poll)?$/u, async (request, next) =>
      isMeant(request) ? refused(status, 'internal_error') : next(request),
    );
    const { checks } = await runWithParts(READINGS, stumbling(), { crash: 'few' });
    expect(checks.find(({ id }) => id === 'sequence.transports-agree')?.verdict).toBe(verdict);
  });
});

describe('hosts whose runs share the responses of models, as replay.md lets them', () => {
  const asking = SUITES.filter(({ id }) =>
    ['cache-key-portable', 'refusal-divergence', 'replay-determinism'].includes(id),
  );
  it('are red nowhere, and pass what is said about tenants', async () => {
    const found = verdictsIn(await runMutant(withoutCrashes(asking), { parts: sharing }, 'few'));
    expect([found.get('fail'), found.get('error')]).toEqual([[], []]);
    expect(found.get('pass')).toEqual(expect.arrayContaining(['cache-key.not-a-security-boundary.no-shared-response']));
  });
});

/** A host that has this one of the public workflows, and refuses all others. */
function only(workflowId: string): Partial<HostParts> {
  const { middleware, ...rest } = bareHost();
  return {
    ...rest,
    discovery: (document) => ({ ...document, fixtures: [workflowId] }),
    middleware: (next) => {
      const answer = middleware?.(next) ?? next;
      return async (request) =>
        (await isOfAnother(request, workflowId)) ? refused(404, 'workflow_not_found') : answer(request);
    },
  };
}

async function isOfAnother(request: Request, workflowId: string): Promise<boolean> {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith('/v1/workflows/')) return !pathname.endsWith(`/${workflowId}`);
  return pathname === '/v1/runs' && !(await request.clone().text()).includes(`"${workflowId}"`);
}

describe('hosts with one workflow', () => {
  const SUITES_OF_RUNS = SUITES.filter(({ id }) =>
    ['run-lifecycle', 'cache-key-portable', 'fork-contract', 'refusal-divergence'].includes(id),
  );
  const judgedWith = async (workflowId: string): Promise<ReadonlyMap<string, readonly string[]>> =>
    verdictsIn(await runMutant(SUITES_OF_RUNS, { parts: () => only(workflowId) }, 'few'));

  it('are red nowhere where it asks a model whose answers are staged: no row takes an answer of another one', async () => {
    const found = await judgedWith('conformance-phase4-replay-divergence');
    expect([found.get('fail'), found.get('error')]).toEqual([[], []]);
    expect(found.get('pass')).toEqual(expect.arrayContaining(['refusal.valid-to-refusal', 'refusal.cached-refusal']));
    expect(found.get('inconclusive')).toEqual(expect.arrayContaining(['run.created', 'fork.created']));
  });

  it('are judged by it where it comes to its end', async () => {
    const found = await judgedWith('conformance-identity');
    expect([found.get('fail'), found.get('error')]).toEqual([[], []]);
    expect(found.get('pass')).toEqual(expect.arrayContaining(['run.created', 'fork.created', 'fork.created.branch']));
  });
});
