import { randomUUID } from 'node:crypto';
import { advertisedFailpoints, readPart } from '../../src/contract/discovery.ts';
import { provableSemantics } from '../../src/contract/gates.ts';
import { fail, type Outcome, pass, rests, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { CrashLane } from '../../src/host/crash.ts';
import type { Probe } from '../../src/host/probe.ts';
import { seamPath } from '../../src/protocol/paths.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { ask } from '../shared/seams.ts';
import { failureOf, settle } from '../shared/settle.ts';
import { cellText, type CellObservation } from './cell.ts';
import { createCells } from './crash-drive.ts';
import { cutNeeds } from './crash-seams.ts';
import { undriven } from './cut-cell.ts';
import { wrong } from './diagnoses.ts';
import { nameAtStage } from './failpoint-names.ts';
import { CHARGE, ONCE } from './fixtures.ts';
import { isResult } from './invocation-events.ts';
import { type Cell, holdsAny, readCell } from './read-cell.ts';
import { leftUndriven } from '../shared/need.ts';

const STORES = ['ledger', 'effect'] as const;
const PLACES = ['before', 'after'] as const;

/** A run in one of whose stores another result than the tool's was planted, cut before or after the stream had the tool's. */
export interface PlantedCell extends Observation {
  readonly type: 'planted-cell';
  readonly store: (typeof STORES)[number];
  readonly place: (typeof PLACES)[number];
  /** What was planted stands in it, and nowhere else. */
  readonly nonce: string;
  readonly cell: CellObservation;
}

const PLANT = 'invocations/plant';

const EXPOSE: Readonly<Record<PlantedCell['place'], string>> = {
  before: 'expose a failpoint between the tool and PutEffect whose name says so, such as after-execute',
  after:
    "expose a failpoint between the append and the ledger's commit whose name says so, such as after-append-command-committed",
};

/** The failpoint of a place, by the names that the host advertises. */
export function pointFor(place: PlantedCell['place'], names: readonly string[]): string | undefined {
  return nameAtStage(names, place === 'before' ? 2 : 5);
}

async function drive(probe: Probe): Promise<readonly PlantedCell[]> {
  const { crash } = probe;
  if (crash === undefined) return [];
  const names = advertisedFailpoints(readPart(probe.discovery, 'provable'));
  const jobs = STORES.flatMap((store) => PLACES.map((place) => ({ store, place, nonce: `planted-${randomUUID()}` })));
  const driveOne = createCells(probe);
  const recorded: PlantedCell[] = [];
  const run = async (lane: CrashLane, { store, place, nonce }: (typeof jobs)[number]): Promise<CellObservation> => {
    const name = pointFor(place, names);
    const cuts = { cut: { name: name ?? place, hit: 1 }, second: null };
    if (name === undefined) return undriven(cuts, EXPOSE[place]);
    const result: Json = { nonce, count: 1 };
    const { problem, exchange } = await ask(lane.host, PLANT, { nodeId: CHARGE.nodeId, store, result });
    return problem === null ? driveOne(cuts, { lane, thorough: false }) : undriven(cuts, problem, [exchange]);
  };
  await crash.each(jobs, async (lane, job) => {
    const cell = await run(lane, job);
    recorded.push({ type: 'planted-cell', ...job, cell, exchanges: cell.exchanges });
  });
  return recorded;
}

/** A cell with what was planted in it. */
interface Planted extends Omit<PlantedCell, 'cell'> {
  readonly id: string;
  readonly read: Cell;
}

function plantedIn(recorded: Recordings, place: PlantedCell['place']): readonly Planted[] {
  return ofType<PlantedCell>(recorded, 'planted-cell')
    .filter((each) => each.place === place)
    .map(({ cell, ...each }) => ({ ...each, read: readCell({ ...cell, id: each.id }) }));
}

/** Why a cell proves nothing, whatever it shows; undefined where it was seen. */
function unobserved({ read, place }: Planted): Outcome | undefined {
  const { cell, reached, calls, callsThen, outcome } = read;
  // No failpoint's name says that it lies there: none was armed.
  if (cell.notDriven === EXPOSE[place]) return undecidedUntil(EXPOSE[place], 'no death was seen there', [read]);
  if (cell.notDriven !== null) return undecided(`${cellText(cell)}: ${cell.notDriven}`, [read]);
  if (!reached) return undecidedUntil(EXPOSE[place], `${cellText(cell)}: the host was not seen to die`, [read]);
  if (calls > 1) return rests('once.every-cut', undecided(`${cellText(cell)}: ${calls} calls`, [read]));
  if (calls === 0) return undecided(`${cellText(cell)}: the witness was not called`, [read]);
  if (callsThen === 0) {
    return undecidedUntil(EXPOSE[place], `${cellText(cell)}: the tool was called after the death only`, [read]);
  }
  if (outcome === 'unknown' || outcome === 'missing' || outcome === 'in flight' || cell.log === null) {
    return rests('once.every-cut', undecided(`${cellText(cell)}: the run was left ${outcome}`, [read]));
  }
  return undefined;
}

const FOLLOWING: ReadonlySet<string> = new Set([
  'node.completed',
  'variable.changed',
  'channel.written',
  'run.completed',
]);

/** Whether what a run went on with holds a text: its node's output, its variables, its end. A warning may name any value. */
function goesOnWith({ events, cell }: Cell, texts: readonly string[]): boolean {
  return holdsAny(
    [events.filter(({ type }) => FOLLOWING.has(type)).map(({ payload }) => payload), cell.snapshot],
    texts,
  );
}

/** Whether the result in the stream holds a text. */
function streamHolds({ invocations }: Cell, texts: readonly string[]): boolean {
  return holdsAny(
    invocations.filter(isResult).map(({ event }) => event.payload),
    texts,
  );
}

/** Judges once.stream-wins: a store that holds another result than the stream changes nothing (sem §1). */
function judgeWins(recorded: Recordings): Outcome {
  const controls = plantedIn(recorded, 'before');
  const found = plantedIn(recorded, 'after').map((planted) =>
    judgePlanted(
      planted,
      controls.find(({ store }) => store === planted.store),
    ),
  );
  return failureOf(found) ?? someOf(found);
}

/** One store that can be planted in is enough: a host may keep no other. */
function someOf(found: readonly Outcome[]): Outcome {
  const passed = found.filter(({ kind }) => kind === 'pass');
  return passed.length > 0 ? settle(passed) : settle(found);
}

function judgePlanted(planted: Planted, control: Planted | undefined): Outcome {
  const left = unobserved(planted);
  if (left !== undefined) return left;
  const { read, store, nonce } = planted;
  const { nonces, outcome } = read;
  const where = cellText(read.cell);
  if (!streamHolds(read, nonces)) {
    return undecided(`${where}: the log does not show that the stream held what the tool answered`, [read]);
  }
  const expected = `${where}: the run goes on with ${nonces.join(', ')}, which the stream holds`;
  if (outcome !== 'completed') {
    const actual = `${outcome}, with ${nonce} planted in the store ${store}`;
    return fail({ expected, actual, diagnosis: wrong('stream-not-believed'), restsOn: 'once.stream-is-authority' }, [
      read,
    ]);
  }
  if (goesOnWith(read, [nonce])) {
    const actual = `${nonce}, which was planted in the store ${store}`;
    return fail({ expected, actual, diagnosis: wrong('store-over-stream') }, [read]);
  }
  if (!goesOnWith(read, nonces)) {
    return rests('once.stream-is-authority', undecided(`${where}: the run shows neither result`, [read]));
  }
  if (control === undefined || unobserved(control) !== undefined || !goesOnWith(control.read, [control.nonce])) {
    return undecided(`that ${PLANT} plants in the store ${store} was not seen where the stream has no result`, [read]);
  }
  return pass([read, control.read], `${nonce} in the store ${store} did not count after ${where}`);
}

/** Judges once.stream-wins.ledger-only: a result that the ledger alone holds is caught up from there (sem §1). */
function judgeLedgerOnly(recorded: Recordings): Outcome {
  const planted = plantedIn(recorded, 'before').find(({ store }) => store === 'ledger');
  if (planted === undefined) return leftUndriven('run whose result the ledger alone holds');
  const left = unobserved(planted);
  if (left !== undefined) return left;
  const { read, nonce } = planted;
  const where = cellText(read.cell);
  const isThere = read.outcome === 'completed' && goesOnWith(read, [nonce]);
  if (isThere && streamHolds(read, [nonce])) return pass([read], `the ledger's result was caught up after ${where}`);
  if (isThere) {
    const reason = `${where}: the run goes on with the ledger's result, and the log does not show it as that of the call`;
    return rests('once.catch-up-complete', undecided(reason, [read]));
  }
  if (read.found?.ledger !== 'COMMITTED') {
    const seam = 'POST /v1/host/sample/test/invocations';
    return undecided(`${where}: that the ledger held a result was not seen: show what is found at ${seam}`, [read]);
  }
  const expected = `${where}: completed with ${nonce}, which the ledger alone held, and no further call`;
  return fail({ expected, actual: read.outcome, diagnosis: wrong('ledger-not-caught-up') }, [read]);
}

/** sem §1: stores that were made to disagree with the stream, or to be ahead of it. */
export const streamWins = defineScenario<PlantedCell>({
  id: 'once.stream-wins',
  suite: 'at-most-once',
  title: 'A store that holds another result than the stream, and one that holds a result where the stream has none',
  gate: provableSemantics,
  needs: [...cutNeeds(ONCE), { kind: 'seam', path: seamPath(PLANT), body: '{}' }],
  patience: () => 30,
  drive,
  checks: [
    {
      id: 'once.stream-wins',
      title:
        'Where ledger or effect store hold another result than the stream, the run goes on with that in the stream',
      judge: judgeWins,
    },
    {
      id: 'once.stream-wins.ledger-only',
      title: 'A result that the ledger alone holds is written to the stream and injected, and nobody is called',
      judge: judgeLedgerOnly,
    },
  ],
});
