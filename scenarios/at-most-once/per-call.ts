import { advertisedFailpoints, readPart } from '../../src/contract/discovery.ts';
import { provableSemantics } from '../../src/contract/gates.ts';
import { fail, type Outcome, pass, rests, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { callNamesIn, partsOf } from './call-names.ts';
import { cellText, type CellObservation, UNCUT } from './cell.ts';
import { createCells } from './crash-drive.ts';
import { cutNeeds } from './crash-seams.ts';
import { wrong } from './diagnoses.ts';
import { nameAtStage } from './failpoint-names.ts';
import { CHARGE, ONCE } from './fixtures.ts';
import { idempotencyKey, isKeyOf } from './idempotency-key.ts';
import { isResult, keysOf } from './invocation-events.ts';
import { type Cell, holdsAny, readCell } from './read-cell.ts';
import { leftUndriven } from '../shared/need.ts';

/** A run whose one node calls its tool twice, cut between the calls or not at all. */
export interface PerCallCell extends Observation {
  readonly type: 'per-call-cell';
  readonly cell: CellObservation;
}

/** The arguments of both calls. */
const CALLS = [{ step: 1 }, { step: 2 }] as const;

const EXPOSE = "expose a failpoint behind the ledger's commit whose name says so, such as after-ledger-commit";
const SHOW = 'give the result of a call in tool_invocation_finished';
const SEVERAL = 'let its node call the tool once for each of inputs.toolCalls (docs/fixtures.md)';

/** The failpoint between the first call and the second, by the names that the host advertises. */
export function pointBetween(names: readonly string[]): string | undefined {
  return nameAtStage(names, 6) ?? nameAtStage(names, 5);
}

async function drive(probe: Probe): Promise<readonly PerCallCell[]> {
  const { crash } = probe;
  if (crash === undefined) return [];
  const name = pointBetween(advertisedFailpoints(readPart(probe.discovery, 'provable')));
  const cuts = [null, ...(name === undefined ? [] : [{ name, hit: 1 }])];
  const driveOne = createCells(probe);
  const recorded: PerCallCell[] = [];
  await crash.each(cuts, async (lane, cut) => {
    const run = { inputs: { toolCalls: CALLS } };
    const cell = await driveOne({ cut, second: null }, { lane, thorough: false, run });
    recorded.push({ type: 'per-call-cell', cell, exchanges: cell.exchanges });
  });
  return recorded;
}

/** Judges once.idempotency-key.per-call: of two calls of one node each is known by its own key (sem §4.1). */
function judge(recorded: Recordings): Outcome {
  const cells = ofType<PerCallCell>(recorded, 'per-call-cell').map(({ id, cell }) => readCell({ ...cell, id }));
  const uncut = cells.find(({ cell }) => cell.cut === null);
  const cut = cells.find(({ cell }) => cell.cut !== null);
  if (uncut === undefined) return leftUndriven(UNCUT);
  const whole = judgeCell(uncut);
  if (whole.kind !== 'pass') return whole;
  if (cut === undefined) return undecidedUntil(EXPOSE, 'no death was seen between two calls of one node', [uncut]);
  if (!cut.reached) {
    const why = cut.cell.notDriven ?? 'the host was not seen to die';
    return undecidedUntil(EXPOSE, `${cellText(cut.cell)}: ${why}`, [cut]);
  }
  if (cut.callsThen !== 1) {
    const reason = `${cellText(cut.cell)}: ${cut.callsThen} calls at the death, so it lay not between the two`;
    return undecidedUntil(EXPOSE, reason, [cut]);
  }
  const found = judgeCell(cut);
  return found.kind === 'pass'
    ? pass([uncut, cut], `${cellText(cut.cell)}: two calls, each with its own result`)
    : found;
}

function judgeCell(read: Cell): Outcome {
  const { cell, outcome, calls, invocations } = read;
  const where = cellText(cell);
  if (cell.notDriven !== null) return undecided(`${where}: ${cell.notDriven}`, [read]);
  if (calls > CALLS.length || outcome !== 'completed' || cell.log === null) {
    return rests('once.every-cut', undecided(`${where}: ${outcome} after ${calls} calls`, [read]));
  }
  const starts = invocations.filter(({ step }) => step === 'started');
  if (calls < CALLS.length && starts.length < CALLS.length) return undecided(`${where}: one call: ${SEVERAL}`, [read]);
  const names = callNamesIn({ events: cell.log, runId: cell.runId }, CHARGE);
  const shown = new Set(keysOf(invocations));
  const keys = CALLS.map((args) => {
    const parts = partsOf(invocations, CHARGE, { names, args: JSON.stringify(args) });
    return [...shown].find((key) => isKeyOf(key, parts)) ?? idempotencyKey(parts[0]);
  });
  const isKeyless = invocations.some(({ step, key }) => step !== 'committed' && key === undefined);
  if (isKeyless || !keys.some((key) => key !== undefined && shown.has(key))) {
    return rests('once.idempotency-key', undecided(`${where}: not every event shows the key of its call`, [read]));
  }
  const results = keys.map((key) => nonceUnder(read, key));
  const isApart = new Set(results).size === CALLS.length && !results.includes(undefined);
  if (isApart && calls === CALLS.length) return pass([read], `${where}: two calls, each with its own result`);
  if (calls === CALLS.length && results.every((result) => result === undefined)) {
    return undecidedUntil(SHOW, `${where}: two calls, and no event shows the answer of either`, [read]);
  }
  const expected = `${where}: two calls, and under each of ${keys.join(', ')} the answer of its own`;
  const under = keys.map((key, index) => `${results[index] ?? 'nothing'} under ${key ?? ''}`).join(', ');
  const actual = `${calls} ${calls === 1 ? 'call' : 'calls'}, ${under}`;
  return fail({ expected, actual, diagnosis: wrong('injected-by-node') }, [read]);
}

/** What the witness answered and the end of the call with this key shows. */
function nonceUnder({ invocations, nonces }: Cell, wanted: string | undefined): string | undefined {
  const ended = invocations.filter((each) => isResult(each) && each.key === wanted).map(({ event }) => event.payload);
  return nonces.find((nonce) => holdsAny(ended, [nonce]));
}

/** sem §4.1: what is recorded is found by the key of the call, not by its node. */
export const perCall = defineScenario<PerCallCell>({
  id: 'once.idempotency-key.per-call',
  suite: 'at-most-once',
  title: 'Two calls in one node, and a death between them',
  gate: provableSemantics,
  needs: cutNeeds(ONCE),
  patience: () => 20,
  drive,
  checks: [
    {
      id: 'once.idempotency-key.per-call',
      title: 'Of two calls in one node the recorded one is injected and the other one made, each under its own key',
      judge,
    },
  ],
});
