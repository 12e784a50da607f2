import { randomUUID } from 'node:crypto';
import { advertisedFailpoints, member, readPart } from '../../src/contract/discovery.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { WitnessCall, WitnessVisit } from '../../src/evidence/witness.ts';
import type { CrashLane, Cut } from '../../src/host/crash.ts';
import type { Probe } from '../../src/host/probe.ts';
import { interruptPath } from '../../src/protocol/paths.ts';
import { ask } from '../shared/seams.ts';
import { statusIn } from '../shared/snapshot.ts';
import type { CellObservation } from './cell.ts';
import { createCells, replayedIn } from './crash-drive.ts';
import { undriven } from './cut-cell.ts';
import { type Stage, stageOfName, wordsOf, writeOfName } from './failpoint-names.ts';
import { CHARGE } from './fixtures.ts';
import { seeLife } from './life.ts';
import { prepared } from './prepared-cells.ts';

/** A run that dies when its result is recorded and its node has not ended, and what its recovery came to. */
export interface RecoveryObservation extends Observation {
  readonly type: 'recovery';
  /** Whether the resource is what the record says. */
  readonly agrees: boolean;
  /** What the tool answered. */
  readonly nonce: string;
  readonly cell: CellObservation;
  /** How often the resource was asked for by the end of the run, and by a replay of it; 0 where none was driven. */
  readonly askedAfter: number;
  readonly askedInReplay: number;
  /** How often the tool was called by that replay; absent where none was driven. */
  readonly calledInReplay?: number;
  /** ConfirmationReplayWarnTotal of the run; null where no seam tells. */
  readonly warned: number | null;
  /** The same before there was any run: above 0 where all runs share one; absent where no seam tells. */
  readonly warnedBefore?: number;
  /** The status of the answer to a person's `false`; null where the run does not wait. */
  readonly answered: number | null;
  /** The status of the run after that; null where nobody answered, or it is not known. */
  readonly afterNo: string | null;
}

/** What is verified, and what is asked where a person has to decide (docs/fixtures.md). */
const RESOURCE = 'receipt';

/**
 * The advertised failpoint behind the last record of a call, as its name tells; undefined where none does. Names that can mean
 * nothing else go first: a host may pass a mere commit at every transaction.
 */
export function behindRecord(advertised: readonly string[]): Cut | undefined {
  const known = advertised.filter((name) => wordsOf(name).side === 'after');
  const named = [isLedgerWrite, isCommittedEvent, isAtStage(6), isAtStage(5)].flatMap((is) => known.find(is) ?? []);
  const [name] = named;
  return name === undefined ? undefined : { name, hit: 1 };
}

function isLedgerWrite(name: string): boolean {
  return writeOfName(name)?.write === 'ledger' && wordsOf(name).rest !== 'commit';
}

function isCommittedEvent(name: string): boolean {
  return writeOfName(name)?.write === 'committed';
}

function isAtStage(stage: Stage): (name: string) => boolean {
  return (name) => stageOfName(name) === stage;
}

/** Drives one run in the world that its record tells of, and one in another. */
export async function driveRecovery(probe: Probe, workflowId: string): Promise<readonly RecoveryObservation[]> {
  const { crash: bench } = probe;
  if (bench === undefined || probe.witness === undefined) return [];
  const cut = behindRecord(advertisedFailpoints(readPart(probe.discovery, 'provable')));
  const recorded: RecoveryObservation[] = [];
  const driveOne = createCells(probe);
  await bench.each([true, false], async (lane, agrees) => {
    recorded.push(await driveWorld(probe, lane, { workflowId, agrees, cut, driveOne }));
  });
  return recorded;
}

interface WorldToDrive {
  readonly workflowId: string;
  readonly agrees: boolean;
  readonly cut: Cut | undefined;
  readonly driveOne: ReturnType<typeof createCells>;
}

async function driveWorld(
  probe: Probe,
  lane: CrashLane,
  { workflowId, agrees, cut, driveOne }: WorldToDrive,
): Promise<RecoveryObservation> {
  const nonce = randomUUID();
  const nothing = { askedAfter: 0, askedInReplay: 0, warned: null, answered: null, afterNo: null };
  const begun = { type: 'recovery', agrees, nonce, ...nothing } as const;
  if (cut === undefined || probe.witness === undefined) {
    const cell = undriven({ cut: null, second: null }, 'no failpoint is named so that it lies behind the record');
    return { ...begun, cell, exchanges: [] };
  }
  const visits: WitnessVisit[] = [];
  const witness = prepared(probe.witness, (visit) => {
    visits.push(visit);
    visit.stageEffect(CHARGE.effect, { nonce, count: 1 });
    visit.stageResource(RESOURCE, { nonce: agrees ? nonce : randomUUID() });
  });
  const madeOf = (wanted: WitnessCall['kind']): number =>
    visits.flatMap((visit) => visit.calls()).filter(({ kind }) => kind === wanted).length;
  const on = { ...probe, host: lane.host };
  const exchanges: string[] = [];
  const counted = agrees ? null : await warnedIn(on, NO_RUN, exchanges);
  const cell = await driveOne({ cut, second: null }, { lane, thorough: false, witness, run: { workflowId } });
  exchanges.push(...cell.exchanges);
  const askedAfter = madeOf('resource');
  const called = madeOf('effect');
  if (cell.runId === null || cell.deaths.length === 0) return { ...begun, cell, askedAfter, exchanges };
  const observed = { ...begun, cell, askedAfter, exchanges };
  if (agrees) {
    if ((await replayedIn(on, cell, workflowId)) === undefined) return observed;
    return { ...observed, askedInReplay: madeOf('resource') - askedAfter, calledInReplay: madeOf('effect') - called };
  }
  const warned = await warnedIn(on, cell.runId, exchanges);
  const warnedBefore = counted === null ? {} : { warnedBefore: counted };
  return { ...observed, ...warnedBefore, warned, ...(await answerNo(on, cell, exchanges)) };
}

/** The id of a run that nobody has made. */
const NO_RUN = 'no-run-yet';

async function warnedIn({ host }: Probe, runId: string, exchanges: string[]): Promise<number | null> {
  const { body, problem, exchange } = await ask(host, 'verification', { runId });
  exchanges.push(exchange);
  const total = member(body, 'confirmationReplayWarnTotal');
  return problem === null && typeof total === 'number' ? total : null;
}

type Answered = Pick<RecoveryObservation, 'answered' | 'afterNo'>;

/** Answers a run that waits with `false`, and looks at it once more. */
async function answerNo(probe: Probe, { runId, stopped }: CellObservation, exchanges: string[]): Promise<Answered> {
  if (runId === null || stopped !== 'parked') return { answered: null, afterNo: null };
  const { host, signal, timeoutMs } = probe;
  const body = JSON.stringify({ resumeValue: false } satisfies Json);
  const exchange = await host.exchange({ method: 'POST', path: interruptPath(runId, CHARGE.nodeId), body });
  const sight = { host, signal, patienceMs: timeoutMs, streamMs: timeoutMs, returnsByItself: false };
  const life = await seeLife(sight, runId);
  exchanges.push(exchange.id, ...life.exchanges);
  return {
    answered: exchange.kind === 'response' ? exchange.status : null,
    afterNo: statusIn(life.snapshot) ?? null,
  };
}
