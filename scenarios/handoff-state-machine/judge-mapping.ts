import { isAgainstItsLog, SNAPSHOTS } from '../shared/snapshot-fault.ts';
import { member } from '../../src/contract/discovery.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { named, shown } from '../shared/compare-runs.ts';
import { failing, passing, undecided } from '../shared/judging.ts';
import { inPhase, type Chain } from './chain.ts';
import { childrenOf } from './child-run.ts';
import { toldIn, type Told } from './judge-path.ts';
import type { Seen } from './row.ts';
import { HARVESTED, placeOf, type Decision } from './transition.ts';
import { valueIn } from './values.ts';
import { wrong } from './diagnoses.ts';

/** What of the child becomes which variable of its parent; `value` is the child's unless it shows another one. */
interface Mapped {
  readonly role: string;
  readonly variable: string;
  readonly mappedTo: string;
  readonly value: string;
}

/** rfc-0037 §A.3, §A.4: the mapped output is in the parent's variables, and was before the next decision. */
export function judgeMapping(check: string, seen: Seen, mapped: Mapped): Judgement {
  const told = toldIn(check, seen, mapped.role);
  if ('verdict' in told) return told;
  const { run } = told;
  const children = childrenOf(seen, mapped.role);
  const evidence = [run, ...children];
  const given = children.map((child) => valueIn(child, mapped.variable)).find((each) => each !== undefined);
  const expected = given ?? mapped.value;
  const value = valueIn(run, mapped.mappedTo);
  const place = `variable ${mapped.mappedTo} of ${named(run)}`;
  if (value === undefined) return undecided(check, `${place}: neither its snapshot nor its log shows it`, evidence);
  if (shown(value) !== shown(expected)) {
    const wanted = `${place}: ${shown(expected)}, the child's ${mapped.variable}`;
    return failing(check, { expected: wanted, actual: shown(value), diagnosis: wrong('output-not-mapped') }, evidence);
  }
  return judgeInTime(check, told, { name: mapped.mappedTo, expected, evidence });
}

interface Written {
  readonly name: string;
  readonly expected: unknown;
  readonly evidence: readonly { readonly id: string }[];
}

function judgeInTime(check: string, { run, chain }: Told, { name, expected, evidence }: Written): Judgement {
  const next = nextDecision(chain);
  if (next === undefined) return undecided(check, `${named(run)} shows no decision after its child`, evidence);
  const change = chain.events.find((event) => isChange(event, name, expected));
  const harvest = chain.handoffs.flatMap((handoff) => inPhase(handoff, HARVESTED))[0]?.event;
  const shownBy = change ?? harvest;
  if (shownBy === undefined) {
    return undecided(check, `${named(run)} tells by no event when variable ${name} was written`, evidence);
  }
  if (shownBy.sequence > next.event.sequence) {
    const mismatch = {
      expected: `variable ${name} before ${placeOf(next.event)} in ${named(run)}`,
      actual: placeOf(shownBy),
      diagnosis: wrong('output-mapped-late'),
    };
    return failing(check, mismatch, evidence);
  }
  const reason = `the log has no variable.changed for ${name}: ${HARVESTED} stands for it`;
  return passing(check, evidence, change === undefined ? reason : undefined);
}

/** The first decision that comes after a worker was dispatched. */
function nextDecision({ decisions, transitions }: Chain): Decision | undefined {
  const began = transitions[0]?.event.sequence;
  return began === undefined ? undefined : decisions.find(({ event }) => event.sequence > began);
}

function isChange({ type, payload }: RunEvent, name: string, value: unknown): boolean {
  if (type !== 'variable.changed' || member(payload, 'name') !== name) return false;
  return shown(member(payload, 'value')) === shown(value);
}

/** What the first worker returned, and where the second shows what it was given. */
interface Relay {
  readonly role: string;
  readonly value: string;
  /** The workflow of the second worker. */
  readonly workflowId: string;
  /** Its variables that show what it was given. */
  readonly heardAs: readonly string[];
  /** The parent's variable that the second worker's answer is mapped to. */
  readonly returnedAs: string;
}

/** rfc-0037 §A: a worker that is dispatched later is given what an earlier one returned; no event is needed to see it. */
export function judgeRelay(check: string, seen: Seen, { role, value, ...second }: Relay): Judgement {
  const told = toldIn(check, seen, role);
  if ('verdict' in told) return told;
  const { run } = told;
  const children = childrenOf(seen, role);
  const evidence = [run, ...children];
  const listeners = children.filter(({ snapshot }) => member(snapshot, 'workflowId') === second.workflowId);
  const heard = [
    { place: `variable ${second.returnedAs} of ${named(run)}`, value: valueIn(run, second.returnedAs) },
    ...listeners.flatMap((child) =>
      second.heardAs.map((name) => ({
        place: `variable ${name} of the child ${child.runId}`,
        value: valueIn(child, name),
      })),
    ),
  ].filter((each) => each.value !== undefined);
  const other = heard.find((each) => each.value !== value);
  if (other !== undefined) {
    const mismatch = {
      expected: `${other.place}: ${shown(value)}`,
      actual: shown(other.value),
      diagnosis: wrong('output-not-relayed'),
      // Inputs stand in snapshots alone: where these are not to be believed, another row says so.
      ...([run, ...listeners.map((child) => ({ ...child, role: 'child' }))].some(isAgainstItsLog)
        ? { restsOn: SNAPSHOTS }
        : {}),
    };
    return failing(check, mismatch, evidence);
  }
  if (heard.length > 0) return passing(check, evidence);
  return undecided(check, `nothing shows what the second worker of ${named(run)} was given`, evidence);
}
