import type { Outcome } from '../../src/contract/outcome.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { ForkMode, Need } from '../../src/runner/scenario.ts';
import { bounds } from './compare-runs.ts';
import { startPublic } from './first-run.ts';
import { leftWithout, runOf } from './need.ts';
import type { Recordings } from './of-type.ts';
import { branches, replays } from './replays.ts';
import { type ForkBody, forkRequest, type RunObservation, startFork } from './run-observation.ts';

/** The need of rows about forks of one mode. */
export const FORKS: Readonly<Record<ForkMode, Need>> = { replay: replays, branch: branches };

/** A run, the fork that its owner makes of it, and the body of a request for another one like it. */
interface OwnFork {
  readonly source: RunObservation;
  readonly control: RunObservation;
  readonly body: string;
}

/** Forks a run with a credential that may: the control of what others may not. */
export async function forkAsOwner(probe: Probe, mode: ForkMode, role: string): Promise<OwnFork> {
  const source = await startPublic(probe, 'source');
  const valid: ForkBody = mode === 'replay' ? { mode } : { mode, fromSeq: bounds(source).middle };
  const control = await startFork(probe, source, valid, { role });
  const fromSeq = control.fork?.fromSeq ?? undefined;
  return { source, control, body: forkRequest(fromSeq === undefined ? { mode } : { mode, fromSeq }) };
}

/**
 * The outcome that is left where the control request, a valid fork of the source, was not carried out: a host that refuses
 * everything shows nothing by a refusal. Undefined where it was. A control may have had other roles in old evidence.
 */
export function leftWithoutControl(recorded: Recordings, ...roles: readonly string[]): Outcome | undefined {
  const control = roles.map((role) => runOf(recorded, role)).find((run) => run !== undefined);
  const made = control !== undefined && control.runId !== null;
  return (
    leftWithout([runOf(recorded, 'source') ?? 'source']) ??
    (made ? undefined : leftWithout([control ?? roles.join(' or ')]))
  );
}
