import { createRequire } from 'node:module';
import type * as Commander from 'commander';

/** Loaded as the CommonJS that it is: to import it takes Node as long as all else that `--help` does. */
export const { Argument, Command, CommanderError, Option } = createRequire(import.meta.url)(
  'commander',
) as typeof Commander;
export type Command = Commander.Command;
export type Option = Commander.Option;
