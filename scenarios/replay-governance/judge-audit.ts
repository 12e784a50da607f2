import { member } from '../../src/contract/discovery.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { named, shown } from '../shared/compare-runs.ts';
import { runOf } from '../shared/judge-run.ts';
import { passing, undecided, type SeenRun } from '../shared/judging.ts';
import { AUDIT, FORK, type AuditSearchObservation } from './audit-drive.ts';
import { heardOf } from './listen.ts';
import { notSeen } from './not-seen.ts';
import type { Recordings } from './row.ts';
import { seamOf, type SeamObservation } from './seam.ts';

/** What all rows need: a fork of a run with a sensitive input, and a list of audit records. */
interface Audited {
  readonly source: SeenRun;
  readonly fork: SeenRun;
  readonly seam: Recorded<SeamObservation>;
  readonly records: readonly Json[];
}

/** replay.md, Privacy: an audit event when a replay or branch is created from a run that contains sensitive fields. */
export function judgeAudit(check: string, observations: Recordings): Judgement {
  const found = auditedIn(check, observations);
  if ('verdict' in found) return found;
  const { source, fork, seam, records } = found;
  const ofFork = records.filter((record) => names(record, fork.runId ?? ''));
  const evidence = [seam, fork, source];
  if (ofFork.some((record) => names(record, source.runId ?? ''))) return passing(check, evidence);
  const [record] = ofFork;
  return {
    check,
    verdict: 'fail',
    expected: `an audit record that names ${named(fork)} and its source ${source.runId ?? ''}`,
    actual: record === undefined ? `${records.length} records, none of which names the fork` : shown(record),
    diagnosis:
      record === undefined
        ? { code: 'not-audited', message: 'the fork of a run with sensitive fields left no audit record' }
        : { code: 'audited-without-source', message: 'the audit record does not say of which run the fork was made' },
    evidence: evidence.map(({ id }) => id),
  };
}

/** replay.md, Privacy: the same redaction rules for logs. */
export function judgeAuditSecret(check: string, observations: Recordings): Judgement {
  const found = auditedIn(check, observations);
  if ('verdict' in found) return found;
  const { source, fork, seam, records } = found;
  const search = observations.find((each): each is Recorded<AuditSearchObservation> => each.type === 'audit-search');
  const heard = heardOf(observations, 'source');
  if (search === undefined || heard === undefined) return undecided(check, 'the records were not searched', [seam]);
  const showing = heard.answers.filter(({ shows }) => shows.length > 0).map(({ surface }) => surface);
  if (showing.length > 0) {
    const where = [...new Set(showing)].join(', ');
    return undecided(check, `${named(source)} itself shows its run input credentials.apiKey: ${where}`, [heard]);
  }
  const [spelling] = search.spellings;
  if (spelling !== undefined) {
    const expected = 'no audit record shows the run input credentials.apiKey, which the host redacts';
    return { check, verdict: 'fail', expected, actual: `it shows it, ${spelling}`, evidence: [search.id, seam.id] };
  }
  if (records.some((record) => names(record, fork.runId ?? ''))) return passing(check, [search, seam, fork]);
  return undecided(check, 'there is no audit record of the fork to search', [seam]);
}

function auditedIn(check: string, observations: Recordings): Audited | Judgement {
  const [source, fork] = [runOf(observations, 'source'), runOf(observations, FORK)];
  const missing = notSeen(check, [source, fork]);
  if (missing !== undefined || source === undefined || fork === undefined) {
    return missing ?? undecided(check, 'no fork was made', []);
  }
  const seam = seamOf(observations, AUDIT);
  if (seam === undefined) return undecided(check, 'no audit records were asked for', [fork]);
  if (seam.problem !== null) return undecided(check, seam.problem, [seam]);
  const list = Array.isArray(seam.answer) ? seam.answer : member(seam.answer, 'events');
  if (!Array.isArray(list)) return undecided(check, 'the seam audit gave no list of events', [seam]);
  return { source, fork, seam, records: list as readonly Json[] };
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
