import { copyPacked } from '../evidence/pack.ts';
import type {
  DrivenRecord,
  EndRecord,
  EvidenceRecord,
  ExchangeRecord,
  Observation,
  ObservationRecord,
  PlanRecord,
  RunRecord,
} from '../evidence/types.ts';
import { isSound } from './damage.ts';
import type { Everything, Recorded, Scenario } from './scenario.ts';

/** A run's evidence, arranged for judging. */
export interface Evidence {
  readonly run: RunRecord;
  readonly plans: ReadonlyMap<string, PlanRecord>;
  readonly driven: ReadonlyMap<string, DrivenRecord>;
  readonly observations: ReadonlyMap<string, readonly ObservationRecord[]>;
  readonly observationById: ReadonlyMap<string, ObservationRecord>;
  readonly exchanges: ReadonlyMap<string, ExchangeRecord>;
  /** All ids that a judgement may point at. */
  readonly ids: ReadonlySet<string>;
  /** The last line; none where the evidence was cut off. */
  readonly end: EndRecord | undefined;
  /** The suite of each scenario that this version knows. */
  readonly suites: ReadonlyMap<string, string>;
}

/** Arranges evidence by scenario and id. Throws when there is no `run` line. */
export function gatherEvidence(
  records: readonly EvidenceRecord[],
  scenarios: readonly Pick<Scenario, 'id' | 'suite'>[],
): Evidence {
  const of = <K extends EvidenceRecord['kind']>(kind: K): readonly Extract<EvidenceRecord, { kind: K }>[] =>
    records.filter((record): record is Extract<EvidenceRecord, { kind: K }> => record.kind === kind);
  const run = of('run').at(-1);
  if (run === undefined) throw new Error('the evidence has no run line');
  const observations = new Map<string, ObservationRecord[]>();
  for (const record of of('observation')) {
    const group = observations.get(record.scenario) ?? [];
    group.push(record);
    observations.set(record.scenario, group);
  }
  const observationById = new Map(of('observation').map((record) => [record.id, record]));
  const exchanges = new Map(of('exchange').map((record) => [record.id, record]));
  return {
    run,
    plans: new Map(of('plan').map((record) => [record.scenario, record])),
    driven: new Map(of('driven').map((record) => [record.scenario, record])),
    observations,
    observationById,
    exchanges,
    ids: new Set([...observationById.keys(), ...exchanges.keys()]),
    end: of('end').at(-1),
    suites: new Map(scenarios.map(({ id, suite }) => [id, suite])),
  };
}

/** What one scenario recorded, in its order. */
export function observationsOf(evidence: Evidence, scenario: string): readonly Recorded<Observation>[] {
  const known = numbered.get(evidence) ?? new Map<string, readonly Recorded<Observation>[]>();
  numbered.set(evidence, known);
  const own =
    known.get(scenario) ??
    (evidence.observations.get(scenario) ?? []).map(({ id, observation }) => copyPacked(observation, { id }));
  known.set(scenario, own);
  return own;
}

/** Made once for each scenario: what is found out of an observation is remembered by it. */
const numbered = new WeakMap<Evidence, Map<string, readonly Recorded<Observation>[]>>();

/** What is whole of one scenario's observations, in their order and by their ids. */
interface Sound {
  readonly inOrder: readonly Recorded<Observation>[];
  readonly byId: ReadonlyMap<string, Recorded<Observation>>;
}

function soundOf(evidence: Evidence, scenario: string): Sound {
  const known = sound.get(evidence) ?? new Map<string, Sound>();
  sound.set(evidence, known);
  const found = known.get(scenario);
  if (found !== undefined) return found;
  const suite = evidence.suites.get(scenario) ?? scenario;
  const inOrder = observationsOf(evidence, scenario).filter((observation) => isSound(suite, observation));
  const own = { inOrder, byId: new Map(inOrder.map((observation) => [observation.id, observation])) };
  known.set(scenario, own);
  return own;
}

/** Looked through once: every check that is undecided asks for what shows a broken claim. */
const sound = new WeakMap<Evidence, Map<string, Sound>>();

/** What one scenario or the planner recorded, without what is damaged. */
export function soundObservationsOf(evidence: Evidence, scenario: string): readonly Recorded<Observation>[] {
  return soundOf(evidence, scenario).inOrder;
}

/** The observations that a judgement points at, without exchanges and what is damaged: one list for one judgement. */
export function soundObservationsAt(evidence: Evidence, ids: readonly string[]): readonly Recorded<Observation>[] {
  const known = pointedAt.get(evidence) ?? new WeakMap<readonly string[], readonly Recorded<Observation>[]>();
  pointedAt.set(evidence, known);
  const found =
    known.get(ids) ??
    ids.flatMap((id) => {
      const scenario = evidence.observationById.get(id)?.scenario;
      return scenario === undefined ? [] : (soundOf(evidence, scenario).byId.get(id) ?? []);
    });
  known.set(ids, found);
  return found;
}

const pointedAt = new WeakMap<Evidence, WeakMap<readonly string[], readonly Recorded<Observation>[]>>();

/** What all scenarios recorded, the planner among them, without what is damaged. */
export function everythingIn(evidence: Evidence): Everything {
  const known = gathered.get(evidence);
  if (known !== undefined) return known;
  const everything = [...evidence.observations.keys()].flatMap((scenario) =>
    soundObservationsOf(evidence, scenario).map((observation) => copyPacked(observation, { scenario })),
  );
  gathered.set(evidence, everything);
  return everything;
}

/** Gathered once: foundations look through all logs, and long ones are packed. */
const gathered = new WeakMap<Evidence, Everything>();
