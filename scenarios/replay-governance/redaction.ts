import type { Observation } from '../../src/evidence/types.ts';
import type { HostHandle } from '../../src/host/client.ts';
import { answeredWith, post } from '../../src/host/exchanged.ts';
import type { Probe } from '../../src/host/probe.ts';
import { interruptPath } from '../../src/protocol/paths.ts';
import { isSuccess } from '../../src/protocol/status.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Need } from '../../src/runner/scenario.ts';
import { bounds, eventsOf } from '../shared/compare-runs.ts';
import { startPublic } from '../shared/first-run.ts';
import { isAsking } from '../shared/open-question.ts';
import { hasEnded } from '../shared/past-question.ts';
import { branches, replays } from '../shared/replays.ts';
import {
  isObserved,
  offersMode,
  readAgain,
  startFork,
  startRun,
  type ForkBody,
  type RunObservation,
} from '../shared/run-observation.ts';
import { UNANSWERED } from '../shared/unobserved.ts';
import { branchBody } from './access-checks.ts';
import { isReading, judgeForks, judgeRedaction } from './judge-redaction.ts';
import { createListener, type Heard, type Listener, type Surface } from './listen.ts';
import { readEverything } from './read-everything.ts';
import {
  makeErrorSecrets,
  makeInputSecrets,
  makeSecrets,
  type PlantedObservation,
  type Secrets,
} from './secret-places.ts';
import { pagesAbout } from './timeline-pages.ts';

export const SECRETS = 'conformance-determinism-secrets';
const IDENTITY = 'conformance-identity';
const SECRET_ERROR = 'conformance-determinism-secret-error';

const TOOL = 'secrets';
const QUESTION = 'ask';

/** A run whose secrets are planted, and what listens to the host. */
export interface SecretRun {
  readonly source: RunObservation;
  readonly planted: PlantedObservation;
  readonly listener: Listener;
  readonly secrets: Pick<Secrets, 'canaries' | 'marker'>;
}

/** Runs the fixture of secrets to its end, all secrets planted; undefined where there is no witness. */
export async function runSecrets(
  probe: Probe,
  headers: Readonly<Record<string, string>> = {},
): Promise<SecretRun | undefined> {
  const visit = probe.witness?.visit();
  if (visit === undefined) return undefined;
  const secrets = makeSecrets();
  const listener = createListener(secrets);
  visit.stageEffect(TOOL, secrets.toolAnswer);
  visit.stageChat([{ kind: 'valid', content: secrets.modelText }]);
  const about = { role: 'source', handle: listener.as('source', probe.host) };
  const inputs = { witnessUrl: visit.url, credentials: secrets.credentials };
  const asking = await startRun(probe, { workflowId: SECRETS, inputs }, { ...about, headers, until: isAsking });
  const waits = asking.problem === null && !hasEnded(asking);
  const isAnswered = waits && (await answer(about.handle, asking, secrets));
  const problem = `its question at the node ${QUESTION} ${UNANSWERED}`;
  const unanswered = waits ? { ...asking, problem } : asking;
  const source = isAnswered ? await readAgain(probe, asking, about) : unanswered;
  return { source, planted: secrets.planted(visit, isAnswered), listener, secrets };
}

async function answer(handle: HostHandle, { runId }: RunObservation, { resumeValue }: Secrets): Promise<boolean> {
  return isSuccess(answeredWith(await post(handle, interruptPath(runId ?? '', QUESTION), { resumeValue })));
}

/** What forks are made of: the run with all secrets, or one of a public workflow where none of them arrived. */
type Source = Pick<SecretRun, 'source' | 'listener'> & {
  readonly planted: PlantedObservation | ((heard: readonly Heard[]) => PlantedObservation);
};

async function runAny(probe: Probe): Promise<Source> {
  const run = await runSecrets(probe);
  if (run?.planted.places.some(({ arrived }) => arrived) === true) return run;
  const { payload, hidden, ...secrets } = makeInputSecrets();
  const listener = createListener(secrets);
  const about = { role: 'source', handle: listener.as('source', probe.host) };
  const source = await startRun(probe, { workflowId: IDENTITY, inputs: { payload } }, about);
  const isMeant = run === undefined || isObserved(source);
  return isMeant ? { source, listener, planted: (heard) => hidden(heard.filter(isReading)) } : run;
}

/** A replay, and replays from the middle, of it and of its source; everything that can be read is read. */
async function driveReplays(probe: Probe): Promise<readonly Observation[]> {
  const run = await runAny(probe);
  const [again, later] = LATER;
  return driveForks(probe, run, [
    { role: 'replay', body: { mode: 'replay' } },
    { role: again, body: fromMiddle },
    { role: later, body: fromMiddle(run.source) },
  ]);
}

const LATER = ['replay of the replay', 'later replay'] as const;

function fromMiddle(of: RunObservation): ForkBody {
  return { mode: 'replay', fromSeq: bounds(of).middle };
}

/** A branch from the run's last event, and one of that: all of their history is the source's. */
async function driveBranch(probe: Probe): Promise<readonly Observation[]> {
  return driveForks(
    probe,
    await runAny(probe),
    BRANCHES.map((role) => ({ role, body: branchBody })),
  );
}

const BRANCHES = ['branch', 'branch of the branch'] as const;

