import type { Observation } from '../../src/evidence/types.ts';
import type { Span } from '../../src/evidence/witness.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { replays } from '../shared/replays.ts';
import { type ForkBody, isObserved, offersMode, startFork, type RunObservation } from '../shared/run-observation.ts';
import { makeTrace } from '../shared/run-span.ts';
import { branchBody } from './access-checks.ts';
import { judgeForks, spansOf } from './judge-redaction.ts';
import { search, type HeardObservation } from './listen.ts';
import { readEverything } from './read-everything.ts';
import { runSecrets, SECRETS, type SecretRun } from './redaction.ts';

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const { traceId, headers } = makeTrace();
  const run = await runSecrets(probe, headers);
  if (run === undefined) return [];
  const { source, listener, planted } = run;
  if (isObserved(source)) await readEverything(listener.as('source', probe.host), source.runId, []);
  const branch = offersMode(probe.discovery, 'branch') ? [branchBody(source)] : [];
  const bodies: readonly ForkBody[] = [{ mode: 'replay' }, ...branch];
  const forks = bodies.map(async (body) => {
    const trace = makeTrace();
    const fork = await startFork(probe, source, body, { role: body.mode, headers: trace.headers });
    return [fork, await hearSpans(probe, run, { run: fork, traceId: trace.traceId })];
  });
  const spans = await hearSpans(probe, run, { run: source, traceId });
  return [source, planted, listener.heard('source'), spans, ...(await Promise.all(forks)).flat()];
}

/** Waits for a run's own span, and searches it together with all other spans of the run that came before. */
async function hearSpans(
  probe: Probe,
  { secrets }: SecretRun,
  { run, traceId }: { readonly run: RunObservation; readonly traceId: string },
): Promise<HeardObservation> {
  const { role, runId, problem } = run;
  const common = { type: 'heard', role: spansOf(role), exchanges: run.exchanges } as const;
  if (runId === null || problem !== null || probe.witness === undefined) return { ...common, answers: [] };
  const spans: Span[] = [];
  const isLast = (span: Span): boolean => {
    if (span.traceId !== traceId && span.attributes['openwop.run_id'] !== runId) return false;
    spans.push(span);
    return span.name === 'openwop.run';
  };
  await probe.witness.span(isLast, { timeoutMs: probe.timeoutMs, signal: probe.signal });
  const exchange = run.exchanges[0] ?? '';
  const answers = spans.map((span) => ({
    surface: 'span' as const,
    request: `the span ${search(secrets, span.name).shows.length === 0 ? span.name : '(its name)'}`,
    status: 200,
    ...search(secrets, textOf(span)),
    exchange,
  }));
  return { ...common, answers };
}

/** All that a span says: its name, its attributes, its events and the words of its status. */
export function textOf({ name, attributes, events, statusMessage }: Span): string {
  return JSON.stringify([name, attributes, events, statusMessage]);
}

const CHECK = 'privacy.same-redaction.spans';

/** replay.md, Privacy: OTel spans are named beside events. */
export const spanRedaction = defineScenario({
  suite: 'replay-governance',
  id: CHECK,
  title: "A replay's spans show no secret that those of its source redact",
  needs: [replays, { kind: 'witness' }, { kind: 'spans' }, { kind: 'fixture', workflowId: SECRETS }],
  patience: () => 60,
  drive,
  checks: [
    {
      id: CHECK,
      title:
        'Names, attributes, events and status of the spans of a replay, or a branch, show no secret that its source hides',
      judge: (recorded) => judgeForks(recorded, ['replay', 'branch'], { spans: true }),
    },
  ],
});
