import { fail, type Outcome, pass, undecidedUntil } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { forkPath, runPath } from '../../src/protocol/paths.ts';
import { defineScenario, type JudgedCheck } from '../../src/runner/define-scenario.ts';
import type { ForkMode, Scenario } from '../../src/runner/scenario.ts';
import { forkAsOwner, FORKS, leftWithoutControl } from '../shared/control.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import type { Recordings } from '../shared/of-type.ts';
import { accepted, namedRun, requestsOf, sendRequest, shownAnswer } from '../shared/requested.ts';
import { isObserved } from '../shared/run-observation.ts';
import { envelopeCheck, judgeRefusals } from './judge-refusals.ts';
import { LIMITED_READ } from './refusal-table.ts';

const CONTROL = 'fork with every scope';
/** What the control was called before forks of both modes were driven. */
const FORMER_CONTROL = 'replay with every scope';

async function drive(probe: Probe, mode: ForkMode): Promise<readonly Observation[]> {
  const { source, control, body } = await forkAsOwner(probe, mode, CONTROL);
  const { limited } = probe;
  if (!isObserved(source) || limited === undefined) return [source, control];
  const { runId } = source;
  const read = await sendRequest(limited, runPath(runId), {
    row: LIMITED_READ,
    name: 'reading the run',
    method: 'GET',
  });
  const name = 'a credential that may not create';
  const refused = await sendRequest(limited, forkPath(runId), { row: 'no-scope', name, body });
  return [source, control, read, refused, ...(await forkUnread(probe, runId, body))];
}

/** A fork shows what stands in its source: it takes both scopes (wire-contract, Endpoints). */
const UNREAD = 'no-read-scope';

async function forkUnread({ blind }: Probe, runId: string, body: string): Promise<readonly Observation[]> {
  const name = 'a credential that may not read';
  return blind === undefined ? [] : [await sendRequest(blind, forkPath(runId), { row: UNREAD, name, body })];
}

/** A fork that was made of a run which its caller may not read; undefined where none was. */
function forkedUnread(recorded: Recordings): Outcome | undefined {
  const made = requestsOf(recorded, UNREAD).find((answer) => accepted(answer) && namedRun(answer) !== undefined);
  if (made === undefined) return undefined;
  const expected = '403: a fork takes runs:create and runs:read';
  return fail({ expected, actual: `${made.name}: ${shownAnswer(made)}`, diagnosis: sharedCause('carried-out') }, [
    made,
  ]);
}

/** A credential that may do nothing at all shows nothing: the limited one must read the run that it may not fork. */
function judgeScope(recorded: Recordings): Outcome {
  const refused = judgeRefusals(recorded, { row: 'no-scope', expected: '403' });
  const [read] = requestsOf(recorded, LIMITED_READ);
  const [fork] = requestsOf(recorded, 'no-scope');
  if (read === undefined || (fork !== undefined && accepted(fork))) return refused;
  if (accepted(read)) {
    return refused.kind === 'pass' ? (forkedUnread(recorded) ?? pass([...refused.evidence, read])) : refused;
  }
  return undecidedUntil(
    'give one that may read it (--limited-key-env)',
    `the limited credential cannot read the run either: ${shownAnswer(read)}`,
    [read],
  );
}

/** What tells the two modes' scenarios apart. */
interface OfMode {
  readonly id: string;
  readonly mode: ForkMode;
  readonly check: string;
  readonly more?: readonly JudgedCheck<Recordings>[];
}

function missing({ id, mode, check, more = [] }: OfMode): Scenario {
  return defineScenario({
    id,
    suite: 'fork-contract',
    title: `A credential that may read a run and not create one makes no ${mode} of it`,
    needs: [FORKS[mode], { kind: 'limited-credential' }],
    drive: (probe) => drive(probe, mode),
    see: (recorded) => leftWithoutControl(recorded, CONTROL, FORMER_CONTROL) ?? recorded,
    checks: [
      {
        id: check,
        title: `A ${mode} under a credential that may read but not create, or create but not read, is refused`,
        judge: judgeScope,
      },
      ...more,
    ],
  });
}

/** replay.md, Endpoint: a key with the scope runs:create. */
export const missingScope = missing({
  id: 'fork.missing-scope',
  mode: 'replay',
  check: 'fork.requires-credentials.scope',
  more: [envelopeCheck('.scope', 'The refusal of a credential without the scope')],
});

/** The same for the mode branch. */
export const missingScopeForBranch = missing({
  id: 'fork.missing-scope.branch',
  mode: 'branch',
  check: 'fork.requires-credentials.scope.branch',
});
