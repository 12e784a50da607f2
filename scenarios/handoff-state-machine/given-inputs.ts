import { member } from '../../src/contract/discovery.ts';
import { fail, notApplicable, type Outcome, pass, undecided } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import { isUnknown } from '../shared/first-run.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { isWorkflow } from '../../src/protocol/workflow-id.ts';
import { leftWithout, type RecordedRun, runOf } from '../shared/need.ts';
import { settle } from '../shared/settle.ts';
import { isAgainstItsLog } from '../shared/snapshot-fault.ts';
import { wrong } from './diagnoses.ts';
import { GIVEN, GIVEN_BY_ANOTHER } from './fixtures.ts';
import { type AllRecorded, recordedAs, valueIn } from './handoff-run.ts';
import type { ChildObservation } from './observation.ts';
import { COMMON, driveHandoff } from './suite.ts';

const MAPPED = [...GIVEN, GIVEN_BY_ANOTHER];

type Mapped = (typeof MAPPED)[number];

function roleOf({ workflowId }: Mapped): string {
  return `run of ${workflowId}`;
}

/** Each of the public workflows that the host has. */
async function drive(probe: Probe): Promise<readonly Observation[]> {
  const driven = await Promise.all(MAPPED.map((each) => driveHandoff(probe, each.workflowId, roleOf(each))));
  const known = driven.filter(([run]) => run?.type !== 'run' || !isUnknown(run));
  return (known.length === 0 ? driven : known).flat();
}

/** Workers that are given something by their parent's inputMapping. */
export const givenInputs = defineScenario({
  ...COMMON,
  id: 'handoff.given-inputs',
  title: 'Children are given what an inputMapping maps',
  needs: [],
  drive,
  checks: [
    {
      id: 'handoff.output-mapping.inputs',
      title:
        'A child starts with what its inputMapping maps: a variable of its parent, by the mapping for its worker where there is one',
      judge: (recorded) => judgeInputs(recorded),
    },
  ],
});

/** rfc-0037 §A.2, §A.3: judges the child of each workflow that was driven. */
function judgeInputs(recorded: AllRecorded): Outcome {
  const driven = MAPPED.flatMap((mapped) => {
    const run = runOf(recorded, roleOf(mapped));
    return run === undefined ? [] : [judgeChild(recorded, run, mapped)];
  });
  return driven.length === 0 ? undecided('no handoff was driven', []) : settle(driven);
}

/** What a child shows as a variable, or as what it started with. */
function valueGiven(child: Recorded<ChildObservation>, name: string): unknown {
  const started = eventsOf(child).find(({ type }) => type === 'run.started');
  const shownBy = ['inputs', 'variables'].map((part) => member(member(started?.payload, part), name));
  return valueIn(child, name) ?? shownBy.find((value) => value !== undefined);
}

function judgeChild(recorded: AllRecorded, run: RecordedRun, mapped: Mapped): Outcome {
  const left = leftWithout([run]);
  if (left !== undefined) return left;
  const children = recordedAs(recorded, 'child').filter(({ parent }) => parent === run.role);
  const child = children.find(({ snapshot }) => isWorkflow(member(snapshot, 'workflowId'), mapped.child));
  const value = child === undefined ? undefined : valueGiven(child, mapped.variable);
  if (child === undefined || value === undefined) {
    if ([run, ...children].every(({ snapshot }) => member(snapshot, 'variables') === undefined)) {
      return notApplicable('snapshots show no variables, as they may', [run, ...children]);
    }
    return undecided(`nothing shows what ${named(run)} gave ${mapped.child} as ${mapped.variable}`, [run, ...children]);
  }
  const expected = valueIn(run, mapped.from) ?? mapped.value;
  const evidence = [child, run];
  if (shown(value) === shown(expected)) return pass(evidence);
  // Inputs may stand in snapshots alone: where these are not to be believed, another row says so.
  const isBySnapshot = [run, { ...child, role: 'child' }].some(isAgainstItsLog);
  return fail(
    {
      expected: `variable ${mapped.variable} of the child ${child.runId} of ${named(run)}: ${shown(expected)}, its parent's ${mapped.from}`,
      actual: shown(value),
      diagnosis: wrong('input-not-mapped'),
      restsOn: isBySnapshot ? FOUNDATIONS.snapshots : undefined,
    },
    evidence,
  );
}
