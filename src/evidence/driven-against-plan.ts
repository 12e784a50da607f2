import type { EvidenceRecord, PlanRecord } from './types.ts';

/** Two lines of which one says that a scenario was not to be driven, and the other that it was. */
export interface AgainstPlan {
  readonly plan: PlanRecord;
  readonly record: EvidenceRecord;
}

/** The first line that shows a scenario driven which was planned as one that is not; no run records that. */
export function drivenAgainstPlan(records: Iterable<EvidenceRecord>): AgainstPlan | undefined {
  const all = [...records];
  const left = new Map(
    all.flatMap((record) =>
      record.kind === 'plan' && record.status !== 'applicable' ? [[record.scenario, record] as const] : [],
    ),
  );
  for (const record of all) {
    if (record.kind !== 'driven' && record.kind !== 'observation') continue;
    const plan = left.get(record.scenario);
    if (plan !== undefined) return { plan, record };
  }
  return undefined;
}
