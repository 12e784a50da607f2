import { member } from '../../src/contract/discovery.ts';
import { fail, isOutcome, type Mismatch, type Outcome, pass, undecided } from '../../src/contract/outcome.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { type RevisionObservation, revisionOf, withCodeChanges } from '../shared/code-change.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import { OF_A_REPLAY } from '../shared/foundations.ts';
import { leftUndriven, need, runOf } from '../shared/need.ts';
import { nodeOf } from '../shared/read-event.ts';
import { replayOf, replays } from '../shared/replays.ts';
import { type RunObservation, startRun } from '../shared/run-observation.ts';
import { settle } from '../shared/settle.ts';
import { compareValues, shownValues, showsOthers, type Watched } from '../shared/shown-values.ts';
import { wrong } from './diagnoses.ts';

const PIN = 'conformance-determinism-version-pin';
const REVISION = '2.0.0';
/** What shows the versions of one change, and of another one; together. */
const EACH: readonly Watched[] = [
  { variables: ['version', 'sameVersion'], nodes: ['pin', 'pin-again'] },
  { variables: ['otherVersion', 'sameOther'], nodes: ['pin-other', 'other-again'] },
];
const WATCHED: Watched = {
  variables: EACH.flatMap(({ variables }) => variables),
  nodes: EACH.flatMap(({ nodes }) => nodes),
};

const PINNING: ReadonlySet<string> = new Set(['pin', 'pin-other']);

const kept = 'replay.version-pins-kept';
const [FULL, AGAIN, BETWEEN] = ['full replay', 'replay of the replay', 'replay between the pins'] as const;

type PinObservation = RunObservation | RevisionObservation;

async function drive(probe: Probe): Promise<readonly PinObservation[]> {
  const source = await startRun(probe, { workflowId: PIN, inputs: {} }, { role: 'source' });
  const use = async (): Promise<readonly RunObservation[]> => {
    const observations = [await startRun(probe, { workflowId: PIN, inputs: {} }, { role: 'fresh run' })];
    const after = afterThePin(source);
    if (after !== undefined) observations.push(await replayOf(probe, source, after, { role: 'replay after the pin' }));
    const between = eventsOf(source).find((event) => nodeOf(event) === 'pin-other')?.sequence;
    if (between !== undefined) observations.push(await replayOf(probe, source, between, { role: BETWEEN }));
    const replay = await replayOf(probe, source, undefined, { role: FULL });
    return [...observations, replay, await replayOf(probe, replay, undefined, { role: AGAIN })];
  };
  return [source, ...(await withCodeChanges<RunObservation>(probe, PIN, [{ revision: REVISION, use }]))];
}

/** The sequence number behind all pins, before the workflow asks again; undefined where the log does not show it. */
function afterThePin(source: RunObservation): number | undefined {
  const events = eventsOf(source);
  const pinned = events.findLastIndex(({ type }) => type === 'version.pinned');
  const done = events.findLastIndex((event) => event.type === 'node.completed' && PINNING.has(nodeOf(event) ?? ''));
  const last = Math.max(pinned, done);
  return last === -1 ? undefined : events[last + 1]?.sequence;
}

/** Judges that a replay takes the versions of its source, but for those that `watched` leaves out. */
function judgePins(recorded: readonly Recorded<PinObservation>[], role: string, watched: Watched = WATCHED): Outcome {
  const runs = need(recorded, 'source', role);
  if (isOutcome(runs)) return runs;
  const { source, [role]: replay } = runs;
  if (source === undefined || replay === undefined) return leftUndriven(role);
  if (shownValues(source, WATCHED).size === 0) {
    const where = 'writes it into the variables version and sameVersion';
    return undecided(`the run shows no version: ${PIN} ${where}`, [source]);
  }
  const compared = compareValues(source, replay, watched);
  if (compared.kind === 'nothing') return undecided(`${named(replay)} shows no version`, [replay, source]);
  const taken = runOf(recorded, 'fresh run');
  // What a replay of a replay shows otherwise, whatever it is, the row about those says.
  const restsOn = role === AGAIN ? OF_A_REPLAY : undefined;
  if (compared.kind === 'other') {
    const isNew = EACH.some(
      (each) =>
        taken !== undefined &&
        compareValues(source, replay, each).kind === 'other' &&
        compareValues(taken, replay, each).kind === 'same',
    );
    if (isNew) return fail({ ...compared.mismatch, diagnosis: wrong('newest-version') }, [replay, source]);
    return fail({ ...compared.mismatch, restsOn }, [replay, source]);
  }
  // What it pins again of its history is for the row about that.
  const pinned = watched === WATCHED ? otherPin(source, replay) : undefined;
  if (pinned !== undefined) return fail({ ...pinned, diagnosis: wrong('other-pin'), restsOn }, [replay, source]);
  const revision = revisionOf(recorded, REVISION);
  if (revision?.problem !== null) {
    const why = revision?.problem ?? 'it was not tried';
    return undecided(`the code could not be changed, so that there is one version only: ${why}`, [source]);
  }
  const others = need(recorded, 'fresh run');
  if (isOutcome(others)) return others;
  const { 'fresh run': fresh } = others;
  return showsOthers(source, fresh, WATCHED)
    ? pass([replay, source, fresh])
    : undecided('a fresh run takes no other version: the change of the code had no effect', [source, fresh]);
}

/** Where a replay pins another version than its source, in an event that it does not have from there. */
function otherPin(source: RunObservation, replay: RunObservation): Mismatch | undefined {
  const versions = new Map(pinsOf(source).map(({ changeId, version }) => [changeId, version]));
  const from = replay.fork?.fromSeq ?? 0;
  const other = pinsOf(replay).find(
    ({ changeId, version, sequence }) =>
      sequence >= from && versions.has(changeId) && shown(versions.get(changeId)) !== shown(version),
  );
  if (other === undefined) return undefined;
  const place = `sequence ${other.sequence}, version.pinned of ${named(replay)}`;
  return {
    expected: `version ${shown(versions.get(other.changeId))} in ${place}, as ${named(source)} pinned it`,
    actual: shown(other.version),
  };
}

function pinsOf(run: RunObservation) {
  const pins = eventsOf(run).filter(({ type }) => type === 'version.pinned');
  return pins.map(({ sequence, payload }) => {
    const [changeId, version] = ['changeId', 'version'].map((name) => member(payload, name));
    return { sequence, changeId, version };
  });
}

/** The second change, which is pinned behind the point from which this replay was made; none in older evidence. */
function judgeBehind(recorded: readonly Recorded<PinObservation>[]): readonly Outcome[] {
  return runOf(recorded, BETWEEN) === undefined ? [] : [judgePins(recorded, BETWEEN, EACH[1])];
}

/** replay.md, Determinism 3: "The branch the original run took is the branch the replay takes." */
export const versionPins = defineScenario<PinObservation>({
  id: kept,
  suite: 'replay-determinism',
  title: 'A version that was pinned, and code that has a newer one since',
  needs: [replays, { kind: 'fixture', workflowId: PIN }],
  exclusive: [`workflow:${PIN}`],
  drive,
  checks: [
    {
      id: kept,
      title: 'A version pinned in the fixed history is the version the replay goes on with',
      judge: (recorded) => judgePins(recorded, 'replay after the pin'),
    },
    {
      id: `${kept}.full-replay`,
      title: 'A version pinned in the source is the version that its replays take, and a replay of one',
      judge: (recorded) => settle([judgePins(recorded, FULL), ...judgeBehind(recorded), judgePins(recorded, AGAIN)]),
    },
  ],
});
