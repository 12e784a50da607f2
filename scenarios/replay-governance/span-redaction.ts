import { member } from '../../src/contract/discovery.ts';
import type { Outcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Span } from '../../src/evidence/witness.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recordings } from '../shared/of-type.ts';
import { replays } from '../shared/replays.ts';
import { type ForkBody, isObserved, offersMode, startFork, type RunObservation } from '../shared/run-observation.ts';
import { makeTrace } from '../shared/run-span.ts';
import { branchBody } from './access-checks.ts';
import { judgeForks, spansOf } from './judge-redaction.ts';
import { search, type HeardObservation } from './listen.ts';
import { readEverything } from './read-everything.ts';
import { runErrorSecrets, runSecrets, SECRETS, type SecretRun } from './redaction.ts';

/** A run with secrets, and one that fails with them where the host has that workflow. */
async function drive(probe: Probe): Promise<readonly Observation[]> {
  const completed = await driveWith(probe, runSecrets);
  return [...completed, ...(await driveWith(probe, runErrorSecrets))];
}

async function driveWith(probe: Probe, start: typeof runSecrets): Promise<readonly Observation[]> {
  const own = makeTrace();
  const run = await start(probe, own.headers);
  if (run === undefined) return [];
  const { source, listener, planted } = run;
  if (isObserved(source)) await readEverything(listener.as('source', probe.host), source.runId, []);
  const branch = offersMode(probe.discovery, 'branch') ? [branchBody(source)] : [];
  const bodies: readonly ForkBody[] = [{ mode: 'replay' }, ...branch];
  const forks = bodies.map(async (body): Promise<Traced> => {
    const trace = makeTrace();
    const fork = await startFork(probe, source, body, { role: body.mode, headers: trace.headers });
    return { run: fork, traceId: trace.traceId };
  });
  const all: readonly Traced[] = [{ run: source, traceId: own.traceId }, ...(await Promise.all(forks))];
  await Promise.all(all.map((each) => spansThere(probe, each, probe.timeoutMs)));
  const heard = await Promise.all(all.map((each) => hearSpans(probe, run, each)));
  return [source, planted, listener.heard('source'), ...all.slice(1).map(({ run: fork }) => fork), ...heard];
}

/** A run and the trace in which it was requested. */
interface Traced {
  readonly run: RunObservation;
  readonly traceId: string;
}

/** Waits for a run's own span at most so long; gives all spans of the run that were there until then, or else until the time was over. */
async function spansThere(probe: Probe, { run, traceId }: Traced, timeoutMs?: number): Promise<readonly Span[]> {
  if (!isObserved(run) || probe.witness === undefined) return [];
  const spans: Span[] = [];
  const isLast = (span: Span): boolean => {
    if (span.traceId !== traceId && span.attributes['openwop.run_id'] !== run.runId) return false;
    spans.push(span);
    return timeoutMs !== undefined && span.name === 'openwop.run';
  };
  await probe.witness.span(isLast, { timeoutMs: timeoutMs ?? 0, signal: probe.signal });
  return spans;
}

/** Searches all spans of a run that have come: others may come with its own span, or behind it. */
async function hearSpans(probe: Probe, { secrets }: SecretRun, traced: Traced): Promise<HeardObservation> {
  const { role, exchanges } = traced.run;
  const exchange = exchanges[0] ?? '';
  const answers = (await spansThere(probe, traced)).map(({ name, text }) => ({
    surface: 'span' as const,
    request: `the span ${search(secrets, name).shows.length === 0 ? name : '(its name)'}`,
    status: 200,
    ...search(secrets, text),
    exchange,
  }));
  return { type: 'heard', role: spansOf(role), exchanges, answers };
}

function judgeOne(recorded: Recordings): Outcome {
  return judgeForks(recorded, ['replay', 'branch'], { spans: true });
}

/** Judges the spans of each source's forks; those of the run that fails only where it was forked: others say what is wrong else. */
function judgeSpans(recorded: Recordings): Outcome {
  const second = recorded.findLastIndex(({ type, ...each }) => type === 'run' && member(each, 'role') === 'source');
  const own = judgeOne(second > 0 ? recorded.slice(0, second) : recorded);
  const failing = second > 0 ? judgeOne(recorded.slice(second)) : own;
  return own.kind === 'pass' && failing.kind === 'fail' ? failing : own;
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
      title: 'Spans of a replay, or a branch, show nowhere a secret that its source hides',
      judge: judgeSpans,
    },
  ],
});
