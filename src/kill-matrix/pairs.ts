import type { HostParts } from '../../reference-host/index.ts';
import type { JsonObject } from '../../reference-host/json.ts';
import type { RunEvent } from '../../reference-host/store/event.ts';
import type { Mutant } from '../../reference-host/mutants/mutant.ts';
import { FOUNDATIONS } from '../../scenarios/shared/foundations.ts';
import type { CheckReport } from '../contract/report.ts';
import type { Suite } from '../runner/scenario.ts';
import { OWN_IDS } from '../runner/shared-runs.ts';
import { shuffled } from './order.ts';

/** Two defects in one host: one of a claim that others stand on, one of a suite above it. */
export interface Pair {
  readonly foundation: Mutant;
  readonly other: Mutant;
}

/**
 * Every mutant that breaks a foundation with every mutant of the later suites, in an order that the seed decides: the first
 * ones are a sample. Runs that share an id decide nothing: what is wrong with them besides is not to be seen.
 */
export function pairsOf(mutants: readonly Mutant[], suites: readonly Suite[], seed: number): readonly Pair[] {
  const owners = new Set<string>(Object.values(FOUNDATIONS));
  const placeOf = new Map(
    suites.flatMap(({ scenarios }, place) => scenarios.flatMap(({ checks }) => checks.map(({ id }) => [id, place]))),
  );
  const places = ({ kills }: Mutant): readonly number[] => kills.map((check) => placeOf.get(check) ?? -1);
  const pairs = mutants
    .filter(({ kills }) => kills.some((check) => owners.has(check)))
    .flatMap((foundation) => {
      const above = Math.max(...places(foundation));
      const isAbove = (other: Mutant): boolean => Math.min(...places(other)) > above && !other.kills.includes(OWN_IDS);
      return mutants.filter(isAbove).map((other) => ({ foundation, other }));
    });
  return shuffled(pairs, ({ foundation, other }) => `${foundation.id} ${other.id}`, seed);
}

/** Parts that go around requests, or change what is shown: one may stand around the other. */
const AROUND = ['middleware', 'forkEndpoint', 'snapshotOnWire', 'eventOnWire'] as const;

/** The parts of a host with both defects; undefined where one would take the other's place. */
export function withBoth({ foundation, other }: Pair, conformant: HostParts): Partial<HostParts> | undefined {
  const [inner, outer] = [foundation.parts(conformant), other.parts(conformant)];
  const shared = Object.keys(inner).filter((name) => name in outer);
  if (shared.some((name) => !AROUND.some((around) => around === name))) return undefined;
  const both: Partial<HostParts> = { ...inner, ...outer };
  const [near, far] = [inner.middleware, outer.middleware];
  const [nearFork, farFork] = [inner.forkEndpoint, outer.forkEndpoint];
  const [nearSnapshot, farSnapshot] = [inner.snapshotOnWire, outer.snapshotOnWire];
  const [nearEvent, farEvent] = [inner.eventOnWire, outer.eventOnWire];
  return {
    ...both,
    ...(near === undefined || far === undefined ? {} : { middleware: (next) => far(near(next)) }),
    ...(nearFork === undefined || farFork === undefined
      ? {}
      : { forkEndpoint: (request, next) => farFork(request, (sent) => nearFork(sent, next)) }),
    ...(nearSnapshot === undefined || farSnapshot === undefined
      ? {}
      : { snapshotOnWire: (snapshot) => farSnapshot(nearSnapshot(snapshot) as JsonObject) }),
    ...(nearEvent === undefined || farEvent === undefined
      ? {}
      : { eventOnWire: (event, reading) => farEvent(nearEvent(event, reading) as RunEvent, reading) }),
  };
}

/**
 * What must not be on a host with both defects: a second one that is hidden (each of its checks is green or undecided for no
 * reason that is red), a foundation that is not named, or a red check that neither names.
 */
export function pairProblems({ foundation, other }: Pair, checks: readonly CheckReport[]): readonly string[] {
  const verdicts = new Map(checks.map((check) => [check.id, check]));
  const isRed = (id: string): boolean => verdicts.get(id)?.verdict === 'fail';
  const isNamed = (id: string): boolean => isRed(id) || isRed(verdicts.get(id)?.restsOn ?? '');
  const named = new Set(
    [foundation, other].flatMap(({ kills, alsoBreaks = {} }) => [...kills, ...Object.keys(alsoBreaks)]),
  );
  const pair = `${foundation.id} + ${other.id}`;
  return [
    ...(foundation.kills.some(isRed) ? [] : [`${pair}: nothing that ${foundation.id} kills is red`]),
    ...(other.kills.some(isNamed)
      ? []
      : [
          `${pair}: ${other.id} is hidden: ${other.kills.map((id) => `${id} ${verdicts.get(id)?.verdict ?? 'not judged'}`).join(', ')}`,
        ]),
    ...checks
      .filter(({ id }) => isRed(id) && !named.has(id))
      .map(({ id }) => `${pair} turns ${id} red, which neither names`),
  ];
}
