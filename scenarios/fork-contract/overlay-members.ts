import { member } from '../../src/contract/discovery.ts';
import { diffValues } from '../../src/event-log/index.ts';
import {
  fail,
  isOutcome,
  notApplicable,
  pass,
  rests,
  undecided,
  undecidedUntil,
  type Outcome,
} from '../../src/contract/outcome.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario, type JudgedCheck } from '../../src/runner/define-scenario.ts';
import type { Candidate } from '../../src/runner/scenario.ts';
import { bounds, named, shown } from '../shared/compare-runs.ts';
import { EVERY_VALUE } from '../shared/every-value.ts';
import { isRun } from '../shared/every-run.ts';
import { type Candidates, firstExecuted, isExecuted } from '../shared/first-executed.ts';
import { FOUNDATIONS, SNAPSHOTS_NAMED, SOURCE_UNTOUCHED } from '../shared/foundations.ts';
import { leftWithout, need, refusedWrongly, runOf, type RecordedRun, leftUndriven } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { branches } from '../shared/replays.ts';
import { SOURCE_AGAIN } from '../shared/past-the-end.ts';
import { isObserved, readAgain, startFork, startRun, type RunObservation } from '../shared/run-observation.ts';
import { openOf } from '../shared/settle.ts';
import { isAgainstItsLog } from '../shared/snapshot-fault.ts';
import { shownValues, type Watched } from '../shared/shown-values.ts';
import { wrong } from './diagnoses.ts';
import { judgeForkUntouched } from './judge-untouched.ts';
import { valueIn } from './value-in.ts';

export const ROW = 'fork.branch-applies-overlay';
/** What says that a branch has no overlay at all. */
export const NO_OVERLAY = `${ROW}.inputs`;
const OWN = 'conformance-determinism-identity';
/** A workflow that shows what it is given, and the inputs that give it a text, beside values that copies lose. */
interface Showing extends Candidate {
  readonly inputs: (mark: string) => Readonly<Record<string, unknown>>;
}

/** What a host shows in full: long values are cut in some logs. */
const { long: _long, many: _many, ...VALUES } = EVERY_VALUE;

export const OURS: Showing = { workflowId: OWN, inputs: (mark) => ({ value: { mark, every: VALUES } }) };
export const CANDIDATES: Candidates<Showing> = [
  { workflowId: 'conformance-identity', inputs: (mark) => ({ payload: { value: mark, every: VALUES } }) },
  OURS,
];
export const SOURCE = 'source';
/** The branch that shows whether a refused one was refused for its overlay. */
export const PLAIN = 'branch without an overlay';

/** What the source is given, and what each overlay has in its place. */
export const [GIVEN, OVERLAID] = ['given to the source', 'given to the branch'] as const;

type Member = 'inputs' | 'configurable' | 'tags' | 'metadata';
const ALONE: readonly Member[] = ['inputs', 'tags', 'metadata'];

/** The configurable value that shows stands behind another one: whoever takes the first alone has not taken it. */
function optionsWith(mark: string, { inputs }: Showing): Readonly<Record<Member, unknown>> {
  return { inputs: inputs(mark), configurable: { beside: mark, value: mark }, tags: [mark], metadata: { note: mark } };
}

/** The variable of our own that holds the configurable value. */
export const CONFIGURED = 'configured';

/** The node of the public workflow, which puts out its inputs. */
const ECHO: Watched = { variables: [], nodes: ['echo'] };

/** Where a run shows a member of its options; undefined where it does not. */
export const SHOWN: Readonly<Record<Member, (run: RunObservation) => unknown>> = {
  inputs: (run) => valueIn(run, 'input') ?? [...shownValues(run, ECHO).values()][0],
  configurable: (run) => valueIn(run, CONFIGURED),
  tags: ({ snapshot }) => member(snapshot, 'tags'),
  metadata: ({ snapshot }) => member(member(snapshot, 'metadata'), 'note'),
};

export function roleOf(name: Member): string {
  return `branch with other ${name}`;
}

function given(workflow: Showing, mark: string, members: readonly Member[]): Readonly<Record<string, unknown>> {
  const options = optionsWith(mark, workflow);
  return Object.fromEntries(members.map((name) => [name, options[name]]));
}

