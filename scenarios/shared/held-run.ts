import type { EffectHold, WitnessVisit } from '../../src/evidence/witness.ts';
import { pause } from '../../src/host/pause.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { RunRequest } from '../../src/host/runs.ts';
import { readAgain, type RunObservation, startRun } from './run-observation.ts';

/** A run to start, and the effect whose answers are held back. */
interface Holding<T> {
  readonly visit: WitnessVisit;
  readonly request: RunRequest | string;
  readonly role: string;
  readonly effect: string;
  /** What is looked at while the tool's answer is held back. */
  readonly whileHeld: (runId: string, hold: EffectHold) => Promise<T>;
}

/** A run that was seen to its end after the answer was released. */
interface HeldRun<T> {
  readonly run: RunObservation;
  /** What was looked at; undefined where there was nothing to look at. */
  readonly found: T | undefined;
  /** Why there was not; null where there was. */
  readonly unheld: string | null;
}

/** How long the host may take to name a run whose tool was called already, as a part of the time-out. */
const PATIENCE = 0.25;

/** Starts a run, looks at it while the answer to its first call of an effect is held back, and follows it to its end. */
export async function startHeld<T>(probe: Probe, holding: Holding<T>): Promise<HeldRun<T>> {
  const { visit, request, role, effect } = holding;
  const hold = visit.holdEffects(effect);
  const starting = startRun(probe, request, { role, until: () => true });
  const { found, unheld } = await look(probe, { ...holding, hold, starting }).finally(() => hold.release());
  const begun = await starting;
  if (begun.runId === null || begun.problem !== null) return { run: begun, found, unheld };
  const ended = await readAgain(probe, begun, { role });
  return { run: { ...ended, exchanges: [...begun.exchanges, ...ended.exchanges] }, found, unheld };
}

interface Looking<T> extends Holding<T> {
  readonly hold: EffectHold;
  readonly starting: Promise<RunObservation>;
}

async function look<T>(probe: Probe, looking: Looking<T>): Promise<Pick<HeldRun<T>, 'found' | 'unheld'>> {
  const { hold, starting, effect, whileHeld } = looking;
  const arrived = hold.arrived(1, { timeoutMs: probe.timeoutMs, signal: probe.signal });
  const refused = starting.then(({ runId }) => (runId === null ? false : arrived));
  if (!(await Promise.race([arrived, refused]))) {
    return { found: undefined, unheld: `the host did not call ${looking.visit.url}/effects/${effect}` };
  }
  const begun = await Promise.race([starting, pause(probe.timeoutMs * PATIENCE, probe.signal)]);
  const runId = begun?.runId ?? runIdOfCall(looking.visit, effect);
  if (runId === undefined) {
    const unheld = 'neither POST /v1/runs nor the call of its tool named the run before the tool had answered';
    return { found: undefined, unheld };
  }
  return { found: await whileHeld(runId, hold), unheld: null };
}

/** The run that an effect's first call names in aetheris:job:step:attempt (sem §4.2), as a host may answer late. */
export function runIdOfCall(visit: WitnessVisit, effect: string): string | undefined {
  const key = visit.calls().find(({ kind, name }) => kind === 'effect' && name === effect)?.idempotencyKey;
  return /^aetheris:(?<run>[^:]+):/u.exec(key ?? '')?.groups?.['run'];
}
