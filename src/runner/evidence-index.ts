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
import type { Everything, Recorded } from './scenario.ts';

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
  readonly durationMs: number;
  readonly interrupted: EndRecord['interrupted'];
}

/** Arranges evidence by scenario and id. Throws when there is no `run` line. */
export function gatherEvidence(records: readonly EvidenceRecord[]): Evidence {
  let run: RunRecord | undefined;
  let durationMs = 0;
  let interrupted: EndRecord['interrupted'];
  const plans = new Map<string, PlanRecord>();
  const driven = new Map<string, DrivenRecord>();
  const observations = new Map<string, ObservationRecord[]>();
  const observationById = new Map<string, ObservationRecord>();
  const exchanges = new Map<string, ExchangeRecord>();
  for (const record of records) {
    switch (record.kind) {
      case 'run':
        run = record;
        break;
      case 'plan':
        plans.set(record.scenario, record);
        break;
      case 'driven':
        driven.set(record.scenario, record);
        break;
      case 'exchange':
        exchanges.set(record.id, record);
        break;
      case 'observation': {
        const group = observations.get(record.scenario);
        if (group === undefined) observations.set(record.scenario, [record]);
        else group.push(record);
        observationById.set(record.id, record);
        break;
      }
      case 'end':
        ({ durationMs, interrupted } = record);
        break;
    }
  }
  if (run === undefined) throw new Error('the evidence has no run line');
  const ids = new Set([...observationById.keys(), ...exchanges.keys()]);
  return { run, plans, driven, observations, observationById, exchanges, ids, durationMs, interrupted };
}

/** What one scenario recorded, in its order. */
export function observationsOf(evidence: Evidence, scenario: string): readonly Recorded<Observation>[] {
  return (evidence.observations.get(scenario) ?? []).map(({ id, observation }) => copyPacked(observation, { id }));
}

/** What all scenarios recorded, the planner among them. */
export function everythingIn(evidence: Evidence): Everything {
  const known = gathered.get(evidence);
  if (known !== undefined) return known;
  const everything = [...evidence.observations.keys()].flatMap((scenario) =>
    observationsOf(evidence, scenario).map((observation) => copyPacked(observation, { scenario })),
  );
  gathered.set(evidence, everything);
  return everything;
}

/** Gathered once: foundations look through all logs, and long ones are packed. */
const gathered = new WeakMap<Evidence, Everything>();