/**
 * A run that is given these members, and a branch for each, which has another value of that one alone. It begins with the first
 * event, so that nothing that the source was given is history; that with other metadata, which no event has to show, later. What
 * `beside` makes is made at the same time.
 */
export async function driveMembers(
  probe: Probe,
  candidates: Candidates<Showing>,
  members: readonly Member[],
  beside: (source: RunObservation) => readonly Promise<RunObservation>[] = () => [],
): Promise<readonly RunObservation[]> {
  const start = (workflow: Showing): Promise<RunObservation> => {
    const request = { inputs: {}, ...given(workflow, GIVEN, members), workflowId: workflow.workflowId };
    return startRun(probe, request, { role: SOURCE });
  };
  const { candidate, run: source } = await firstExecuted(candidates, start, (run) =>
    members.every((name) => isOptional(name) || says(SHOWN[name](run), GIVEN)),
  );
  if (!isObserved(source)) return [source];
  const { first: fromSeq, middle } = bounds(source);
  const made = members.map((name) => {
    const runOptionsOverlay = given(candidate, OVERLAID, [name]);
    const body = { mode: 'branch', fromSeq: name === 'metadata' ? middle : fromSeq, runOptionsOverlay } as const;
    return startFork(probe, source, body, { role: roleOf(name) });
  });
  const branched = await Promise.all([...made, ...beside(source)]);
  if (!branched.some(refusedWrongly)) return [source, ...branched];
  return [source, ...branched, await startFork(probe, source, { mode: 'branch', fromSeq }, { role: PLAIN })];
}

/** replay.md, Two modes: a branch runs with the options that its caller lays over those of the source, each alone as well. */
export function judgeMember(recorded: Recordings, name: Member): Outcome {
  const runs = branchedWith(recorded, name);
  return isOutcome(runs) ? runs : judgeShown(runs, name);
}

/** A source, and its branch with another value of a member. */
export type Overlaid = Readonly<Record<'source' | 'branch', RecordedRun>>;

/** Both, seen to their ends, or the outcome that is left. */
export function branchedWith(recorded: Recordings, name: Member, role = roleOf(name)): Overlaid | Outcome {
  const runs = need(recorded, SOURCE);
  if (isOutcome(runs)) return runs;
  const { source } = runs;
  const branch = runOf(recorded, role);
  if (branch === undefined) return leftUndriven(role, [source]);
  const left = leftWithout([branch]);
  if (refusedWrongly(branch)) return leftOfRefused(branch, name, runOf(recorded, PLAIN));
  return left ?? { source, branch };
}

/** Statuses by which a host says that it does not take what was requested. */
const NOT_TAKEN: readonly (number | null)[] = [400, 422, 501];

/** A refused branch: it is about its overlay where the status says so, and where a branch without one was made. */
function leftOfRefused(branch: RecordedRun, name: Member, plain: RecordedRun | undefined): Outcome {
  const { answered } = branch;
  const why = `a branch with ${name} in its overlay was answered with ${String(answered)}`;
  if (plain !== undefined && refusedWrongly(plain)) {
    const alike = `${why}, and one without an overlay with ${String(plain.answered)}`;
    return rests(FOUNDATIONS.branches, undecided(alike, [branch, plain]));
  }
  if (NOT_TAKEN.includes(answered)) return undecidedUntil(`accept ${name} in runOptionsOverlay`, why, [branch]);
  return rests(FOUNDATIONS.branches, undecided(why, [branch]));
}

/** A run of our own workflow beside the public one, and its branch: a node of it copies into a variable what another one was given. */
const COPY = { source: 'source that copies', branch: 'branch that copies' } as const;
const COPIES = ['input', 'copied'] as const;

/** Inputs that count as nothing in many languages: they have to be taken all the same. */
const NOTHINGS = [false, 0, '', null] as const;

function roleOfNothing(value: (typeof NOTHINGS)[number]): string {
  return `branch with the input ${JSON.stringify(value)}`;
}

