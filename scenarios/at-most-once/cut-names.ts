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

/** What a name says, tried in this order: `append-command-committed` also says commit, `append-tool-started` also tool. */
const WORDS: readonly (readonly [pattern: RegExp, step: Step])[] = [
  [/commandcommitted|committed/u, 'committed'],
  [/finished/u, 'finished'],
  [/started/u, 'started'],
  [/effect/u, 'effect'],
  [/commit/u, 'ledger'],
  [/acquire/u, 'acquire'],
  [/execut|tool|call|invoke/u, 'execute'],
];

/** Whether a name says that a node or a run starts or ends, which is no step of a tool call. */
function isOfAnother(rest: string): boolean {
  return /(?:node|run|job|workflow)(?:started|finished)/u.test(rest);
}

/** What a failpoint's name says, read without case and separators: its side, and the other words in one. */
export function wordsOf(name: string): { readonly side: 'before' | 'after' | undefined; readonly rest: string } {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/gu, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/u);
  const side = words.find((word) => word === 'before' || word === 'after');
  return { side, rest: words.filter((word) => word !== side).join('') };
}

/** The stage that a failpoint's name says, read without case and separators; undefined where it says none. */
export function stageOfName(name: string): Stage | undefined {
  const { side, rest } = wordsOf(name);
  const step = WORDS.find(([pattern]) => pattern.test(rest))?.[1];
  if (side === undefined || step === undefined || isOfAnother(rest)) return undefined;
  return (STEPS.indexOf(step) - (side === 'before' ? 1 : 0)) as Stage;
}

/** Whether a failpoint's name speaks of an effect store. */
export function namesEffect(name: string): boolean {
  return /effect/iu.test(name) && stageOfName(name) !== undefined;
}
