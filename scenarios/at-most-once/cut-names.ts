import type { CrashWindow } from '../../src/contract/crash-matrix.ts';

/** The durable steps of a tool call and the call itself, in the order of provable-semantics §3, claiming it first. */
const STEPS = ['acquire', 'started', 'execute', 'effect', 'finished', 'committed', 'ledger'] as const;

type Step = (typeof STEPS)[number];

/** How far a tool call had got: the index of the last step that was done, -1 for none. */
export type Stage = -1 | 0 | 1 | 2 | 3 | 4 | 5 | 6;

const WINDOWS: readonly CrashWindow[] = ['1', '1', '2', '2', '3', '3', '4', '5'];

/** The window of provable-semantics §2 in which a death after this stage lies. */
export function windowOfStage(stage: Stage): CrashWindow {
  return WINDOWS[stage + 1] ?? '5';
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

/** The stage that a failpoint's name tells, read without case and separators; undefined where it tells none. */
export function stageOfName(name: string): Stage | undefined {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/gu, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/u);
  const side = words.find((word) => word === 'before' || word === 'after');
  const rest = words.filter((word) => word !== side).join('');
  const step = WORDS.find(([pattern]) => pattern.test(rest))?.[1];
  if (side === undefined || step === undefined) return undefined;
  return (STEPS.indexOf(step) - (side === 'before' ? 1 : 0)) as Stage;
}

/** What the stream holds at a stage. */
export function streamAtStage(stage: Stage): 'none' | 'started' | 'finished' | 'committed' {
  if (stage >= 5) return 'committed';
  if (stage === 4) return 'finished';
  return stage >= 1 ? 'started' : 'none';
}
