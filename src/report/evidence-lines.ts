import type { EvidenceRecord, ExchangeRecord, Observation, ObservationRecord } from '../evidence/types.ts';
import type { CheckReport } from '../contract/report.ts';

/** The lines of evidence that checks name, by id. */
export interface EvidenceLines {
  readonly exchanges: ReadonlyMap<string, ExchangeRecord>;
  readonly observations: ReadonlyMap<string, ObservationRecord>;
}

/** Finds the exchanges and observations of a run. */
export function evidenceLines(records: readonly EvidenceRecord[]): EvidenceLines {
  const exchanges = new Map<string, ExchangeRecord>();
  const observations = new Map<string, ObservationRecord>();
  for (const record of records) {
    if (record.kind === 'exchange') exchanges.set(record.id, record);
    if (record.kind === 'observation') observations.set(record.id, record);
  }
  return { exchanges, observations };
}

/** What was observed for a check, in the order in which it names them. */
export function observationsOf({ evidence }: CheckReport, { observations }: EvidenceLines): readonly Observation[] {
  return evidence.flatMap((id) => observations.get(id)?.observation ?? []);
}

/** The exchanges behind a check in the order in which they were made; those behind each of its observations, too. */
export function exchangesOf(check: CheckReport, lines: EvidenceLines): readonly ExchangeRecord[] {
  const ids = new Set([
    ...check.evidence.filter((id) => lines.exchanges.has(id)),
    ...observationsOf(check, lines).flatMap(({ exchanges }) => (Array.isArray(exchanges) ? exchanges : [])),
  ]);
  return [...lines.exchanges.values()].filter(({ id }) => ids.has(id));
}
