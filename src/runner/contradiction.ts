import type { EvidenceRecord, RunRecord } from '../evidence/types.ts';
import { PLAN } from './plan.ts';
import { createUnlike, editedBody } from './unlike-exchanges.ts';

/** A line that no run writes beside the others, and why not. */
export interface Contradiction {
  readonly record: EvidenceRecord;
  readonly problem: string;
}

/** What is known of a file when one rule is asked about it. */
interface Known {
  readonly run: RunRecord;
  readonly records: readonly EvidenceRecord[];
  readonly lineOf: (record: EvidenceRecord) => number;
}

/**
 * The first line by which evidence contradicts itself: a scenario that was not selected, that was planned or driven twice, or that was driven
 * although the plan left it out; a second end; a run line behind others; numbers of exchanges or observations with a gap or in another order,
 * or an end that counts others than stand before it; a body without its digest; an observation that its exchanges do not show.
 */
export function contradictionIn(known: Known): Contradiction | undefined {
  for (const rule of [ofAnotherRun, saidTwice, drivenAgainstPlan, behindAGap, outOfOrder, beforeTheEnd, edited]) {
    const found = rule(known);
    if (found !== undefined) return found;
  }
  return undefined;
}

function ofAnotherRun({ run, records }: Known): Contradiction | undefined {
  const own = new Set([...run.scenarios, PLAN]);
  const record = records.find((each) => 'scenario' in each && !own.has(each.scenario));
  return record && { record, problem: `it is of ${nameOf(record)}, which the run line does not name` };
}

function saidTwice({ records, lineOf }: Known): Contradiction | undefined {
  const first = new Map<string, EvidenceRecord>();
  for (const record of records) {
    if (record.kind !== 'plan' && record.kind !== 'driven' && record.kind !== 'end') continue;
    const name = `${record.kind} ${nameOf(record)}`;
    const before = first.get(name);
    if (before !== undefined) return { record, problem: `line ${lineOf(before)} says ${SAYS[record.kind]} already` };
    first.set(name, record);
  }
  return undefined;
}

const SAYS = {
  plan: 'whether the scenario is driven',
  driven: 'how the drive of the scenario ended',
  end: 'how the run ended',
} as const;

function drivenAgainstPlan({ records, lineOf }: Known): Contradiction | undefined {
  const left = new Map(
    records.flatMap((record) =>
      record.kind === 'plan' && record.status !== 'applicable' ? [[record.scenario, record] as const] : [],
    ),
  );
  for (const record of records) {
    if (record.kind !== 'driven' && record.kind !== 'observation' && record.kind !== 'exchange') continue;
    const plan = left.get(record.scenario);
    if (plan === undefined) continue;
    return { record, problem: `line ${lineOf(plan)} plans ${plan.scenario} as ${plan.status}, and here it was driven` };
  }
  return undefined;
}

/** Lines are numbered as they are written, each kind by itself. */
function behindAGap({ records }: Known): Contradiction | undefined {
  const numbered = records.filter((record) => 'id' in record);
  const ids = new Set(numbered.map(({ id }) => id));
  for (const record of numbered) {
    const number = Number(record.id.slice(1));
    const before = `${record.id.slice(0, 1)}${number - 1}`;
    if (number > 1 && !ids.has(before)) return { record, problem: `${record.id} stands here, and ${before} nowhere` };
  }
  return undefined;
}

/** The run line comes first, and numbers count upwards. */
function outOfOrder({ run, records }: Known): Contradiction | undefined {
  if (records[0] !== run) return { record: run, problem: 'it stands behind other lines' };
  const last = new Map<string, string>();
  for (const record of records) {
    if (!('id' in record)) continue;
    const before = last.get(record.kind);
    if (before !== undefined && Number(record.id.slice(1)) < Number(before.slice(1)))
      return { record, problem: `it stands behind ${before}` };
    last.set(record.kind, record.id);
  }
  return undefined;
}

/** The end says how many lines of what is numbered stand before it; that of an older version does not. */
function beforeTheEnd({ records }: Known): Contradiction | undefined {
  const record = records.find((each) => each.kind === 'end');
  const written = record?.written;
  if (record === undefined || written === undefined) return undefined;
  const before = records.slice(0, records.indexOf(record));
  for (const kind of ['exchange', 'observation'] as const) {
    const count = before.filter((each) => each.kind === kind).length;
    if (count !== written[kind])
      return { record, problem: `it counts ${written[kind]} ${kind}s, and before it stand ${count}` };
  }
  return undefined;
}

function edited({ records }: Known): Contradiction | undefined {
  const unlike = createUnlike(records);
  for (const record of records) {
    const problem =
      record.kind === 'exchange' ? editedBody(record) : record.kind === 'observation' ? unlike(record) : undefined;
    if (problem !== undefined) return { record, problem };
  }
  return undefined;
}

function nameOf(record: EvidenceRecord): string {
  return 'scenario' in record ? record.scenario : '';
}
