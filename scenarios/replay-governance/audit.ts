import { member } from '../../src/contract/discovery.ts';
import {
  fail,
  isOutcome,
  type Mistake,
  pass,
  undecided,
  undecidedUntil,
  type Outcome,
} from '../../src/contract/outcome.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { named, shown } from '../shared/compare-runs.ts';
import { isUnknown } from '../shared/first-run.ts';
import { type RecordedRun, runOf } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { branches, replays } from '../shared/replays.ts';
import { isObserved, startFork, startRun, type ForkBody, type RunObservation } from '../shared/run-observation.ts';
import { branchBody } from './access-checks.ts';
import { makeCanary } from './canary.ts';
import { wrong } from './diagnoses.ts';
import { isAboutForks } from './judge-redaction.ts';
import { createListener, heardOf, search, type HeardObservation, type Planted } from './listen.ts';
import { needed } from './needed.ts';
import { readEverything } from './read-everything.ts';
import { askSeam, gatingSeam, seamOf, type SeamObservation } from './seam.ts';

/** The seam that lists audit records. */
const AUDIT = 'audit';
/** The role of the fork, those of another fork of its source and of one of itself, and of whom these are made. */
const FORK = 'fork';
const MORE = { 'second fork': 'source', 'fork of the fork': FORK } as const;

/** Whether an audit record shows what was planted. */
interface AuditSearchObservation extends Observation {
  readonly type: 'audit-search';
  /** The spellings in which the records show the planted text. */
  readonly spellings: readonly string[];
}

/** A fork of a run with a sensitive input, and the host's audit records. */
interface Audited {
  readonly source: RecordedRun;
  readonly fork: RecordedRun;
  readonly seam: Recorded<SeamObservation>;
  readonly records: readonly Json[];
  readonly searched: Recorded<AuditSearchObservation> | undefined;
  readonly heard: Recorded<HeardObservation> | undefined;
  /** The other forks whose records were seen. */
  readonly further: readonly Further[];
}

/** Another fork, and the records about the run that it is made of. */
interface Further {
  readonly run: RecordedRun;
  readonly of: RecordedRun;
  readonly seam: Recorded<SeamObservation>;
  readonly records: readonly Json[];
}

/** What was recorded of an audited fork, or the outcome that is left without one. */
export function seeAudit(recorded: Recordings): Audited | Outcome {
  const runs = needed(recorded, 'source', FORK);
  if (isOutcome(runs)) return runs;
  const seam = seamOf(recorded, AUDIT);
  if (seam === undefined) return undecided('no audit records were requested', [runs.fork]);
  if (seam.problem !== null) return undecided(seam.problem, [seam]);
  const records = recordsIn(seam);
  if (records === undefined)
    return undecidedUntil('answer {events: []} there', 'the seam audit gave no list of events', [seam]);
  const [searched] = ofType<AuditSearchObservation>(recorded, 'audit-search');
  return { ...runs, seam, records, searched, heard: heardOf(recorded, 'source'), further: furtherIn(recorded, runs) };
}

function furtherIn(recorded: Recordings, runs: Pick<Audited, 'source' | 'fork'>): readonly Further[] {
  return Object.entries(MORE).flatMap(([role, of]) => {
    const [run, seam] = [runOf(recorded, role), seamOf(recorded, auditOf(role))];
    const records = seam && recordsIn(seam);
    if (run === undefined || !isObserved(run) || seam === undefined || records === undefined) return [];
    return [{ run, of: runs[of], seam, records }];
  });
}

/** The name under which the records are kept that were requested for the sake of such a fork. */
function auditOf(role: string): string {
  return `${AUDIT} of the ${role}`;
}

function recordsIn({ problem, answer }: SeamObservation): readonly Json[] | undefined {
  const list = Array.isArray(answer) ? answer : member(answer, 'events');
  return problem === null && Array.isArray(list) ? (list as readonly Json[]) : undefined;
}

/** replay.md, Privacy: an audit event when a replay or branch is created from a run that contains sensitive fields, each time, as a fork of one is. */
export function judgeAudit(audited: Audited): Outcome {
  const outcome = judgeFork(audited);
  if (outcome.kind !== 'pass') return outcome;
  const { fork, source, further } = audited;
  for (const { run, of, seam, records } of further) {
    // What was recorded before is about the fork itself.
    const before = audited.records.map((record) => JSON.stringify(record));
    const later = records.filter((record) => {
      const at = before.indexOf(JSON.stringify(record));
      if (at !== -1) before.splice(at, 1);
      return at === -1;
    });
    // Whether a record names the fork or what that was made of, the documents leave open.
    const sources = [of, source].map(({ runId }) => runId ?? '');
    const found = faultOfAudit(later, { fork: run.runId ?? '', sources });
    if (found === undefined) continue;
    const expected = `an audit record about ${named(run)}, made of ${named(of)}, beside that about ${named(fork)}`;
    return fail({ ...found, expected }, [seam, run, fork, source]);
  }
  return outcome;
}

