import type { CrashWindow } from '../../src/contract/crash-matrix.ts';

/** The durable steps of a tool call and the call itself, in the order of provable-semantics §3, claiming it first. */
const STEPS = ['acquire', 'started', 'execute', 'effect', 'finished', 'committed', 'ledger'] as const;

type Step = (typeof STEPS)[number];

/** How far a tool call had got: the index of the last step that was done, -1 for none. */
export type Stage = -1 | 0 | 1 | 2 | 3 | 4 | 5 | 6;

const WINDOWS: readonly CrashWindow[] = ['1', '1', '2', '2', '3', '3', '4', '5'];

/**
 * The window of provable-semantics §2 in which a death after this stage lies. Without an effect store nothing is recorded
 * between the call and the finished event.
 */
export function windowOfStage(stage: Stage, hasEffects = true): CrashWindow {
  return stage === 3 && !hasEffects ? '2' : (WINDOWS[stage + 1] ?? '5');
}

/** What a tool does outside, and not its record in the effect store. */
const OUTSIDE = /^(?!.*(?:put|record|stor|writ|persist)).*(?:side|external)effect/u;

/** What a name says, tried in this order: `append-command-committed` also says commit, `append-tool-started` also tool. */
const WORDS: readonly (readonly [pattern: RegExp, step: Step])[] = [
  [/commandcommitted|committed/u, 'committed'],
  [/finished/u, 'finished'],
  [/started/u, 'started'],
  [OUTSIDE, 'execute'],
  [/effect/u, 'effect'],
  [/commit/u, 'ledger'],
  [/acquire/u, 'acquire'],
  [/execut|tool|call|invoke/u, 'execute'],
];

/** The names of a node's or a run's start or end and of other commits, which are no step of a tool call. */
const OF_ANOTHER =
  /(?:node|run|job|workflow)(?:started|finished)|(?:acquire|claim|node|run|job|workflow|checkpoint|state|tx|transaction)commit/u;

/** What a failpoint's name says, read without case and separators: its side, and the other words in one. */
export function wordsOf(name: string): { readonly side: 'before' | 'after' | undefined; readonly rest: string } {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/gu, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/u);
  const plain = words.find((word) => word === 'before' || word === 'after');
  if (plain !== undefined) return { side: plain, rest: words.filter((word) => word !== plain).join('') };
  // Within a name, `post` may be what is done.
  const short = [words[0], words.at(-1)].find((word) => word === 'pre' || word === 'post');
  if (short === undefined) return { side: undefined, rest: words.join('') };
  return { side: short === 'pre' ? 'before' : 'after', rest: words.filter((word) => word !== short).join('') };
}

/** The stage that a failpoint's name says, read without case and separators; undefined where it says none. */
export function stageOfName(name: string): Stage | undefined {
  const { side, rest } = wordsOf(name);
  const step = WORDS.find(([pattern]) => pattern.test(rest))?.[1];
  if (side === undefined || step === undefined || OF_ANOTHER.test(rest)) return undefined;
  return stageAt(side, step);
}

/** The first of these failpoints whose name says a stage. */
export function nameAtStage(names: readonly string[], stage: Stage): string | undefined {
  return names.find((name) => stageOfName(name) === stage);
}

/** Whether a failpoint's name speaks of an effect store. */
export function namesEffect(name: string): boolean {
  const { rest } = wordsOf(name);
  return rest.includes('effect') && !OUTSIDE.test(rest) && stageOfName(name) !== undefined;
}

function stageAt(side: 'before' | 'after', step: Step): Stage {
  return (STEPS.indexOf(step) - (side === 'before' ? 1 : 0)) as Stage;
}

/**
 * The last four steps of provable-semantics §3, each a durable write, and the names that tell of one and cannot well mean
 * anything else: a tool that has finished need not have left an event.
 */
