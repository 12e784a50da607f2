import { member } from '../contract/discovery.ts';
import { packedMember, type Packed } from '../evidence/pack.ts';
import type { Observation } from '../evidence/types.ts';
import { digestOf, inOrder, type Digests } from './value-digest.ts';

/** Where in a member the values stand that were sent so: log events may have been given other names. Of a document that lost something its members are left. */
type Form = 'whole' | 'document' | 'members' | 'items' | 'members of items' | 'data of items';

/** What of an observation a host sent. */
interface Sent {
  readonly path: readonly [string, ...string[]];
  readonly form: Form;
  /** Where it stands: in exchanges that the observation names, or in others about its run, too: its log, snapshots, or what made it. */
  readonly from: 'its own' | 'its log' | 'its snapshots' | 'its making';
}

function sent(path: Sent['path'], form: Form): Sent {
  return { path, form, from: 'its own' };
}

function logged(name: string, form: Form): Sent {
  return { path: [name], form, from: 'its log' };
}

const EVENTS = logged('events', 'members of items');
const SNAPSHOT: Sent = { path: ['snapshot'], form: 'document', from: 'its snapshots' };
const AGAIN: Sent = { ...SNAPSHOT, path: ['snapshotAgain'] };
const ANSWER: Sent = { path: ['answer'], form: 'document', from: 'its making' };

/**
 * What observations hold as a host sent it, by type. All others hold what was concluded from it, what the harness itself had (its witness,
 * its collector of spans, hosts that it killed) or nothing but a status.
 */
const SENT: ReadonlyMap<string, readonly Sent[]> = new Map([
  ['annotated', [sent(['annotationId'], 'whole')]],
  ['annotations', [sent(['list'], 'items')]],
  ['asked', [sent(['answer', 'body', 'value'], 'members'), sent(['eventIds'], 'items')]],
  ['child', [EVENTS, SNAPSHOT]],
  ['debug-stream', [EVENTS, logged('types', 'items')]],
  ['discovery', [sent(['answer', 'document'], 'members')]],
  ['events-url', [sent(['eventIds'], 'items')]],
  ['held', [EVENTS]],
  ['invocations', [sent(['invocations'], 'members of items')]],
  ['key', [sent(['answer', 'key'], 'whole')]],
  ['open-stream', [logged('after', 'data of items')]],
  ['reading', [logged('events', 'data of items')]],
  ['report', [sent(['report'], 'members')]],
  ['run', [EVENTS, SNAPSHOT, AGAIN, ANSWER]],
  ['seam', [sent(['answer'], 'members')]],
  ['stream-mode', [logged('types', 'items')]],
]);

/** Values of an observation that a host must have sent. */
export interface Claim {
  readonly path: string;
  readonly from: Sent['from'];
  readonly values: Digests;
}

/** Makes what gives the claims of observations. A log that many of them share is read once. `isChanged` leaves values out. */
export function createClaims(isChanged: (value: unknown) => boolean): (observation: Observation) => readonly Claim[] {
  const known = new WeakMap<Packed, Map<string, Digests>>();
  const valuesOf = (observation: Observation, { path, form }: Sent): Digests => {
    const packed = packedMember(observation, path[0]);
    const ofPacked = (packed && known.get(packed)) ?? new Map<string, Digests>();
    const name = `${path.join('/')} ${form}`;
    const before = ofPacked.get(name);
    if (before !== undefined) return before;
    const value = path.reduce<unknown>((at, each) => member(at, each), observation) ?? null;
    const values = new Set<number>();
    const left = form === 'document' ? (isChanged(value) ? 'members' : 'whole') : form;
    for (const each of partsOf(value, left)) if (!isChanged(each)) values.add(digestOf(each));
    const digests = inOrder(values);
    if (packed !== undefined) known.set(packed, ofPacked.set(name, digests));
    return digests;
  };
  return (observation) =>
    (SENT.get(observation.type) ?? []).map((each) => ({
      path: each.path.join('/'),
      from: each.from,
      values: valuesOf(observation, each),
    }));
}

function partsOf(value: unknown, form: Exclude<Form, 'document'>): readonly unknown[] {
  if (value === null) return [];
  if (form === 'whole') return [value];
  if (form === 'members') return membersOf(value) ?? [value];
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  if (form === 'items') return items;
  return items.flatMap((item) => membersOf(form === 'data of items' ? member(item, 'data') : item) ?? []);
}

function membersOf(value: unknown): readonly unknown[] | undefined {
  return typeof value === 'object' && value !== null ? Object.values(value) : undefined;
}
