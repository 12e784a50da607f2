import type { Command } from '../commander.ts';
import { bashCompletion } from '../completion/bash.ts';
import { fishCompletion } from '../completion/fish.ts';
import { completed } from '../completion/words.ts';
import { zshCompletion } from '../completion/zsh.ts';
import { printScript } from '../printer.ts';

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

export type Shell = keyof typeof SCRIPTS;

/** `completion bash|zsh|fish`: prints the script that completes every command, option and name that this program defines. Returns 0. */
export function completion(program: Command, shell: Shell): number {
  printScript(SCRIPTS[shell](completed(program)));
  return 0;
}