/** Only where a host has the workflow, which no run before was of. */
async function driveCopy(probe: Probe, source: RunObservation): Promise<readonly RunObservation[]> {
  const isOwn = source.workflowId === OWN;
  const copying = isOwn
    ? source
    : await startRun(probe, { workflowId: OWN, inputs: OURS.inputs(GIVEN) }, { role: COPY.source });
  if (!isExecuted(copying)) return [];
  const branch = (inputs: object, role: string): Promise<RunObservation> => {
    const body = { mode: 'branch', fromSeq: bounds(copying).first, runOptionsOverlay: { inputs } } as const;
    return startFork(probe, copying, body, { role });
  };
  const copied = isOwn ? [] : [copying, await branch(OURS.inputs(OVERLAID), COPY.branch)];
  return [...copied, ...(await Promise.all(NOTHINGS.map((value) => branch({ value }, roleOfNothing(value)))))];
}

/** Judges the inputs of a branch, and what its nodes hand on of them. */
export function judgeInputs(recorded: Recordings): Outcome {
  return besideLogs(recorded, inputsIn);
}

/** What snapshots alone show otherwise than the logs, where these show what they have to, is for the row about snapshots to say. */
export function besideLogs(recorded: Recordings, judge: (seen: Recordings) => Outcome): Outcome {
  const outcome = judge(recorded);
  const failure = outcome.kind === 'rests' ? outcome.otherwise : outcome;
  if (failure.kind !== 'fail') return outcome;
  const logs = recorded.map((each) => (isRun(each) && isAgainstItsLog(each) ? { ...each, snapshot: null } : each));
  return judge(logs).kind === 'pass' ? rests(FOUNDATIONS.snapshots, failure) : outcome;
}

function inputsIn(recorded: Recordings): Outcome {
  const outcome = judgeMember(recorded, 'inputs');
  const [source, branch] = [runOf(recorded, COPY.source), runOf(recorded, COPY.branch)];
  const [own, ofOwn] = [runOf(recorded, SOURCE), runOf(recorded, roleOf('inputs'))];
  if (outcome.kind !== 'pass') return outcome;
  return staleCopy(source, branch) ?? staleCopy(own, ofOwn) ?? lostNothing(recorded, source ?? own) ?? outcome;
}

/** What is left where branches do not show an input that they were given, which counts as nothing; undefined where all do, or none was made. */
function lostNothing(recorded: Recordings, source: RecordedRun | undefined): Outcome | undefined {
  if (source?.problem !== null || !says(valueIn(source, 'input'), GIVEN)) return undefined;
  const outcomes = NOTHINGS.flatMap((nothing): readonly Outcome[] => {
    const role = roleOfNothing(nothing);
    if (runOf(recorded, role) === undefined) return [];
    const runs = branchedWith(recorded, 'inputs', role);
    if (isOutcome(runs)) return [runs];
    const { branch } = runs;
    const value = valueIn(branch, 'input');
    if (value === undefined || value === nothing) return [];
    const expected = `inputs of the overlay in ${named(branch)}: ${shown(nothing)}`;
    return [fail({ expected, actual: shown(value), diagnosis: wrong('overlay-ignored') }, [branch, source])];
  });
  return openOf(outcomes);
}

/** A failure where a variable that held in the source what that was given does not hold in its branch what that was given. */
function staleCopy(source: RecordedRun | undefined, branch: RecordedRun | undefined): Outcome | undefined {
  if (source?.problem !== null || branch?.problem !== null) return undefined;
  const stale = COPIES.find((name) => {
    const value = valueIn(branch, name);
    return says(valueIn(source, name), GIVEN) && value !== undefined && !says(value, OVERLAID);
  });
  if (stale === undefined) return undefined;
  const expected = `variable ${stale} of ${named(branch)}, which comes from the overlay: ${shown(OVERLAID)}`;
  const actual = shown(valueIn(branch, stale));
  return fail({ expected, actual, diagnosis: wrong('overlay-ignored') }, [branch, source]);
}

/** A failure where a branch shows the inputs of its overlay otherwise than its source shows the same. */
function changedInputs({ source, branch }: Overlaid): Outcome | undefined {
  const [before, after] = [source, branch].map(SHOWN.inputs);
  const same: unknown = JSON.parse(JSON.stringify(before).replaceAll(GIVEN, OVERLAID));
  const runIds = { sourceRunId: source.runId ?? '', replayRunId: branch.runId ?? '' };
  const [lost] = diffValues(same, after, { pointer: '', ...runIds });
  if (lost === undefined) return undefined;
  const expected = `inputs of the overlay in ${named(branch)} ${lost.pointer}: ${shown(lost.source)}`;
  // What every fork loses of its source's values is no business of overlays.
  const mismatch = { expected, actual: shown(lost.replay), restsOn: FOUNDATIONS.histories };
  return fail({ ...mismatch, diagnosis: wrong('overlay-changed') }, [branch, source]);
}