function judgeFork({ source, fork, seam, records }: Audited): Outcome {
  const evidence = [seam, fork, source];
  const found = faultOfAudit(records, forkedOf({ source, fork }));
  const expected = `an audit record about ${named(fork)}, made of ${source.runId ?? ''}`;
  return found === undefined ? pass(evidence) : fail({ ...found, expected }, evidence);
}

/** The ids of a fork and of the runs that it may be said to be made of. */
interface Forked {
  readonly fork: string;
  readonly sources: readonly string[];
}

function forkedOf({ source, fork }: Pick<Audited, 'source' | 'fork'>): Forked {
  return { fork: fork.runId ?? '', sources: [source.runId ?? ''] };
}

/** What is wrong with the records of one fork: none is about it, or each names another run as its source; undefined where one is right. */
function faultOfAudit(records: readonly Json[], forked: Forked): Pick<Mistake, 'actual' | 'diagnosis'> | undefined {
  const about = records.filter((record) => isAbout(record, forked));
  if (about.some((record) => !namesOtherSource(record, forked.sources))) return undefined;
  const [record] = about;
  return record === undefined
    ? { actual: `${records.length} records, none of which is about it`, diagnosis: wrong('not-audited') }
    : { actual: shown(record), diagnosis: wrong('audited-without-source') };
}

/** replay.md, Privacy: the same redaction rules for logs. */
export function judgeAuditSecret({ source, fork, seam, records, searched, heard }: Audited): Outcome {
  if (searched === undefined || heard === undefined) return undecided('the records were not searched', [seam]);
  const showing = heard.answers
    .filter((each) => each.shows.length > 0 && !isAboutForks(each))
    .map(({ surface }) => surface);
  if (showing.length > 0) {
    const where = [...new Set(showing)].join(', ');
    return undecidedUntil(
      'redact inputs of sensitive names, or leave them out',
      `${named(source)} itself shows its run input credentials.apiKey: ${where}`,
      [heard],
    );
  }
  const [spelling] = searched.spellings;
  if (spelling !== undefined) {
    const expected = 'no audit record shows the run input credentials.apiKey, which the host redacts';
    return fail({ diagnosis: wrong('secret-in-audit'), expected, actual: `a record shows it, ${spelling}` }, [
      searched,
      seam,
    ]);
  }
  if (records.some((record) => isAbout(record, forkedOf({ source, fork })))) return pass([searched, seam, fork]);
  return undecidedUntil('record an audit event for each fork', 'there is no audit record of the fork to search', [
    seam,
  ]);
}

/**
 * Whether a record is about the making of a fork. What it holds the documents leave open: it may name the fork, since the records were
 * asked for by its source, or the source alone, where it speaks of forking and names no other run.
 */
function isAbout(record: Json, { fork, sources }: Forked): boolean {
  if (names(record, fork)) return true;
  const isOfSource = sources.some((id) => names(record, id));
  const members = membersOf(record);
  const isOfAnother = members.some(
    ([name, value]) => OF_A_RUN.test(name) && typeof value === 'string' && !sources.some((id) => holds(value, id)),
  );
  return isOfSource && !isOfAnother && members.some(speaksOfForking);
}

/** Members that hold the id of a run. */
const OF_A_RUN = /(?:run|fork|replay|branch)_?ids?$/iu;
const SOURCE_RUN = /^(?:source|orig(?:in(?:al)?)?)_?run(?:_?id)?$/iu;
const FORKING = /fork|replay|branch/iu;

function speaksOfForking([name, value]: readonly [string, Json]): boolean {
  if (typeof value === 'string') return FORKING.test(value);
  return value !== null && value !== false && FORKING.test(name);
}

/** Whether a record says that a fork was made of another run. */
function namesOtherSource(record: Json, sources: readonly string[]): boolean {
  return membersOf(record).some(
    ([name, value]) => SOURCE_RUN.test(name) && typeof value === 'string' && !sources.some((id) => holds(value, id)),
  );
}

