import { randomUUID } from 'node:crypto';
import { advertisedFailpoints, advertisesIdempotency, readPart } from '../../src/contract/discovery.ts';
import { fail, type Outcome, pass, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { WitnessVisit } from '../../src/evidence/witness.ts';
import type { CrashLane, Cut } from '../../src/host/crash.ts';
import { answeredWith, jsonIn } from '../../src/host/exchanged.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import type { Probe } from '../../src/host/probe.ts';
import { createRun } from '../../src/host/runs.ts';
import { runPath } from '../../src/protocol/paths.ts';
import { isEnded, isOwnWord } from '../../src/protocol/run-status.ts';
import { isGatewayError } from '../../src/protocol/status.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { endInLog, mayHaveEnded } from '../shared/past-question.ts';
import { ask } from '../shared/seams.ts';
import { awaitStatus, statusIn } from '../shared/snapshot.ts';
import { wrong } from './diagnoses.ts';
import { gatingSeam } from './seam.ts';
import { undrivenText } from '../shared/unobserved.ts';

/** Where a run dies: nowhere, or when the model has answered, before or after its answer is recorded. */
type Place = 'nowhere' | 'before the record' | 'after the record';

/** A run that asks a model once, and dies at a place. */
export interface LookupObservation extends Observation {
  readonly type: 'lookup';
  readonly place: Place;
  /** The failpoint; null where none is armed. */
  readonly failpoint: string | null;
  /** Why the run was not seen to its end; null where it was. */
  readonly problem: string | null;
  readonly died: boolean;
  /** Calls of the provider by the death, and in the end. */
  readonly callsAtDeath: number;
  readonly calls: number;
  /** The status of the run in the end; null where it is not known. */
  readonly status: string | null;
}

type RecordedLookup = Recorded<LookupObservation>;

const EXPOSE =
  'expose failpoints around the record of a provider’s response, such as before-store-response and after-store-response';

/** Judges recovery.layer-two-lookup: nobody is asked for what is on record, and once more at most for what is not. */
function judge(recorded: Recordings): Outcome {
  const all = ofType<LookupObservation>(recorded, 'lookup');
  const [uncut, before, after] = PLACES.map((place) => all.find((each) => each.place === place));
  if (uncut === undefined || uncut.problem !== null) {
    return undecided(uncut?.problem ?? undrivenText('run that is not cut'), uncut === undefined ? [] : [uncut]);
  }
  if (uncut.calls !== 1 || uncut.status !== 'completed') {
    const reason = `the run that did not die asked the provider ${uncut.calls} times and came out as ${uncut.status ?? 'unknown'}`;
    return undecided(reason, [uncut]);
  }
  const wrongly =
    requestedAgain(after, 1, 'asked-after-record') ??
    requestedAgain(before, 2, 'asked-more-than-once') ??
    leftUnused(after, uncut);
  if (wrongly !== undefined) return wrongly;
  const open = openIn(after);
  if (after === undefined) return undecidedUntil(EXPOSE, 'no failpoint was driven after the record', [uncut]);
  // What did not come back says by itself what would bring it back.
  if (open !== undefined) return after.died ? undecided(open, [after]) : undecidedUntil(EXPOSE, open, [after]);
  const openBefore = openIn(before);
  if (before === undefined || openBefore !== undefined) {
    return pass([after, uncut], `not seen: ${openBefore ?? 'a death before the record'}`);
  }
  return pass(
    [after, before, uncut],
    `asked ${before.calls - before.callsAtDeath} times more where nothing was recorded`,
  );
}

const PLACES: readonly Place[] = ['nowhere', 'before the record', 'after the record'];

function requestedAgain(
  recorded: RecordedLookup | undefined,
  most: number,
  code: Parameters<typeof wrong>[0],
): Outcome | undefined {
  if (recorded === undefined || !recorded.died || recorded.callsAtDeath !== 1 || recorded.calls <= most)
    return undefined;
  const where = `${recorded.failpoint ?? ''}, ${recorded.place}`;
  const expected = `${most === 1 ? 'no call' : 'one call at most'} of the provider after a death at ${where}`;
  return fail({ expected, actual: `${recorded.calls - 1} more`, diagnosis: wrong(code) }, [recorded]);
}

/** A run that asks nobody after the record, and fails all the same where the one that did not die completed. */
function leftUnused(after: RecordedLookup | undefined, uncut: RecordedLookup): Outcome | undefined {
  if (after === undefined || after.problem !== null || !after.died) return undefined;
  if (after.callsAtDeath !== 1 || after.calls !== 1 || after.status !== 'failed') return undefined;
  const expected = `the recorded response is used after a death at ${after.failpoint ?? ''}, ${after.place}: the run completes`;
  const actual = 'the run failed, and nobody was asked';
  return fail({ expected, actual, diagnosis: wrong('record-not-used') }, [after, uncut]);
}

/** Why a death shows nothing; undefined where it does. */
function openIn(recorded: RecordedLookup | undefined): string | undefined {
  if (recorded === undefined) return 'no failpoint was driven there';
  const { failpoint, problem, died, callsAtDeath, status } = recorded;
  const at = `${failpoint ?? ''}:`;
  if (problem !== null) return `${at} ${problem}`;
  if (!died) return `${at} the host was not seen to die`;
  if (callsAtDeath !== 1) return `${at} the provider had ${callsAtDeath} calls by the death`;
  return status === 'completed' ? undefined : `${at} the run came out as ${status ?? 'unknown'}`;
}

const PROVIDER = 'conformance-determinism-llm-provider';

const WHO = '(?:llm|model|provider|chat)';
const WHAT = `(?:${WHO}?(?:response|completion|answer)|${WHO}result)`;
const WRITE = '(?:append|store|record|put|save|write|persist)';

/**
 * Names of the write that records a provider's response, without their side, case and separators. A mere response or cache may
 * be one that is read.
 */
const RECORD = new RegExp(
  [
    `${WRITE}${WHAT}`,
    `cache${WHO}(?:response|completion|answer|result)`,
    `${WHAT}(?:stored|recorded|saved|persisted|cached)`,
    `${WRITE}${WHO}(?:record|cache)`,
    `${WHO}(?:record|recorded|(?:response|completion|answer|result|cache)(?:record|store|put|save|write|persist))`,
  ]
    .map((each) => `^${each}$`)
    .join('|'),
  'u',
);

/** The failpoints around the record of a response, as their names tell. */
export function aroundRecord(advertised: readonly string[]): readonly (readonly [place: Place, name: string])[] {
  return (['before', 'after'] as const).flatMap((side) => {
    const name = advertised.find((each) => {
      const letters = each.toLowerCase().replaceAll(/[^a-z0-9]/gu, '');
      return letters.startsWith(side) && RECORD.test(letters.slice(side.length));
    });
    return name === undefined ? [] : [[`${side} the record`, name] as const];
  });
}

async function drive(probe: Probe): Promise<readonly LookupObservation[]> {
  const { crash: bench, witness } = probe;
  if (bench === undefined || witness === undefined) return [];
  const recorded: LookupObservation[] = [];
  const jobs: (readonly [Place, string | null])[] = [
    ['nowhere', null],
    ...aroundRecord(advertisedFailpoints(readPart(probe.discovery, 'provable'))),
  ];
  await bench.each(jobs, async (lane, [place, failpoint]) => {
    const visit = witness.visit();
    visit.stageChat([{ kind: 'valid', content: '{"valid":true}' }]);
    recorded.push(await driveRun({ ...probe, host: lane.host }, lane, { place, failpoint, visit }));
  });
  return recorded;
}

interface Job {
  readonly place: Place;
  readonly failpoint: string | null;
  readonly visit: WitnessVisit;
}

/** A run is followed for as many time-outs in each life of its host. */
const PATIENCE = 3;

async function driveRun(probe: Probe, lane: CrashLane, { place, failpoint, visit }: Job): Promise<LookupObservation> {
  const calls = (): number => visit.calls().filter(({ kind }) => kind === 'chat').length;
  const exchanges: string[] = [];
  const patienceMs = PATIENCE * probe.timeoutMs;
  const begun = { type: 'lookup', place, failpoint, died: false, callsAtDeath: 0, status: null, exchanges } as const;
  const armed = failpoint === null ? undefined : await arm(lane, { name: failpoint, hit: 1 }, exchanges);
  if (armed !== undefined) return { ...begun, problem: armed, calls: 0 };
  const key = randomUUID();
  const create = async (): Promise<string | null> => {
    const request = { workflowId: PROVIDER, inputs: { witnessUrl: visit.url } };
    const started = await createRun(lane.host, request, { 'idempotency-key': key });
    exchanges.push(started.exchange);
    return started.kind === 'started' ? started.runId : null;
  };
  const created = await create();
  const died = failpoint !== null && (await diesBefore(probe, created, { exchanges, patienceMs }));
  const callsAtDeath = calls();
  const revival = died ? await lane.revive() : undefined;
  if (failpoint !== null && !died) await arm(lane, { name: failpoint, hit: NEVER }, exchanges);
  const observed = { ...begun, died, callsAtDeath };
  if (revival?.ok === false) return { ...observed, problem: revival.reason, calls: calls() };
  // The answer may be lost with the host; under the same key it is the same run, however often it takes.
  const again = { patienceMs: probe.timeoutMs, signal: probe.signal };
  const runId =
    created ??
    (advertisesIdempotency(probe.discovery) ? await repeatPaced(create, (named) => named !== null, again) : null);
  if (runId === null) return { ...observed, problem: 'POST /v1/runs named no run', calls: calls() };
  const end = await awaitStatus(probe, { runId, isEnough: mayHaveEnded, patienceMs });
  exchanges.push(...end.exchanges);
  const ended = isOwnWord(end.status) ? await endInLog(probe, runId, patienceMs) : undefined;
  const status = ended ?? end.status ?? null;
  const problem = isEnded(status) ? null : `its status is ${status ?? 'unknown'} after ${patienceMs} ms`;
  return { ...observed, problem, calls: calls(), status };
}

/** A hit that no run reaches. */
const NEVER = 1_000_000_000;

async function arm({ host }: CrashLane, cut: Cut, exchanges: string[]): Promise<string | undefined> {
  const { exchange, problem } = await ask(host, 'failpoint', { ...cut, action: 'kill' });
  exchanges.push(exchange);
  return problem ?? undefined;
}

interface Watch {
  readonly exchanges: string[];
  readonly patienceMs: number;
}

/** Watches a run until its host is gone (true), or the run has ended or the patience is over. */
async function diesBefore(
  { host, signal }: Probe,
  runId: string | null,
  { exchanges, patienceMs }: Watch,
): Promise<boolean> {
  const look = async (): Promise<'gone' | 'ended' | 'there'> => {
    const exchange = await host.exchange({ method: 'GET', path: runPath(runId ?? 'none') });
    exchanges.push(exchange.id);
    const isGone = exchange.kind === 'failure' && ['refused', 'reset', 'unresolvable'].includes(exchange.reason);
    if (isGone || isGatewayError(answeredWith(exchange) ?? 0)) return 'gone';
    return isEnded(statusIn(jsonIn(exchange, 200))) ? 'ended' : 'there';
  };
  return (await repeatPaced(look, (each) => each !== 'there', { patienceMs, signal })) === 'gone';
}

const id = 'recovery.layer-two-lookup';
const title =
  'After a death the recorded response of a provider is used, and one that was not recorded is asked for once';

/** replay.md §C and 0041 §A.5 across crashes, counted outside the host. */
export const layerTwoLookup = defineScenario({
  suite: 'replay-governance',
  id,
  title,
  needs: [gatingSeam('failpoint'), { kind: 'crash' }, { kind: 'witness' }, { kind: 'fixture', workflowId: PROVIDER }],
  patience: () => 40,
  drive,
  checks: [{ id, title, judge }],
});
