import { member } from '../../src/contract/discovery.ts';
import { fail, isOutcome, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { named, shown } from '../shared/compare-runs.ts';
import type { SeenRun } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { wrong } from './diagnoses.ts';
import { heardOf, type HeardObservation } from './listen.ts';
import { needed } from './needed.ts';
import { seamOf, type SeamObservation } from './seam.ts';

/** The seam that lists audit records. */
export const AUDIT = 'audit';
/** The role of the fork. */
export const FORK = 'fork';

/** Whether an audit record shows what was planted. */
export interface AuditSearchObservation extends Observation {
  readonly type: 'audit-search';
  /** The spellings in which the records show the planted text. */
  readonly spellings: readonly string[];
}

/** A fork of a run with a sensitive input, and the host's audit records. */
export interface Audited {
  readonly source: SeenRun;
  readonly fork: SeenRun;
  readonly seam: Recorded<SeamObservation>;
  readonly records: readonly Json[];
  readonly search: Recorded<AuditSearchObservation> | undefined;
  readonly heard: Recorded<HeardObservation> | undefined;
}

/** What was recorded of an audited fork, or the outcome that is left without one. */
export function seeAudit(recorded: Recordings): Audited | Outcome {
  const runs = needed(recorded, 'source', FORK);
  if (isOutcome(runs)) return runs;
  const seam = seamOf(recorded, AUDIT);
  if (seam === undefined) return undecided('no audit records were requested', [runs.fork]);
  if (seam.problem !== null) return undecided(seam.problem, [seam]);
  const list = Array.isArray(seam.answer) ? seam.answer : member(seam.answer, 'events');
  if (!Array.isArray(list)) return undecided('the seam audit gave no list of events', [seam]);
  const [search] = ofType<AuditSearchObservation>(recorded, 'audit-search');
  return { ...runs, seam, records: list as readonly Json[], search, heard: heardOf(recorded, 'source') };
}

/** replay.md, Privacy: an audit event when a replay or branch is created from a run that contains sensitive fields. */
export function judgeAudit({ source, fork, seam, records }: Audited): Outcome {
  const ofFork = records.filter((record) => names(record, fork.runId ?? ''));
  const evidence = [seam, fork, source];
  if (ofFork.some((record) => names(record, source.runId ?? ''))) return pass(evidence);
  const [record] = ofFork;
  const expected = `an audit record that names ${named(fork)} and its source ${source.runId ?? ''}`;
  if (record !== undefined) {
    return fail({ expected, actual: shown(record), diagnosis: wrong('audited-without-source') }, evidence);
  }
  const actual = `${records.length} records, none of which names the fork`;
  return fail({ expected, actual, diagnosis: wrong('not-audited') }, evidence);
}

/** replay.md, Privacy: the same redaction rules for logs. */
export function judgeAuditSecret({ source, fork, seam, records, search, heard }: Audited): Outcome {
  if (search === undefined || heard === undefined) return undecided('the records were not searched', [seam]);
  const showing = heard.answers.filter(({ shows }) => shows.length > 0).map(({ surface }) => surface);
  if (showing.length > 0) {
    const where = [...new Set(showing)].join(', ');
    return undecided(`${named(source)} itself shows its run input credentials.apiKey: ${where}`, [heard]);
  }
  const [spelling] = search.spellings;
  if (spelling !== undefined) {
    const expected = 'no audit record shows the run input credentials.apiKey, which the host redacts';
    return fail({ expected, actual: `a record shows it, ${spelling}` }, [search, seam]);
  }
  if (records.some((record) => names(record, fork.runId ?? ''))) return pass([search, seam, fork]);
  return undecided('there is no audit record of the fork to search', [seam]);
}

/** Whether a record holds an id in one of its texts, at any depth; not as a part of another id. */
function names(record: Json, id: string): boolean {
  if (typeof record === 'string') return holds(record, id);
  if (typeof record !== 'object' || record === null) return false;
  return Object.values(record).some((inner: Json) => names(inner, id));
}

function holds(text: string, id: string): boolean {
  if (id === '') return false;
  for (let at = text.indexOf(id); at !== -1; at = text.indexOf(id, at + 1)) {
    const around = (text[at - 1] ?? ' ') + (text[at + id.length] ?? ' ');
    if (!/[\w-]/u.test(around)) return true;
  }
  return false;
}
