import { randomUUID } from 'node:crypto';
import { phase4 } from '../../src/contract/gates.ts';
import { fail, idsOf, pass, undecided, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { HostHandle } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { startRun } from '../shared/run-observation.ts';
import { stage, valid } from '../shared/seams.ts';
import { type Answers, answersIn, instabilityOf, keyFor, undecidedBy, withoutKey } from './answers.ts';
import { catalogued } from './diagnoses.ts';
import { outputOf, validIn } from './llm-fixture.ts';
import { type CacheKeyObservation, shownAnswer, shownKey } from './observation.ts';
import { after, before, PLAIN, probe as asProbe, requestText } from './requests.ts';
import { lineTo, seamNeed, send, sendOne } from './send.ts';
import { wrong } from './diagnoses.ts';
import { alone } from '../shared/causes.ts';

const id = 'cache-key.not-a-security-boundary';
const WORKFLOW = 'conformance-phase4-replay-divergence';
const NODE = 'structured-call';

/**
 * The note beside `valid` in the answer that is staged for a tenant. It tells that answer from one of a mock model that ignores what is
 * staged, and, by the nonce, from one that an earlier run of the harness staged.
 */
const noteFor = (tenant: string, nonce?: string): string =>
  `staged for the ${tenant} tenant${nonce === undefined ? '' : `, ${nonce}`}`;

/** A run of one tenant after the mock model was staged with `valid`. */
interface TenantRunObservation extends Observation {
  readonly type: 'tenant-run';
  readonly tenant: 'first' | 'second';
  readonly staged: boolean;
  /** What no other staging says; absent in old evidence. */
  readonly nonce?: string;
  readonly problem: string | null;
  readonly output: string;
  /** The status of the answer to the request for the run; null where there was none, absent in old evidence. */
  readonly answered?: number | null;
}

type BoundaryObservation = CacheKeyObservation | TenantRunObservation;

const AS_SECOND = { ...asProbe('as the second tenant', requestText()), variation: 'the second tenant' };

async function runAs(
  probe: Probe,
  handle: HostHandle,
  { tenant, staged, nonce }: Required<Pick<TenantRunObservation, 'tenant' | 'staged' | 'nonce'>>,
): Promise<TenantRunObservation> {
  const entry = valid(JSON.stringify({ valid: staged, note: noteFor(tenant, nonce) }));
  const own = await stage(handle, NODE, [entry, entry, entry]);
  const step = own.problem === null ? own : await stage(probe.host, NODE, [entry, entry, entry]);
  const common = { type: 'tenant-run', tenant, staged, nonce } as const;
  if (step.problem !== null) return { ...common, problem: step.problem, output: '', exchanges: [step.exchange] };
  const run = await startRun(
    probe,
    { workflowId: WORKFLOW, inputs: {} },
    { role: `run of the ${tenant} tenant`, handle },
  );
  const exchanges = [step.exchange, ...run.exchanges];
  return { ...common, problem: run.problem, output: outputOf(run, NODE), answered: run.answered, exchanges };
}

/** The second tenant goes first: what it then sees shows that staging reaches it. */
const TURNS = [
  { tenant: 'second', staged: false },
  { tenant: 'first', staged: true },
  { tenant: 'second', staged: false },
] as const;

async function drive(probe: Probe): Promise<readonly BoundaryObservation[]> {
  const { otherTenant } = probe;
  if (otherTenant === undefined) return [];
  const line = lineTo(probe);
  const own = await send(line, [...before, ...after]);
  const observations: BoundaryObservation[] = [...own, await sendOne(lineTo(probe, otherTenant), AS_SECOND)];
  const nonce = randomUUID();
  for (const turn of TURNS) {
    const observed = await runAs(probe, turn.tenant === 'first' ? probe.host : otherTenant, { ...turn, nonce });
    observations.push(observed);
    if (observed.problem !== null) break;
  }
  return observations;
}

interface BoundaryAnswers {
  readonly answers: Answers;
  readonly runs: readonly Recorded<TenantRunObservation>[];
}

function judgeSameKey({ answers: { keys, cutShort } }: BoundaryAnswers): Outcome {
  const instability = instabilityOf(keys);
  if (instability !== undefined) return undecidedBy(instability, keys);
  if (cutShort !== undefined) return undecided(cutShort, keys);
  const second = keys.find(({ name }) => name === AS_SECOND.name);
  if (second === undefined) return undecided('no request was sent as the second tenant', keys);
  if (second.answer.kind !== 'key') return undecided(withoutKey(second), keys);
  const plain = keyFor(keys, PLAIN) ?? '';
  if (second.answer.key === plain) return pass(keys);
  const first = keys.filter(({ name }) => name === PLAIN);
  const mismatch = {
    expected: `${shownKey(plain)} for both tenants`,
    actual: `${shownAnswer(second.answer)} for the second tenant`,
    diagnosis: catalogued('tenant-in-key'),
    steps: idsOf([...first, second]),
  };
  return fail(mismatch, [second, ...first]);
}

function judgeResponses({ runs }: BoundaryAnswers): Outcome {
  const broken = runs.find(({ problem }) => problem !== null);
  if (broken !== undefined) {
    const why = `${broken.tenant} tenant: ${broken.problem ?? ''}`;
    const isLacking = [400, 404, 422].includes(broken.answered ?? 0);
    return isLacking
      ? undecidedUntil(`seed ${WORKFLOW} for the ${broken.tenant} tenant`, why, runs)
      : undecided(why, runs);
  }
  const [reached, ...others] = runs;
  if (reached === undefined || runs.length < TURNS.length) return undecided('not all runs were started', runs);
  if (runs.some(({ output }) => validIn(output) === undefined)) {
    const reason = `no event of ${NODE} shows what the model answered; the output belongs into node.completed`;
    return undecided(reason, runs);
  }
  if (validIn(reached.output) !== reached.staged)
    return undecided('what was staged did not reach the second tenant', runs);
  const leaked = others.find(({ output, staged }) => validIn(output) !== staged);
  if (leaked === undefined) return pass(runs);
  const note = noteFor(leaked.tenant === 'first' ? 'second' : 'first', leaked.nonce);
  const shown = `{"valid":${String(!leaked.staged)}}`;
  if (!leaked.output.includes(note)) {
    const reason = `the ${leaked.tenant} tenant's run shows ${shown}, not what was staged for it, and not the note that was staged for the other tenant: let the mock model answer what is staged, with all its members`;
    return undecided(reason, [leaked, ...runs]);
  }
  const mismatch = {
    expected: `{"valid":${String(leaked.staged)}}, as staged for the ${leaked.tenant} tenant`,
    actual: `${shown}, the response recorded for the other tenant`,
  };
  return fail({ diagnosis: alone(wrong('response-of-another-tenant')), ...mismatch }, [leaked, ...runs]);
}

/** replay.md §C: the key is no secret and no boundary; the store of responses is kept apart by tenant. */
export const notASecurityBoundary = defineScenario<BoundaryObservation, BoundaryAnswers>({
  id,
  suite: 'cache-key-portable',
  title: 'Two tenants get the same key, and neither is served the response recorded for the other',
  gate: phase4,
  needs: [seamNeed, { kind: 'second-tenant' }],
  exclusive: ['mock-ai:structured-call'],
  drive,
  see: (recorded) => ({
    answers: answersIn(recorded),
    runs: recorded.filter((each) => each.type === 'tenant-run'),
  }),
  checks: [
    { id: `${id}.same-key`, title: 'Both tenants get the same key for the same request', judge: judgeSameKey },
    {
      id: `${id}.no-shared-response`,
      title: "No tenant is served the other's recorded response",
      judge: judgeResponses,
    },
  ],
});