const WRITES = {
  effect: /^(?:put|record|store|write)?effect(?:store)?$/u,
  finished: /^(?!toolfinished$)(?:append|write)?(?:tool)?(?:invocation)?finished(?:event)?$/u,
  committed: /^(?:append|write)?commandcommitted(?:event)?$/u,
  ledger: /^(?:ledgercommit|commitledger|commit)$/u,
} as const;

type Write = keyof typeof WRITES;

interface NamedWrite {
  readonly side: 'before' | 'after';
  readonly write: Write;
}

/** The write that a failpoint stands before or after by its name; undefined where the name may mean something else. */
export function writeOfName(name: string): NamedWrite | undefined {
  const { side, rest } = wordsOf(name);
  const write = (Object.keys(WRITES) as Write[]).find((each) => WRITES[each].test(rest));
  return side === undefined || write === undefined ? undefined : { side, write };
}

/** Names of two failpoints, in the order in which a run passed them. */
type InOrder = readonly [earlier: string, later: string];

/**
 * The first contradiction to §3 among failpoints that a run passed once each: the write of the first was done before the
 * other's began.
 */
export function contradictionIn(passes: readonly string[]): InOrder | undefined {
  // The stage before the other's write is further back than that before the first one's own.
  return wrongTwo(passes, (first, second) => {
    return first.side === 'after' && second.side === 'before' && second.stage < first.stage - 1;
  });
}

/** The first two failpoints, passed once each, that stand the other way round by the writes that they name. */
export function disorderIn(passes: readonly string[]): InOrder | undefined {
  return wrongTwo(passes, (first, second) => second.stage < first.stage);
}

interface Passed extends NamedWrite {
  readonly stage: Stage;
}

function wrongTwo(passes: readonly string[], isWrong: (first: Passed, second: Passed) => boolean): InOrder | undefined {
  const named = passedOnce(passes).flatMap((name) => {
    const known = writeOfName(name);
    return known === undefined ? [] : [{ name, ...known, stage: stageAt(known.side, known.write) }];
  });
  // Of the names that say the same the first one has all others behind it.
  const said = new Set<string>();
  for (const [index, first] of named.entries()) {
    const saying = `${first.side} ${first.write}`;
    if (said.has(saying)) continue;
    said.add(saying);
    const second = named.slice(index + 1).find((each) => isWrong(first, each));
    if (second !== undefined) return [first.name, second.name];
  }
  return undefined;
}

/** The names that come once, in their order. */
export function passedOnce<Name extends string>(passes: readonly Name[]): readonly Name[] {
  const counts = new Map<Name, number>();
  for (const name of passes) counts.set(name, (counts.get(name) ?? 0) + 1);
  return passes.filter((name) => counts.get(name) === 1);
}

/** The end of a node by a failpoint's name, and the ledger's commit where no other commit can well be meant. */
const NODE_END = /^(?:append|write)?node(?:completed|finished)(?:event)?$/u;
export const LEDGER_COMMIT = /^(?:ledgercommit|commitledger)$/u;

/** Failpoints, passed once each, by which the end of the tool's node was written before the ledger's commit began (§3). */
export function endBeforeCommitIn(passes: readonly string[]): InOrder | undefined {
  const once = passedOnce(passes);
  const placeOf = (side: 'before' | 'after', pattern: RegExp): number =>
    once.findIndex((name) => {
      const words = wordsOf(name);
      return words.side === side && pattern.test(words.rest);
    });
  const [end, commit] = [placeOf('after', NODE_END), placeOf('before', LEDGER_COMMIT)];
  const [earlier, later] = [once[end], once[commit]];
  return earlier !== undefined && later !== undefined && end < commit ? [earlier, later] : undefined;
}

/** Whether a write was done when a run passed a failpoint: by its own name, or by one that was passed before. */
export function isDoneAt(name: string, write: Write, passes: readonly string[]): boolean {
  return [...passes.slice(0, passes.indexOf(name) + 1), name].some((each) => {
    const known = writeOfName(each);
    return known?.side === 'after' && known.write === write;
  });
}