/** Runs a workflow that fails with secrets in its error; undefined where there is no witness. */
export async function runErrorSecrets(
  probe: Probe,
  headers: Readonly<Record<string, string>> = {},
): Promise<SecretRun | undefined> {
  const visit = probe.witness?.visit();
  if (visit === undefined) return undefined;
  const secrets = makeErrorSecrets();
  const listener = createListener(secrets);
  visit.stageEffect(TOOL, secrets.toolAnswer);
  const request = { workflowId: SECRET_ERROR, inputs: { witnessUrl: visit.url } };
  const about = { role: 'source', handle: listener.as('source', probe.host), headers };
  return { source: await startRun(probe, request, about), planted: secrets.planted(visit), listener, secrets };
}

/** Such a run, its replay, and its branch where branches are offered. */
async function driveErrors(probe: Probe): Promise<readonly Observation[]> {
  const run = await runErrorSecrets(probe);
  if (run === undefined) return [];
  const branch = offersMode(probe.discovery, 'branch') ? [{ role: 'branch', body: branchBody(run.source) }] : [];
  return driveForks(probe, run, [...branch, { role: 'replay', body: { mode: 'replay' } }]);
}

/** A fork to make. */
interface Wanted {
  readonly role: string;
  /** What is requested of the fork before; of the source where it depends on none. */
  readonly body: ForkBody | ((of: RunObservation) => ForkBody);
}

/** Makes forks, of the source or each one of the one before, and reads everything that can be read of the source and of them. */
async function driveForks(
  probe: Probe,
  { source, planted: known, listener }: Source,
  wanted: readonly Wanted[],
): Promise<readonly Observation[]> {
  const other = await startPublic(probe, 'other run');
  const fromSeq = String(eventsOf(source)[0]?.sequence ?? 0);
  const pagesOf = (runId: string): readonly string[] =>
    pagesAbout(probe, { runId, mode: 'replay', fromSeq }).map(({ path }) => path);
  if (isObserved(source)) {
    await readEverything(listener.as('source', probe.host), source.runId, [other.runId], pagesOf(source.runId));
  }
  const planted = typeof known === 'function' ? known(listener.heard('source').answers) : known;
  const forks: RunObservation[] = [];
  for (const { role, body } of wanted) {
    const of = (typeof body === 'function' ? forks.at(-1) : undefined) ?? source;
    if (of !== source && of.problem !== null) continue;
    const handle = listener.as(role, probe.host);
    const request = typeof body === 'function' ? body(of) : body;
    const fork = await startFork(probe, of, request, { role, handle });
    if (fork.runId !== null) {
      await readEverything(handle, fork.runId, [other.runId, source.runId], pagesOf(fork.runId));
    }
    forks.push(fork);
  }
  return [source, planted, listener.heard('source'), ...forks, ...forks.map(({ role }) => listener.heard(role))];
}

const ROW = 'privacy.same-redaction';

const ANY: Need = { kind: 'one-of', candidates: [{ workflowId: IDENTITY }, { workflowId: SECRETS }] };

/** What one check of a replay looks at. */
const LOOKED_AT: readonly (readonly [name: string, title: string, surfaces: readonly Surface[]])[] = [
  [
    'events',
    'The log of a replay, as JSON and by poll, shows no secret that the log of its source hides',
    ['log', 'log in debug mode', 'poll'],
  ],
  ['streams', 'Nor do its event streams, in any stream mode', ['stream', 'stream in another mode']],
  ['snapshot', 'Nor does its snapshot', ['snapshot']],
  ['diff', 'Nor do comparisons with it', ['diff']],
  [
    'answers',
    'Nor do the answers and refusals to requests for it and about it, nor its pages in a Timeline View',
    ['answer', 'refusal', 'page'],
  ],
];

/** replay.md, Privacy: what is planted in a run, and looked for in everything that a replay of it shows. */
export const redaction = defineScenario({
  suite: 'replay-governance',
  id: ROW,
  title: 'A replay shows no secret that its source redacts',
  needs: [replays, ANY],
  witnessHelps: true,
  patience: () => 90,
  drive: driveReplays,
  checks: [
    ...LOOKED_AT.map(([name, title, surfaces]) => ({
      id: `${ROW}.${name}`,
      title,
      judge: (recorded: Parameters<typeof judgeRedaction>[0]) => judgeRedaction(recorded, { fork: 'replay', surfaces }),
    })),
    {
      id: `${ROW}.replay-of-replay`,
      title: 'Nor does a replay from the middle, of the replay or of its source, anywhere',
      judge: (recorded) => judgeForks(recorded, LATER),
    },
  ],
});

/** The same for a branch, which shows its source's history as its own. */
export const branchRedaction = defineScenario({
  suite: 'replay-governance',
  id: `${ROW}.branch`,
  title: 'A branch shows no secret that its source redacts',
  needs: [branches, ANY],
  witnessHelps: true,
  patience: () => 60,
  drive: driveBranch,
  checks: [
    {
      id: `${ROW}.branch`,
      title: 'No surface of a branch shows a secret that its source hides there',
      judge: (recorded) => judgeForks(recorded, BRANCHES),
    },
  ],
});

/** The same for a run that fails with secrets in its message. */
export const errorRedaction = defineScenario({
  suite: 'replay-governance',
  id: `${ROW}.errors`,
  title: 'A replay of a failed run shows no secret that the error of its source redacts',
  needs: [replays, { kind: 'witness' }, { kind: 'fixture', workflowId: SECRET_ERROR }],
  patience: () => 60,
  drive: driveErrors,
  checks: [
    {
      id: `${ROW}.errors`,
      title:
        'The error of a failed replay, or of a branch, wherever it is reported, shows no secret that its source hides there',
      judge: (recorded) => judgeForks(recorded, ['replay', 'branch']),
    },
  ],
});
