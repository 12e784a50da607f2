import { phase4 } from '../../src/contract/gates.ts';
import { fail, isOutcome, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { shown } from '../shared/compare-runs.ts';
import { isOfOtherMode, MADE_OTHERWISE } from '../shared/other-mode.ts';
import { startFork, startRun } from '../shared/run-observation.ts';
import { stage, valid } from '../shared/seams.ts';
import { OWNERS, undecidedBy } from './answers.ts';
import { chooseFixture, EVERY_KIND, OTHER_KINDS, outputOf, STRUCTURED_ONLY } from './llm-fixture.ts';
import { probe as asProbe, requestText } from './requests.ts';
import { askedAgain, callLost, nodesUseIt } from './nodes-use-it.ts';
import { lineTo, sendOne } from './send.ts';
import { sharedCause } from '../shared/diagnoses.ts';

const row = {
  id: 'cache-key.every-llm-node',
  title: 'Every kind of LLM-calling node is served from the cache on replay, whatever its idempotency setting',
};

/** What one node's events said in the source run, in its replay and in a fresh run after it. */
interface NodeObservation extends Observation {
  readonly type: 'llm-node';
  readonly fixture: string;
  readonly nodeId: string;
  readonly kind: string;
  readonly marks: readonly [string, string];
  readonly source: string;
  readonly replay: string;
  readonly fresh: string;
}

/**
 * Why nothing could be observed; `unseen` is the role of the run that was not seen to its end, where that is why; `keyless`,
 * where the seam gives no key.
 */
interface ProblemObservation extends Observation {
  readonly type: 'problem';
  readonly reason: string;
  readonly unseen?: string;
  readonly keyless?: true;
}

type LlmObservation = NodeObservation | ProblemObservation;

function problem(reason: string, exchanges: readonly string[]): readonly [ProblemObservation] {
  return [{ type: 'problem', reason, exchanges }];
}

async function drive(probe: Probe): Promise<readonly LlmObservation[]> {
  const fixture = await chooseFixture(probe);
  if (fixture === undefined) {
    return problem(`neither ${EVERY_KIND} nor ${STRUCTURED_ONLY.workflowId} is advertised or readable: seed one`, []);
  }
  const noKey = await withoutDigest(probe);
  if (noKey !== undefined) return noKey;
  for (const { nodeId, contents } of fixture.nodes) {
    const staged = await stage(probe.host, nodeId, contents.map(valid));
    if (staged.problem !== null) return problem(staged.problem, [staged.exchange]);
  }
  const request = { workflowId: fixture.workflowId, inputs: {} };
  const source = await startRun(probe, request, { role: 'source run' });
  const fork = await startFork(probe, source, { mode: 'replay' }, { role: 'replay' });
  const replay = isOfOtherMode({ mode: 'replay' }, fork.answer) ? { ...fork, problem: MADE_OTHERWISE } : fork;
  const fresh = replay.problem === null ? await startRun(probe, request, { role: 'fresh run' }) : replay;
  const unseen = [source, replay, fresh].find((run) => run.problem !== null);
  if (unseen !== undefined) {
    const { role, problem: why, exchanges } = unseen;
    return [{ type: 'problem', reason: `the ${role}: ${why ?? ''}`, unseen: role, exchanges }];
  }
  const exchanges = [...replay.exchanges, ...source.exchanges, ...fresh.exchanges];
  return fixture.nodes.map(({ nodeId, kind, marks }) => {
    const outputs = {
      source: outputOf(source, nodeId),
      replay: outputOf(replay, nodeId),
      fresh: outputOf(fresh, nodeId),
    };
    return { type: 'llm-node', exchanges, fixture: fixture.workflowId, nodeId, kind, marks, ...outputs };
  });
}

/** Any spelling of a digest: whether it is the right one is for the rows about keys. */
const DIGEST = /^(?:[\w-]+:)?[\w+/-]{16,128}={0,2}\s*$/u;

/** What the seam answers that is no key at all: then nothing tells by what a node is served. No seam is no problem. */
async function withoutDigest(probe: Probe): Promise<readonly [ProblemObservation] | undefined> {
  const { answer, exchanges } = await sendOne(lineTo(probe), asProbe('plain', requestText()));
  if (answer.kind === 'no-key') {
    return [{ type: 'problem', reason: `the seam gives no key: ${answer.why}`, keyless: true, exchanges }];
  }
  if (answer.kind !== 'key' || DIGEST.test(answer.key)) return undefined;
  return problem(`what the seam gives is no key: ${shown(answer.key)}`, exchanges);
}

/** Which of the two staged answers a text shows; undefined where it shows neither or both. */
function shows(text: string, [first, second]: readonly [string, string]): 'first' | 'second' | undefined {
  const [one, two] = [text.includes(first), text.includes(second)];
  if (one === two) return undefined;
  return one ? 'first' : 'second';
}

/** Why a node proves nothing, or undefined where its replay was served while a fresh run calls the model. */
function unproven({ marks, source, replay, fresh, nodeId }: NodeObservation): string | undefined {
  if (shows(source, marks) !== 'first') return `${nodeId}: the source run does not show the first staged answer`;
  if (shows(replay, marks) !== 'first') return `${nodeId}: the replay shows neither staged answer`;
  if (shows(fresh, marks) === 'second') return undefined;
  return `${nodeId}: a fresh run does not show the second staged answer, so it cannot be told from a served one`;
}

interface SeenNodes {
  readonly nodes: readonly Recorded<NodeObservation>[] | Outcome;
  /** What the scenario of the nodes' keys shows of a replay that asks, or is not served what its source was. */
  readonly again: Outcome | undefined;
}

/** The nodes that were run, or the outcome that is left without them. */
function seeNodes(recorded: readonly Recorded<LlmObservation>[]): readonly Recorded<NodeObservation>[] | Outcome {
  const found = recorded.find((each) => each.type === 'problem');
  if (found === undefined) return recorded.filter((each) => each.type === 'llm-node');
  return undecidedBy({ reason: found.reason, ...(found.keyless === true && { owner: OWNERS.rightKeys }) }, recorded);
}

function judge({ nodes, again }: SeenNodes): Outcome {
  const outcome = isOutcome(nodes) ? nodes : judgeNodes(nodes);
  return outcome.kind === 'fail' ? outcome : (again ?? outcome);
}

function judgeNodes(nodes: readonly Recorded<NodeObservation>[]): Outcome {
  if (nodes.length === 0) return undecided('no LLM-calling node was run', []);
  const again = nodes.filter(
    ({ marks, source, replay }) => shows(source, marks) === 'first' && shows(replay, marks) === 'second',
  );
  if (again.length > 0) {
    const expected = 'the recorded answer on replay, without a call';
    const called = again.map(({ nodeId, kind }) => `${nodeId} (${kind})`).join(', ');
    return fail(
      {
        diagnosis: sharedCause('second-call'),
        expected,
        actual: `the model was called again by ${called}`,
        reason: SECOND_ENTRY,
      },
      again,
    );
  }
  const why = nodes.map(unproven).find((reason) => reason !== undefined);
  if (why !== undefined) return undecided(why, nodes);
  const isPartial = nodes.every(({ fixture }) => fixture === STRUCTURED_ONLY.workflowId);
  return pass(nodes, isPartial ? `not observed, for lack of a fixture: ${OTHER_KINDS}` : undefined);
}

/** Readings: a fixture's own text may want it, and a recorded answer cannot win at the same time. */
const SECOND_ENTRY =
  'the replay shows the second answer that was staged: a host that serves the next entry of a program to a fork asks the model again';

/** replay.md Phase 4 §A.1: the recipe binds every LLM-calling node, whether or not it uses Layer-2 idempotency. */
export const everyLlmNode = defineScenario({
  ...row,
  suite: 'cache-key-portable',
  gate: phase4,
  needs: [{ kind: 'fork', mode: 'replay', absent: 'inconclusive' }],
  exclusive: ['mock-ai:structured-call', 'mock-ai:llm-nodes'],
  foundation: true,
  drive,
  see: (recorded, { everything, options: { recipe } }): SeenNodes => {
    const ofKeys = everything.filter(({ scenario }) => scenario === nodesUseIt.id);
    return { nodes: seeNodes(recorded), again: askedAgain(ofKeys, recipe) ?? callLost(ofKeys) };
  },
  checks: [{ ...row, judge }],
});
