import { always } from '../../src/contract/gates.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { type RevisionObservation, revisionOf, withCodeChanges } from '../shared/code-change.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import { failing, passing, undecided } from '../shared/judging.ts';
import { nodeOf } from '../shared/node-of.ts';
import { replayOf, replays } from '../shared/replays.ts';
import { type RunObservation, startRun } from '../shared/run-observation.ts';
import { compareValues, showsOthers, shownValues, type Watched } from '../shared/shown-values.ts';
import { wrong } from './diagnoses.ts';

const PIN = 'conformance-determinism-version-pin';
const REVISION = '2.0.0';
const WATCHED: Watched = { variables: ['version', 'sameVersion'], nodes: ['pin', 'pin-again'] };

const kept = 'replay.version-pins-kept';
const full = 'replay.version-pins-kept.full-replay';

type PinObservation = RunObservation | RevisionObservation;

async function drive(probe: Probe): Promise<readonly PinObservation[]> {
  const source = await startRun(probe, { workflowId: PIN, inputs: {} }, { role: 'source' });
  const use = async (): Promise<readonly RunObservation[]> => {
    const seen = [await startRun(probe, { workflowId: PIN, inputs: {} }, { role: 'fresh run' })];
    const after = afterThePin(source);
    if (after !== undefined) seen.push(await replayOf(probe, source, after, { role: 'replay after the pin' }));
    return [...seen, await replayOf(probe, source, undefined)];
  };
  return [source, ...(await withCodeChanges<RunObservation>(probe, PIN, [{ revision: REVISION, use }]))];
}

/** The sequence number between the two times that the workflow asks; undefined where the log does not show it. */
function afterThePin(source: RunObservation): number | undefined {
  const events = eventsOf(source);
  const pinned = events.findIndex(({ type }) => type === 'version.pinned');
  const done = events.findIndex((event) => event.type === 'node.completed' && nodeOf(event) === 'pin');
  const last = Math.max(pinned, done);
  return last === -1 ? undefined : events[last + 1]?.sequence;
}

function judgePins(check: string, role: string, observations: readonly Recorded<PinObservation>[]): Judgement {
  const [source, fresh] = [runOf(observations, 'source'), runOf(observations, 'fresh run')];
  const replay = runOf(observations, role);
  const missing = unseen(check, [source, replay]);
  if (missing !== undefined || source === undefined || replay === undefined) {
    return missing ?? undecided(check, 'a run was not driven', []);
  }
  if (shownValues(source, WATCHED).size === 0) {
    const where = 'writes it into the variables version and sameVersion';
    return undecided(check, `the run shows no version: ${PIN} ${where}`, [source]);
  }
  const compared = compareValues(source, replay, WATCHED);
  if (compared.kind === 'nothing') return undecided(check, `${named(replay)} shows no version`, [replay, source]);
  if (compared.kind === 'other') {
    const isNew = fresh !== undefined && compareValues(fresh, replay, WATCHED).kind === 'same';
    const diagnosis = isNew ? { diagnosis: wrong('newest-version') } : {};
    return failing(check, { ...compared.mismatch, ...diagnosis }, [replay, source]);
  }
  const revision = revisionOf(observations, REVISION);
  if (revision?.problem !== null) {
    const why = revision?.problem ?? 'it was not tried';
    return undecided(check, `the code could not be changed, so that there is one version only: ${why}`, [source]);
  }
  const unmade = unseen(check, [fresh]);
  if (unmade !== undefined || fresh === undefined) return unmade ?? undecided(check, 'no fresh run', [source]);
  if (!showsOthers(source, fresh, WATCHED)) {
    return undecided(check, 'a fresh run takes no other version: the change of the code had no effect', [
      source,
      fresh,
    ]);
  }
  return passing(check, [replay, source, fresh]);
}

/** replay.md, Determinism 3: "The branch the original run took is the branch the replay takes." */
export const versionPins = defineJudgedScenario<PinObservation>({
  id: kept,
  suite: 'replay-determinism',
  title: 'A version that was pinned, and code that has a newer one since',
  checks: [
    {
      id: kept,
      requirement: kept,
      title: 'A version pinned in the fixed history is the version the replay goes on with',
    },
    { id: full, requirement: kept, title: 'A version pinned in the source is the version a full replay takes' },
  ],
  gate: always,
  needs: [replays, { kind: 'fixture', workflowId: PIN }],
  exclusive: [`workflow:${PIN}`],
  drive,
  judge: (observations) => [
    judgePins(kept, 'replay after the pin', observations),
    judgePins(full, 'full replay', observations),
  ],
});
