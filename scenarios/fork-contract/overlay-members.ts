import { member } from '../../src/contract/discovery.ts';
import { fail, isOutcome, notApplicable, pass, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import type { Probe } from '../../src/host/probe.ts';
import { isSuccess } from '../../src/protocol/status.ts';
import { defineScenario, type JudgedCheck } from '../../src/runner/define-scenario.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import { leftWithout, need, runOf, type SeenRun } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { branches } from '../shared/replays.ts';
import { isSeen, startFork, startRun, type RunObservation } from '../shared/run-observation.ts';
import { wrong } from './diagnoses.ts';
import { valueIn } from './value-in.ts';

const ROW = 'fork.branch-applies-overlay';
const WORKFLOW = 'conformance-determinism-identity';
const SOURCE = 'source';

/** What the source is given, and what each overlay has in its place. */
const [GIVEN, OVERLAID] = ['given to the source', 'given to the branch'] as const;

type Member = 'inputs' | 'configurable' | 'tags' | 'metadata';

function optionsWith(mark: string) {
  return { inputs: { value: mark }, configurable: { value: mark }, tags: [mark], metadata: { note: mark } } as const;
}

/** Where a run shows a member of its options; undefined where it does not. */
const SHOWN: Readonly<Record<Member, (run: RunObservation) => unknown>> = {
  inputs: (run) => valueIn(run, 'input'),
  configurable: (run) => valueIn(run, 'configured'),
  tags: ({ snapshot }) => member(snapshot, 'tags'),
  metadata: ({ snapshot }) => member(member(snapshot, 'metadata'), 'note'),
};

const MEMBERS = ['inputs', 'configurable', 'tags', 'metadata'] as const;

function roleOf(name: Member): string {
  return `branch with other ${name}`;
}

/** A run with all options, and a branch from its first node on for each, which has another value of that one alone. */
async function drive(probe: Probe): Promise<readonly RunObservation[]> {
  const source = await startRun(probe, { workflowId: WORKFLOW, ...optionsWith(GIVEN) }, { role: SOURCE });
  const fromSeq = eventsOf(source).find(({ type }) => type === 'node.started')?.sequence;
  if (!isSeen(source) || fromSeq === undefined) return [source];
  const made = MEMBERS.map((name) => {
    const runOptionsOverlay = { [name]: optionsWith(OVERLAID)[name] };
    return startFork(probe, source, { mode: 'branch', fromSeq, runOptionsOverlay }, { role: roleOf(name) });
  });
  return [source, ...(await Promise.all(made))];
}

/** replay.md, Two modes: a branch runs with the options that its caller lays over those of the source, each alone as well. */
export function judgeMember(recorded: Recordings, name: Member): Outcome {
  const runs = need(recorded, SOURCE);
  if (isOutcome(runs)) return runs;
  const { source } = runs;
  const branch = runOf(recorded, roleOf(name));
  if (branch === undefined) {
    return undecidedUntil('write node.started of each node', `${named(source)} shows no node that starts`, [source]);
  }
  if (branch.answered !== null && !isSuccess(branch.answered)) {
    const why = `a branch with ${name} in its overlay was answered with ${branch.answered}`;
    return undecidedUntil(`accept ${name} in runOptionsOverlay`, why, [branch]);
  }
  const left = leftWithout([branch]);
  if (left !== undefined) return left;
  return judgeShown({ source, branch }, name);
}

function judgeShown({ source, branch }: Readonly<Record<'source' | 'branch', SeenRun>>, name: Member): Outcome {
  const [before, after] = [source, branch].map(SHOWN[name]);
  const evidence = [branch, source];
  const isOptional = name === 'tags' || name === 'metadata';
  if (isOptional && before === undefined && after === undefined) {
    return notApplicable(`snapshots show no ${name}, as they may`, evidence);
  }
  if (!says(before, GIVEN) || after === undefined) {
    const why = `${named(after === undefined ? branch : source)} does not show its ${name}`;
    return undecidedUntil(`show ${name} ${isOptional ? 'in the snapshot' : 'as the fixture does'}`, why, evidence);
  }
  if (says(after, OVERLAID)) return pass(evidence);
  return fail(
    {
      expected: `${name} of the overlay in ${named(branch)}: ${shown(OVERLAID)}`,
      actual: shown(after),
      diagnosis: wrong('overlay-ignored'),
    },
    evidence,
  );
}

function says(value: unknown, mark: string): boolean {
  return (JSON.stringify(value) ?? '').includes(mark);
}

function checkOf(name: Member): JudgedCheck<Recordings> {
  const title = `A branch whose overlay holds ${name} alone runs with these`;
  return { id: `${ROW}.${name}`, title, judge: (recorded) => judgeMember(recorded, name) };
}

/** Each member of the run options, alone. */
export const overlayMembers = defineScenario<RunObservation, Recordings>({
  id: 'fork.overlay-members',
  suite: 'fork-contract',
  title: 'A run is branched with one other option at a time',
  needs: [branches, { kind: 'fixture', workflowId: WORKFLOW }],
  drive,
  see: (recorded) => recorded,
  checks: MEMBERS.map(checkOf),
});
