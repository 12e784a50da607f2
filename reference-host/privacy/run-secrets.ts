import { stringMember } from '../json.ts';
import { isTerminal, type EventType, type RunEvent } from '../store/event.ts';
import type { SecretOrigin } from '../store/expired.ts';
import type { RunRecord } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { secretsIn } from './find-secrets.ts';
import { type Spelling, spellingsOf } from './spellings.ts';

/** The secrets of a run: each text with the way in which it first came into a run. */
export type Secrets = ReadonlyMap<string, SecretOrigin>;

export interface RunSecrets {
  /**
   * The secrets of the run and of all runs that could have handed it something: what it was forked from, what dispatched it
   * and its siblings, and what it dispatched. The same object as long as there are no new ones.
   */
  of(run: RunRecord): Secrets;
  /** What the run's own log tells: its secrets, and the runs that it dispatched. */
  own(run: RunRecord): { readonly secrets: Secrets; readonly children: ReadonlySet<string> };
  /** Every spelling of a secret, `spellingsOf`. */
  spellings(secret: string): readonly Spelling[];
  /** Forgets what was found, for runs of which data has been deleted. */
  forget(): void;
}

/** How many runs and secrets are remembered; the others are read again. */
const REMEMBERED = 1_000;
const NONE: Secrets = new Map();

/** What is known about a run's secrets: those of its log and of what a branch lays over the options; nothing else is shown anywhere. */
export function createRunSecrets(store: Pick<Store, 'events' | 'runs' | 'expired'>): RunSecrets {
  const scans = new Map<string, Scan>();
  const unions = new Map<string, Union>();
  /** Runs of which nothing more can come, because they and all their relatives have ended. */
  const settled = new Map<string, Secrets>();
  const spelt = new Map<string, readonly Spelling[]>();
  const scan = (run: RunRecord): Scan => {
    const known = scans.get(run.runId) ?? firstScan(store, run);
    if (known.isComplete) return known;
    const scanned = store.events.read(run.runId, known.last).reduce(withEvent, known);
    remember(scans, run.runId, scanned);
    return scanned;
  };
  const joined = (run: RunRecord, relatives: readonly Scan[]): Secrets => {
    const parts = relatives.map(({ secrets }) => secrets).filter(({ size }) => size > 0);
    if (parts.length === 0) return NONE;
    const known = unions.get(run.runId);
    if (known?.parts.length === parts.length && parts.every((part, at) => known.parts[at] === part))
      return known.secrets;
    const secrets = united(parts);
    remember(unions, run.runId, { parts, secrets });
    return secrets;
  };
  return {
    of(run) {
      const final = settled.get(run.runId);
      if (final !== undefined) return final;
      const relatives = family(store, run, scan);
      const secrets = joined(run, relatives);
      if (relatives.every(({ isComplete }) => isComplete)) remember(settled, run.runId, secrets);
      return secrets;
    },
    own: scan,
    spellings(secret) {
      const known = spelt.get(secret) ?? spellingsOf(secret);
      remember(spelt, secret, known);
      return known;
    },
    forget() {
      for (const known of [scans, unions, settled, spelt]) known.clear();
    },
  };
}

/** What is known of one run's log up to an event. */
interface Scan {
  readonly last: number | undefined;
  readonly isComplete: boolean;
  readonly secrets: Secrets;
  readonly children: ReadonlySet<string>;
  readonly origins: ReadonlyMap<string, SecretOrigin>;
}

interface Union {
  readonly parts: readonly Secrets[];
  readonly secrets: Secrets;
}

function remember<T>(all: Map<string, T>, key: string, value: T): void {
  all.delete(key);
  all.set(key, value);
  const [oldest] = all.keys();
  if (all.size > REMEMBERED && oldest !== undefined) all.delete(oldest);
}

/** A run's sources go after it and have the last word: the origin is that of the way in. */
function united(parts: readonly Secrets[]): Secrets {
  return new Map(parts.flatMap((secrets) => [...secrets]));
}

/** The scans of a run and of its relatives, the run's own first. */
function family(store: Pick<Store, 'runs'>, run: RunRecord, scan: (run: RunRecord) => Scan): readonly Scan[] {
  const found = new Map<string, Scan>();
  const waiting = [run.runId];
  for (let runId = waiting.pop(); runId !== undefined; runId = waiting.pop()) {
    const relative = found.has(runId) ? undefined : store.runs.get(runId);
    if (relative === undefined || relative.tenant !== run.tenant) continue;
    const scanned = scan(relative);
    found.set(runId, scanned);
    waiting.push(...scanned.children);
    for (const from of [relative.fork?.parentRunId, relative.dispatchedBy?.runId]) {
      if (from !== undefined) waiting.push(from);
    }
  }
  return [...found.values()];
}

function firstScan(store: Pick<Store, 'expired'>, { runId, fork }: RunRecord): Scan {
  const past = store.expired.get(runId);
  const overlay = [...secretsIn(fork?.overlay)].map((text) => [text, 'options'] as const);
  return {
    last: undefined,
    isComplete: false,
    secrets: new Map([...overlay, ...(past?.secrets ?? [])]),
    children: new Set(past?.children),
    origins: new Map(),
  };
}

function withEvent(scan: Scan, event: RunEvent): Scan {
  const { nodeId = '', payload, type } = event;
  const origins = type === 'node.started' ? new Map(scan.origins).set(nodeId, originOfKind(payload)) : scan.origins;
  const origin = ORIGINS.get(type) ?? origins.get(nodeId) ?? 'other';
  const found = [...secretsIn(payload)].filter((text) => !scan.secrets.has(text));
  const child = CHILD_EVENTS.has(type) ? stringMember(payload, 'childRunId') : undefined;
  return {
    last: event.sequence,
    isComplete: isTerminal(type),
    secrets:
      found.length === 0 ? scan.secrets : new Map([...scan.secrets, ...found.map((text) => [text, origin] as const)]),
    children: child === undefined || scan.children.has(child) ? scan.children : new Set(scan.children).add(child),
    origins,
  };
}

const CHILD_EVENTS: ReadonlySet<EventType> = new Set(['core.workflowChain.event', 'node.dispatched']);

const ORIGINS: ReadonlyMap<EventType, SecretOrigin> = new Map([
  ['run.started', 'options'],
  ['tool_invocation_started', 'options'],
  ['interrupt.resolved', 'resume'],
]);

function originOfKind(payload: unknown): SecretOrigin {
  const typeId = stringMember(payload, 'typeId') ?? '';
  if (typeId.startsWith('core.tool.')) return 'tool';
  if (typeId.startsWith('core.ai.')) return 'model';
  return typeId === 'core.interrupt' ? 'resume' : 'other';
}