function judgeShown({ source, branch }: Overlaid, name: Member): Outcome {
  const before = SHOWN[name](source);
  const after = SHOWN[name](branch) ?? (says(before, GIVEN) ? withoutNote(branch, name) : undefined);
  const evidence = [branch, source];
  if (isOptional(name) && before === undefined && after === undefined) {
    return notApplicable(`snapshots show no ${name}, as they may`, evidence);
  }
  if (!says(before, GIVEN) || after === undefined) {
    const why =
      after === undefined || before === undefined
        ? `${named(after === undefined ? branch : source)} does not show its ${name}`
        : showsOther(source, before);
    const how = isOptional(name) ? 'in the snapshot' : 'as the fixture does';
    const open = undecidedUntil(`show ${name} ${how}`, why, evidence);
    // What is no list the row about snapshots names.
    return name === 'tags' && !Array.isArray(before ?? []) ? rests(SNAPSHOTS_NAMED, open) : open;
  }
  if (says(after, OVERLAID)) {
    const changed = name === 'inputs' ? changedInputs({ source, branch }) : undefined;
    return changed ?? pass(evidence);
  }
  return fail(
    {
      expected: `${name} of the overlay in ${named(branch)}: ${shown(OVERLAID)}`,
      actual: shown(after),
      diagnosis: wrong('overlay-ignored'),
      // Inputs are what every overlay may hold: a branch that passes over these has no overlay at all.
      restsOn: name === 'inputs' ? undefined : NO_OVERLAY,
    },
    evidence,
  );
}

/** Why a source that shows something else than it was given proves nothing. */
export function showsOther(source: RecordedRun, value: unknown): string {
  return `${named(source)} shows ${shown(value)}, where it was given ${shown(GIVEN)}`;
}

/** Metadata that a branch shows, of which none are what its source shows or what its overlay holds; undefined where it shows no object. */
function withoutNote({ snapshot }: RecordedRun, name: Member): unknown {
  const metadata = name === 'metadata' ? member(snapshot, 'metadata') : undefined;
  return typeof metadata === 'object' && metadata !== null ? metadata : undefined;
}

/** Hosts need not show these. */
function isOptional(name: Member): boolean {
  return name === 'tags' || name === 'metadata';
}

export function says(value: unknown, mark: string): boolean {
  return (JSON.stringify(value) ?? '').includes(mark);
}

export function titleOf(name: Member): string {
  return `A branch whose overlay holds ${name} alone runs with these`;
}

function checkOf(name: Member): JudgedCheck<Recordings> {
  const judge = name === 'inputs' ? judgeInputs : (recorded: Recordings) => judgeMember(recorded, name);
  return { id: `${ROW}.${name}`, title: titleOf(name), judge };
}

/** replay.md, Two modes: what a branch is given is its own. */
export function judgeSource(recorded: Recordings): Outcome {
  const made = ALONE.map(roleOf).find((role) => runOf(recorded, role)?.problem === null);
  return judgeForkUntouched(recorded, SOURCE, SOURCE_AGAIN, made ?? roleOf('inputs'));
}

async function drive(probe: Probe): Promise<readonly RunObservation[]> {
  const runs = await driveMembers(probe, CANDIDATES, ALONE);
  const [source, ...branched] = runs;
  if (source === undefined || branched.length === 0) return runs;
  return [...runs, await readAgain(probe, source, { role: SOURCE_AGAIN }), ...(await driveCopy(probe, source))];
}

/** Each of these members of the run options, alone. */
export const overlayMembers = defineScenario<RunObservation, Recordings>({
  id: 'fork.overlay-members',
  suite: 'fork-contract',
  title: 'A run is branched with other inputs, other tags, other metadata alone',
  needs: [branches, { kind: 'one-of', candidates: CANDIDATES }],
  drive,
  see: (recorded) => recorded,
  checks: [
    ...ALONE.map(checkOf),
    {
      id: `${SOURCE_UNTOUCHED}.overlay`,
      title: 'What overlays give to branches is not given to their source',
      judge: judgeSource,
    },
  ],
});
