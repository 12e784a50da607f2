import { holdsIdOrTime } from '../../src/event-log/index.ts';
import type { Json } from '../../src/evidence/types.ts';
import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import { eventsOf } from './compare-runs.ts';
import { nodeOf } from './read-event.ts';
import type { RunObservation } from './run-observation.ts';

type Both = readonly [one: Json, other: Json];

/** What two runs say of one thing: as much of it as both show, or nothing. */
type Reading = (one: unknown, other: unknown) => Both | undefined;

/**
 * What events say that a host words in its own way, or not at all: how each member is read where two logs have the event. Ids that
 * are made for a run, links, times and words of a model are no facts.
 */
const SAID: ReadonlyMap<string, Readonly<Record<string, Reading>>> = new Map<string, Readonly<Record<string, Reading>>>(
  [
    ['run.started', { workflowId: texts, inputs: given }],
    ['runOrchestrator.decided', { agentId: names, decision: decisions }],
    ['interrupt.requested', { kind: texts, key: keys, data: asked }],
    [
      'provider.usage',
      { provider: texts, model: texts, inputTokens: counts, outputTokens: counts, totalTokens: counts },
    ],
  ],
);

/**
 * Pairs of events of which two runs say something, with what both certainly say: the first event of a kind and node stands for the
 * first, and so on. Where one run shows more of a kind and node than the other, which is not for these words to say, none is paired.
 */
export function saidInBoth(source: RunObservation, replay: RunObservation): readonly Both[] {
  const [ours, theirs] = [grouped(source), grouped(replay)];
  return [...ours].flatMap(([place, events]) => {
    const others = theirs.get(place) ?? [];
    if (others.length !== events.length) return [];
    return events.flatMap((event, index) => {
      const other = others[index];
      return other === undefined ? [] : [pairOf(event, other)].filter((pair) => pair !== undefined);
    });
  });
}

function grouped(run: RunObservation): ReadonlyMap<string, readonly RunEvent[]> {
  const groups = new Map<string, RunEvent[]>();
  for (const event of eventsOf(run).filter(({ type }) => SAID.has(type))) {
    const place = JSON.stringify([event.type, nodeOf(event)]);
    const known = groups.get(place);
    if (known === undefined) groups.set(place, [event]);
    else known.push(event);
  }
  return groups;
}

function pairOf(one: RunEvent, other: RunEvent): Both | undefined {
  const readings = Object.entries(SAID.get(one.type) ?? {});
  const both = readings.flatMap(([name, read]): (readonly [string, Both])[] => {
    const found = read(memberOf(one.payload, name), memberOf(other.payload, name));
    return found === undefined || found.every((value) => value === interruptIn(one) || value === interruptIn(other))
      ? []
      : [[name, found]];
  });
  if (both.length === 0) return undefined;
  const [ours, theirs] = sides(both);
  return [saying(one, ours), saying(other, theirs)];
}

/** A host may ask under the id that it gave the question. */
function interruptIn({ payload }: RunEvent): unknown {
  return memberOf(payload, 'interruptId') ?? '';
}

function saying({ raw, sequence }: RunEvent, payload: Json): Json {
  const { eventId, runId, type, timestamp, nodeId } = Object(raw) as Readonly<Record<string, Json>>;
  const known = { eventId, runId, type, sequence, timestamp, nodeId, payload };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)) as Json;
}

function sides(both: readonly (readonly [name: string, both: Both])[]): Both {
  const side = (at: 0 | 1): Json => Object.fromEntries(both.map(([name, values]) => [name, values[at]]));
  return [side(0), side(1)];
}

function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function texts(one: unknown, other: unknown): Both | undefined {
  return typeof one === 'string' && typeof other === 'string' ? [one, other] : undefined;
}

/** What a recorded call used is emitted as it is recorded (replay.md, Phase 4 §C); how long it took, and what it cost, may differ. */
function counts(one: unknown, other: unknown): Both | undefined {
  return typeof one === 'number' && typeof other === 'number' ? [one, other] : undefined;
}

/** Names that somebody gave: one with a number may be that of one run. */
function names(one: unknown, other: unknown): Both | undefined {
  return [one, other].some((name) => /\d/u.test(String(name))) ? undefined : texts(one, other);
}

/** The key of a question, by which its answer is found again; a host may show an id that it made in its place. */
function keys(one: unknown, other: unknown): Both | undefined {
  return [one, other].some((key) => isMade(String(key))) ? undefined : texts(one, other);
}

/** The kind of a decision, and the workers that it names. */
function decisions(one: unknown, other: unknown): Both | undefined {
  const both = ['kind', 'nextWorkerIds'].flatMap((name): (readonly [string, Both])[] => {
    const [ours, theirs] = [memberOf(one, name), memberOf(other, name)];
    const isSaid = [ours, theirs].every((value) => typeof value === 'string' || Array.isArray(value));
    return isSaid ? [[name, [ours as Json, theirs as Json]]] : [];
  });
  return both.length === 0 ? undefined : sides(both);
}

/** Inputs come from whoever started the source: what both runs show under one name is the same, and those of one are not all named otherwise. */
function given(one: unknown, other: unknown): Both | undefined {
  const isShown = [one, other].every((inputs) => isRecord(inputs) && Object.keys(inputs).length > 0);
  const whole: Both = [one as Json, other as Json];
  return isShown ? (inCommon(one, other, (ours, theirs) => [ours as Json, theirs as Json]) ?? whole) : undefined;
}

function inCommon(
  one: unknown,
  other: unknown,
  read: (...both: readonly [unknown, unknown, string]) => Both | undefined,
) {
  if (!isRecord(one) || !isRecord(other)) return undefined;
  const both = Object.entries(one).flatMap(([name, value]): (readonly [string, Both])[] => {
    const found = Object.hasOwn(other, name) ? read(value, other[name], name) : undefined;
    return found === undefined ? [] : [[name, found]];
  });
  return both.length === 0 ? undefined : sides(both);
}

/** The words of a question that do not depend on when, and in which run, it is asked. */
function asked(one: unknown, other: unknown, name = '', depth = 0): Both | undefined {
  if (depth > DEEPEST || OF_ONE_RUN.test(name)) return undefined;
  if (Array.isArray(one) && Array.isArray(other)) {
    const both = one.slice(0, other.length).flatMap((each, at) => {
      const found = asked(each, other[at], name, depth + 1);
      return found === undefined ? [] : [found];
    });
    return both.length === 0 ? undefined : [both.map(([ours]) => ours), both.map(([, theirs]) => theirs)];
  }
  if (typeof one === 'boolean' && typeof other === 'boolean') return [one, other];
  const isWorded = [one, other].every((text) => typeof text === 'string' && isCertain(text, name));
  return isWorded
    ? texts(one, other)
    : inCommon(one, other, (ours, theirs, each) => asked(ours, theirs, each, depth + 1));
}

const DEEPEST = 8;

/** Members whose values a host makes for one question. */
const OF_ONE_RUN = /key|token|secret|nonce|signature|ur[il]|href|link|expir|deadline|remain|left|until/iu;

function isCertain(text: string, name: string): boolean {
  return !text.includes('://') && !holdsIdOrTime(text, name) && !isMade(text);
}

/** Whether a text has a word that looks made: many digits, or letters and digits mixed. */
function isMade(text: string): boolean {
  return text.split(/[^\dA-Za-z]+/u).some((word) => word.length >= MADE && /\d/u.test(word));
}

const MADE = 8;
