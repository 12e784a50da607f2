import type { HostParts } from '../parts.ts';

/** The parts that a defect replaces, given those of the conformant host. */
export type Parts = (conformant: HostParts) => Partial<HostParts>;

/** One deliberate defect of the reference host (architecture, Kill matrix). */
export interface Defect {
  /** The defect, in one sentence. */
  readonly breaks: string;
  /** The checks that it must turn red. */
  readonly kills: readonly string[];
  /** Other checks that it may turn red, with the reason why its defect violates them, too. No third one may be red. */
  readonly alsoBreaks?: Readonly<Record<string, string>>;
  /** The scenario whose runs show it, where those that the checks belong to do not: a claim is judged by what any of them read. */
  readonly seenIn?: string;
  /** Scenarios wait by the clock for what it never does, for 15 s and more: the kill matrix runs others beside it. */
  readonly waits?: true;
  readonly parts: Parts;
}

/** Defects by the ids of their mutants. */
export type Defects = Readonly<Record<string, Defect>>;

/** The reference host with one deliberate defect. */
export interface Mutant extends Defect {
  readonly id: string;
}

/** Checks that break for one reason, for `alsoBreaks`. */
export function because(reason: string, ...checks: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(checks.map((id) => [id, reason]));
}

/** The defect, with the scenario whose runs show it. */
export function seenIn(scenario: string, defect: Defect): Defect {
  return { ...defect, seenIn: scenario };
}

/** The groups of parts that a host has. */
type Policy =
  | 'llmCache'
  | 'refusal'
  | 'replay'
  | 'handoff'
  | 'sideResources'
  | 'secondRegion'
  | 'ledger'
  | 'governance';

/** Parts in which some of one policy are replaced, given the conformant ones. */
export function within<P extends Policy>(
  policy: P,
  change: (conformant: HostParts[P]) => Partial<HostParts[P]>,
): Parts {
  return (conformant) => ({ [policy]: { ...conformant[policy], ...change(conformant[policy]) } });
}