/** The members of a record, at any depth. */
function membersOf(record: Json): readonly (readonly [name: string, value: Json])[] {
  if (typeof record !== 'object' || record === null) return [];
  const own = Object.entries(record) as readonly (readonly [string, Json])[];
  return own.flatMap((each) => [each, ...membersOf(each[1])]);
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

/** Longest that is waited for a record that is written a little later, in milliseconds. */
const PATIENCE_MS = 1000;

/** Forks a run with a secret among its inputs, and requests the audit records. */
async function driveAudit(
  probe: Probe,
  bodyFor: (source: RunObservation) => ForkBody,
): Promise<readonly Observation[]> {
  const canary = makeCanary();
  const planted: Planted = { canaries: [canary], marker: canary.text };
  const listener = createListener(planted);
  const handle = listener.as('source', probe.host);
  const source = await startSensitive({ ...probe, host: handle }, { credentials: { apiKey: canary.text } });
  if (!isObserved(source)) return [source];
  const { runId } = source;
  await readEverything(handle, runId, []);
  const fork = await startFork(probe, source, bodyFor(source), { role: FORK });
  const records = await recordsAbout(probe, runId, fork.runId);
  const again: Observation[] = [];
  for (const [role, of] of Object.entries(isObserved(fork) ? MORE : {})) {
    const run = of === FORK ? fork : source;
    const further = await startFork(probe, run, bodyFor(run), { role });
    again.push(further);
    if (run.runId === null || !isObserved(further)) continue;
    const about = masked(await recordsAbout(probe, run.runId, further.runId), planted);
    again.push({ ...about, seam: auditOf(role) } as SeamObservation);
  }
  return [source, listener.heard('source'), fork, ...again, ...searchedIn(records, planted)];
}

/** The audit records about a run, as soon as one names a fork of it, or when none does for long enough. */
function recordsAbout(probe: Probe, runId: string, fork: string | null): Promise<SeamObservation> {
  return repeatPaced(
    () => askSeam(probe, AUDIT, { runId }),
    (each) => each.problem !== null || fork === null || JSON.stringify(each.answer).includes(fork),
    { patienceMs: PATIENCE_MS, signal: probe.signal },
  );
}

/** What the workflow does is of no matter: a run holds its inputs. Public hosts seed both. */
async function startSensitive(probe: Probe, inputs: Readonly<Record<string, unknown>>): Promise<RunObservation> {
  const start = (workflowId: string) => startRun(probe, { workflowId, inputs }, { role: 'source' });
  const run = await start('conformance-multi-node');
  return isUnknown(run) ? start('conformance-noop') : run;
}

/** The records, and whether they show the secret. Evidence holds the exchange: the observation need not repeat it. */
function searchedIn(records: SeamObservation, planted: Planted): readonly (SeamObservation | AuditSearchObservation)[] {
  const spellings = search(planted, JSON.stringify(records.answer)).shows.map(({ spelling }) => spelling);
  return [masked(records, planted), { type: 'audit-search', spellings, exchanges: records.exchanges }];
}

/** Records without the secret, where they show it. */
function masked(records: SeamObservation, planted: Planted): SeamObservation {
  const text = JSON.stringify(records.answer);
  if (search(planted, text).shows.length === 0) return records;
  const without = planted.canaries.reduce((left, { core }) => left.replaceAll(core, '(planted)'), text);
  return { ...records, answer: JSON.parse(without) as Json };
}

const ROW = 'privacy.audit';

/** replay.md, Privacy: replays of a run with a sensitive input. */
export const audit = defineScenario({
  suite: 'replay-governance',
  id: ROW,
  title: 'A replay of a run with sensitive fields leaves an audit record',
  needs: [replays, gatingSeam(AUDIT)],
  drive: (probe) => driveAudit(probe, () => ({ mode: 'replay' })),
  see: seeAudit,
  checks: [
    { id: ROW, title: 'The audit tells of each replay, and of a replay of the replay', judge: judgeAudit },
    { id: `${ROW}.no-secret`, title: 'The audit shows no secret of the run', judge: judgeAuditSecret },
  ],
});

/** The same for branches. */
export const branchAudit = defineScenario({
  suite: 'replay-governance',
  id: `${ROW}.branch`,
  title: 'A branch of a run with sensitive fields leaves an audit record',
  needs: [branches, gatingSeam(AUDIT)],
  drive: (probe) => driveAudit(probe, branchBody),
  see: seeAudit,
  checks: [
    {
      id: `${ROW}.branch`,
      title: 'The audit tells of each branch, and of a branch of the branch',
      judge: judgeAudit,
    },
  ],
});
