import { describe, expect, it } from 'vitest';
import { isObject, member } from '../reference-host/json.ts';
import type { Fetch, HostParts } from '../reference-host/parts.ts';
import { advertisingWith, EXECUTION_MODEL } from '../reference-host/mutants/shared/discovery-parts.ts';
import { CHAIN } from '../reference-host/mutants/shared/handoff-parts.ts';
import { runMutant } from './run-mutant.ts';
import { SUITES } from '../scenarios/index.ts';
import type { CheckReport } from '../src/contract/report.ts';
import { isEventStream, refused, rewritingText } from './variants/wire.ts';

const suites = SUITES.filter(({ id }) => id === 'handoff-state-machine');
const UNSUPPORTED = 'handoff.not-unless-supported';

async function checksOf(parts: (conformant: HostParts) => Partial<HostParts>): Promise<readonly CheckReport[]> {
  const { checks } = await runMutant(suites, { parts }, 'few');
  return checks;
}

/** `id verdict` of every check that did not pass, the row of other hosts left out. */
function open(checks: readonly CheckReport[]): readonly string[] {
  const others = checks.filter(({ id, verdict }) => verdict !== 'pass' && id !== UNSUPPORTED);
  return others.map(({ id, verdict }) => `${id} ${verdict}`);
}

/** A host that answers some requests itself. */
function answering(answer: (request: Request, next: Fetch) => Promise<Response | undefined>): Partial<HostParts> {
  return { middleware: (next) => async (request) => (await answer(request, next)) ?? next(request) };
}

function refusing(method: string, path: RegExp, status: number): Partial<HostParts> {
  return answering(async (request) =>
    request.method === method && path.test(new URL(request.url).pathname) ? refused(status, 'refused') : undefined,
  );
}

function isHidden(event: unknown): boolean {
  const type = member(event, 'type');
  return type === CHAIN || type === 'runOrchestrator.decided';
}

describe('handoffs, on hosts that show less', () => {
  it('leaves the rows open whose fixtures a host refuses', async () => {
    const checks = await checksOf(() =>
      answering(async (request) => {
        if (request.method !== 'POST' || !request.url.endsWith('/v1/runs')) return undefined;
        const body = await request.clone().text();
        return body.includes('conformance-determinism-') ? refused(422, 'capability_required') : undefined;
      }),
    );
    expect(checks.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id)).toEqual([
      'handoff.happy-path',
      'handoff.causation-chain',
      'handoff.harvest-exactly-when',
      'handoff.output-mapping',
      'handoff.loop',
      'handoff.child-is-a-run',
      'handoff.payloads',
      'handoff.happy-path.two-workers',
      'handoff.causation-chain.two-workers',
      'handoff.payloads.two-workers',
      'handoff.child-is-a-run.two-workers',
      'handoff.happy-path.sub-workflow',
      'handoff.causation-chain.sub-workflow',
      'handoff.output-mapping.sub-workflow',
      'handoff.payloads.sub-workflow',
      'handoff.harvest-exactly-when.unmapped',
      'handoff.output-mapping.inputs',
      'replay.no-second-child',
      'handoff.happy-path.branch',
    ]);
    expect(checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')).toEqual([]);
  });

  it('leaves the cancelled child open where children cannot be cancelled', async () => {
    const checks = await checksOf(() => refusing('POST', /\/cancel$/u, 403));
    expect(open(checks)).toEqual([
      'handoff.failed-child-skips-harvest.cancelled inconclusive',
      'handoff.causation-chain.cancelled inconclusive',
      'handoff.payloads.cancelled inconclusive',
    ]);
  });

  it('leaves the cancelled child open where it is named after its end', async () => {
    const checks = await checksOf(({ handoff }) => ({
      handoff: {
        ...handoff,
        written: (step) => {
          if (step.kind === 'dispatch.succeeded') return [];
          const before = step.kind === 'child.ended' ? step.earlier.filter(({ type }) => type === CHAIN).slice(-1) : [];
          return handoff.written({ ...step, drafts: [...before, ...step.drafts] });
        },
      },
    }));
    const red = open(checks).filter((each) => !each.endsWith(' inconclusive'));
    expect(red).toEqual([]);
    const late = checks.find(({ id }) => id === 'handoff.failed-child-skips-harvest.cancelled');
    expect(late?.verdict).toBe('inconclusive');
    expect(late?.reason).toContain('give childRunId in dispatch.succeeded or node.dispatched while the child runs');
  });

  it('leaves suspended runs open where nobody may answer', async () => {
    const checks = await checksOf(() => refusing('POST', /\/interrupts\//u, 403));
    const rows = ['handoff.loop.clarify', 'handoff.causation-chain.clarify'];
    expect(open(checks)).toEqual(
      [...rows, ...rows.map((row) => row.replace('clarify', 'escalate'))].map((row) => `${row} inconclusive`),
    );
  });

  it('leaves replays open where tools may not call the witness', async () => {
    const checks = await checksOf(() =>
      answering(async (request, next) => {
        if (request.method !== 'POST' || !request.url.endsWith('/v1/runs')) return undefined;
        const body: unknown = await request.clone().json();
        const blind = isObject(body) ? { ...body, inputs: { witnessUrl: 'http://127.0.0.1:9' } } : body;
        const { headers } = request;
        return next(new Request(request.url, { method: 'POST', headers, body: JSON.stringify(blind) }));
      }),
    );
    expect(open(checks)).toEqual(['handoff.replays inconclusive']);
  });

  it('finds what a host reports in the stream mode debug only', async () => {
    const checks = await checksOf(() =>
      answering(async (request, next) => {
        const { pathname, search } = new URL(request.url);
        if (!/\/events(\/poll)?$/u.test(pathname) || search.includes('debug')) return undefined;
        const response = await next(request);
        if (isEventStream(response)) {
          return rewritingText(response, (text) =>
            text
              .split('\n\n')
              .filter((message) => !/^event: (core\.workflowChain\.event|runOrchestrator\.decided)$/mu.test(message))
              .join('\n\n'),
          );
        }
        const body: unknown = await response.json();
        const events = member(body, 'events');
        const shown =
          isObject(body) && Array.isArray(events) ? { ...body, events: events.filter((e) => !isHidden(e)) } : body;
        return Response.json(shown, { status: response.status });
      }),
    );
    expect(open(checks)).toEqual([]);
  });
});

describe('a host that does not support the execution model', () => {
  it('passes where it reports no handoffs, and nothing else applies', async () => {
    const checks = await checksOf((conformant) => ({
      ...advertisingWith(EXECUTION_MODEL, { supported: false })(conformant),
      handoff: { ...conformant.handoff, written: ({ drafts }) => drafts.filter(({ type }) => type !== CHAIN) },
    }));
    const applies = checks.filter(({ verdict }) => verdict !== 'not-applicable');
    expect(applies.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([`${UNSUPPORTED} pass`]);
  });
});
